"""What a release consists of: its files, their metadata, and the description on the index."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from hatch_build import Preparation, described

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def build(source: Path, kind: str, out: Path) -> Path:
    """Build a file of a release; return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = out.iterdir()
    return made


def metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (each for each in files.namelist() if each.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(files.read(name))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(ROOT, "sdist", folder / "made")) as files:
        # Early releases of Python 3.11 have no filters.
        files.extraction_filter = getattr(tarfile, "data_filter", None)
        files.extractall(folder)
    (made,) = folder.glob("canasta*")
    return made


def test_the_source_distribution_builds_itself(unpacked: Path, tmp_path: Path) -> None:
    for file in ("tests/conformance/run.py", "grammar/SPECIFICATION.md", "CITATION.cff"):
        assert (unpacked / file).is_file()
    wheel = build(unpacked, "wheel", tmp_path / "made")
    with zipfile.ZipFile(wheel) as files:
        tops = {name.partition("/")[0] for name in files.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"canasta_notation"}
    own = email.message_from_bytes((unpacked / "PKG-INFO").read_bytes())
    assert own.items() == metadata(wheel).items()


def test_a_compiled_wheel_needs_what_a_pure_one_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HATCH_BUILD_HOOK_ENABLE_MYPYC", "1")
    monkeypatch.setenv("CFLAGS", "-Os")
    data: dict[str, Any] = {"dependencies": [], "force_include": {}}
    nothing: Any = None
    hook = Preparation(str(ROOT), {}, nothing, nothing, "", "")
    hook.initialize("standard", data)
    hook.finalize("standard", data, "")
    assert data["dependencies"] == []
    needed = [each for each in PROJECT["dependencies"] if re.match("librt|mypy-ext", each)]
    assert len(needed) == 2 and all("emscripten" in each for each in needed)


def test_the_description_on_the_index(unpacked: Path, tmp_path: Path) -> None:
    """Without an address, it has no pictures and no links to files; with one, it has both."""
    plain = str(metadata(build(unpacked, "wheel", tmp_path / "plain")).get_payload())
    # A source distribution keeps its description in PKG-INFO.
    source = shutil.copytree(unpacked, tmp_path / "source", ignore=lambda *_: ["PKG-INFO", "tests"])
    settings = source / "pyproject.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace('address = ""', 'address = "https://example.org/x/"'), "utf-8")
    linked = str(metadata(build(source, "wheel", tmp_path / "linked")).get_payload())
    prose = re.sub(r"(?ms)^```.*?^```$", "", plain)
    assert "![" not in prose
    assert all("://" in target for target in re.findall(r"\]\(([^)]+)\)", prose))
    assert "![The stepper: a turn in words" in linked
    assert "](https://example.org/x/samples/pictures/step.svg)" in linked
    assert "](https://example.org/x/grammar/README.md#score-sheets)" in linked


@pytest.mark.parametrize(
    ("readme", "plain", "linked"),
    [
        ("a [b](c.md) d", "a b d", "a [b](u/c.md) d"),
        ("[b](https://x.org)", "[b](https://x.org)", "[b](https://x.org)"),
        ("[b](#part)", "b", "b"),
        ("so:\n\n![b](c.svg)\n\nd", "so.\n\nd", "so:\n\n![b](u/c.svg)\n\nd"),
        ("```\n[b](c.md)\n```\n", "```\n[b](c.md)\n```\n", "```\n[b](c.md)\n```\n"),
    ],
)
def test_links_and_pictures_of_a_description(readme: str, plain: str, linked: str) -> None:
    assert (described(readme, ""), described(readme, "u/")) == (plain, linked)


def test_each_python_that_passed_the_suite_has_a_classifier() -> None:
    first = (ROOT / "tests" / "constraints.txt").read_text("utf-8").partition("\n")[0]
    named = [each for each in PROJECT["classifiers"] if "Python :: 3." in each]
    assert [each.rpartition(" ")[2] for each in named] == re.findall(r"3\.\d+", first)


def test_the_citation_has_the_version_and_the_authors() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in text
    (author,) = PROJECT["authors"]
    assert f"- name: {author['name']}\n" in text
    assert author["name"] in (ROOT / "LICENSE").read_text("utf-8")
