"""`canasta app`: what it writes, that it always writes the same, and what it refuses."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest
from typer.testing import CliRunner

from canasta_notation.app import web_app
from canasta_notation.cli.app import app

RUN = CliRunner()
ROOT = Path(__file__).parent.parent


def archive_of(files: dict[str, bytes]) -> bytes:
    """Return an archive as npm writes them."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An archive that replaces Pyodide's, and is accepted as it."""
    files = {name: name.encode() for name in web_app._CORE}
    files["pyodide-lock.json"] = b'{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}'
    path = tmp_path / "pyodide.tgz"
    path.write_bytes(archive_of(files))
    monkeypatch.setattr(web_app, "SHA512", hashlib.sha512(path.read_bytes()).hexdigest())
    return path


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_is_written(archive: Path, tmp_path: Path) -> None:
    done = RUN.invoke(app, ["app", "-o", str(tmp_path / "out"), "--pyodide", str(archive)])
    assert done.exit_code == 0, done.output
    found = written(tmp_path / "out")
    assert {"index.html", "app.js", "sw.js", "worker.js", "site.zip", "NOTICES.txt"} <= {*found}
    assert json.loads(found["core/pyodide-lock.json"])["packages"] == {}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "pyodide.tgz"]
    assert not re.search(rb"@[A-Z]+@", b"".join(v for k, v in found.items() if k != "site.zip"))


def test_the_service_worker_knows_the_hash_of_every_file(archive: Path) -> None:
    found = web_app.build(archive.read_bytes())
    listed = re.search(r"const FILES = (.*);", found.pop("sw.js").decode())
    assert listed is not None
    hashes = {name: (sri, size) for name, sri, size in json.loads(listed[1])}
    hashes["index.html"] = hashes.pop("./")
    assert hashes == {
        name: (f"sha256-{b64encode(hashlib.sha256(data).digest()).decode()}", len(data))
        for name, data in found.items()
    }


def test_it_is_always_the_same(archive: Path) -> None:
    """Also with another hash seed, in another process."""
    code = (
        "import hashlib, sys; from pathlib import Path; from canasta_notation.app import web_app;"
        f"web_app.SHA512 = {web_app.SHA512!r};"
        "found = web_app.build(Path(sys.argv[1]).read_bytes());"
        "print(hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest())"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code, str(archive)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(shown) == 1


def test_each_change_has_another_version_and_only_python_another_snapshot(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def versions() -> tuple[str, str]:
        found = web_app.build(archive.read_bytes())
        cache = re.search(r'"canasta-(\w+)"', found["sw.js"].decode())
        snapshot = re.search(r'"snapshot-(\w+)"', found["worker.js"].decode())
        assert cache is not None
        assert snapshot is not None
        return cache[1], snapshot[1]

    before = versions()
    screens = web_app._screens
    monkeypatch.setattr(
        web_app, "_screens", lambda *args: [*screens(*args), ("screens/more.js", b"more")]
    )
    after = versions()
    assert after[0] != before[0]
    assert after[1] == before[1]
    package = web_app._package
    monkeypatch.setattr(web_app, "_package", lambda: [*package(), ("canasta_notation/x.py", b"")])
    assert versions()[1] != before[1]


def test_what_python_imports_is_inside_and_no_more(archive: Path) -> None:
    """The bridge runs from the archive alone, without the libraries of the terminal."""
    found = web_app.build(archive.read_bytes())
    names = zipfile.ZipFile(io.BytesIO(found["site.zip"])).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"canasta_notation", "jinja2", "lark", "markupsafe"}
    assert {"canasta_notation/_data/grammar/canasta.lark"} <= {*names}
    assert [name for name in names if re.search(r"\.(so|pyc|lark~)$|/(cli|web|tui)/", name)] == []


def test_every_package_inside_is_one_that_the_bridge_reaches(archive: Path) -> None:
    """Each of its imports counts, also one inside a function; those of `__init__.py` do not."""
    packed = zipfile.ZipFile(io.BytesIO(web_app.build(archive.read_bytes())["site.zip"]))
    sources = {
        name for name in packed.namelist() if re.fullmatch(r"canasta_notation/.*/.*\.py", name)
    }
    reached, due = set(), ["canasta_notation/app/bridge.py", "canasta_notation/app/warm.py"]
    while due:
        name = due.pop()
        if name not in sources or name in reached:
            continue
        reached.add(name)
        for module in re.findall(
            r"(?:from|import) (canasta_notation[.\w]+)", packed.read(name).decode()
        ):
            due.append(f"{module.replace('.', '/')}.py")
    assert {name.split("/")[1] for name in sources} == {name.split("/")[1] for name in reached}


def test_the_archive_is_enough_to_run_the_bridge(archive: Path, tmp_path: Path) -> None:
    found = web_app.build(archive.read_bytes())
    zipfile.ZipFile(io.BytesIO(found["site.zip"])).extractall(tmp_path / "site")
    code = "from canasta_notation.app.warm import warm; warm()"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path / "site",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_notices_name_everything_inside(archive: Path) -> None:
    text = web_app.build(archive.read_bytes())["NOTICES.txt"].decode()
    for name in (
        f"Pyodide {web_app.PYODIDE}", "Mozilla Public License", "hiwire", "CPython 3.14.2",
        "PSF License", "zlib", "SQLite", "lark 1.", "Jinja2 3.",
        "MarkupSafe 3.", "canasta-notation 0.",
    ):  # fmt: skip
        assert name in text, name
    assert text.count("THE SOFTWARE IS PROVIDED") > 3


def test_the_policy_allows_the_scripts_of_the_page_and_no_others(archive: Path) -> None:
    index = web_app.build(archive.read_bytes())["index.html"].decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', index)
    assert policy is not None
    assert "unsafe-eval" not in policy[1].replace("wasm-unsafe-eval", "")
    assert "unsafe-inline" not in policy[1]
    assert "http" not in policy[1]
    for line in policy[1].split("; "):
        assert line.startswith("default-src 'none'") or line.split()[0] != "default-src"


#: Arguments in a folder with an archive of something else, and the message.
REFUSED = {
    "no archive": ([], "--pyodide is missing: `npm pack pyodide@"),
    "no such file": (["--pyodide", "none.tgz"], "none.tgz: no such file or folder"),
    "a folder": (["--pyodide", "."], ".: is a directory"),
    "another archive": (["--pyodide", "other.tgz"], "this is not the archive of Pyodide"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_archives_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, said = REFUSED[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.tgz").write_bytes(archive_of({"pyodide.mjs": b"x"}))
    done = RUN.invoke(app, ["app", "-o", "out", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.tgz"]


def test_an_existing_folder_is_left_alone(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine").touch()
    done = RUN.invoke(app, ["app", "-o", str(out), "--pyodide", str(archive)])
    assert done.exit_code == 2
    assert "already exists; name a new folder" in done.stderr
    assert [path.name for path in out.iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_written_leaves_nothing(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "out"
    done = RUN.invoke(app, ["app", "-o", str(out), "--pyodide", str(archive)])
    assert done.exit_code == 2
    assert f"{out}: not a directory" in done.stderr.replace("\n", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "pyodide.tgz"]


def test_a_disk_that_is_full_leaves_nothing(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "sw.js":
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    done = RUN.invoke(app, ["app", "-o", str(tmp_path / "out"), "--pyodide", str(archive)])
    assert done.exit_code == 2
    assert "no space left on device" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pyodide.tgz"]


def test_the_version_is_pinned_in_one_place() -> None:
    paths = [*(ROOT / "canasta_notation").rglob("*.py"), *(ROOT / "canasta_notation").rglob("*.js")]
    assert [path.name for path in paths if web_app.PYODIDE in path.read_text("utf-8")] == [
        "web_app.py"
    ]
