"""An analysis as text: the story of each deal, and the table of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance, GameAnalysis, PlayerFigures
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.facts import KINDS, DealFacts, SideFacts
from canasta_notation.english import count, figure, listed, meld_name
from canasta_notation.render.paint import Look, Rows, Run, clip, columns, row, wrap

#: How many chances of a deal its story names.
_NAMED = 3
_NAME = 24
_SHORT_NAME = 6
_INDENT = "  "


def story_rows(file: str, game: GameAnalysis, look: Look, seat: str | None = None) -> Rows:
    """Return the stories of a game's deals; with `seat`, only the chances of that seat."""
    head = f"{file}: game {game.game}, {game.rules}"
    rows: Rows = [[Run(clip(head, look.width, look), "bold")]]
    if game.errors:
        words = (
            f"The record has {count(game.errors, 'error')}; the figures cover what was replayed."
        )
        rows += _wrapped(words, look)
    for deal in game.deals:
        rows += [row(), [Run(f"Deal {deal.facts.deal}", "bold")]]
        for sentence in _story(game, deal, seat):
            rows += _wrapped(sentence, look)
    return rows


def _wrapped(sentence: str, look: Look) -> Rows:
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
    yield from _could_have(game, deal, seat)


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
    players = listed(_player(game, seat) for seat in name)
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


def _could_have(game: GameAnalysis, deal: AnalyzedDeal, seat: str | None) -> Iterator[str]:
    """Yield up to three missed chances, those to go out first; alike ones of a seat are one."""
    alike: dict[tuple[object, ...], list[Chance]] = {}
    for each in deal.chances:
        if seat in (None, each.seat):
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
    "the pile. ?: the record does not tell."
)


def player_rows(players: Sequence[PlayerFigures], look: Look) -> Rows:
    """Return the tables of the players: what they did, and the chances that they left."""
    did = [["deals", "won", *(head for head, _ in _DID)]]
    left = [list(CHANCES)]
    for player in players:
        figures = [_figure(player.figures[key]) for _, key in _DID]
        did.append([str(player.deals), f"{player.won}/{player.games}", *figures])
        left.append([_figure(player.chances[kind]) for kind in CHANCES])
    names = [player.name for player in players]
    rows = [*_table(names, did, look), row(), *_table(names, left, look), row()]
    return [*rows, *(row(line) for line in wrap(_WORDS, look.width))]


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
