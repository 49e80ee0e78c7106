"""The lines before play: the deal's number and dealer, hands, up cards, stock and talons.

A stock line without unwritten cards names the up cards, and shows which threes were dealt. If it is
clear who was dealt them, it is clear which cards replaced them, and so the stock can be followed
card by card. Which other cards an unwritten hand can have is left to counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, zip_longest

from canasta_notation.arrays import array
from canasta_notation.cards import BARE, BLACK_THREE, RANK, RED_THREE, UNKNOWN, UNKNOWN_RANK
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    deal_unseen,
    judge_stock,
    match_stock,
    match_up,
    may_be_three,
    set_stock,
    set_talon,
    turn_unseen,
    turn_up,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.stock import agree, specify
from canasta_notation.engine.table import Table
from canasta_notation.findings import Span
from canasta_notation.notation.document import Deal, HandLine, StockLine, Turn, UpLine
from canasta_notation.replay.deal_replay import (
    DealReplay,
    end_line,
    find,
    find_false_acknowledgements,
    is_unchecked,
    line_number,
    link,
    settle_line,
)
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.totals import Due

# --- the number and the dealer --------------------------------------------------------------------


def judge_order(replay: DealReplay) -> None:
    """Judge the deal's number and its dealer."""
    if min(replay.context.game.lost, default=replay.deal.span.line) >= replay.deal.span.line:
        # After an unreadable deal line, the right number is not known.
        _judge_number(replay)
    replay.dealer = _judge_dealer(replay)


def next_due(replay: DealReplay) -> Due:
    """Return the dealer and number that the next deal should have."""
    false_number = replay.false_number if replay.number_shift else None
    due = Due(-1, replay.false_dealer is None, replay.number_shift, false_number)
    if not due.sure and not replay.deal.turns:
        return due  # nothing shows who dealt
    dealer = replay.dealer if replay.dealer >= 0 else _dealer_before_first(replay)
    disordered = any(
        each.code in ("wrong-seat", "stock-order") and each.follows is replay.jump
        for each in replay.findings
    )
    if dealer < 0 or (disordered and replay.deal.dealer is None and not due.sure):
        # If the play is out of order, the dealer was not the one due.
        return due
    due = replace(due, dealer=(dealer + 1) % replay.rules.players)
    for finding in replay.findings:
        if (finding.code, finding.turn) == ("wrong-seat", 1) and not finding.acknowledged:
            first = next(line.seat for line in replay.deal.play if isinstance(line, Turn))
            return replace(due, began=finding, other=replay.rules.seats.find(first))
    return due


def _dealer_before_first(replay: DealReplay) -> int:
    """Return the seat before the one that plays first, -1 if it is not clear who that is."""
    deal, players = replay.deal, replay.rules.players
    first = next((line for line in deal.play if isinstance(line, Turn)), None)
    if first is None or deal.unread or first.number not in (None, 1) or first.acknowledged:
        return -1
    if any(finding.code == "wrong-seat" for finding in replay.findings):
        return -1
    seat = replay.rules.seats.find(first.seat)
    return (seat - 1) % players if seat >= 0 else -1


def _judge_number(replay: DealReplay) -> None:
    """Judge the deal's number; one that continues from a false one is its consequence."""
    number, place = replay.deal.number, replay.at + 1
    replay.number_shift = number - place
    jumps = replay.number_shift != replay.due.shift
    if replay.number_shift:
        fills_gap = replay.at in replay.context.gap_fillers
        cause = replay.false_number if fills_gap or not jumps else None
        span = replay.deal.span
        finding = find(
            replay, "deal-number", "other", span, follows=cause, number=number, due=place
        )
        replay.false_number = cause or finding
    replay.jump = replay.false_number if jumps else None


def _judge_dealer(replay: DealReplay) -> int:
    """Return the dealer's seat, the written one if there is one, or -1."""
    written, due = replay.deal.dealer, replay.due.dealer
    span = Span(replay.deal.span.line, *replay.deal.dealer_at)
    players = replay.rules.players
    if written is None:
        replay.false_dealer = replay.jump
        return due
    if written not in replay.rules.seats:
        find(replay, "dealer", "none", span, "players", name=written)
        return due
    seat = replay.rules.seats.index(written)
    if not replay.due.sure or due == -1:
        return seat
    if (seat - due - (replay.number_shift - replay.due.shift)) % players:
        # The dealers followed in order, so only the number is false.
        replay.jump = None
    if seat != due:
        cause = replay.jump
        if cause is None and replay.due.began and seat == replay.due.other:
            # The dealer of the last deal was wrong.
            cause = replay.due.began.follows or replay.due.began
        name = replay.rules.seats[due]
        replay.false_dealer = find(
            replay, "dealer", "other", span, follows=cause, dealer=written, due=name
        )
    return seat


# --- the cards ----------------------------------------------------------------------------------


def lay_table(replay: DealReplay) -> None:
    """Prepare the table for the deal with what its stock line says."""
    replay.dealt = _complete_deal(replay.rules, replay.dealer, replay.deal)
    # The stock line is used only if everything before play is known.
    replay.stocked = replay.deal.stock is not None and _is_dealt_in_full(replay)
    totals = replay.standing.totals
    replay.play = Table(replay.rules, replay.dealer, totals, replay.stocked)


def _is_dealt_in_full(replay: DealReplay) -> bool:
    """Return whether every hand line, and the up line if there is one, is known whole."""
    up = replay.dealt.up is not None or not replay.rules.up_turned
    if replay.dealer < 0 and sum(bool(line.replacements) for line in replay.dealt.hands) > 1:
        # Without a dealer, the order in which replacements left the stock is unknown.
        return False
    return up and not _open_seats(replay.rules, replay.dealt)


def set_up(replay: DealReplay) -> bool:
    """Replay hands, up cards, stock and talons; return whether the play can be replayed."""
    play, deal = replay.play, replay.deal
    dealt = deal.hands or deal.up or deal.stock or deal.talons
    if (replay.sheet or deal.is_final_table) and not dealt:
        return True
    if not _set_up_hands(replay):
        return False
    _set_up_up(replay)
    _set_up_stock(replay)
    begin_play(play)
    for line in (*deal.hands, deal.up):
        if line is None:
            continue
        at = line.span.line
        happened = {finding.code for finding in replay.findings if finding.span.line == at}
        happened |= {doubt.code for doubt in replay.doubts if doubt.line == at}
        find_false_acknowledgements(replay, line, happened, line.span)
    replay.findings.sort(key=lambda finding: finding.span.line)
    return not is_unchecked(replay, line_number(deal.play[0]) if deal.play else end_line(replay))


def _set_up_hands(replay: DealReplay) -> bool:
    """Deal the hands; return whether every hand line can be read."""
    play, rules = replay.play, replay.rules
    unseen = {*range(rules.players)}
    pulled = _pulled(replay)
    for line in replay.dealt.hands:
        if is_unchecked(replay, line.span.line):
            return False
        if line.seat not in rules.seats:
            find(replay, "wrong-seat", "none", line.span, "players", name=line.seat)
            continue
        seat = rules.seats.index(line.seat)
        unseen.remove(seat)
        replacements = pulled.get(line.seat, list(line.replacements))
        deal_hand(play, seat, array(line.cards), line.rest_unknown, array(replacements))
        settle_line(replay, line.span, line.acknowledged)
    _link_hands(replay)
    for seat in sorted(unseen):
        deal_unseen(play, seat)
    settle_line(replay, replay.deal.span)
    return True


def _link_hands(replay: DealReplay) -> None:
    """Link the findings for two hands if the one has as many cards too many as the other lacks."""
    false = [each for each in replay.findings if each.code == "deal-size"]
    sizes = {line.span: len(line.cards) for line in replay.deal.hands}
    for two in combinations(false, 2):
        if sum(sizes[each.span] for each in two) == 2 * replay.rules.hand:
            link(replay, "a card of one hand may stand on the line of the other", two)


def _set_up_stock(replay: DealReplay) -> None:
    play, deal = replay.play, replay.deal
    if deal.stock is not None and not is_unchecked(replay, deal.stock.span.line):
        if replay.stocked:
            _match_stock(replay, deal.stock)
        else:
            _judge_stock(replay, deal.stock)
    for talon in deal.talons:
        if is_unchecked(replay, talon.span.line):
            return
        due, *later = [*replay.rules.talons[len(play.talons) :], 0]
        if len(deal.talons) < len(replay.rules.talons) and due != len(talon.cards) in later:
            # The talon before it was not seen.
            set_talon(play, [UNKNOWN] * due)
        set_talon(play, list(talon.cards))
        settle_line(replay, talon.span)


def _judge_stock(replay: DealReplay, line: StockLine) -> None:
    """Judge a stock line as far as possible without the hands that are not written."""
    play, up, stock = replay.play, replay.dealt.up, array(line.cards)
    replay.doubts.append(Doubt("stock-order", None, line.span.line))
    hands = [hand for hand in replay.dealt.hands if hand.seat in replay.rules.seats]
    judge_stock(play, stock, [array(hand.cards) for hand in hands])
    settle_line(replay, line.span)
    if up is not None and len(stock) == play.undealt:
        match_up(play, array(up.cards), stock)
        settle_line(replay, up.span, up.acknowledged)


def _pulled(replay: DealReplay) -> dict[str, list[int]]:
    """Return each seat's replacements, as the stock line spells them if that is more exact."""
    deal = replay.dealt
    if not replay.stocked or deal.stock is None:
        return {}
    lines = {line.seat: line for line in deal.hands}
    stock = list(deal.stock.cards)
    at = len(deal.up.cards) if deal.up else 0
    pulled: dict[str, list[int]] = {}
    for seat in _from_the_left(replay.rules, replay.dealer):
        codes = lines[seat].replacements
        pulled[seat] = specify(codes, stock[at : at + len(codes)])
        at += len(codes)
    return pulled


def _from_the_left(rules: Rules, dealer: int) -> str:
    """Return the seats in the order in which they are dealt cards; `dealer` is a seat or -1."""
    first = (max(dealer, 0) + 1) % rules.players
    return rules.seats[first:] + rules.seats[:first]


def _match_stock(replay: DealReplay, line: StockLine) -> None:
    """Compare up cards and replacements with the stock line; report each at its own line."""
    play, up = replay.play, replay.dealt.up
    hands = {hand.seat: hand for hand in replay.dealt.hands}
    set_stock(play, array(line.cards))
    settle_line(replay, line.span)
    if up is not None:
        match_stock(play, array(up.cards))
        settle_line(replay, up.span, up.acknowledged)
    for seat in _from_the_left(replay.rules, replay.dealer):
        match_stock(play, array(hands[seat].replacements))
        settle_line(replay, hands[seat].span, hands[seat].acknowledged)


def _set_up_up(replay: DealReplay) -> None:
    up = replay.dealt.up
    if up is None:
        turn_unseen(replay.play)
        settle_line(replay, replay.deal.span)
        return
    if is_unchecked(replay, up.span.line):
        return
    stock = replay.deal.stock.cards if replay.stocked and replay.deal.stock else ()
    turn_up(replay.play, array(specify(up.cards, list(stock))))
    settle_line(replay, up.span, up.acknowledged)


def possible_up_lines(replay: DealReplay) -> Iterator[UpLine]:
    """Yield the up line with each rank for its only unwritten card, if that may be a three."""
    up, rules = replay.dealt.up, replay.rules
    if up is None or up.cards.count(UNKNOWN) != 1:
        return
    at = up.cards.index(UNKNOWN)
    covered = at + 1 < len(up.cards)
    if not may_be_three(rules, covered):
        return
    for rank in range(UNKNOWN_RANK):
        if rules.up_covered[rank] == covered:
            yield replace(up, cards=(*up.cards[:at], BARE[rank], *up.cards[at + 1 :]))


# --- what a stock line says of lines that are not written ----------------------------------------


def _complete_deal(rules: Rules, dealer: int, deal: Deal) -> Deal:
    """Return the deal with what its stock line says of lines that are missing or not whole.

    A hand gets the threes that are clear, and unknown cards for the rest. A new line has the place
    of the deal line. `dealer` is a seat or -1. Not checked: whether the written lines agree.
    """
    if deal.stock is None or len(deal.stock.cards) != rules.undealt:
        return deal
    stock = deal.stock.cards
    up = _up_line(rules, deal, stock)
    if up is not deal.up:
        deal = replace(deal, up=up)
    missing = _open_seats(rules, deal)
    if UNKNOWN in stock or not missing or (rules.up_turned and deal.up is None):
        return deal
    hands = _whole_hands(rules, dealer, deal, missing)
    at = len(deal.up.cards) if deal.up else 0
    for seat in _from_the_left(rules, dealer) if hands else "":
        if seat in missing:
            written = hands[seat].replacements
            pulled = tuple(_replacements(rules, hands[seat].cards, stock[at:]))
            if not _are_among(written, pulled):
                pulled = written + pulled[len(written) :]
            hands[seat] = replace(hands[seat], replacements=pulled)
        at += len(hands[seat].replacements)
    return replace(deal, hands=tuple(hands.values()) or deal.hands)


def _are_among(written: Sequence[int], pulled: Sequence[int]) -> bool:
    """Return whether cards can be some of the cards pulled, in the same order."""
    rest = iter(pulled)
    return all(any(agree(code, other) for other in rest) for code in written)


def _open_seats(rules: Rules, deal: Deal) -> list[str]:
    """Return the seats without a hand line that is written whole."""
    whole = {line.seat for line in deal.hands if not line.rest_unknown}
    return [seat for seat in rules.seats if seat not in whole]


def _whole_hands(rules: Rules, dealer: int, deal: Deal, missing: list[str]) -> dict[str, HandLine]:
    """Return the hands by seat, the missing ones filled up with threes and unknown cards.

    Returns {} if it is not clear which threes a hand was dealt, or when they were replaced.
    """
    threes = _threes_left(rules, deal)
    elsewhere = len(missing) > 1 or len(deal.talons) < len(rules.talons)
    unclear = dealer < 0 or rules.three_kept or (threes and elsewhere)
    hands = {line.seat: line for line in deal.hands}
    for seat in missing:
        line = hands.get(seat, HandLine(seat, (), span=deal.span))
        cards = line.cards + threes
        if len(cards) > rules.hand or (unclear and any(rules.tabled[RANK[code]] for code in cards)):
            return {}
        cards += (UNKNOWN,) * (rules.hand - len(cards))
        hands[seat] = replace(line, cards=cards, rest_unknown=False)
    return hands


def _up_line(rules: Rules, deal: Deal, stock: Sequence[int]) -> UpLine | None:
    """Return the up cards, those of the stock line where none is written."""
    if deal.up is not None:
        if UNKNOWN not in deal.up.cards:
            return deal.up
        codes = zip_longest(deal.up.cards, stock[: len(deal.up.cards)], fillvalue=UNKNOWN)
        cards = tuple(other if code == UNKNOWN else code for code, other in codes)
        return replace(deal.up, cards=cards)
    # The first card that need not be covered is the last one turned up.
    for at, code in enumerate(stock if rules.up_turned else ()):
        if code == UNKNOWN:
            break
        if not rules.up_covered[RANK[code]]:
            return UpLine(tuple(stock[: at + 1]), span=deal.span)
    return None


def _threes_left(rules: Rules, deal: Deal) -> tuple[int, ...]:
    """Return, without suits, the threes to be tabled that no line of a deal shows."""
    lines = (*deal.hands, *deal.talons, deal.stock)
    shown = [RANK[code] for line in lines if line for code in line.cards]
    return tuple(
        BARE[rank]
        for rank in (RED_THREE, BLACK_THREE)
        if rules.tabled[rank]
        for _ in range(rules.rank_copies[rank] - shown.count(rank))
    )


def _replacements(rules: Rules, dealt: Sequence[int], stock: Sequence[int]) -> Iterator[int]:
    """Yield the cards that replace the threes of a hand, and the threes among these cards."""
    due = sum(rules.tabled[RANK[code]] for code in dealt)
    for code in stock:
        if due == 0:
            return
        due += rules.tabled[RANK[code]] - 1
        yield code
