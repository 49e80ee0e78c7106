"""What a compiled wheel needs beside a pure one: the machine words and arrays of `counts`."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledNeeds(BuildHookInterface):
    """Adds the run-time dependencies of the compiled modules to the wheel's metadata."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them where the mypyc hook is enabled; see `canasta_notation/counts.py`."""
        if os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in ("1", "true"):
            build_data["dependencies"] += ["librt>=0.16", "mypy-extensions>=1.0"]
