"""What a deal is worth to a side: its points compared with those of the others."""

from __future__ import annotations

from collections.abc import Mapping


def leads(points: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each side's points exceed the mean of the other sides' points.

    Over the seats of a game, the leads add up to 0. Not checked: that there are two sides or more.
    """
    whole, others = sum(points.values()), len(points) - 1
    return {side: own - (whole - own) / others for side, own in points.items()}
