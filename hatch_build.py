"""What a compiled wheel needs in addition to a pure one, and how its C is compiled."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The compiled modules call each other directly, because nothing outside can replace these calls.
_DIRECT_CALLS = "-fno-semantic-interposition -fvisibility=hidden -fno-plt"


class CompiledNeeds(BuildHookInterface):
    """Prepares the build if the mypyc hook, which comes after this one, is enabled."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the machine words and arrays of `canasta_notation/counts.py`, and compiler flags."""
        if os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") not in ("1", "true"):
            return
        build_data["dependencies"] += ["librt>=0.16", "mypy-extensions>=1.0"]
        if os.name == "posix":
            # setuptools lets CFLAGS replace the flags of Python, with which C has no assertions.
            flags = f"{sysconfig.get_config_var('CFLAGS')} {_DIRECT_CALLS}"
            os.environ["CFLAGS"] = f"{flags} {os.environ.get('CFLAGS', '')}"
