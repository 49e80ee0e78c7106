"""A sample of the sweep: every command over a few records; `python -m tests.sweep` does more."""

from __future__ import annotations

import pytest

from tests.sweep import Sweep, records


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("samba", "whole"),
        ("bolivia", "unfinished table"),
        ("american-4p", "chair"),
        ("classic-3p", "wrong"),
        ("classic-6p", "final"),
    ],
)
def test_every_command_answers(name: str, kind: str) -> None:
    found = records(name, 7)[kind]
    assert [*Sweep(found, "N" if name != "classic-6p" else "A").complaints()] == []
