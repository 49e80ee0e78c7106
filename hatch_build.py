"""What a compiled wheel needs beside a pure one: the arrays that mypyc compiles counts to."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledNeeds(BuildHookInterface):
    """Adds the run-time dependency of the compiled modules to the wheel's metadata."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add it where the mypyc hook is enabled; see `canasta_notation/counts.py`."""
        if os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in ("1", "true"):
            build_data["dependencies"].append("librt>=0.16")
