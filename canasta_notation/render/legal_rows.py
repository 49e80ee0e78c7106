"""The legal plays of a turn as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from canasta_notation.cards import RANK_LETTERS, TEXT, format_cards
from canasta_notation.english import count
from canasta_notation.render.paint import Look, Row, Rows, indented, row, wrap_row
from canasta_notation.report.plays import Choices, refusal_words, spelled
from canasta_notation.rules import Profile
from canasta_notation.search.found import DiscardChoice, LegalPlays, Refusal

#: The name of each way to take the pile.
_WAYS = {
    "": "",
    "join": "joining the meld",
    "pair": "with a pair",
    "with-wild": "with a wild card",
}
#: Shown once instead of a doubt after each play.
_BOUND = (
    "the hand is too large to try everything: after a play in this list the turn may have no legal "
    "end, and a way to go out may be missing"
)
#: The column in which plays begin, after the word for their kind.
_INDENT = 9


def legal_rows(choices: Choices, look: Look) -> Rows:
    """Return the plays, one row for each kind and reason, wrapped to the width."""
    return [*_start_rows(choices, look), *_after_rows(choices, look)]


def _start_rows(choices: Choices, look: Look) -> Iterator[Row]:
    start, profile = choices.start, choices.profile
    head = f"deal {choices.deal}, turn {choices.turn}"
    if start.stock is None:
        why = "the deal is over" if start.known else "it is not known whose turn it is"
        yield from wrap_row(row(f"{head}: nothing can be played: {why}"), look.width)
        return
    yield row(f"{head}: {profile.seats[start.seat]} ({profile.name})")
    if not start.known:
        text = "not all cards of the hand are written: this is what the written cards can do"
        yield from wrap_row(row(text), look.width)
    stock = start.stock
    drawn = _refused(count(stock.cards, "card"), stock.refusal, profile, certain=stock.certain)
    yield from _item("draw", drawn, look)
    for way in start.takes:
        how = " ".join([_WAYS[way.way], format_cards(way.cards)]).strip()
        text = _refused(how, way.refusal, profile, certain=way.certain or not start.complete)
        yield from _item("take", text, look)
    if start.must_take:
        yield row("the pile must be taken")
    elif start.over:
        text = "the stock is empty: the deal is over unless the pile is taken"
        yield from wrap_row(row(text), look.width)
    if not start.complete:
        yield from wrap_row(row(_BOUND), look.width)


def _after_rows(choices: Choices, look: Look) -> Iterator[Row]:
    plays, profile = choices.after, choices.profile
    if plays is None or choices.played is None:
        return
    yield row(f"after {spelled(choices.played, profile)}:")
    for word, what in (*_meld_items(plays), *_last_items(plays, profile)):
        yield from _item(word, what, look, indent=2)
    if not plays.complete:
        yield from wrap_row(row(_BOUND), look.width)


def _meld_items(plays: LegalPlays) -> Iterator[tuple[str, str]]:
    for special in plays.specials:
        yield "special", f"{special.kind}, {special.points} points"
    for group in plays.groups:
        made = f"{group.canasta} canasta" if group.canasta else count(group.size, "card")
        if group.count is not None:
            needed = "" if plays.minimum is None else f" of {plays.minimum}"
            made += f", opening {group.count}{needed}"
        certain = group.certain or not plays.complete
        spelled = f"{RANK_LETTERS[group.rank]}:{format_cards(group.cards)}"
        yield "meld", f"{spelled}  ({made}){_doubt(certain=certain)}"


def _last_items(plays: LegalPlays, profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield the discards, equal ones together, and the ways to go out."""
    cards = [(_discarding(choice, profile), TEXT[choice.card]) for choice in plays.discards]
    first = {how: at for at, (how, _) in reversed([*enumerate(cards)])}
    for how, alike in groupby(sorted(cards, key=lambda pair: first[pair[0]]), lambda pair: pair[0]):
        yield "discard", f"{' '.join(card for _, card in alike)}{how}"
    for way in plays.out:
        actions = " ".join(spelled(action, profile) for action in way.actions)
        yield "out", f"{actions}{'  (concealed)' if way.concealed else ''}"
    if plays.out and plays.ask is None:
        yield "ask", "partner can be asked first"


def _discarding(choice: DiscardChoice, profile: Profile) -> str:
    """Return what follows the card of a discard: what must come after it, or why it is refused."""
    goes = " goes out" if choice.out else ""
    if choice.talon:
        goes += f" talon:{format_cards(choice.talon)}"
    text = _refused(goes, choice.refusal, profile, certain=choice.certain)
    return text if choice.refusal is None else f": {text}"


def _item(word: str, what: str, look: Look, *, indent: int = 0) -> Rows:
    """Return rows of one kind of play: the word for the kind, then the plays."""
    head = row(" " * indent + word.ljust(_INDENT))
    return indented(wrap_row(row(what), look.width - indent - _INDENT), head)


def _refused(what: str, refusal: Refusal | None, profile: Profile, *, certain: bool) -> str:
    """Return a play, and the reason if it is refused."""
    if refusal is None:
        return f"{what}{_doubt(certain=certain)}"
    rule = f" [{refusal.key}]" if refusal.key else ""
    return f"{what}{': ' if what else ''}no, {refusal_words(refusal, profile)}{rule}"


def _doubt(*, certain: bool) -> str:
    return "" if certain else "  (depends on cards that are not written)"
