"""An analysis as text: the story of each deal, and the table of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance, GameAnalysis, PlayerFigures
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.facts import KINDS, DealFacts, SideFacts
from canasta_notation.analysis.limits import Limits
from canasta_notation.analysis.values import ERRORS, DealValues, Loss
from canasta_notation.english import (
    count,
    estimate,
    estimate_cells,
    figure,
    give_or_take,
    listed,
    meld_name,
    rounded,
    stands,
)
from canasta_notation.render.paint import Look, Rows, Run, clip, columns, row, wrap
from canasta_notation.rules.items import SCORED
from canasta_notation.story.practising import practice_sentences
from canasta_notation.story.sentences import label

#: How many chances of a deal its story names.
_NAMED = 3
_NAME = 24
_SHORT_NAME = 6
_INDENT = "  "


def story_rows(file: str, game: GameAnalysis, look: Look, seat: str | None = None) -> Rows:
    """Return the stories of a game's deals; with `seat`, only the chances of that seat."""
    rows = head_rows(file, game, look)
    for deal in game.deals:
        rows += [row(), [Run(f"Deal {deal.facts.deal}", "bold")]]
        for sentence in _story(game, deal, seat):
            rows += wrapped(sentence, look)
    return rows


def head_rows(file: str, game: GameAnalysis, look: Look) -> Rows:
    """Return what stands above the stories of a game."""
    head = f"{file}: game {game.game}, {game.rules}"
    rows: Rows = [[Run(clip(head, look.width, look), "bold")]]
    if game.errors:
        words = (
            f"The record has {count(game.errors, 'error')}; the figures cover what was replayed."
        )
        rows += wrapped(words, look)
    return rows


def wrapped(sentence: str, look: Look) -> Rows:
    """Return a sentence of a story as lines."""
    lines = wrap(sentence, look.width - 2 * len(_INDENT))
    return [row(_INDENT * (1 if at == 0 else 2) + line) for at, line in enumerate(lines)]


def _story(game: GameAnalysis, deal: AnalyzedDeal, seat: str | None) -> Iterator[str]:
    facts = deal.facts
    if not facts.sheet:
        yield _how_ended(game, facts)
    yield from (_side(game, name, side) for name, side in facts.sides.items())
    if facts.sheet:
        yield "Only the scores are recorded, so nothing can be said about the play."
        return
    if facts.final:
        yield "Only the table at the end is recorded, so nothing can be said about the play."
        return
    yield _largest(game, facts)
    yield from could_have(game, deal, seat)
    if deal.values is not None:
        yield from _valued(game, deal.values, seat)


def _player(game: GameAnalysis, seat: str) -> str:
    name = clip(game.name(seat), _NAME)
    return name if name == seat else f"{name} ({seat})"


def _how_ended(game: GameAnalysis, facts: DealFacts) -> str:
    turns = f" after {count(facts.turns, 'turn')}" if facts.turns else ""
    by = _player(game, facts.by) if facts.by else "A player"
    match facts.ended:
        case "out":
            words = f"{by} went out{turns}."
        case "special":
            words = f"{by} laid a special hand{turns}."
        case "stock":
            words = f"The stock ran out{turns}."
        case _:
            words = f"The record does not show the end{', ' if turns else ''}{turns.strip()}."
    if not facts.whole and not (facts.sheet or facts.final):
        words += f" Only {count(facts.replayed, 'turn')} could be replayed."
    return words


def _side(game: GameAnalysis, name: str, side: SideFacts) -> str:
    players = _players(game, name)
    score = "an unknown score" if side.score is None else f"{figure(side.score)} points"
    parts = [f"{players}: {score}"]
    if side.opened_by:
        parts.append(f"{_player(game, side.opened_by)} opened in turn {side.opened_at}")
    if side.canastas is not None:
        made = [
            count(side.canastas[kind], f"{kind} canasta") for kind in KINDS if side.canastas[kind]
        ]
        parts.append(listed(made) if made else "no canasta")
    return "; ".join(parts) + "."


def _largest(game: GameAnalysis, facts: DealFacts) -> str:
    if not facts.piles:
        return "Nobody took the pile."
    best = max(facts.piles, key=lambda each: each.cards or 0)
    if best.cards is None or facts.largest_pile is None:
        return f"The pile was taken {_times(len(facts.piles))}; the record does not tell all sizes."
    return (
        f"The pile was taken {_times(len(facts.piles))}; {_player(game, best.seat)} took the "
        f"largest, of {count(best.cards, 'card')}, in turn {best.turn}."
    )


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def could_have(
    game: GameAnalysis, deal: AnalyzedDeal, seat: str | None, turn: int | None = None
) -> Iterator[str]:
    """Yield up to three missed chances, those to go out first; alike ones of a seat are one.

    With `turn`, only those of this turn.
    """
    alike: dict[tuple[object, ...], list[Chance]] = {}
    for each in deal.chances:
        if seat in (None, each.seat) and turn in (None, each.turn):
            what = each.seat, each.kind, each.rank, each.canasta
            key = (*what, each.turn) if each.kind == "take" else what
            alike.setdefault(key, []).append(each)
    ranked = sorted(
        alike.values(), key=lambda each: (CHANCES.index(each[0].kind), -(each[0].cards or 0))
    )
    for same in sorted(ranked[:_NAMED], key=lambda each: each[0].turn):
        turns = listed(str(each.turn) for each in same)
        when = "Turn" if len(same) == 1 else "Turns"
        yield f"{when} {turns}: {_player(game, same[0].seat)} could have {_did(same[0])}."
    left = sum(map(len, ranked[_NAMED:]))
    if left:
        more = count(left, "more chance")
        yield f"There {'was' if left == 1 else 'were'} {more} that nobody used."
    if turn is not None:
        return
    seats = [each for each in deal.facts.seats if seat in (None, each)]
    unknown = [each for each in seats if each not in deal.known]
    if unknown:
        names = listed(_player(game, each) for each in unknown)
        yield f"The record does not show all cards of {names}, so chances may be missing."


def _did(chance: Chance) -> str:
    match chance.kind:
        case "out":
            return "gone out"
        case "open":
            return "opened"
        case "canasta":
            return f"made a {chance.canasta} canasta of {meld_name(chance.rank or 0)}"
    cards = "" if chance.cards is None else f" of {count(chance.cards, 'card')}"
    return f"taken the pile{cards}"


# --- values ---------------------------------------------------------------------------------------

#: The part of play-outs, in hundredths, by which two risks must differ to be named.
_RISKS = 5
#: The part of a loss from which on an item is named as its reason, and the most that are named.
_PART = 0.2
_REASONS = 2


def _valued(game: GameAnalysis, values: DealValues, seat: str | None) -> Iterator[str]:
    """Yield what the deal's decisions cost, and what was luck."""
    losses = [each for each in values.losses if seat in (None, each.seat)]
    ranked = sorted(losses, key=lambda each: -each.loss)
    for loss in sorted(ranked[:_NAMED], key=lambda each: each.turn):
        yield _lost(game, loss)
    kinds = [loss.kind for loss in ranked[_NAMED:]]
    left = [
        count(kinds.count(kind), f"more {kind}") for kind in ("blunder", "mistake") if kind in kinds
    ]
    if left:
        yield f"There {'was' if len(kinds) == 1 else 'were'} {listed(left)}."
    seats = [each for at, each in values.seats.items() if seat in (None, at)]
    close = sum(each.undecided for each in seats)
    decisions = count(sum(each.decisions for each in seats), "decision")
    found = "" if losses else "No mistake was found. "
    if close:
        yield f"{found}Of {decisions}, {close} were too close to judge by these play-outs."
    elif found:
        yield f"No mistake was found in {decisions}."
    if seat is not None:
        return
    if not values.sides:
        yield "How much was luck is not known: some cards or the end of the deal are not recorded."
        return
    shown = [*values.sides][: 1 if len(values.sides) == 2 else None]
    for name in shown:
        side = values.sides[name]
        parts = [
            f"by the start {estimate(side.start, side.start_error)}",
            f"by luck {estimate(side.luck, side.luck_error)}",
            f"by how everyone played {estimate(side.play, side.play_error)}",
        ]
        yield f"{_players(game, name)} ended {_ahead(side.result)}: {'; '.join(parts)}."
    turn = values.turning_point
    if turn is not None:
        name = shown[0]
        change = values.sides[name].change[turn - 1]
        words = estimate(abs(change), values.sides[name].change_error[turn - 1])
        better = "more" if change > 0 else "less"
        yield (
            f"Turning point: turn {turn}. After it, {_players(game, name)} could expect {better} "
            f"than before it: {words} points."
        )


def _players(game: GameAnalysis, name: str) -> str:
    return listed(_player(game, seat) for seat in name)


def _lost(game: GameAnalysis, loss: Loss) -> str:
    """Return sentences about a mistake: what was played, what was better, and why."""
    after = game.seats[(game.seats.index(loss.seat) + 1) % len(game.seats)]
    better = better_words(loss, _player(game, after))
    return f"Turn {loss.turn}: {_player(game, loss.seat)} {_done(loss.played)[0]}. {better}"


def better_words(loss: Loss, after: str) -> str:
    """Return sentences about what would have been better, and why; `after` is the next player."""
    words = f"Better by {estimate(loss.loss, loss.error)}: {_done(loss.better)[1]}."
    reasons = [*_risk_words(loss, after), *_item_words(loss)]
    return f"{words} What was played {listed(reasons)}." if reasons else words


def _done(play: str) -> tuple[str, str]:
    """Return what a play did and what it would do, in words: laid 4h and discarded 5s."""
    if play in ("+", "^"):
        return ("drew", "draw") if play == "+" else ("took the pile", "take the pile")
    parts = play.split()
    laid = [part.partition(":")[2] for part in parts if ":" in part]
    did, do = [], []
    if laid:
        did, do = [f"laid {' '.join(laid)}"], [f"lay {' '.join(laid)}"]
    elif parts and parts[0][0] == "-":
        did, do = ["laid nothing"], ["lay nothing"]
    for part in parts:
        if part[0] == "-":
            did.append(f"discarded {part[1:]}")
            do.append(f"discard {part[1:]}")
        elif part == "#":
            did.append("went out")
            do.append("go out")
    return listed(did), listed(do)


def _risk_words(loss: Loss, after: str) -> Iterator[str]:
    risk, better = round(100 * loss.risk), round(100 * loss.risk_better)
    if risk - better >= _RISKS and loss.pile:
        cards = count(loss.pile, "card")
        yield (
            f"gives {after} the pile of {cards} in {_of_100(loss.risk, loss.risk_error)} of 100 "
            f"deals instead of {_of_100(loss.risk_better, loss.risk_better_error)}"
        )


def _of_100(risk: float, error: float) -> str:
    return f"{100 * risk:.0f} (give or take {ceil(300 * error)})"


def _item_words(loss: Loss) -> Iterator[str]:
    """Yield what the play earned its side less, and the others more, the largest first."""
    found = [
        (-points, loss.items_error.get(item, 0), "costs", item)
        for item, points in loss.items.items()
    ]
    found += [
        (
            points,
            loss.others_error.get(item, 0),
            "saves the others" if SCORED[item].costs else "gives the others",
            item,
        )
        for item, points in loss.others.items()
    ]
    named = [each for each in found if each[0] >= _PART * loss.loss and stands(*each[:2])]
    for points, error, does, item in sorted(named, key=lambda each: -each[0])[:_REASONS]:
        words = estimate(points, error)
        yield f"{does} {words}{',' if ', ' in words else ''} for {SCORED[item].story}"


def _ahead(points: float) -> str:
    if round(points) == 0:
        return "level"
    return f"{abs(points):.0f} points {'ahead' if points > 0 else 'behind'}"


# --- players --------------------------------------------------------------------------------------

#: The columns of what players did. Those of cards follow that of the takes they belong to.
_DID = (
    ("turns", "turns"), ("took", "takes"), ("cards", "taken"), ("gave", "gifts"),
    ("cards", "given"), ("wilds", "wilds"), ("held", "held"),
)  # fmt: skip
_WORDS = (
    "won: games won, of all; took: piles taken, and their cards; gave: own discards with which the "
    "next player took the pile, and its cards; wilds: jokers and twos that came to the player; "
    "held: points left in the hand at the end. Chances that were there and not used, wise or not: "
    "out: to go out; canasta: to complete one with cards in the hand; open: to open; take: to take "
    "the pile."
)
_VALUES = ("loss", "g/t", "mistakes", "blunders", "luck", "g/t")
_VALUE_WORDS = (
    "Estimates: loss: points that a decision cost on average; {limits}luck: points that the cards "
    "were worth; g/t: give or take so many, which is three standard errors; in brackets: not more "
    "than that, so it may be nothing. Start: who began and what was needed to open. "
)
_UNKNOWN = "?: the record does not tell."


def _limit_words(limits: Sequence[Limits]) -> str:
    """Return what mistakes and blunders cost, by the limits of the games."""
    found = dict.fromkeys(limits)
    if len(found) > 1:
        return "mistakes and blunders cost more than the limits of their rules; "
    return "".join(
        f"mistakes cost {each.mistake} points or more, blunders {each.blunder}; " for each in found
    )


def player_rows(
    players: Sequence[PlayerFigures], look: Look, limits: Sequence[Limits] = ()
) -> Rows:
    """Return the tables of the players: what they did, and the chances that they left.

    `limits` are those of the games.
    """
    did = [["deals", "won", *(head for head, _ in _DID)]]
    valued = any(player.values["decisions"] is not None for player in players)
    left = [[*CHANCES, *(_VALUES if valued else ())]]
    for player in players:
        figures = [_figure(player.figures[key]) for _, key in _DID]
        did.append([str(player.deals), f"{player.won}/{player.games}", *figures])
        row_left = [_figure(player.chances[kind]) for kind in CHANCES]
        if valued:
            row_left += _mean(player.loss_per_decision, player.loss_per_decision_error)
            row_left += [_rounded(player.values["mistakes"]), _rounded(player.values["blunders"])]
            row_left += _points(player.values["luck"], player.values["luck_error"])
        left.append(row_left)
    names = [player.name for player in players]
    rows = [*_table(names, did, look), row(), *_table(names, left, look), row()]
    values = _VALUE_WORDS.format(limits=_limit_words(limits)) if valued else ""
    words = f"{_WORDS} {values}{_UNKNOWN}"
    return [*rows, *(row(line) for line in wrap(words, look.width)), *_practice(players, look)]


def _practice(players: Sequence[PlayerFigures], look: Look) -> Rows:
    """Return what the players can practise; nothing without play-outs."""
    sentences = practice_sentences(players)
    if not sentences:
        return []
    rows: Rows = [row(), [Run(label("practise"), "bold")]]
    for sentence in sentences:
        rows += wrapped(sentence.text, look)
    return rows


def _table(names: Sequence[str], figures: Sequence[Sequence[str]], look: Look) -> Rows:
    """Return a table of figures, heads first; names are clipped to the room that is left."""
    taken = sum(2 + max(map(len, column)) for column in zip(*figures, strict=True))
    room = max(_SHORT_NAME, min(_NAME, look.width - taken))
    first = [[Run("player", "dim")], *(row(clip(name, room, look)) for name in names)]
    style = ["dim", *("" for _ in names)]
    table = [
        [head, *([Run(cell, style[at])] for cell in cells)]
        for at, (head, cells) in enumerate(zip(first, figures, strict=True))
    ]
    return columns(table, right=range(1, len(figures[0]) + 1))


def _figure(number: int | None) -> str:
    return "?" if number is None else str(number)


def _points(points: float | None, error: float | None) -> tuple[str, str]:
    """Return points and what they may differ by, as everywhere; "?" if they are not known."""
    if points is None or error is None:
        return "?", "?"
    return estimate_cells(rounded(points), give_or_take(points, error))


def _mean(points: float | None, error: float | None) -> tuple[str, str]:
    """Return the mean of many estimates to the point, since in fives it would often be 0 or 5."""
    if points is None or error is None:
        return "?", "?"
    return estimate_cells(round(points), ceil(ERRORS * error))


def _rounded(number: float | None) -> str:
    return "?" if number is None else f"{number:.0f}"
