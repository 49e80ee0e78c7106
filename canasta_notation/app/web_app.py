"""The files of the web application: Pyodide, this package and what it needs, screens, notices.

The same package and the same archive always give the same files.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from canasta_notation.language.languages import LANGUAGES
from canasta_notation.language.sentences import app_words
from canasta_notation.page.one_file import style_and_script
from canasta_notation.resources import packaged_text

#: The version of Pyodide, and the SHA-512 of the archive that `npm pack` writes.
PYODIDE: Final = "314.0.7"
SHA512: Final = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
#: The command that writes the archive.
FETCH: Final = f"npm pack pyodide@{PYODIDE}"
_LOCK: Final = "pyodide-lock.json"
_CORE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", _LOCK)
#: What the bridge never imports.
_LEFT_OUT: Final = (
    "_data", "batch", "cli", "conformance", "corpus", "deck.py", "dialogue", "editor", "exercises",
    "learning", "live", "notices", "openspiel.py", "player.py", "random_game.py", "random_packs.py",
    "random_placed.py", "random_seat.py", "random_turn.py", "rl.py", "seated.py", "tui", "turns.py",
    "web", "web_app.py",
)  # fmt: skip
#: The ends of other files that are left out: the program's commands, and what machines write beside
#: the files of the package, compiled modules and caches.
_ENDS_LEFT_OUT: Final = ("_command.py", ".so", ".pyd", ".pyc", ".lark")
_GRAMMAR: Final = ("canasta.lark", "slips.toml")
#: The libraries, with the beginnings of their files and of those that are left out.
_LIBRARIES: Final = {
    "lark": (("lark/",), ("lark/__pyinstaller/", "lark/reconstruct.py", "lark/tools/")),
    "jinja2": (("jinja2/",), ("jinja2/ext.py", "jinja2/nativetypes.py", "jinja2/sandbox.py")),
    "markupsafe": (("markupsafe/__init__.py", "markupsafe/_native.py"), ()),
}
_DATE: Final = (2020, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16
_DIGEST: Final = 12


class WrongArchive(Exception):
    """An archive that is not the expected one; the message says so, with a remedy."""


def build(archive: bytes) -> dict[str, bytes]:
    """Return the files of the application by their names, from the archive of Pyodide.

    Raises WrongArchive.
    """
    found = {f"core/{name}": data for name, data in _core(archive).items()}
    found["site.zip"] = _zipped({**dict(_package()), **dict(_libraries())})
    python = _digest(found)
    for name, data in _screens(files(__package__).joinpath("web"), ""):
        found[name] = data
    found["words.js"] = screen_words()
    found["NOTICES.txt"] = _notices().encode()
    version = _digest(found)
    for name, values in {
        "worker.js": {"PYTHON": python},
        "index.html": {"CSP": _policy(), "VERSION": version},
    }.items():
        found[name] = _filled(found[name], values)
    listed = [_listed(name, data) for name, data in sorted(found.items()) if name != "sw.js"]
    found["sw.js"] = _filled(found["sw.js"], {"VERSION": version, "FILES": json.dumps(listed)})
    return found


def _core(archive: bytes) -> dict[str, bytes]:
    """Return the files of Pyodide; its list of packages, which need a network, is emptied."""
    if hashlib.sha512(archive).hexdigest() != SHA512:
        raise WrongArchive(
            f"this is not the archive of Pyodide {PYODIDE} (its SHA-512 is different): "
            f"`{FETCH}` writes it"
        )
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for name in _CORE:
            member = tar.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
    lock = json.loads(found[_LOCK])
    found[_LOCK] = json.dumps({**lock, "packages": {}}, indent=1).encode()
    return found


# --- what Python imports --------------------------------------------------------------------------


def _package() -> Iterator[tuple[str, bytes]]:
    """Yield the files of this package that the bridge needs, and the grammar."""
    yield from _walk(files("canasta_notation"), "canasta_notation/")
    for name in _GRAMMAR:
        yield f"canasta_notation/_data/grammar/{name}", packaged_text("grammar", name).encode()


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.name in _LEFT_OUT or each.name == "__pycache__":
            continue
        if each.is_dir():
            yield from _walk(each, f"{prefix}{each.name}/")
        elif not each.name.endswith(_ENDS_LEFT_OUT):
            yield prefix + each.name, each.read_bytes()


def _libraries() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the libraries, as they are installed with this package."""
    for library, (wanted, left_out) in _LIBRARIES.items():
        for path in distribution(library).files or ():
            name = path.as_posix()
            code = name.endswith((".py", ".lark")) and name.startswith(wanted)
            if code and not name.startswith(left_out):
                yield name, path.read_binary()


def _zipped(found: Mapping[str, bytes]) -> bytes:
    """Return files as a zip archive that depends only on their names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(found.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


# --- what the browser loads -----------------------------------------------------------------------


def _screens(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the screens."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _screens(each, f"{prefix}{each.name}/")
        else:
            yield prefix + each.name, each.read_bytes()


def screen_words() -> bytes:
    """Return the script that holds the words of the screens in each language."""
    words = {language: app_words(language) for language in LANGUAGES}
    held = {"LANGUAGES": LANGUAGES, "WORDS": words}
    return "".join(
        f"export const {name} = {json.dumps(each, ensure_ascii=False)};\n"
        for name, each in held.items()
    ).encode()


def _policy() -> str:
    """Return the Content Security Policy; the page of a record brings its own script and style."""
    style, script = (_base64(part.encode()) for part in style_and_script())
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'wasm-unsafe-eval' 'sha256-{script}'",
            f"style-src 'self' 'sha256-{style}'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "frame-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _notices() -> str:
    """Return the notices of Pyodide, which has a file for each version, and of the libraries."""
    texts = [files(__package__).joinpath("notices", f"{PYODIDE}.txt").read_text("utf-8")]
    for name in (*_LIBRARIES, "canasta-notation"):
        held = distribution(name)
        for path in sorted(held.files or (), key=str):
            if re.fullmatch(r"LICEN[CS]E(\.\w+)?", path.name) and ".dist-info" in str(path):
                title = f"{held.metadata['Name']} {held.version}"
                line = "=" * 78
                texts.append(f"{line}\n{title}\n{line}\n\n{path.read_text('utf-8').strip()}\n")
    return "\n".join(texts)


def _filled(template: bytes, values: Mapping[str, str]) -> bytes:
    text = template.decode()
    for name, value in values.items():
        assert f"@{name}@" in text, name
        text = text.replace(f"@{name}@", value)
    return text.encode()


def _listed(name: str, data: bytes) -> list[str | int]:
    """Return what the service worker knows about a file: its address, its hash and its size."""
    return ["./" if name == "index.html" else name, f"sha256-{_base64(data)}", len(data)]


def _base64(data: bytes) -> str:
    """Return the SHA-256 of a file, as browsers name it."""
    return b64encode(hashlib.sha256(data).digest()).decode()


def _digest(found: Mapping[str, bytes]) -> str:
    """Return a name for a set of files, which any change to one of them changes."""
    whole = hashlib.sha256()
    for name, data in sorted(found.items()):
        whole.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return whole.hexdigest()[:_DIGEST]
