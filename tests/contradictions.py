"""Whether sentences about a game contradict its play or each other.

`python -m tests.contradictions [GAMES] [ROLLOUTS]` looks through random games of every profile, by
default one of each, with the values of this many play-outs (20); each contradiction is printed.

A test of the sentences alone needs no play-outs: `made_up` gives a game random values, for plays
that were really compared.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from canasta_notation.analysis.asked import AskedPlays
from canasta_notation.analysis.decisions import PlayEffect, draw_or_take, rest_of_turn
from canasta_notation.analysis.judging import DealToJudge, deal_values
from canasta_notation.analysis.scenes import replayed, seen_by_seat
from canasta_notation.analysis.values import DealValues, Loss, SeatValues, SideValues
from canasta_notation.cards import CANASTA_SIZE
from canasta_notation.engine.actions import Discard, Draw, Take
from canasta_notation.language.sentences import Card, Melds, Sentence
from canasta_notation.players.figures import CAREFUL, figures_of
from canasta_notation.report.played import PlayedTurn
from canasta_notation.rules import profile_names
from canasta_notation.rules.items import ITEMS
from canasta_notation.story.cover import Cover, DecidingMoment, cover
from canasta_notation.story.deals import DealStory, deal_story, more_chances
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import reason_sentence, stated_losses
from canasta_notation.story.notes import turn_notes
from canasta_notation.story.story_game import StoryGame
from tests.pages import page_games, random_games

#: What the play of a turn did and did not do, if a sentence about the turn is true.
CLAIMS: Mapping[str, tuple[str, str]] = {
    "F1": ("open", ""), "F3": ("take", ""), "G1": ("out", ""), "G2": ("out", ""),
    "G4": ("special", ""), "H1": ("", "out special"), "H2": ("", "open special"),
    "H3": ("draw", "take"), "H4": ("draw", "take"), "H5": ("", "canasta"), "H6": ("", "canasta"),
    "H7": ("", "canasta"), "H8": ("", "canasta"), "L1": ("", "out special"),
    "L2": ("", "open special"), "L3": ("discard", ""), "L5": ("take", ""), "L6": ("draw", "take"),
    "L7": ("out", ""), "L8": ("open", ""), "L9": ("open", ""), "L10": ("open", ""),
    "L11": ("open", ""), "L12": ("open", ""), "L13": ("", "out special"),
}  # fmt: skip
#: Whether what was played and what was better end the deal or open, if a sentence is true.
_EFFECTS: Mapping[str, tuple[int, bool, bool]] = {
    "L1": (0, False, True), "L7": (0, True, False), "L2": (1, False, True),
    "L8": (1, True, False), "L9": (1, True, True), "L10": (1, True, True),
    "L11": (1, True, True), "L12": (1, True, True),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compared:
    """Plays of a decision: its turn, its seat, and what each play does, the played one first."""

    deal: int
    turn: int
    seat: str
    decision: str
    plays: tuple[str, ...]
    piles: tuple[int, ...]
    ways: tuple[PlayEffect, ...]


#: What the plays of each decision do, by deal, turn and kind.
Ways = Mapping[tuple[int, int, str], Mapping[str, PlayEffect]]


def compared(game: StoryGame, step: int = 1) -> list[Compared]:
    """Return the decisions of a game with a choice, in one of `step` turns."""
    profile = game.play.profile
    watches, _, _ = replayed(game.play.game, game.play.report.game, profile)
    figures, asking, found = figures_of(CAREFUL, profile), AskedPlays((), profile), []
    for number, watch in enumerate(watches, 1):
        last = len(watch.scenes)
        for scene in watch.scenes:
            seen = seen_by_seat(scene) if scene.turn % step == 0 or scene.turn == last else None
            if seen is None:
                continue
            for find in (draw_or_take, rest_of_turn):
                made = find(seen, figures, 0, asking)
                if made is not None and len(made.texts) > 1:
                    plays, piles, ways = map(tuple, (made.texts, made.piles, made.ways))
                    seat = scene.row.seat
                    one = Compared(number, scene.turn, seat, made.kind, plays, piles, ways)
                    found.append(one)
    return found


def ways_of(decisions: Iterable[Compared]) -> Ways:
    return {
        (each.deal, each.turn, each.decision): dict(zip(each.plays, each.ways, strict=False))
        for each in decisions
    }


# --- random values --------------------------------------------------------------------------------


def made_up(game: StoryGame, decisions: Sequence[Compared], random: Random) -> StoryGame:
    """Return a game with random values; the side with the largest total has won it."""
    values = {
        played.number: _values(game, played.last, [
            _loss(each, random)
            for each in decisions
            if each.deal == played.number and random.random() < 0.5
        ], random)
        for played, _ in game.deals()
        if played.last
    }  # fmt: skip
    report = game.play.report
    totals = {side: total or 0 for side, total in report.result.totals.items()}
    winner = max(totals, key=lambda side: totals[side])
    play = replace(game.play, report=replace(report, result=replace(report.result, winner=winner)))
    return StoryGame(play, game.analysis.with_values(values))


def _loss(each: Compared, random: Random) -> Loss:
    at = random.randrange(1, len(each.plays))
    points, risks = random.uniform(20, 1500), sorted((random.random(), random.random()))
    items, others = ({item: random.uniform(-600, 600) for item in random.sample(ITEMS, 4)}
                     for _ in range(2))  # fmt: skip
    errors = {item: random.uniform(0, 90) for item in ITEMS}
    return Loss(
        each.turn, each.seat, random.choice(("mistake", "blunder")), each.decision,
        each.plays[0], each.plays[at], points, random.uniform(0, points / 2), items, others,
        risks[1], risks[0], each.piles[0], errors, errors, 0.02, 0.02,
    )  # fmt: skip


def _values(game: StoryGame, turns: int, losses: list[Loss], random: Random) -> DealValues:
    sides = game.play.sides
    curves = [[random.uniform(-900, 900) for _ in range(turns + 1)] for _ in sides[1:]]
    curves.append([-sum(each) for each in zip(*curves, strict=True)])
    values = {side: _side(curve, random) for side, curve in zip(sides, curves, strict=True)}
    change, turn, side = max(
        (abs(each.change[at]), at + 1, name) for name, each in values.items() for at in range(turns)
    )
    turning = turn if change and values[side].stands[turn - 1] else None
    seats = {seat: SeatValues(decisions=9) for seat in game.play.seats}
    return DealValues(seats, values, tuple(losses), turning)


def _side(curve: list[float], random: Random) -> SideValues:
    error, turns = random.uniform(0, 200), len(curve) - 1
    changes: list[tuple[object, ...]] = []
    for back in (1, 2):
        moved = tuple(curve[at] - curve[max(0, at - back)] for at in range(1, turns + 1))
        stands = tuple(abs(each) > 3 * error for each in moved)
        changes += [moved, (error,) * turns, stands]
    figures = (0, 0, 10, random.uniform(-500, 500), 50, random.uniform(-500, 500), 50)
    return SideValues(*figures, {}, tuple(curve), (error,) * (turns + 1), *changes)  # type: ignore[arg-type]


# --- what a turn did ------------------------------------------------------------------------------


def done(game: StoryGame, turn: PlayedTurn) -> set[str]:
    """Return what the play of a turn did."""
    side, actions = game.side_of(turn.line.seat), turn.line.actions
    before, after = turn.before.sides[side], turn.after.sides[side]
    over = turn.after.ended if not turn.before.ended else ""
    found = {
        "take": any(isinstance(each, Take) for each in actions),
        "draw": any(isinstance(each, Draw) for each in actions),
        "open": after.opened and not before.opened,
        "out": over == "out",
        "special": over == "special",
    }
    return {name for name, did in found.items() if did}


def said(game: StoryGame) -> Iterator[tuple[int, int, Sentence]]:
    """Yield what is said about turns, with the deal and the turn."""
    for played, deal in game.deals():
        story = deal_story(game, played, deal)
        for row in (*story.rows, *more_chances(game, deal, story)):
            if row.turn:
                yield played.number, row.turn, row.sentence
        for turn, note in enumerate(turn_notes(game, played, deal, story), 1):
            yield from ((played.number, turn, sentence) for sentence in note.said)
    yield from ((each.deal, each.turn, each.sentence) for each in cover(game).moments)


# --- contradictions -------------------------------------------------------------------------------


def contradictions(game: StoryGame, ways: Ways) -> Iterator[str]:
    """Yield what contradicts the play, the values, or another sentence."""
    name = f"{game.play.profile.name} {game.play.report.game}"
    parts = (_of_turns(game, ways), _of_cover(game), _of_reasons(game, ways), _of_names(game))
    for part in parts:
        yield from (f"{name}: {each}" for each in part)


def _of_turns(game: StoryGame, ways: Ways) -> Iterator[str]:
    """Yield sentences that say of a turn what it did not do, or that it could do what it did."""
    for number, at, sentence in said(game):
        turn, values = game.play.deals[number - 1].turns[at - 1], dict(sentence.values)
        place = f"deal {number}, turn {at}: {sentence}"
        if sentence.key not in CLAIMS:
            continue
        must, never = (each.split() for each in CLAIMS[sentence.key])
        did = done(game, turn)
        if "discard" in must:
            discards = [each.card for each in turn.line.actions if isinstance(each, Discard)]
            if [values["c"]] != [*map(Card, discards)] or values["c"] == values["d"]:
                yield place
        if not {*must} - {"discard"} <= did or did & {*never}:
            yield f"{place} But it did: {sorted(did)}"
        if "canasta" in never and _completed(game, turn, values["r"]):
            yield place
        if values.get("n", "") != game.player(turn.line.seat):
            yield f"{place} It was the turn of {turn.line.seat}"
        loss = next((each for each in _losses(game, number) if each.turn == at), None)
        if loss is not None and sentence.key in _EFFECTS:
            yield from (f"{place} {each}" for each in _untrue(sentence.key, number, at, game, ways))


def _untrue(key: str, number: int, turn: int, game: StoryGame, ways: Ways) -> Iterator[str]:
    """Yield what a sentence says of two plays, if no mistake of the turn does it."""
    effect, played, better = _EFFECTS[key]
    known = ways.get((number, turn, "turn"), {})
    pairs = [
        (known[loss.played][effect], known[loss.better][effect])
        for loss in _losses(game, number)
        if loss.turn == turn and loss.decision == "turn" and {loss.played, loss.better} <= {*known}
    ]
    if pairs and (played, better) not in pairs:
        yield f"played, better: {pairs}"


def _losses(game: StoryGame, number: int) -> list[Loss]:
    return stated_losses(game.analysis.deals[number - 1])


def _completed(game: StoryGame, turn: PlayedTurn, melds: object) -> bool:
    side = game.side_of(turn.line.seat)
    before = {each.rank: len(each.cards) for each in turn.before.sides[side].melds}
    return any(
        Melds(each.rank) == melds and before.get(each.rank, 0) < CANASTA_SIZE <= len(each.cards)
        for each in turn.after.sides[side].melds
    )


def _of_cover(game: StoryGame) -> Iterator[str]:
    """Yield what decided a game that did not, and second answers to when that was."""
    front, stories = cover(game), _stories(game)
    decided = [each for each in front.moments if each.heading == "what_decided"]
    if len(decided) > 1:
        yield f"decided {len(decided)} times"
    for moment in decided:
        yield from _not_decided(game, front, stories[moment.deal - 1], moment)
    losses = [(each.loss, at + 1, each.turn) for at, deal in enumerate(game.analysis.deals)
              for each in stated_losses(deal)]  # fmt: skip
    if losses and max(losses)[0] not in [each.loss.loss for each in front.moments if each.loss]:
        yield "the costliest play is missing"
    for moment in front.moments:
        if moment.heading == "costliest_play" and moment.weight < max(losses)[0]:
            yield f"not the costliest: {moment.sentence}"
    for story in stories:
        for row in story.rows:
            values = dict(row.sentence.values)
            won = game.side(story.winner) if story.winner is not None else None
            if row.sentence.key == "V1" and values["s"] != won:
                yield f"deal {story.number} turned to {values['s']}; {story.headline}"
            gained = [at for at in range(len(game.play.sides)) if game.side(at) == values.get("s")]
            for loss in _losses(game, story.number) if row.mark == "swing" else ():
                if loss.turn == row.turn and game.side_of(loss.seat) in gained:
                    yield f"deal {story.number}: a mistake that helped: {row.sentence}"


def _not_decided(
    game: StoryGame, front: Cover, story: DealStory, moment: DecidingMoment
) -> Iterator[str]:
    winner = game.play.report.result.winner
    values = game.analysis.deals[moment.deal - 1].values
    change = game.change(values, moment.turn)
    if winner is None or change is None or not change.stands or not change.points > 0:
        yield f"decided by a change that does not stand: {moment.sentence}"
    elif game.play.sides[change.side] != winner or stated(change.points, change.error) is None:
        yield f"decided by a change towards others: {moment.sentence}"
    elif moment.loss is not None and moment.loss.seat in winner:
        yield f"decided by the winner's mistake: {moment.sentence}"
    turning = [row.turn for row in story.rows if row.mark == "swing"]
    if turning != [moment.turn]:
        yield f"decided in turn {moment.turn}, the deal in {turning}"
    lead = dict(front.why.values).get("k") if front.why else None
    if lead not in (None, moment.deal):
        yield f"decided in deal {moment.deal}; {front.why}"


def _of_reasons(game: StoryGame, ways: Ways) -> Iterator[str]:
    """Yield reasons that are not about the decision, or cannot make its figure."""
    for number, deal in enumerate(game.analysis.deals, 1):
        for loss in stated_losses(deal):
            reason = reason_sentence(game, loss)
            gains = [(-points, "Y5", item) for item, points in loss.items.items()]
            gains += [(points, "Y6", item) for item, points in loss.others.items()]
            place = f"deal {number}, turn {loss.turn}: {loss.loss}: {reason}"
            known = ways.get((number, loss.turn, loss.decision), {})
            ends = any(known[each][0] for each in (loss.played, loss.better) if each in known)
            values = dict(reason.values)
            match reason.key:
                case "Y1" if loss.decision == "draw" or ends or not loss.pile:
                    yield f"{place} No pile is there to take"
                case "Y1" if (loss.risk - loss.risk_better) * loss.pile * 2 * _card(
                    game
                ) < loss.loss:
                    yield f"{place} A pile is not worth that"
                case "Y5" | "Y6":
                    largest, _, name = max(gains)
                    named = [(key, Sentence(f"item_{item}")) for points, key, item in gains
                             if points == largest]  # fmt: skip
                    if (reason.key, values["i"]) not in named:
                        yield f"{place} The largest part is {name}, {largest}"
                case "Y1" | "Y4":
                    pass
                case _:
                    yield f"{place} Unknown"


def _card(game: StoryGame) -> int:
    assert game.analysis.limits is not None
    return game.analysis.limits.mistake


def _of_names(game: StoryGame) -> Iterator[str]:
    """Yield players and sides that sentences call by one name."""
    called = [(seat, game.player(seat)) for seat in game.play.seats]
    called += [(name, str(game.side(at))) for at, name in enumerate(game.play.sides)]
    for (one, name), (other, same) in combinations(called, 2):
        if name == same and {one, other} - {*one} and {one, other} - {*other} and one != other:
            yield f"{one} and {other} are both called {name}"


def _stories(game: StoryGame) -> list[DealStory]:
    return [deal_story(game, played, deal) for played, deal in game.deals()]


def main(games: int = 1, rollouts: int = 20) -> int:
    """Look through random games; return 1 if a contradiction was found."""
    found = 0
    for at, reading in enumerate(random_games(games, profiles=profile_names())):
        [shown] = page_games([reading])
        values = {1: deal_values(DealToJudge(reading.game, 1, 1, rollouts))}
        game = replace(shown.story, analysis=shown.story.analysis.with_values(values))
        for each in contradictions(game, ways_of(compared(shown.story))):
            print(f"game {at + 1}: {each}")
            found += 1
    print(f"{found} contradictions")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
