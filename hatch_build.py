"""How the package is built: catalogues, the flags for C, and the description on the index."""

from __future__ import annotations

import os
import re
import sysconfig
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: The compiled modules call each other directly, because nothing outside can replace these calls.
_DIRECT_CALLS = "-fno-semantic-interposition -fvisibility=hidden -fno-plt"
_PICTURE = re.compile(r"!\[([^]]*)\]\(([^)]+)\)")
_LINK = re.compile(r"(?<!!)\[([^]]*)\]\(([^)]+)\)")

#: Where the catalogues of the languages are, and what compiles them.
_LANGUAGES = Path("canasta_notation/language/languages")
_COMPILER = "canasta_notation/language/catalogue_file.py"


class Preparation(BuildHookInterface):
    """Prepares a build; the mypyc hook, if it is enabled, comes after this one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled catalogues, and compiler flags for C."""
        self._folder = TemporaryDirectory()
        compile_catalogue = run_path(str(Path(self.root, _COMPILER)))["compile_catalogue"]
        # An editable installation reads the catalogues of the source tree.
        sources = Path(self.root, _LANGUAGES).glob("*.po") if version != "editable" else ()
        for source in sorted(sources):
            compiled = Path(self._folder.name, f"{source.stem}.mo")
            compiled.write_bytes(compile_catalogue(source.read_text("utf-8")))
            place = _LANGUAGES / compiled.name
            build_data["force_include"][str(compiled)] = place.as_posix()
        enabled = os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in ("1", "true")
        if enabled and os.name == "posix":
            # setuptools lets CFLAGS replace the flags of Python, with which C has no assertions.
            flags = f"{sysconfig.get_config_var('CFLAGS')} {_DIRECT_CALLS}"
            os.environ["CFLAGS"] = f"{flags} {os.environ.get('CFLAGS', '')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        self._folder.cleanup()


class Description(MetadataHookInterface):
    """Makes the description on the index from the README, where no file is beside it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description to the metadata."""
        readme = Path(self.root, "README.md").read_text("utf-8")
        text = described(readme, self.config["address"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def described(readme: str, address: str) -> str:
    """Return a README whose links and pictures lead to an address, or that has none without it.

    Links to other sites stay as they are. Blocks of code are not changed.
    """
    parts = re.split(r"(?ms)(^```.*?^```$)", readme)
    parts[::2] = [_described(part, address.rstrip("/")) for part in parts[::2]]
    return "".join(parts)


def _described(text: str, address: str) -> str:
    def link(match: re.Match[str]) -> str:
        label, target = match.groups()
        if "://" in target:
            return match[0]
        return f"[{label}]({address}/{target})" if address and target[0] != "#" else label

    if address:
        text = _PICTURE.sub(rf"![\1]({address}/\2)", text)
    else:
        text = _PICTURE.sub("", re.sub(r":(?=\n\n!\[)", ".", text))
    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(link, text))
