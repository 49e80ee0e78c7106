"""The legal plays of a turn as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import LABELS, RANK, format_cards
from canasta_notation.engine.actions import Action, Combine, Discard, Lay, Take, TakePacket
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.state import MeldState, State
from canasta_notation.engine.take import takes_alone
from canasta_notation.english import count, listed, meld_name, minimum_words
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    card,
    card_row,
    indented,
    row,
    wrap_row,
)
from canasta_notation.report.plays import Choices, refusal_words, spelled
from canasta_notation.rules import Profile
from canasta_notation.search.found import (
    DiscardChoice,
    FoundPlays,
    Refusal,
    StockChoice,
    TakeWay,
)

#: Shown once instead of a doubt after each play.
_BOUND = (
    "the hand is too large to try everything: after a play in this list the turn may have no legal "
    "end, and a way to go out may be missing"
)
#: The column in which plays begin, after the word for their kind.
_INDENT = 9


def legal_rows(choices: Choices, look: Look) -> Rows:
    """Return the plays in words, one row for each kind and reason, wrapped to the width.

    A row ends with the code of a meld, or the key of the rule that refuses the play.
    """
    return [*_start_rows(choices, look), *_after_rows(choices, look)]


def _start_rows(choices: Choices, look: Look) -> Iterator[Row]:
    start, profile = choices.start, choices.profile
    head = f"deal {choices.deal}, turn {choices.turn}"
    if start.stock is None and not start.must_table:
        why = "the deal is over" if start.known else "it is not known whose turn it is"
        yield from wrap_row(row(f"{head}: nothing can be played: {why}"), look.width)
        return
    player = f"{profile.seats[start.seat]} {choices.player}".rstrip()
    yield from wrap_row(row(f"{head}: {player} ({profile.name})"), look.width)
    if not start.known:
        text = "not all cards of the hand are written: this is what the written cards can do"
        yield from wrap_row(row(text), look.width)
    if start.threes:
        yield from _item("tables", _tabling(start, look), look)
    if start.stock is None:
        return
    yield from _item("draws", _drawing(start.stock, profile), look)
    for way in start.takes:
        taken = _pile(choices.before, look, _most(way.onto, profile))
        taken += _how(way, choices.before, look)
        taken += _end(way.refusal, profile, certain=way.certain or not start.complete)
        yield from _item("takes", taken, look)
    if start.must_take:
        yield row("the pile must be taken")
    elif start.over:
        text = "the stock is empty: the deal is over unless the pile is taken"
        yield from wrap_row(row(text), look.width)
    if not start.complete:
        yield from wrap_row(row(_BOUND), look.width)


def _tabling(start: FoundPlays, look: Look) -> Row:
    """Return the threes that can be tabled first, or must be."""
    one = len(start.threes) == 1
    words = [*card_row(start.threes, look), Run(f" and takes {'its' if one else 'their'} ")]
    words += row("replacement" if one else "replacements")
    return [*words, *row(", then draws or takes the pile" if start.must_table else " (may)")]


def _drawing(stock: StockChoice, profile: Profile) -> Row:
    """Return the cards that can be drawn, and whether drawing them is legal."""
    drawn = row(count(stock.cards, "card"))
    drawn += _end(stock.refusal, profile, certain=stock.certain or stock.special)
    return drawn + row(", if a special hand with the three follows" if stock.special else "")


def _most(onto: int | None, profile: Profile) -> int:
    """Return how many cards a take of the pile brings at most, with its top on this place."""
    rules = rules_of(profile)
    return 1 if takes_alone(rules, onto) else rules.most_taken


def _pile(before: State | None, look: Look, most: int) -> Row:
    """Return what a take brings: J♥ and the pile of 16, J♥ and 6 more of the pile of 16."""
    if before is None or not before.pile:
        return row("the pile")
    top = card(before.pile[-1], look)
    if most == 1:
        return [top, Run(" alone")]
    if most < len(before.pile):
        return [top, Run(f" and {most - 1} more of the pile of {len(before.pile)}")]
    size = "" if before.pile_loose else f" of {len(before.pile)}"
    if len(before.pile) == 1 and not before.pile_loose:
        return [card(before.pile[-1], look), Run(" (the whole pile)")]
    return [card(before.pile[-1], look), Run(f" and the pile{size}")]


def _how(way: TakeWay, before: State | None, look: Look) -> Row:
    """Return the meld that the top card joins, or the cards with which it is laid."""
    if way.way == "join":
        if before is None:
            return []
        meld = RANK[before.pile[-1]] if way.onto is None else way.onto
        return row(f" onto the meld of {meld_name(meld)}")
    if way.way == "special":
        return row(" alone, for a special hand")
    to = row("" if way.onto is None else f" on {meld_name(way.onto)}")
    return [Run(" with "), *card_row(way.cards, look), *to] if way.cards else []


def _after_rows(choices: Choices, look: Look) -> Iterator[Row]:
    plays, profile = choices.after, choices.profile
    if plays is None or choices.played is None:
        return
    done: Row = [Run("after the draw")]
    if isinstance(choices.played, Take):
        most = _most(choices.played.onto, profile)
        done = [Run("after taking "), *_pile(choices.before, look, most)]
    code = Run(f"  {spelled(choices.played, profile)}", "dim")
    yield from wrap_row([*done, Run(":"), code], look.width)
    standing = {meld.rank for meld in _melds(choices)}
    for word, what in (
        *_meld_items(plays, profile, standing, look),
        *_last_items(plays, choices, look),
    ):
        yield from _item(word, what, look, indent=2)
    if not plays.complete:
        yield from wrap_row(row(_BOUND), look.width)


def _melds(choices: Choices) -> tuple[MeldState, ...]:
    """Return the melds of the player's side at the start of the turn."""
    if choices.before is None:
        return ()
    seat = choices.profile.seats[choices.start.seat]
    return choices.before.sides[choices.profile.side_of(seat)].melds


def _meld_items(
    plays: FoundPlays, profile: Profile, standing: set[int], look: Look
) -> Iterator[tuple[str, Row]]:
    for special in plays.specials:
        yield "lays", row(f"a special hand, {special.kind}, for {count(special.points, 'point')}")
    for group in plays.groups:
        made = f"{group.canasta} canasta" if group.canasta else count(group.size, "card")
        if group.count is not None:
            needed = (
                "" if plays.minimum is None else f" of {minimum_words(plays.minimum, plays.raised)}"
            )
            made += f", opening {group.count}{needed}"
        certain = group.certain or not plays.complete
        code = f"{LABELS[group.rank]}:{format_cards(group.cards)}"
        words = [Run(f"{meld_name(group.rank)} "), *card_row(group.cards, look), Run(f" ({made})")]
        words += _end(None, None, certain=certain)
        yield "adds to" if group.rank in standing else "melds", [*words, Run(f"  {code}", "dim")]
    if plays.dead:
        yield "dead", row(listed(meld_name(rank) for rank in plays.dead))
    for place, onto in plays.combines:
        words = row(f"{meld_name(place)} on {meld_name(onto)}")
        yield "puts", [*words, Run(f"  {spelled(Combine(place, onto), profile)}", "dim")]


def _last_items(plays: FoundPlays, choices: Choices, look: Look) -> Iterator[tuple[str, Row]]:
    """Yield the discards, equal ones together, the end without one, and the ways to go out."""
    profile = choices.profile
    cards = [(_discarding(choice, profile, look), choice.card) for choice in plays.discards]
    for at, (how, _) in enumerate(cards):
        if how in [each for each, _ in cards[:at]]:
            continue
        alike = [card for each, card in cards if each == how]
        yield "discards", [*card_row(alike, look), *how]
    if plays.may_stop:
        what = "the turn" if profile["out.discard"] == "kept" else "the turn and the deal"
        yield "ends", row(f"{what}, without a discard")
    for way in plays.out:
        words: Row = []
        standing = {meld.rank for meld in _melds(choices)}
        for action in way.actions:
            words += [Run(", ")] if words else []
            words += _action(action, standing, look)
        code = " ".join(spelled(action, profile) for action in way.actions)
        concealed = row("  (concealed)" if way.concealed else "")
        yield "goes out", [*words, *concealed, Run(f"  {code}", "dim")]
    if plays.packet is not None:
        words = row(f"none is due, {refusal_words(plays.packet, profile)}")
        yield profile.packet_word, [*words, Run(f"  [{plays.packet.key}]", "dim")]
    if plays.out and plays.ask is None:
        yield "may ask", row("the partner first")


def _action(action: Action, standing: set[int], look: Look) -> Row:
    """Return an action on a way out in words; `standing` gets the rank of a new meld."""
    if isinstance(action, Lay):
        added = action.rank in standing
        standing.add(action.rank)
        to = row(f" to the {meld_name(action.rank)}" if added else "")
        return [Run("adding " if added else "melding "), *card_row(action.cards, look), *to]
    if isinstance(action, Combine):
        return row(f"putting {meld_name(action.rank)} on {meld_name(action.onto)}")
    if isinstance(action, Discard):
        return [Run("discarding "), card(action.card, look)]
    assert isinstance(action, TakePacket), "the rest of a turn has no other action"
    return row(f"taking the {action.word}")


def _discarding(choice: DiscardChoice, profile: Profile, look: Look) -> Row:
    """Return what follows the card of a discard: what must come after it, or why it is refused."""
    goes = row(" and goes out" if choice.out else "")
    if choice.packet:
        goes += [Run(f" and takes the {profile.packet_word} "), *card_row(choice.packet, look)]
    return [*goes, *_end(choice.refusal, profile, certain=choice.certain)]


def _item(word: str, what: Row, look: Look, *, indent: int = 0) -> Rows:
    """Return rows of one kind of play: the word for the kind, then the plays."""
    head = row(" " * indent + word.ljust(_INDENT))
    return indented(wrap_row(what, look.width - indent - _INDENT), head)


def _end(refusal: Refusal | None, profile: Profile | None, *, certain: bool) -> Row:
    """Return what follows a play: why it is refused, or that unwritten cards decide."""
    if refusal is None or profile is None:
        return row("" if certain else "  (depends on cards that are not written)")
    words = row(f": no, {refusal_words(refusal, profile)}")
    return [*words, Run(f"  [{refusal.key}]", "dim")] if refusal.key else words
