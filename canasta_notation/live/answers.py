"""What a live game answers: errors, events, the legal plays at a moment, a deal's score card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar, overload

from canasta_notation.cards import PLACE_OF, TEXT, parse_cards
from canasta_notation.english import minimum_words
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.findings import Finding, RuleRef
from canasta_notation.notebook import text_html
from canasta_notation.report.outcome import rule_json
from canasta_notation.rules.items import ITEMS


class PlayError(ValueError):
    """A play that is refused; `str()` is one line for the player. The game is as it was before.

    `code` is the code of the finding that a record of the play would have, `key` and `rule` are the
    profile's key and the rule that it rests on, and `remedy` is what to do instead; a broken rule
    always has a remedy. A field without a value is empty or None.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        key: str = "",
        rule: RuleRef | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message, code, key, rule, remedy)
        self.message = message
        self.code = code
        self.key = key
        self.rule = rule
        self.remedy = remedy

    def to_json(self) -> dict[str, Any]:
        """Return the refusal for JSON, as schemas/live.schema.json describes it."""
        return {
            "error": type(self).__name__,
            "message": self.message,
            "code": self.code or None,
            "rule": rule_json(self.rule),
            "remedy": self.remedy,
        }

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r})"


class NotYourTurn(PlayError):
    """The play of a seat that is not due."""


class WrongPhase(PlayError):
    """The play does not belong to this moment: a meld before the draw, a play between deals."""


class IllegalPlay(PlayError):
    """The play breaks a rule, or no legal end of the turn is left after it."""


class Unreadable(PlayError):
    """The text is not an action."""


class GameOver(PlayError):
    """A side has won, so nothing more can be dealt or played."""


#: The kinds of plays by the sign that they begin with; the others begin with a word or a label.
_KINDS: Final = {"+": "draw", "^": "take", "-": "discard"}


#: Every label, and the tens also with `10`.
_LABELS: Final = {*PLACE_OF, *(label.replace("T", "10") for label in PLACE_OF)}


class Spelled(NamedTuple):
    """What the text of a play says.

    `kind` is threes, draw, take, ask, lay, combine, back, special, discard, foot, pot, talon or
    end. `label` is the label of the meld that a group is laid on or that is put on another one, or
    the name of a special hand; None for other plays. `cards` are those of the text, `_` for a
    hidden one. `answer` is the partner's, "yes" or "no"; None for plays that do not ask.
    """

    kind: str
    label: str | None
    cards: tuple[str, ...]
    answer: str | None


@lru_cache(maxsize=1 << 14)
def spelled_by(text: str) -> Spelled:
    """Return what the text of a play says.

    `_` is a hidden card, and the top of a pile can be missing. Not checked: that it is a play.
    """
    kind = _KINDS.get(text[0]) or text.split("=")[0].split(":")[0]
    label = None
    if kind not in ("ask", *PACKET_WORDS, "threes", "back", "end") and ":" in text:
        kind, label = "lay" if kind in _LABELS else "special", kind
    elif ">" in text and text[0] not in _KINDS:
        kind, label = "combine", text.partition(">")[0]
    cards = text[1:].split(">")[0].split("/")[0] if text[0] in _KINDS else text.partition(":")[2]
    codes = parse_cards(cards.replace("+", " "))
    return Spelled(kind, label, tuple(TEXT[code] for code in codes), text.partition("=")[2] or None)


class _HasText(Protocol):
    """An object with the text of a play."""

    @property
    def text(self) -> str:
        """The play as a record spells it."""


_T_co = TypeVar("_T_co", covariant=True)


class _SpelledPart(Generic[_T_co]):
    """An attribute of a play that is read from its text; `name` is the field of `Spelled`."""

    def __init__(self, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, play: None, owner: type) -> Self: ...

    @overload
    def __get__(self, play: _HasText, owner: type) -> _T_co: ...

    def __get__(self, play: _HasText | None, owner: type) -> Any:
        """Return the value for a play, or this attribute itself for the class."""
        return self if play is None else getattr(spelled_by(play.text), self._name)


@dataclass(frozen=True, slots=True)
class Event:
    """What a play did. `text` is the action as played, with the cards that it brought (`+3h9c`).

    `deal` and `turn` count from 1. `ended` is "out", "stock" or "special" if the play ended the
    deal, else "". `findings` are the rules that it broke, if the house accepts that; a message may
    reveal cards of the hand. The event that ends a turn also has those about its take, its melds
    and its opening. `public` is the text with hidden cards as `_`.

    The text says the `kind` of play ("threes", "draw", "take", "ask", "lay", "combine", "back",
    "special", "discard", "foot", "pot", "talon" or "end"), the `label` of the meld or the name of
    the special hand (None for other plays), the `cards`, and the `answer` of a partner ("yes", "no"
    or None).
    """

    deal: int
    turn: int
    seat: str
    text: str
    public: str
    ended: str = ""
    findings: tuple[Finding, ...] = ()

    kind = _SpelledPart[str]("kind")
    label = _SpelledPart[str | None]("label")
    cards = _SpelledPart[tuple[str, ...]]("cards")
    answer = _SpelledPart[str | None]("answer")

    def seen_by(self, seat: str | None) -> Event:
        """Return the event as a seat may see it, or a spectator: cards hidden from it are `_`."""
        if seat == self.seat:
            return self
        return replace(self, text=self.public, findings=())

    def to_json(self) -> dict[str, Any]:
        """Return the event for JSON, as schemas/live.schema.json describes it.

        A finding becomes its line of text. The cards are those of `text`, so send a player only
        `seen_by(seat).to_json()`.
        """
        return {
            "deal": self.deal,
            "turn": self.turn,
            "seat": self.seat,
            "text": self.text,
            **_said_json(self.text),
            "ended": self.ended,
            "findings": [str(finding) for finding in self.findings],
        }

    def __str__(self) -> str:
        return f"{self.seat} {self.text}"


@dataclass(frozen=True, slots=True)
class NewDeal:
    """A deal that was dealt and then taken back; `deal` counts from 1."""

    deal: int

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON, as schemas/live.schema.json describes it."""
        return {"undone": "deal", "deal": self.deal}

    def __str__(self) -> str:
        return f"deal {self.deal}"


@dataclass(frozen=True, slots=True)
class PointsRuling:
    """Points taken from a side (`kind` is "penalty") or given to it ("bonus"), and the word for it.

    `deal` counts from 1.
    """

    deal: int
    kind: str
    side: str
    points: int
    word: str

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON, as schemas/live.schema.json describes it."""
        return {"undone": self.kind} | {
            "deal": self.deal, "side": self.side, "points": self.points, "word": self.word
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.side} {self.points} {self.word}"


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A deal that ended unfinished. `side` is the side that resigned, None if none did.

    `deal` counts from 1; `reason` is what was said, "" for nothing.
    """

    deal: int
    side: str | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON, as schemas/live.schema.json describes it."""
        return {"undone": "end", "deal": self.deal, "side": self.side, "reason": self.reason}

    def __str__(self) -> str:
        return f"{self.side} resigned" if self.side else f"unfinished {self.reason}".strip()


#: What `LiveGame.undo` can take back.
Undone = Event | NewDeal | PointsRuling | GivenUp


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal play, with what its text says, as in an `Event`.

    For a group, `size` is how many cards its meld then has, and `canasta` is "natural", "mixed",
    "wild", "sequence" or ""; `counted` is what the opening then counts in points, None if the side
    has opened before. For a discard, `out` says that the seat goes out with it.
    """

    text: str
    size: int = 0
    canasta: str = ""
    counted: int | None = None
    out: bool = False

    kind = _SpelledPart[str]("kind")
    label = _SpelledPart[str | None]("label")
    cards = _SpelledPart[tuple[str, ...]]("cards")
    answer = _SpelledPart[str | None]("answer")

    def to_json(self) -> dict[str, Any]:
        """Return the play for JSON, as schemas/live.schema.json describes it."""
        return {
            "text": self.text,
            **_said_json(self.text),
            "size": self.size,
            "canasta": self.canasta or None,
            "counted": self.counted,
            "out": self.out,
        }

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Refused:
    """A play that is not legal now, and why; with what its text says, as in an `Event`.

    `text` is the play, only `^` for a pile without a top, or only `ask` for both answers.
    """

    text: str
    reason: PlayError

    kind = _SpelledPart[str]("kind")
    label = _SpelledPart[str | None]("label")
    cards = _SpelledPart[tuple[str, ...]]("cards")
    answer = _SpelledPart[str | None]("answer")

    def to_json(self) -> dict[str, Any]:
        """Return the play and the reason for JSON, as schemas/live.schema.json describes them."""
        return {"text": self.text, **_said_json(self.text), "reason": self.reason.to_json()}

    def __str__(self) -> str:
        return f"{self.text}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """What the seat that is due can do at this moment; nothing if no play is due.

    `seat` is the seat that is due, "" for none. `phase` is "draw", "play" (after the draw or take),
    "answer" (a partner is asked), "foot", "pot" or "talon" (one is due) or "over" (before, between
    and after deals). While the side has not opened, `minimum` is how many points the
    opening must count, `raised` is the part of it added for cards taken back, `counted` is what
    this turn has laid towards it, and `missing` is what it still lacks; until then, the melds are
    provisional. Afterwards `minimum`, `counted` and `missing` are None.

    `plays` are what the rules allow: the turn can be ended legally after each of them. `refused`
    are plays that they forbid, each with its reason. In a record with unwritten cards, `uncertain`
    has the plays that these cards decide. `complete` is False if the search reached its limit,
    which can happen with very long hands. Then plays may be missing that `LiveGame.play` would
    accept.

    Suits make no difference: a group is listed once for each rank and number of naturals, twos and
    jokers, and a discard once for each rank. `LiveGame.play` also accepts the others.
    """

    seat: str
    phase: str
    plays: tuple[Choice, ...] = ()
    refused: tuple[Refused, ...] = ()
    minimum: int | None = None
    counted: int | None = None
    missing: int | None = None
    raised: int = 0
    complete: bool = True
    uncertain: tuple[Choice, ...] = ()

    def texts(self) -> Iterator[str]:
        """Yield the text of each legal play, for `LiveGame.play`."""
        return (play.text for play in self.plays)

    def to_json(self) -> dict[str, Any]:
        """Return the plays for JSON, as schemas/live.schema.json describes them."""
        return {
            "seat": self.seat or None,
            "phase": self.phase,
            "plays": [play.to_json() for play in self.plays],
            "refused": [refused.to_json() for refused in self.refused],
            "uncertain": [play.to_json() for play in self.uncertain],
            "minimum": self.minimum,
            "counted": self.counted,
            "missing": self.missing,
            **({"raised": self.raised} if self.raised else {}),
            "complete": self.complete,
        }

    def __str__(self) -> str:
        """Return the legal plays in one line, then a line for each refused play and its reason."""
        head = f"{self.seat} can play {' '.join(self.texts())}" if self.seat else "no play is due"
        if self.missing:
            needs = f"it still needs {self.missing}"
            due = minimum_words(self.minimum, self.raised)
            head += f" (the opening must count {due} points; {needs})"
        return "\n".join([head, *(f"  not {each}" for each in self.refused)])


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's score of one deal by item, and its total after the deal; all in points."""

    side: str
    items: dict[str, int]
    score: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """How a deal ended, and what it scored.

    `ended` is "out", "stock", "special" or "unfinished". `by` is the seat that went out or laid a
    special hand, None if none did.
    """

    deal: int
    ended: str
    by: str | None
    sides: tuple[SideScore, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the score card for JSON, as schemas/live.schema.json describes it."""
        return asdict(self) | {"sides": [asdict(side) for side in self.sides]}

    def _repr_html_(self) -> str:
        """Return the score card for a notebook."""
        return text_html(str(self))

    def __str__(self) -> str:
        """Return the score card as a table of text, a column for each side."""
        items = [item for item in ITEMS if any(item in side.items for side in self.sides)]
        rows = [(item, [side.items.get(item, 0) for side in self.sides]) for item in items]
        rows += [("score", [side.score for side in self.sides])]
        rows += [("total", [side.total for side in self.sides])]
        ended = f"{self.ended} {self.by or ''}".strip()
        head = f"deal {self.deal} ({ended})"
        width = max(len(head), *(len(name) for name, _ in rows))
        lines = [head.ljust(width) + "".join(f"{side.side:>8}" for side in self.sides)]
        lines += [
            name.ljust(width) + "".join(f"{figure:>8}" for figure in figures)
            for name, figures in rows
        ]
        return "\n".join(lines)


def _said_json(text: str) -> dict[str, Any]:
    """Return what the text of a play says, for JSON."""
    said = spelled_by(text)._asdict()
    return said | {"cards": [*said["cards"]]}
