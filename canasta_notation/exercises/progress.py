"""The progress of a person: which exercises are due, as FSRS schedules them, and its file.

Needs the library `fsrs`. Every exercise comes at most once a day: there are no steps of minutes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fsrs import Card, Rating, Scheduler, State

from canasta_notation.exercises.exercise import Exercise
from canasta_notation.storage import BadFile, refusal, write_whole

#: The file in the folder of the records.
FILE: Final = ".canasta-learn.json"
#: What a file of progress says of itself. Another version is refused.
FORMAT: Final = "canasta-learn"
VERSION: Final = 1
#: How answers are scheduled: the same answers at the same times give the same dates.
SCHEDULER: Final = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


class LearnerProgress:
    """What a person has answered: a card of FSRS for each exercise, by its id."""

    def __init__(self, cards: Mapping[str, Card] | None = None) -> None:
        self._cards = dict(cards or {})

    def answer(self, exercise: Exercise, *, right: bool, now: datetime) -> None:
        """Note an answer at a time, which is in UTC."""
        card = self._cards.get(exercise.id) or Card(card_id=0, due=now)
        rating = Rating.Good if right else Rating.Again
        self._cards[exercise.id], _ = SCHEDULER.review_card(card, rating, now)

    def due_at(self, exercise: Exercise) -> datetime | None:
        """Return when an exercise is due, None if it was never answered: then it is due now."""
        card = self._cards.get(exercise.id)
        return card.due if card else None

    def due(self, exercises: Iterable[Exercise], now: datetime) -> list[Exercise]:
        """Return the exercises that are due: those that were answered before come first."""
        found = [(self.due_at(each), each) for each in exercises]
        known = [(due, each) for due, each in found if due is not None and due <= now]
        new = [each for due, each in found if due is None]
        return [each for _, each in sorted(known, key=lambda pair: pair[0])] + new

    def to_json(self) -> dict[str, Any]:
        """Return the progress as its file has it, and as the page reads and writes it."""
        cards = {id_: _card_json(card) for id_, card in self._cards.items()}
        return {"format": FORMAT, "version": VERSION, "cards": cards}


def _card_json(card: Card) -> dict[str, Any]:
    assert card.last_review is not None, "a card that is kept was answered"
    return {
        "stability": card.stability,
        "difficulty": card.difficulty,
        "due": card.due.isoformat(),
        "last_review": card.last_review.isoformat(),
    }


def read_progress(path: Path) -> LearnerProgress:
    """Return the progress in a file, none if there is no file.

    Raises BadFile for a file that cannot be read, or that is not progress of this version.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return LearnerProgress()
    except OSError as error:
        raise BadFile(refusal(str(path), error)) from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: {_not_progress()}") from error
    try:
        held = json.loads(text)
        if held["format"] != FORMAT:
            raise ValueError
        if held["version"] != VERSION:
            raise BadFile(
                f"{path}: progress of version {held['version']}, and this program reads only "
                f"version {VERSION}; rename the file to begin anew"
            )
        return LearnerProgress({id_: _card(card) for id_, card in held["cards"].items()})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadFile(f"{path}: {_not_progress()}") from error


def _not_progress() -> str:
    return "not the progress of exercises; rename the file to begin anew"


def _card(held: dict[str, Any]) -> Card:
    due, last = (datetime.fromisoformat(held[name]) for name in ("due", "last_review"))
    return Card(
        card_id=0,
        state=State.Review,
        stability=float(held["stability"]),
        difficulty=float(held["difficulty"]),
        due=due.astimezone(UTC),
        last_review=last.astimezone(UTC),
    )


def write_progress(path: Path, progress: LearnerProgress) -> None:
    """Write the progress into a file, whole or not at all. Raises BadFile."""
    text = json.dumps(progress.to_json(), indent=1) + "\n"
    write_whole(path, [text.encode()])
