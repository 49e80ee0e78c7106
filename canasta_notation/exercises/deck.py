"""Exercises as a deck for Anki. Needs the library `genanki`.

A note has the id of its exercise, so an import updates the notes that are there and keeps their
history.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import genanki

from canasta_notation.exercises.exercise import Exercise, ExerciseAnswer, picture
from canasta_notation.exercises.exercise_rows import place_text, worth_cells
from canasta_notation.language.sentences import label

#: The number of the note type. Anki knows a note type by it, so it never changes.
_NOTE_TYPE: Final = 1_604_773_811
_FIELDS: Final = (
    "Id",
    "Picture",
    "Scores",
    "Question",
    "Answers",
    "Values",
    "Why",
    "After",
    "From",
)
_FRONT: Final = (
    "{{Picture}}<p>{{Scores}}</p><p><b>{{Question}}</b></p><ol class=answers>{{Answers}}</ol>"
)
_BACK: Final = (
    "{{FrontSide}}<hr id=answer><table>{{Values}}</table><p>{{Why}}</p>"
    "<p><b>%s</b><br>{{After}}</p><p><small>{{From}}</small></p>"
)
_STYLE: Final = (
    ".card{font-family:sans-serif;max-width:30em;margin:auto;text-align:left}"
    "img{width:100%}td{padding:.2em .5em}td:nth-child(-n+2){text-align:right}"
)
#: How many bits the number of a deck has.
_BITS: Final = 31


def deck(exercises: Sequence[Exercise], player: str) -> bytes:
    """Return a deck file (.apkg) with the exercises, in the current language."""
    back = _BACK % escape(label("learn_went_on"))
    note_type = genanki.Model(
        _NOTE_TYPE,
        "Canasta",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "Canasta", "qfmt": _FRONT, "afmt": back}],
        css=_STYLE,
    )
    number = int.from_bytes(sha256(player.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    made = genanki.Deck(number >> 32 - _BITS, f"Canasta::{player}")
    with TemporaryDirectory() as folder:
        pictures = []
        for each in exercises:
            path = Path(folder) / f"canasta-{each.id}.svg"
            path.write_bytes(picture(each).encode("utf-8", "xmlcharrefreplace"))
            pictures.append(str(path))
            made.add_note(_note(note_type, each, path.name))
        package = genanki.Package(made)
        package.media_files = pictures
        written = BytesIO()
        package.write_to_file(written)
    return written.getvalue()


def _note(note_type: Any, exercise: Exercise, image: str) -> Any:
    fields = [
        exercise.id,
        f'<img src="{image}">',
        "<br>".join(map(escape, exercise.scores)),
        escape(exercise.question),
        "".join(f"<li>{escape(each.text)}</li>" for each in exercise.answers),
        "".join(map(_value, exercise.answers)),
        escape(exercise.reason.text),
        "<br>".join(map(escape, exercise.went_on)),
        escape(place_text(exercise)),
    ]
    tags = [f"canasta::{exercise.kind}", f"canasta::{exercise.mark}"]
    return genanki.Note(note_type, fields, guid=exercise.id, tags=tags)


def _value(answer: ExerciseAnswer) -> str:
    cells = (*worth_cells(answer), answer.text, label("fig_played") if answer.was_played else "")
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
