"""An environment whose action is one turn as text, and whose answer to a false one is a finding.

It is for language models, and for programs that read and write the notation. It needs no extra.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from canasta_notation.engine.ruleset import rules_of
from canasta_notation.english import count
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.learning.leads import leads
from canasta_notation.live.action_text import END
from canasta_notation.live.answers import Event, PlayError, ScoreCard, WrongPhase
from canasta_notation.live.game import LiveGame, table_of
from canasta_notation.live.live_deal import PACKET, PLAY
from canasta_notation.notation.reader import read_text
from canasta_notation.page.one_file import game_page, page
from canasta_notation.page.shown_game import page_game
from canasta_notation.players.player import Player
from canasta_notation.quoting import quoted
from canasta_notation.render.position import Position
from canasta_notation.rules import Profile, rules_tag

#: How many false texts a seat may give for one decision.
_TRIES: Final = 5
#: The points by which the side of a seat that has used up its tries loses the deal.
_FORFEIT: Final = 500
#: The plays that bring cards which the seat has not seen: they cannot be taken back.
_REVEAL: Final = ("draw", "threes", *PACKET_WORDS)
#: The plays with which a text may stop before the turn has ended.
_STOPS: Final = (*_REVEAL, "take", "ask")
#: How many turns `get_legal_moves` returns at most.
_MOST_MOVES: Final = 100


@dataclass(frozen=True, slots=True)
class FalseTurn:
    """A text that was refused: the `word` of it that is false, and the referee's finding."""

    text: str
    word: str
    finding: PlayError

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON; the finding is as schemas/live.schema.json describes an error."""
        return {"text": self.text, "word": self.word, "finding": self.finding.to_json()}

    def __str__(self) -> str:
        found = self.finding
        code = f" [{found.code}]" if found.code else ""
        remedy = f"; remedy: {found.remedy}" if found.remedy else ""
        return f"{self.word or quoted(self.text)}: {found}{code}{remedy}"


@dataclass(frozen=True, slots=True)
class TurnView:
    """What the seat that is due sees before it plays.

    `rules` is the text of a Rules tag. `phase` is "draw", "play" (after the draw or take), "answer"
    (the partner asks), or the packet that is due ("foot", "pot" or "talon"). `turns` are the turns
    of the deal as the seat saw them, a line for each (`3. N +_ K:KsKsKh -Qd`), with its own turn in
    progress last. `false` are the texts that were refused since the last play that stands, and
    `tries` is how many more may be refused before the seat has failed.
    """

    seat: str
    rules: str
    phase: str
    table: Position
    turns: tuple[str, ...]
    false: tuple[FalseTurn, ...]
    tries: int

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON: its attributes, the table as `Position.to_json` writes it."""
        return {
            "seat": self.seat,
            "rules": self.rules,
            "phase": self.phase,
            "table": self.table.to_json(),
            "turns": [*self.turns],
            "false": [each.to_json() for each in self.false],
            "tries": self.tries,
        }

    def __str__(self) -> str:
        """Return the turns, the table and what was refused, as lines of text."""
        side = next(side for side in self.table.sides if self.seat in side)
        lines = [*self.turns, str(self.table)]
        minimum = self.table.minimum[side]
        if minimum is not None and not self.table.opened[side]:
            lines.append(f"{side} opens with {count(minimum, 'point')}")
        lines.append(f"{self.seat} is due: {self.phase}")
        lines += [f"refused {each.text!r}: {each}" for each in self.false]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a text did.

    `events` are the plays that stand, as the seat saw them. `false` is what was refused, None if
    nothing was. `score` is the score of the deal if it ended, else None.
    """

    seat: str
    events: tuple[Event, ...]
    false: FalseTurn | None
    score: ScoreCard | None

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON; its parts are as schemas/live.schema.json describes them."""
        return {
            "seat": self.seat,
            "events": [event.to_json() for event in self.events],
            "false": self.false and self.false.to_json(),
            "score": self.score and self.score.to_json(),
        }

    def __str__(self) -> str:
        played = " ".join(event.text for event in self.events)
        lines = [f"{self.seat} {played}"] if played else []
        lines += [f"refused {self.false.text!r}: {self.false}"] if self.false else []
        return "\n".join([*lines, *([str(self.score)] if self.score else [])])


class TurnEnv:
    """A game of `deals` deals, or up to its target if `deals` is None, played in texts of turns.

    `step` takes the rest of a turn as one text, actions of the notation with spaces between them:
    `+ 7:7s7h2c -9d`. The text may stop after a draw, a take, a packet or a question to the partner,
    because what follows may depend on it; otherwise it must lead to the end of the turn. If an
    action is refused, nothing of the text is played, except what brought cards that the seat had
    not seen: a draw and what stood before it cannot be taken back. A seat that is refused `tries`
    times in one decision has failed: the game is over, and its side loses the deal by `forfeit`
    points.

    `game` is the live game, which knows every card; the page and the record come from it. `failed`
    is the seat that has failed, "" if none has. `rewards` are points by seat, summed over the
    deals: the score of its side minus the mean score of the other sides.

    Raises ValueError for rules that do not exist, and for numbers that are not whole and positive.
    """

    def __init__(
        self,
        rules: str | Profile = "classic",
        deals: int | None = 1,
        *,
        tries: int = _TRIES,
        forfeit: int = _FORFEIT,
    ) -> None:
        for name, value in (("deals", deals), ("tries", tries), ("forfeit", forfeit)):
            if (name, value) != ("deals", None) and (type(value) is not int or value < 1):
                raise ValueError(f"{name} must be a whole number from 1, not {quoted(value)}")
        self.rules, self.deals, self.tries, self.forfeit = rules, deals, tries, forfeit
        self.game = LiveGame(rules, seed=0)
        self._tag = rules_tag(self.game.rules)
        self._clear()

    def _clear(self) -> None:
        self.failed = ""
        self.rewards = dict.fromkeys(self.game.seats, 0.0)
        self._false: tuple[FalseTurn, ...] = ()

    def reset(self, seed: int | str | None = None, dealer: str | None = None) -> TurnView:
        """Begin a game and return what the first seat sees.

        `seed` decides every shuffle; without it they are random. `dealer` is the first dealer.
        Raises ValueError for a seed or a seat that does not exist; nothing has changed then.
        """
        self.game = LiveGame(self.rules, dealer=dealer, seed=seed)
        self._clear()
        self.game.deal()
        return self.view()

    @property
    def due(self) -> str:
        """The seat that plays next, "" before `reset` and after the game."""
        return "" if self.failed else self.game.due

    @property
    def over(self) -> bool:
        """Whether the game is over: the last deal was played, or a seat has failed."""
        return self.game.deals > 0 and not self.due

    def view(self) -> TurnView:
        """Return what the seat that is due sees. Raises WrongPhase if none is."""
        seat = self._due()
        return TurnView(
            seat,
            self._tag,
            _phase(self.game),
            self.game.observe(seat),
            _turns(self.game.events, seat),
            self._false,
            self.tries - len(self._false),
        )

    def _due(self) -> str:
        if not self.due:
            raise WrongPhase("no game is in progress", remedy="call reset()")
        return self.due

    def choose(self, player: str | Player) -> str:
        """Return the text with which a player (see `LiveGame.choose`) plays for the seat due."""
        self._due()
        return " ".join(self.game.choose(player))

    def step(self, text: str) -> TurnAnswer:
        """Play a text for the seat that is due, and return what it did.

        Raises WrongPhase if no game is in progress. A false text is no error: the answer says why.
        """
        seat, before = self._due(), len(self.game.events)
        played, false = tried(self.game, seat, text)
        self.game = played
        events = tuple(event.seen_by(seat) for event in played.events[before:])
        self._false = () if events else self._false
        if false is not None:
            self._false = (*self._false, false)
        score = played.score_card() if played.deal_over else None
        if score is not None:
            self._end_deal(score)
        elif len(self._false) == self.tries:
            self.failed = seat
            self._reward({side: -self.forfeit * (seat in side) for side in played.sides})
        return TurnAnswer(seat, events, false, score)

    def _end_deal(self, score: ScoreCard) -> None:
        self._false = ()
        self._reward({side.side: side.score for side in score.sides})
        if not self.game.over and self.game.deals != self.deals:
            self.game.deal()

    def _reward(self, points: dict[str, int]) -> None:
        for side, lead in leads(points).items():
            for seat in side:
                self.rewards[seat] += lead

    def page(self) -> str:
        """Return the game so far as one HTML file, which shows every hand; see `canasta page`.

        Raises WrongPhase before the first `reset`.
        """
        if not self.game.deals:
            raise WrongPhase("no game is in progress", remedy="call reset()")
        (reading,) = read_text(self.game.to_record())
        return page([game_page(page_game("game", reading, 1, self.game.rules, "", {}))])


def tried(game: LiveGame, seat: str, text: str) -> tuple[LiveGame, FalseTurn | None]:
    """Return the game after a text, and what was refused; `game` does not change."""
    kept, trial = game, game.copy()
    event: Event | None = None
    for word in text.split() or [""]:
        try:
            event = trial.play(seat, word)
        except PlayError as finding:
            return kept, FalseTurn(text, word, finding)
        if event.kind in _REVEAL:
            kept = trial.copy()
    assert event is not None
    if trial.due == seat and not may_stop(trial, event):
        unfinished = trial.check(seat, END)
        if unfinished is not None:
            return kept, FalseTurn(text, event.text, unfinished)
    return trial, None


def may_stop(game: LiveGame, event: Event) -> bool:
    """Return whether a text may stop after an event, its last one."""
    return event.kind in _STOPS or table_of(game).phase != PLAY


def get_legal_moves(env: TurnEnv, most: int = _MOST_MOVES) -> tuple[str, ...]:
    """Return texts that `env.step` accepts now: those with the fewest actions, at most `most`.

    Plays that differ only in suits are listed once, as in `LiveGame.legal`, and groups in one order
    only. The list is not complete if it has `most` texts. Each action takes a search for legal
    plays, so a long list takes up to a second.
    """
    moves: list[str] = []
    if env.due:
        for move in _moves(env.game, env.due):
            moves.append(move)
            if len(moves) == most:
                break
    return tuple(moves)


def _moves(game: LiveGame, seat: str) -> Iterator[str]:
    """Yield the texts that are legal, those with fewer actions first."""
    begun: list[tuple[LiveGame, tuple[str, ...]]] = [(game, ())]
    seen: set[tuple[str, ...]] = set()
    while begun:
        longer: list[tuple[LiveGame, tuple[str, ...]]] = []
        for before, words in begun:
            for word in before.legal(reasons=False).texts():
                after = before.copy()
                event = after.play(seat, word)
                if after.due != seat or may_stop(after, event):
                    yield " ".join((*words, word))
                elif (laid := tuple(sorted((*words, word)))) not in seen:
                    seen.add(laid)
                    longer.append((after, (*words, word)))
        begun = longer


def _phase(game: LiveGame) -> str:
    """Return the phase of a game, as `LegalPlays` names it."""
    phase = table_of(game).phase
    return rules_of(game.rules).packet_word if phase == PACKET else phase


def _turns(events: Sequence[Event], seat: str) -> tuple[str, ...]:
    """Return the turns of a deal as a seat saw them, a line for each."""
    return tuple(
        f"{number}. {' '.join(_line([event.seen_by(seat) for event in turn]))}"
        for number, turn in groupby(events, lambda event: event.turn)
    )


def _line(turn: list[Event]) -> Iterator[str]:
    """Yield the words of a turn: its seat, and its actions as a record has them.

    A draw that goes on is one action, and so is a question with its answer.
    """
    yield turn[0].seat
    for event, later in zip(turn, [*turn[1:], None], strict=True):
        follows = later is not None and later.kind == event.kind
        if not follows or event.kind not in ("draw", "ask"):
            yield event.text
