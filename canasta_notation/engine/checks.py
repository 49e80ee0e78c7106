"""The checks of the engine: each code, and the functions that make its check.

The catalogue of findings names them; a test holds it to the engine's source.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from canasta_notation.rules import codes, entry

#: By code, the functions that note the violation, as `module.function` of the engine.
CHECKS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {code: entry(code).checks for code in codes() if entry(code).checks}
)
