"""The loss from which a decision is a mistake or a blunder: data by profile, in `limits.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from canasta_notation.rules import Profile
from canasta_notation.rules.load import lineage


class Limits(NamedTuple):
    """The smallest loss, in points, that is a mistake, and the smallest that is a blunder."""

    mistake: int
    blunder: int

    def kind(self, loss: float) -> str:
        """Return "blunder" or "mistake" for a loss that is one, else ""."""
        return "blunder" if loss >= self.blunder else "mistake" if loss >= self.mistake else ""


def limits_of(profile: Profile) -> Limits:
    """Return the limits of a profile: its own, or those of the nearest that it extends.

    Raises KeyError if none of them has limits.
    """
    limits = _file()
    return limits[next(name for name in lineage(profile.base) if name in limits)]


@cache
def _file() -> dict[str, Limits]:
    text = files(__package__).joinpath("limits.toml").read_text("utf-8")
    return {name: Limits(**limits) for name, limits in tomllib.loads(text).items()}
