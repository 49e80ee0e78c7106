"""What a wheel needs that the source tree has not: catalogues, and how C is compiled."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The compiled modules call each other directly, because nothing outside can replace these calls.
_DIRECT_CALLS = "-fno-semantic-interposition -fvisibility=hidden -fno-plt"


#: Where the catalogues of the languages are, and what compiles them.
_LANGUAGES = Path("canasta_notation/story/languages")
_COMPILER = "canasta_notation/story/catalogue_file.py"


class CompiledNeeds(BuildHookInterface):
    """Prepares a build; the mypyc hook, if it is enabled, comes after this one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled catalogues, and for C the machine words, arrays and compiler flags."""
        self._folder = TemporaryDirectory()
        compile_catalogue = run_path(str(Path(self.root, _COMPILER)))["compile_catalogue"]
        # An editable installation reads the catalogues of the source tree.
        sources = Path(self.root, _LANGUAGES).glob("*.po") if version != "editable" else ()
        for source in sorted(sources):
            compiled = Path(self._folder.name, f"{source.stem}.mo")
            compiled.write_bytes(compile_catalogue(source.read_text("utf-8")))
            place = _LANGUAGES / compiled.name
            build_data["force_include"][str(compiled)] = place.as_posix()
        if os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") not in ("1", "true"):
            return
        build_data["dependencies"] += ["librt>=0.16", "mypy-extensions>=1.0"]
        if os.name == "posix":
            # setuptools lets CFLAGS replace the flags of Python, with which C has no assertions.
            flags = f"{sysconfig.get_config_var('CFLAGS')} {_DIRECT_CALLS}"
            os.environ["CFLAGS"] = f"{flags} {os.environ.get('CFLAGS', '')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        self._folder.cleanup()
