"""The extras of the package: what to do if one is not installed."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """Return the remedy for an extra that is missing: the package is installed from a checkout."""
    return f"in a checkout of canasta-notation, run: pip install -e '.[{extra}]'"
