"""Exercises as one page, which works offline: the template, the style and the script.

The script schedules as FSRS does, with the figures of the library `fsrs`. The texts of records are
JSON, which the script shows as text alone.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

from canasta_notation.exercises.exercise import Exercise, picture
from canasta_notation.exercises.exercise_rows import place_text, worth_cells
from canasta_notation.exercises.progress import FORMAT, SCHEDULER, VERSION
from canasta_notation.language.languages import current_language
from canasta_notation.language.sentences import label, say

#: The texts of the page that belong to no exercise.
_TEXTS: Final = (
    "learn_right", "learn_wrong", "learn_went_on", "learn_done", "learn_all", "learn_save",
    "learn_load", "learn_bad_file", "learn_not_kept", "next_question", "fig_worth", "fig_error",
    "fig_play", "fig_played",
)  # fmt: skip


def learn_page(exercises: Sequence[Exercise], player: str) -> str:
    """Return the page as HTML, in the current language. It loads nothing."""
    held = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": SCHEDULER.parameters,
        "retention": SCHEDULER.desired_retention,
        "longest": SCHEDULER.maximum_interval,
        "texts": {key: label(key) for key in _TEXTS},
        "exercises": [*map(_exercise, exercises)],
    }
    style, script = _packaged("learn.css"), _packaged("learn.js")
    return Template(_packaged("learn.html")).substitute(
        language=current_language(),
        title=escape(f"{label('learn_title')}: {player}"),
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=json.dumps(held).replace("<", "\\u003c"),
    )


def _exercise(exercise: Exercise) -> dict[str, Any]:
    drawn = picture(exercise).encode("utf-8", "xmlcharrefreplace")
    return {
        "id": exercise.id,
        "kind": label(f"kind_{exercise.kind}"),
        "picture": f"data:image/svg+xml;base64,{b64encode(drawn).decode()}",
        "seen": say("seen_by", n=exercise.names.get(exercise.seat, exercise.seat)).text,
        "scores": exercise.scores,
        "question": exercise.question,
        "answers": [
            {
                "text": each.text,
                "worth": worth_cells(each),
                "right": each.right,
                "played": each.was_played,
                "value": each.value,
            }
            for each in exercise.answers
        ],
        "reason": exercise.reason.text,
        "followed": exercise.went_on,
        "place": place_text(exercise),
    }


def _packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return what a policy of content calls a text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
