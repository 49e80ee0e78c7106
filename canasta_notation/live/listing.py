"""What is legal at a moment, as texts: of a live game, and of a position in a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from canasta_notation.cards import LABELS, TEXT, UNKNOWN, format_cards
from canasta_notation.engine.actions import Ask, Combine
from canasta_notation.engine.back import raised
from canasta_notation.engine.packets import picks_up
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.side import has_opened
from canasta_notation.engine.table import NOT_KNOWN, Table, top_of
from canasta_notation.engine.turn import awaits_draw
from canasta_notation.english import count
from canasta_notation.fields import check_numbers
from canasta_notation.live.action_text import ASK, END, THREES_WORD, parse_move
from canasta_notation.live.answers import Choice, LegalPlays, PlayError, Refused
from canasta_notation.live.live_deal import ANSWER, DRAW, OVER, PACKET, PLAY, LiveTable
from canasta_notation.live.referee import Referee, take_refusal
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import format_action
from canasta_notation.quoting import quoted
from canasta_notation.replay.header import read_header
from canasta_notation.replay.steps import find_tables
from canasta_notation.rules import Profile, profile_of
from canasta_notation.search.ending import judge_question
from canasta_notation.search.found import Asked, FoundPlays, Refusal
from canasta_notation.search.legal import legal_continuations, legal_starts


class _Listed:
    """The plays of a moment while they are gathered."""

    def __init__(self, referee: Referee, *, reasons: bool = True) -> None:
        self.referee = referee
        self.reasons = reasons
        self.plays: list[Choice] = []
        self.refused: list[Refused] = []
        self.uncertain: list[Choice] = []

    def add(self, choice: Choice, *, certain: bool = True) -> None:
        """Add a play that is legal, or that cards that are not known decide."""
        (self.plays if certain else self.uncertain).append(choice)

    def refuse(self, text: str, refusal: Refusal) -> None:
        """Add a play that is not legal, if reasons are asked for."""
        if self.reasons:
            self.refused.append(Refused(text, self.referee.refusal(refusal)))

    def try_all(self, table: LiveTable, texts: Iterable[str]) -> None:
        """Try plays of the seat that is due."""
        for text in texts:
            try:
                self.referee.judge(table, self.referee.rules.seats[table.due], parse_move(text))
            except PlayError as error:
                self.refused.append(Refused(text, error))
            else:
                self.plays.append(Choice(text))

    def add_takes(self, found: FoundPlays, top: int) -> None:
        """Add the ways to take the pile, or why it cannot be taken."""
        text = "^" if top == UNKNOWN else f"^{TEXT[top]}"
        refusal = take_refusal(found, top)
        if refusal is not None:
            self.refuse(text, refusal)
        ways = [way for way in found.takes if way.refusal is None]
        for certain in (True, False):
            alike = [way for way in ways if way.certain == certain]
            named = [f">{LABELS[way.onto]}" for way in alike if way.onto and not way.cards]
            plain = [""] if len(named) < len(alike) else []
            for onto in (*plain, *named):
                self.add(Choice(text + onto), certain=certain)

    def add_lays(self, found: FoundPlays) -> None:
        """Add special hands, groups, and melds that are put together."""
        for special in found.specials:
            self.add(Choice(f"{special.kind}:{format_cards(special.cards)}"))
        for group in found.groups:
            text = f"{LABELS[group.rank]}:{format_cards(group.cards)}"
            choice = Choice(text, group.size, group.canasta, group.count)
            self.add(choice, certain=group.certain)
        for place, onto in found.combines:
            self.add(Choice(format_action(Combine(place, onto))))

    def add_question(self, found: FoundPlays, judged: Callable[[], Asked]) -> None:
        """Add the question to the partner, or why it cannot be asked."""
        if found.ask is not None:
            self.refuse(ASK, found.ask)
            return
        if not (self.reasons or found.out) and found.complete:
            return  # a seat that cannot go out does not ask
        asked = judged()
        if asked.wrong is None:
            self.add(Choice(ASK), certain=asked.certain)
        elif self.reasons:
            self.refused.append(Refused(ASK, self.referee.question_refusal(asked)))

    def add_discards(self, found: FoundPlays) -> None:
        """Add the discards, legal and refused."""
        for discard in found.discards:
            text = f"-{TEXT[discard.card]}"
            if discard.refusal is None:
                self.add(Choice(text, out=discard.out), certain=discard.certain)
            else:
                self.refuse(text, discard.refusal)

    def as_plays(self, seat: str, phase: str, found: FoundPlays | None = None) -> LegalPlays:
        """Return what was gathered."""
        return LegalPlays(
            seat,
            self.referee.rules.packet_word if phase == PACKET else phase,
            tuple(self.plays),
            tuple(self.refused),
            complete=found is None or found.complete,
            uncertain=tuple(self.uncertain),
        )


def _with_opening(legal: LegalPlays, minimum: int | None, counted: int, more: int) -> LegalPlays:
    if minimum is None:
        return legal
    missing = max(0, minimum - counted)
    return replace(legal, minimum=minimum, counted=counted, missing=missing, raised=more)


# --- a live game ----------------------------------------------------------------------------------


def live_plays(referee: Referee, table: LiveTable, *, reasons: bool) -> LegalPlays:
    """Return the plays that the rules allow the seat that is due and, with `reasons`, the others.

    If the house warns and the turn has broken a rule, these are the plays that break no other rule
    or, if there are none, those with which the house lets the turn end. Not checked: that the deal
    is not over.
    """
    broken = table.in_turn and table.violations
    judged = table.forgiven() if broken else table
    strict = referee if referee.house == "refuse" else replace(referee, house="refuse")
    listed = _Listed(strict, reasons=reasons)
    legal = _listed(listed, judged)
    if referee.house == "warn" and not legal.plays:
        legal = replace(_accepted(referee, table), refused=legal.refused)
    return _with_opening(legal, *table.opening())


def _listed(listed: _Listed, table: LiveTable) -> LegalPlays:
    found = None
    if table.phase == DRAW:
        found = table.starts()
        _list_starts(listed, table, found)
    elif table.phase == ANSWER:
        listed.plays += [Choice(format_action(Ask(yes))) for yes in (True, False)]
    elif table.phase == PACKET:
        listed.try_all(table, (table.rules.packet_word, END))
    else:
        found = table.continuations()
        if table.may_go_on():
            listed.add(Choice("+"))
        listed.add_lays(found)
        listed.add_question(found, table.question)
        listed.add_discards(found)
        if table.may_pick_up():
            listed.add(Choice(table.rules.packet_word))
        if table.last_three or table.keeps_last:
            listed.try_all(table, (END,))
    listed.uncertain.clear()  # the search was not completed, so none of them has to be legal
    return listed.as_plays(listed.referee.rules.seats[table.due], table.phase, found)


def _list_starts(listed: _Listed, table: LiveTable, found: FoundPlays) -> None:
    if found.threes:
        listed.add(Choice(THREES_WORD))
    if found.must_table:
        return
    if table.stock_left:
        listed.add(Choice("+"), certain=not (found.stock and found.stock.special))
    else:
        listed.try_all(table, ("+", END))
    listed.add_takes(found, table.top())


def _accepted(referee: Referee, table: LiveTable) -> LegalPlays:
    """Return the plays with which a house that warns lets an irregular turn end."""
    listed = _Listed(referee)
    ends = (table.rules.packet_word, END)
    listed.try_all(table, ends if table.phase == PACKET else [f"-{card}" for card in table.held()])
    if not listed.plays:
        listed.try_all(table, (END,))
    return listed.as_plays(referee.rules.seats[table.due], table.phase)


# --- a position in a record -----------------------------------------------------------------------


def legal_plays(
    game: Game, deal: int, turn: int, actions: int = 0, *, rules: str | Profile | None = None
) -> LegalPlays:
    """Return what the seat due could do in a turn after its first `actions` recorded actions.

    `deal` and `turn` count from 1; the turn after a deal's last one is the turn due next. With
    `actions` 0, the plays are the draw and the ways to take the pile. After the recorded draw or
    take (1), they are the groups, the question to the partner and the discards. `uncertain` has
    those that unwritten cards decide. `rules` replace the record's own.

    Raises LookupError if the record has no such position, or what precedes it cannot be replayed;
    ValueError for rules that do not exist; TypeError for an argument that is not a Game or a
    number. Not checked: whether what precedes the position was legal.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {quoted(game)}")
    check_numbers(deal=deal, turn=turn, actions=actions)
    profile = read_header(game, 1).profile if rules is None else profile_of(rules)
    tables = find_tables(game, deal, turn, rules=rules)
    if profile is None or not 0 <= actions < len(tables):
        raise LookupError(
            f"no position after {count(actions, 'action')} of turn {turn} in deal {deal}"
        )
    table = tables[actions]
    listed = _Listed(Referee(profile, rules_of(profile), "refuse"))
    starts = actions == 0 or awaits_draw(table)
    return _written_starts(listed, table) if starts else _written_rest(listed, table)


def _written_starts(listed: _Listed, table: Table) -> LegalPlays:
    found, rules = legal_starts(table), listed.referee.rules
    if not found.stock and not found.must_table:
        return LegalPlays("", OVER)
    if found.threes:
        listed.add(Choice(THREES_WORD))
    if found.stock and found.stock.refusal is None:
        listed.add(Choice("+"), certain=found.stock.certain)
    elif found.stock and found.stock.refusal:
        listed.refuse("+", found.stock.refusal)
        if found.must_take is not True:
            listed.add(Choice(END), certain=found.must_take is False)
    if found.stock:
        listed.add_takes(found, top_of(table) if table.pile_size else UNKNOWN)
    side = rules.side_of[found.seat]
    legal = listed.as_plays(rules.seats[found.seat], DRAW, found)
    least = None if has_opened(table, side) else table.minimums[side]
    least = None if least == NOT_KNOWN else least
    return _with_opening(legal, least, 0, raised(table, side))


def _written_rest(listed: _Listed, table: Table) -> LegalPlays:
    found = legal_continuations(table)
    listed.add_lays(found)
    listed.add_question(found, lambda: judge_question(table))
    listed.add_discards(found)
    if table.discarded < 0 and picks_up(table):
        listed.add(Choice(table.rules.packet_word))
    if found.may_stop:
        listed.add(Choice(END))
    legal = listed.as_plays(listed.referee.rules.seats[found.seat], PLAY, found)
    return _with_opening(legal, found.minimum, table.count_most, found.raised)
