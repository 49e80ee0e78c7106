"""The lines before play: the deal's number and dealer, hands, up cards, stock and packets.

A stock line without unwritten cards names the up cards, and shows which threes were dealt. If it is
clear who was dealt them, it is clear which cards replaced them, so the stock can be followed card
by card. Counting decides which other cards an unwritten hand can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from canasta_notation.arrays import array
from canasta_notation.cards import BARE, BLACK_THREE, RANK, RED_THREE, TEXT, UNKNOWN, UNKNOWN_RANK
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    deal_unseen,
    judge_stock,
    match_stock,
    match_up,
    may_be_three,
    set_stock,
    turn_unseen,
    turn_up,
)
from canasta_notation.engine.packets import set_packet
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.shown import show_deal
from canasta_notation.engine.stock import agree, specify
from canasta_notation.engine.table import NO_NUMBER, Table
from canasta_notation.findings import Span
from canasta_notation.notation.document import (
    VOID,
    Deal,
    HandLine,
    PacketLine,
    StockLine,
    Turn,
    UpLine,
)
from canasta_notation.replay.deal_findings import (
    leave_open,
    report,
    report_false_acknowledgements,
    report_line,
)
from canasta_notation.replay.deal_state import DealReplay, line_number
from canasta_notation.replay.totals import spell_amounts

# --- the number and the dealer --------------------------------------------------------------------


def judge_order(replay: DealReplay) -> None:
    """Judge the deal's number and its dealer, and whether the game was over before it."""
    line = replay.deal.span.line
    if not (lost := replay.context.lost) or lost[0] >= line:
        # After an unreadable deal line, the right number is not known.
        _judge_number(replay)
    replay.dealer = _judge_dealer(replay)
    _judge_target(replay)


def _judge_number(replay: DealReplay) -> None:
    """Judge the deal's number; one that continues from a false one is its consequence.

    Another false number shows that deals are missing or misplaced, so what they decide is unknown.
    """
    so_far, number, place = replay.so_far, replay.deal.number, replay.at + 1
    if number == place:
        so_far.false_number = None
        return
    before = replay.context.game.deals[replay.at - 1].number if replay.at else 0
    cause = so_far.false_number if number == before + 1 else None
    span = replay.deal.span
    message = "again" if replay.context.first[number] < replay.at else "other"
    false = report(
        replay, "deal-number", message, span, follows=cause, number=number, due=place,
        line=_deal_line(replay),
    )  # fmt: skip
    if cause is None:
        so_far.false_number = false
        so_far.forget()


def _deal_line(replay: DealReplay) -> str:
    """Return the line that begins a new deal here, with the dealer if the deal names one."""
    so_far, number = replay.so_far, f"deal {replay.at + 1}"
    known = replay.deal.dealer is not None and so_far.dealer_sure and so_far.dealer >= 0
    return f"{number} dealer {replay.rules.seats[so_far.dealer]}" if known else number


def _judge_dealer(replay: DealReplay) -> int:
    """Return the dealer's seat, the written one if there is one, or -1."""
    written, so_far, seats = replay.deal.dealer, replay.so_far, replay.rules.seats
    span = Span(replay.deal.span.line, *replay.deal.dealer_at)
    if written is None:
        return so_far.dealer
    if written not in seats:
        report(replay, "dealer", "none", span, "players", name=written)
        return so_far.dealer
    seat = seats.index(written)
    if so_far.dealer_sure and so_far.dealer not in (-1, seat):
        due, message = seats[so_far.dealer], "void" if so_far.redealt else "other"
        replay.false_dealer = report(replay, "dealer", message, span, dealer=written, due=due)
    return seat


def _judge_target(replay: DealReplay) -> None:
    """Report the first deal that comes after a side has won."""
    so_far = replay.so_far
    if so_far.timed_out:
        if so_far.after_game in (None, replay.at):
            so_far.after_game = replay.at
            report(replay, "after-game", "time", replay.deal.span)
        return
    winner = so_far.winner()
    reached = so_far.ranges[winner] if winner >= 0 else None
    if reached is None or so_far.after_game not in (None, replay.at):
        return
    so_far.after_game = replay.at
    total, span = spell_amounts(reached), replay.deal.span
    key = so_far.won_by(winner)
    if key == "target":
        report(replay, "after-game", "won", span, key, side=winner, total=total)
    else:
        report(replay, "after-game", "deals", span, key, deals=so_far.played)


def note_next_dealer(replay: DealReplay) -> None:
    """Note who deals after this deal, and whether that is sure."""
    so_far, players = replay.so_far, replay.rules.players
    so_far.dealer_sure = replay.false_dealer is None
    dealer = replay.dealer if replay.dealer >= 0 else _dealer_before_first(replay)
    # Without turns, nothing confirms a dealer who was not due.
    known = dealer >= 0 and (so_far.dealer_sure or replay.deal.turns)
    so_far.redealt = replay.uncounted == VOID
    so_far.void_deals += so_far.redealt
    so_far.dealer = (dealer + (not so_far.redealt)) % players if known else -1


def _dealer_before_first(replay: DealReplay) -> int:
    """Return the seat before the one that plays first, -1 if it is not clear who that is."""
    deal, players = replay.deal, replay.rules.players
    first = next((line for line in deal.play if isinstance(line, Turn)), None)
    if first is None or deal.unread or first.number not in (None, 1) or first.acknowledged:
        return -1
    seat = replay.rules.seats.find(first.seat)
    if seat < 0 or any(finding.code == "wrong-seat" for finding in replay.findings):
        return -1
    return (seat - 1) % players


# --- the cards ----------------------------------------------------------------------------------


def lay_table(replay: DealReplay) -> None:
    """Prepare the table for the deal with what its stock line says."""
    replay.dealt = _complete_deal(replay.rules, replay.dealer, replay.deal)
    # The stock line is used only if everything before play is known.
    replay.stocked = replay.deal.stock is not None and _is_dealt_in_full(replay)
    so_far = replay.so_far
    counted = replay.deal.number - so_far.void_deals
    number = counted if so_far.false_number is None else NO_NUMBER
    replay.table = Table(replay.rules, replay.dealer, so_far.totals, replay.stocked, number)


def _is_dealt_in_full(replay: DealReplay) -> bool:
    """Return whether every hand line, and the up line if there is one, is fully known."""
    up = replay.dealt.up is not None or not replay.rules.up_turned
    if replay.dealer < 0 and sum(bool(line.replacements) for line in replay.dealt.hands) > 1:
        # Without a dealer, the order in which replacements left the stock is unknown.
        return False
    return up and not _open_seats(replay.rules, replay.dealt)


def set_up(replay: DealReplay) -> bool:
    """Replay hands, up cards, stock and packets; return whether the play can be replayed."""
    table, deal = replay.table, replay.deal
    dealt = deal.hands or deal.up or deal.stock or deal.packets
    if (replay.sheet or deal.is_final_table) and not dealt:
        return True
    if not _set_up_hands(replay):
        return False
    _set_up_up(replay)
    _set_up_stock(replay)
    begin_play(table)
    if replay.context.observer:
        show_deal(table)
    for line in (*deal.hands, deal.up):
        if line is None:
            continue
        at = line.span.line
        happened = {finding.code for finding in replay.findings if finding.span.line == at}
        happened |= {doubt.code for doubt in replay.doubts if doubt.line == at}
        report_false_acknowledgements(replay, line, happened, line.span)
    return not replay.is_unchecked(line_number(deal.play[0]) if deal.play else replay.end_line)


def _set_up_hands(replay: DealReplay) -> bool:
    """Deal the hands; return whether every hand line can be read."""
    table, rules = replay.table, replay.rules
    unseen = {*range(rules.players)}
    pulled = _pulled(replay)
    used_up = _used_up(replay)
    for line in replay.dealt.hands:
        if replay.is_unchecked(line.span.line):
            return False
        if line.seat not in rules.seats:
            report(replay, "wrong-seat", "none", line.span, "players", name=line.seat)
            continue
        seat = rules.seats.index(line.seat)
        unseen.remove(seat)
        replacements = pulled.get(line.seat, list(line.replacements))
        cards = array(line.cards)
        deal_hand(table, seat, cards, line.rest_unknown, array(replacements), line.seat in used_up)
        report_line(replay, line.span, line.acknowledged, _joker_help(rules, line))
    for seat in sorted(unseen):
        deal_unseen(table, seat)
    report_line(replay, replay.deal.span)
    return True


def _joker_help(rules: Rules, line: HandLine) -> str | None:
    """Return the help for a hand that has too many cards because a joker was written as `JK`."""
    texts = [TEXT[card] for card in line.cards]
    jokers = sum(pair == ("J", "K") for pair in pairwise(texts))
    if not jokers or not 0 < len(texts) - rules.hand <= jokers:
        return None
    return "write a joker as `*`; `JK` is a jack and a king"


def _used_up(replay: DealReplay) -> str:
    """Return the seats whose missing replacements the stock no longer had when they were due.

    There are none if the record does not show how many cards the up line and the replacements took.
    """
    deal, order = replay.dealt, _from_the_left(replay.rules, replay.dealer)
    if not _is_dealt_in_full(replay) or replay.dealer < 0:
        return ""
    pulled = {line.seat: len(line.replacements) for line in deal.hands}
    if sum(pulled.values()) + (len(deal.up.cards) if deal.up else 0) < replay.rules.undealt:
        return ""
    last = max((at for at, seat in enumerate(order) if pulled[seat]), default=0)
    return order[last:]


def _set_up_stock(replay: DealReplay) -> None:
    deal = replay.deal
    if deal.stock is not None and not replay.is_unchecked(deal.stock.span.line):
        if replay.stocked:
            _match_stock(replay, deal.stock)
        else:
            _judge_stock(replay, deal.stock)
    for packet in deal.packets:
        if replay.is_unchecked(packet.span.line):
            return
        _set_up_packet(replay, packet)


def _set_up_packet(replay: DealReplay, line: PacketLine) -> None:
    """Set a packet aside; what `...` stands for are cards that were not seen."""
    rules = replay.rules
    if line.seat is not None and line.seat not in rules.seats:
        report(replay, "wrong-seat", "none", line.span, "players", name=line.seat)
        return
    seat = rules.seats.index(line.seat) if line.seat else -1
    set_packet(replay.table, line.filled(rules.packets), line.word, seat)
    report_line(replay, line.span)


def _judge_stock(replay: DealReplay, line: StockLine) -> None:
    """Judge a stock line as far as possible without the hands that are not written."""
    table, up, stock = replay.table, replay.dealt.up, array(line.cards)
    leave_open(replay, "stock-order", line.span)
    hands = [hand for hand in replay.dealt.hands if hand.seat in replay.rules.seats]
    judge_stock(table, stock, [array(hand.cards) for hand in hands])
    report_line(replay, line.span)
    if up is not None and len(stock) == table.undealt:
        match_up(table, array(up.cards), stock)
        report_line(replay, up.span, up.acknowledged)


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
    table, up = replay.table, replay.dealt.up
    hands = {hand.seat: hand for hand in replay.dealt.hands}
    set_stock(table, array(line.cards))
    report_line(replay, line.span)
    if up is not None:
        match_stock(table, array(up.cards))
        report_line(replay, up.span, up.acknowledged)
    for seat in _from_the_left(replay.rules, replay.dealer):
        match_stock(table, array(hands[seat].replacements))
        report_line(replay, hands[seat].span, hands[seat].acknowledged)


def _set_up_up(replay: DealReplay) -> None:
    up = replay.dealt.up
    if up is None:
        turn_unseen(replay.table)
        report_line(replay, replay.deal.span)
        return
    if replay.is_unchecked(up.span.line):
        return
    stock = replay.deal.stock.cards if replay.stocked and replay.deal.stock else ()
    turn_up(replay.table, array(specify(up.cards, list(stock))))
    report_line(replay, up.span, up.acknowledged)


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
    """Return the deal with what its stock line says about lines that are missing or incomplete.

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
    """Return the seats without a complete hand line."""
    whole = {line.seat for line in deal.hands if not line.rest_unknown}
    return [seat for seat in rules.seats if seat not in whole]


def _whole_hands(rules: Rules, dealer: int, deal: Deal, missing: list[str]) -> dict[str, HandLine]:
    """Return the hands by seat; missing ones are filled with threes and unknown cards.

    Returns {} if it is not clear which threes a hand was dealt, or when they were replaced.
    """
    threes = _threes_left(rules, deal)
    whole = [line for line in deal.packets if not line.rest_unknown]
    elsewhere = len(missing) > 1 or len(whole) < len(rules.packets_aside)
    if rules.threes_wait:
        elsewhere = elsewhere or any(UNKNOWN in line.cards for line in deal.hands)
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
    """Return the up cards, or those of the stock line if there is no up line."""
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
    lines = (*deal.hands, *deal.packets, deal.stock)
    shown = [RANK[code] for line in lines if line for code in line.cards]
    return tuple(
        BARE[rank]
        for rank in (RED_THREE, BLACK_THREE)
        if rules.tabled[rank]
        for _ in range(rules.rank_copies[rank] - shown.count(rank))
    )


def _replacements(rules: Rules, dealt: Sequence[int], stock: Sequence[int]) -> Iterator[int]:
    """Yield the cards that replace the threes of a hand, and the threes among these cards."""
    due = 0 if rules.threes_wait else sum(rules.tabled[RANK[code]] for code in dealt)
    for code in stock:
        if due == 0:
            return
        due += rules.tabled[RANK[code]] - 1
        yield code
