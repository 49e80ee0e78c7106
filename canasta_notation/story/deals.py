"""The story of a deal: a headline, what happened in which turn, and what the figures say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.values import Loss
from canasta_notation.cards import JOKER_RANK, KIND, SEQUENCE
from canasta_notation.engine.actions import TakePacket
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.language.sentences import Melds, Names, Sentence, say
from canasta_notation.notation.document import VOID
from canasta_notation.report.picked_up import with_packet_cards
from canasta_notation.report.played import PlayedDeal, PlayedTurn
from canasta_notation.story.estimates import ERRORS, rounded, stated
from canasta_notation.story.losses import chance_sentence, loss_sentence, stated_losses
from canasta_notation.story.story_game import Change, StoryGame

#: A pile of at least this many cards is mentioned.
LARGE_PILE: Final = 8
#: The most of each kind of row.
_CHANCES: Final = 2
_MORE_CHANCES: Final = 3
_LOSSES: Final = 3
_CANASTAS: Final = 2
#: The sentence that says that a packet was taken, by what the record calls it.
_PACKETS: Final = {"foot": "F11", "pot": "F10", "talon": "F9"}


@dataclass(frozen=True, slots=True)
class StoryRow:
    """A row of a story: its turn, its mark, and its sentence.

    The mark is "blunder", "mistake", "chance", "swing" or "fact". `loss` is the mistake.
    """

    turn: int
    mark: str
    sentence: Sentence
    loss: Loss | None = None


@dataclass(frozen=True, slots=True)
class DealStory:
    """The story of a deal. `winner` is the index of the side that scored most, None if none did."""

    number: int
    headline: Sentence
    winner: int | None
    rows: tuple[StoryRow, ...]
    closing: tuple[Sentence, ...]


def deal_story(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal) -> DealStory:
    """Return the story of a deal."""
    game = game.at(played.number)
    headline, winner = _headline(game, played)
    rows = sorted(_rows(game, played, deal), key=lambda each: each.turn)
    return DealStory(
        played.number,
        headline,
        winner,
        (*rows, *_end(game, played)),
        tuple(_closing(game, played, deal, winner)),
    )


# --- the headline ---------------------------------------------------------------------------------


def _headline(game: StoryGame, played: PlayedDeal) -> tuple[Sentence, int | None]:
    """Return who won the deal, and the index of that side."""
    report = played.report
    if report.uncounted:
        return say("S8" if report.uncounted == VOID else "S9"), None
    unfinished = played.written.end is not None and played.written.end.reason == "unfinished"
    if unfinished or not (report.ended or report.sheet or report.final):
        return say("S7"), None
    scores = game.scores(report)
    if scores is None:
        return say("S6"), None
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    best, second = scores[order[0]], scores[order[1]]
    names = [game.side(at) for at in order]
    winner = order[0] if best > second else None
    if game.two:
        if winner is None:
            return say("S2", p=best), None
        return say("S1", s=names[0], x=best - second, p=best, q=second), winner
    last = scores[order[2]]
    if best == last:
        return say("S5", p=best), None
    key = "S4" if winner is None else "S3"
    return say(key, s=names[0], t=names[1], u=names[2], p=best, q=second, r=last), winner


# --- the turns ------------------------------------------------------------------------------------


def _rows(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal) -> Iterator[StoryRow]:
    facts = deal.facts
    for side in facts.sides.values():
        if side.opened_at and side.opened_by and side.opened_at < played.last:
            yield StoryRow(side.opened_at, "fact", say("F1", n=game.player(side.opened_by)))
    largest = max(facts.piles, key=lambda each: each.cards or 0, default=None)
    if largest is not None and (facts.largest_pile or 0) >= LARGE_PILE:
        n = game.player(largest.seat)
        yield StoryRow(largest.turn, "fact", say("F3", n=n, c=facts.largest_pile))
    yield from islice(_completed(game, played), _CANASTAS)
    for turn in played.turns:
        yield from _turn_rows(game, turn)
    losses = largest_losses(deal, game.play.seat)
    for loss in losses:
        yield StoryRow(loss.turn, loss.kind, loss_sentence(game, deal, loss), loss)
    outs = [
        each
        for each in deal.chances
        if each.kind == "out" and _is_shown(game, each.seat)
        and each.turn not in {loss.turn for loss in losses}
    ]  # fmt: skip
    for chance in outs[:_CHANCES]:
        yield StoryRow(chance.turn, "chance", chance_sentence(game, chance))
    swing = largest_change(game, deal)
    if swing is not None:
        turn_number, change = swing
        yield StoryRow(
            turn_number, "swing", swing_sentence(game, played, deal, turn_number, change)
        )


def _is_shown(game: StoryGame, seat: str) -> bool:
    return game.play.seat in ("", seat)


def more_chances(game: StoryGame, deal: AnalyzedDeal, story: DealStory) -> list[StoryRow]:
    """Return chances that a story leaves out, only the first of similar ones.

    With those of the story, there are at most three; none is in the turn of a mistake.
    """
    game = game.at(deal.facts.deal)
    alike: dict[object, Chance] = {}
    lost = {row.turn for row in story.rows if row.loss}
    for each in deal.chances:
        if each.kind != "out" and each.turn not in lost and _is_shown(game, each.seat):
            what = each.turn if each.kind == "take" else (each.rank, each.canasta)
            alike.setdefault((each.seat, each.kind, what), each)
    ranked = sorted(alike.values(), key=lambda each: (CHANCES.index(each.kind), -(each.cards or 0)))
    left = _MORE_CHANCES - sum(each.mark == "chance" for each in story.rows)
    return [StoryRow(each.turn, "chance", chance_sentence(game, each)) for each in ranked[:left]]


def largest_losses(deal: AnalyzedDeal, seat: str = "") -> list[Loss]:
    """Return the mistakes of a deal that cost most; with `seat`, only those of that seat."""
    return _ranked_losses(deal, seat)[:_LOSSES]


def _ranked_losses(deal: AnalyzedDeal, seat: str) -> list[Loss]:
    return sorted(stated_losses(deal, seat), key=lambda each: -each.loss)


def more_losses(deal: AnalyzedDeal, seat: str = "") -> list[Sentence]:
    """Return how many blunders and how many mistakes a story leaves out."""
    left = Counter(each.kind for each in _ranked_losses(deal, seat)[_LOSSES:])
    keys = {"blunder": "V10", "mistake": "V11"}
    return [say(key, u=left[kind]) for kind, key in keys.items() if left[kind]]


def _completed(game: StoryGame, played: PlayedDeal) -> Iterator[StoryRow]:
    """Yield the sequences and the canastas of wild cards that were completed."""
    for turn in played.turns:
        side = game.side_of(turn.line.seat)
        before = {meld.rank for meld in turn.before.sides[side].melds if meld.canasta}
        for meld in turn.after.sides[side].melds:
            if not meld.canasta or meld.rank in before:
                continue
            n, kind = game.player(turn.line.seat), KIND[meld.rank]
            if kind >= SEQUENCE:
                yield StoryRow(turn.turn, "fact", say("F6", n=n, c=Melds(kind)))
            elif kind == JOKER_RANK:
                yield StoryRow(turn.turn, "fact", say("F7", n=n))


def _turn_rows(game: StoryGame, turn: PlayedTurn) -> Iterator[StoryRow]:
    """Yield the packet that a turn took, and the rulings that followed it."""
    for action in with_packet_cards(turn.line.actions, turn.before, turn.after):
        if isinstance(action, TakePacket):
            n = game.player(turn.line.seat)
            yield StoryRow(turn.turn, "fact", say(_PACKETS[action.word], n=n, c=len(action.cards)))
    for ruling in turn.rulings:
        s = game.side(game.play.sides.index(ruling.side))
        yield StoryRow(turn.turn, "fact", say("F8", s=s, x=ruling.points))


def largest_change(game: StoryGame, deal: AnalyzedDeal) -> tuple[int, Change] | None:
    """Return the turn of the largest change of the value, None if it does not stand.

    It is also None if the side that gained made a mistake in this turn: then it gained only as the
    hidden cards lay.
    """
    turn = deal.values.turning_point if deal.values else None
    change = game.change(deal.values, turn) if turn is not None else None
    if turn is None or change is None or not change.stands:
        return None
    lost = {game.side_of(each.seat) for each in stated_losses(deal) if each.turn == turn}
    if change.side in lost or stated(change.points, change.error) is None:
        return None
    return turn, change


def swing_sentence(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, turn: int, change: Change
) -> Sentence:
    """Return how a turn changed the value. Not checked: that the change can be stated.

    The deal turned only where it turned towards its winners.
    """
    s = game.side(change.side)
    values = deal.values
    assert values is not None, "a change has values"
    side = values.sides[game.play.sides[change.side]]
    before, after = side.curve[turn - 1], side.curve[turn]
    lost = before < -ERRORS * side.curve_error[turn - 1]
    _, winner = _headline(game, played)
    won = game.two and winner == change.side
    if won and lost and after > ERRORS * side.curve_error[turn]:
        return say("V1", s=s, x=rounded(-before), y=rounded(after))
    amount = stated(change.points, change.error)
    assert amount is not None, "a change that is shown can be stated"
    n = game.player(played.turns[turn - 1].line.seat)
    return say("V2", n=n, s=s, x=amount.x, e=amount.e)


# --- the end --------------------------------------------------------------------------------------


def _end(game: StoryGame, played: PlayedDeal) -> Iterator[StoryRow]:
    """Yield how the deal ended, at its last turn."""
    report, last = played.report, played.last
    if played.report.turns > played.last > 0:
        yield StoryRow(last, "fact", say("G9", k=last, n=report.turns))
    if report.sheet:
        yield StoryRow(0, "fact", say("G8"))
        return
    if report.final:
        yield StoryRow(0, "fact", say("G7"))
    sentence = end_sentence(game, played)
    if sentence is not None:
        yield StoryRow(last, "fact", sentence)


def end_sentence(game: StoryGame, played: PlayedDeal) -> Sentence | None:
    """Return how a deal ended, None if it was not finished."""
    report = played.report
    match report.ended:
        case "out" if report.by is None:
            return say("G6")
        case "out":
            assert report.by is not None
            n, side = game.player(report.by), report.sides[game.side_of(report.by)]
            return say("G2" if side.items.get("concealed") else "G1", n=n)
        case "special":
            return say("G4", n=game.player(report.by)) if report.by else say("G6")
        case "stock":
            return say("G5")
        case _:
            return None


def _closing(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, winner: int | None
) -> Iterator[Sentence]:
    yield from _threes(game, played, deal)
    if deal.facts.whole and played.report.ended and played.last:
        for at, name in enumerate(game.play.sides):
            if deal.facts.sides[name].opened_at is None and not _laid(played, at):
                yield say("F2", s=game.side(at))
    unknown = [
        seat for seat in deal.facts.seats if seat not in deal.known and _is_shown(game, seat)
    ]
    if unknown and played.last:
        yield say("H9", s=Names(tuple(map(game.player, unknown))))
    if not game.play.seat:
        yield from _values(game, deal, winner)


def _laid(played: PlayedDeal, at: int) -> bool:
    state = played.states[-1]
    return bool(state.sides[at].melds) or bool(state.special)


def _threes(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal) -> Iterator[Sentence]:
    """Yield that a side tabled all threes of the deck."""
    rules = rules_of(game.play.profile)
    every = sum(rules.exact_copies[code] for code in rules.tabled_codes)
    for at, name in enumerate(game.play.sides):
        if every and deal.facts.sides[name].threes == every:
            items = next((each.items for each in played.report.sides if each.side == name), {})
            x = items.get("red3", items.get("threes"))
            if x is not None:
                yield say("F5" if rules.black_tabled else "F4", s=game.side(at), x=x)


def _values(game: StoryGame, deal: AnalyzedDeal, winner: int | None) -> Iterator[Sentence]:
    """Yield what the cards and the play were worth, and how many decisions were close."""
    values = deal.values
    if values is None:
        return
    if values.sides:
        yield from _luck_and_play(game, deal, 0 if winner is None else winner)
    else:
        yield say("V9")
    undecided = sum(each.undecided for each in values.seats.values())
    decisions = sum(each.decisions for each in values.seats.values())
    yield say("V6" if stated_losses(deal) else "V7", m=decisions, u=undecided)


def _luck_and_play(game: StoryGame, deal: AnalyzedDeal, at: int) -> Iterator[Sentence]:
    assert deal.values is not None
    side = deal.values.sides[game.play.sides[at]]
    found = []
    for key, points, error in (
        ("V3", side.luck, side.luck_error),
        ("V4", side.play, side.play_error),
    ):
        amount = stated(points, error)
        if amount is not None and (game.two or points > 0):
            gained = at if points > 0 else game.others(at)[0]
            found.append(say(key, s=game.side(gained), x=amount.x, e=amount.e))
    yield from found or [say("V5")]


def every_story(game: StoryGame) -> list[DealStory]:
    """Return the story of each deal."""
    return [deal_story(game, played, deal) for played, deal in game.deals()]
