"""Score sheets: which items of a deal without play are impossible under the profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product, takewhile
from math import gcd
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CARD_STEP,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    RANK_POINTS,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import (
    ITEMS,
    MELDED,
    MELDS,
    NATURAL,
    UNFINISHED,
    UNFINISHED_NAMES,
    canasta_bonus,
    items_of,
    special_amounts,
    threes_signs,
)
from canasta_notation.english import count, listed, rank_name
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.deal_replay import DealReplay
from canasta_notation.replay.totals import spell_amounts
from canasta_notation.rules import Profile

#: How threes count, by their sign.
_WAYS = {-1: "count against the side", 0: "do not count", 1: "count for the side"}
#: An item, why it is impossible, and the key of the rule.
ImpossibleItem = tuple[str, str, str]
#: The fewest points of a meld: three of the cheapest cards.
_FEWEST = MELD_SIZE * CARD_STEP
#: The items that are in a `_Board`: unfinished melds in place of the points of melds.
_BOARD_ITEMS: Final = (ITEMS[UNFINISHED], *ITEMS[MELDS + 1 : MELDED])


def score_span(replay: DealReplay, at: int) -> Collection[int]:
    """Return what a deal can be worth to a side, given its penalties and the end line."""
    span, penalty = _worths(replay.profile), replay.play.penalties[at]
    if replay.deal.unread:
        return range(0)
    if replay.rules.special and _ended(replay, at, "special"):
        return {points - penalty for points in special_amounts(replay.rules)}
    return range(span.start - penalty, span.stop - penalty, span.step)


@lru_cache(maxsize=32)
def _worths(profile: Profile) -> range:
    """Return what a deal can be worth to a side before penalties, as a range with its step.

    The bounds add up the best and the worst of each item, even if they exclude each other.
    """
    rules = rules_of(profile)
    melded = _boards(profile).fewest
    seats = max(map(len, rules.sides))
    threes = max(0, *rules.score_red3) * (2 if rules.black_tabled else 1)
    special = special_amounts(rules)
    bonuses = [rules.score_out, rules.score_concealed]
    best = max(
        sum(board.amounts) + rules.score_concealed_canasta * board.canastas for board in melded
    )
    worst = min(sum(min(0, amount) for amount in board.amounts) for board in melded)
    most = _deck_points(rules) + best + threes + sum(max(0, bonus) for bonus in bonuses)
    held = _red_threes_held(rules) - 2 * seats * min(0, rules.score_held)
    least = worst - _deck_points(rules) - held - threes + sum(min(0, bonus) for bonus in bonuses)
    amounts = {amount for board in melded for amount in board.amounts}
    step = gcd(
        CARD_STEP, rules.score_out, rules.score_concealed, rules.score_concealed_canasta,
        rules.score_held, rules.red3_held, *rules.score_red3, *special, *amounts,
    )  # fmt: skip
    return range(least // step * step, max([most, *special]) + 1, step)


@lru_cache(maxsize=32)
def _boards(profile: Profile) -> _Boards:
    """Return what a side can have melded; profiles with equal rules of melds share the result."""
    rules = rules_of(profile)
    ranks = (*range(FOUR, TWO), JOKER_RANK)
    return _boards_of(tuple(tuple(_ways_of(rules, rank)) for rank in ranks))


def _ways_of(rules: Rules, rank: int) -> Iterator[tuple[_Board, int]]:
    """Yield what a side can have in one rank, each with the fewest points that it can count."""
    yield _Board((0,) * len(_BOARD_ITEMS), 0), 0
    points = RANK_POINTS[TWO] if rank == JOKER_RANK else RANK_POINTS[rank]
    unfinished = rules.score_unfinished.get(UNFINISHED_NAMES.get(rank, ""), 0)
    if unfinished:
        yield _Board((unfinished, *(0,) * (len(_BOARD_ITEMS) - 1)), 0), MELD_SIZE * points
    if rank != JOKER_RANK:
        yield _canasta(rules, rank, 0, 0), CANASTA_SIZE * points
        yield _canasta(rules, rank, 1, 0), (CANASTA_SIZE - 1) * points + RANK_POINTS[TWO]
    elif rules.all_wild:
        for jokers in range(rules.jokers + 1):
            more = jokers * (RANK_POINTS[JOKER_RANK] - points)
            yield _canasta(rules, rank, CANASTA_SIZE, jokers), CANASTA_SIZE * points + more


def _canasta(rules: Rules, rank: int, wilds: int, jokers: int) -> _Board:
    item, bonus, _ = canasta_bonus(rules, rank, wilds, jokers)
    return _Board(tuple([bonus * (name == ITEMS[item]) for name in _BOARD_ITEMS]), 1)


def _deck_points(rules: Rules) -> int:
    """Return the points of all cards of the deck except red threes."""
    return sum(rules.rank_copies[rank] * RANK_POINTS[rank] for rank in range(UNKNOWN_RANK))


def _red_threes_held(rules: Rules) -> int:
    """Return what all red threes together cost in a hand, as a positive number."""
    return -rules.red3_held * rules.rank_copies[RED_THREE]


def impossible_items(replay: DealReplay, at: int, line: ScoreLine) -> Iterator[ImpossibleItem]:
    """Yield the items of a score line that no play of the deal could have earned.

    Not checked: whether one deck is enough for the mixed canastas and unfinished melds of every
    side, beyond the points of their cards.
    """
    rules = replay.rules
    known = items_of(rules)
    items = dict(line.items or ())
    for item, points in items.items():
        if item not in known and points:
            yield item, "these rules do not score it", ""
    if "cards" in items and ("melds" in items or "hand" in items):
        yield "cards", "it already includes melds and hand", ""
    penalty = -replay.play.penalties[at]
    if items.get("penalty", 0) != penalty and not replay.deal.unread:
        yield "penalty", f"the penalty lines of this deal come to {penalty}", ""
    yield from _special(replay, at, line)
    tabled = yield from _canastas(replay, items)
    yield from _cards(rules, replay, line, items)
    yield from _melds(replay, at, items, tabled)
    yield from _out(replay, at, line, tabled)
    yield from _held(replay, at, items)
    yield from _threes(rules, items, tabled)
    yield from _deck(replay, line)


def spoils_sum(replay: DealReplay, at: int, line: ScoreLine, item: str) -> bool:
    """Return whether the line could be true if an item had another amount."""
    items = dict(line.items or ())
    items[item] = items.get(item, 0) + line.score - sum(items.values())
    left = tuple((name, points) for name, points in items.items() if points)
    return not any(impossible_items(replay, at, replace(line, items=left or None)))


def _melded(
    replay: DealReplay, items: dict[str, int]
) -> tuple[list[tuple[str, set[int]]], _Melded]:
    """Return the impossible bonuses of melds with possible amounts, and the melds for the rest."""
    known = items_of(replay.rules)
    amounts = [items.get(item, 0) if item in known else 0 for item in _BOARD_ITEMS]
    return _narrowed(replay.profile, tuple(amounts))


@lru_cache(maxsize=1024)
def _narrowed(
    profile: Profile, amounts: tuple[int, ...]
) -> tuple[list[tuple[str, set[int]]], _Melded]:
    return _boards(profile).narrow(amounts)


def _canastas(
    replay: DealReplay, items: dict[str, int]
) -> Generator[ImpossibleItem, None, _Melded]:
    """Yield the impossible bonuses of melds; return what the side can have melded."""
    rules = replay.rules
    units = {"natural": rules.score_natural, "mixed": rules.score_mixed}
    false, tabled = _melded(replay, items)
    for item, amounts in false:
        unit = units.get(item, 0)
        misfit = unit and (items[item] < 0 or items[item] % unit)
        why = f"each counts {unit}" if misfit else f"with the other melds it is {_either(amounts)}"
        yield item, why, f"score.{item}"
    each, concealed = rules.score_concealed_canasta, items.get("concealed-canasta", 0)
    most = max(tabled.canastas)
    if concealed < 0 or (each and concealed % each):
        yield "concealed-canasta", f"each counts {each}", "score.concealed_canasta"
    elif each and concealed > most * each:
        why = f"the side has no more than {count(most, 'canasta')}"
        yield "concealed-canasta", why, "score.concealed_canasta"
    return tabled


def _cards(
    rules: Rules, replay: DealReplay, line: ScoreLine, items: dict[str, int]
) -> Iterator[ImpossibleItem]:
    """Yield points that no cards of the deck can count."""
    # Held threes, which count among the cards of a hand, can have any points.
    odd_threes = rules.red3_held % CARD_STEP
    for item in ("melds",) if odd_threes else ("melds", "hand", "cards"):
        if items.get(item, 0) % CARD_STEP:
            yield item, f"the points of cards are multiples of {CARD_STEP}", ""
    if items.get("hand", 0) > 0:
        yield "hand", "cards left in a hand count against the side", ""
    lines = (*_before(replay, line), line)
    counted = [_card_points(rules, dict(each.items or ())) for each in lines]
    most = _deck_points(rules)
    if sum(counted) > most >= sum(counted[:-1]):
        item = next(item for item in ("melds", "cards", "hand") if items.get(item))
        yield item, f"all cards of the deck together count {most}", ""


def _card_points(rules: Rules, items: dict[str, int]) -> int:
    """Return the fewest points of a side's cards, melded or held."""
    held = -items.get("hand", 0) - min(0, items.get("cards", 0))
    melded = abs(items.get("melds", 0)) + max(0, items.get("cards", 0))
    return melded + max(0, held - _red_threes_held(rules))


def _melds(
    replay: DealReplay, at: int, items: dict[str, int], tabled: _Melded
) -> Iterator[ImpossibleItem]:
    """Yield points of melds that have the wrong sign or are too few for their bonuses."""
    rules, item = replay.rules, "melds"
    if "cards" in items:
        if _hands(replay, at, items):
            return
        item = "cards"
    points = items.get(item, 0)
    minus = rules.melds_minus == "no-canasta"
    signs = {-1 if minus and not canastas else 1 for canastas in tabled.canastas}
    if points and (1 if points > 0 else -1) not in signs:
        why = "without a canasta they count against it" if minus else "they count for the side"
        yield item, why, "score.melds_minus"
    fewest = max(tabled.fewest, _FEWEST if points else 0)
    if abs(points) < fewest:
        yield item, f"the cards of such melds count {fewest} or more", ""


def _out(replay: DealReplay, at: int, line: ScoreLine, tabled: _Melded) -> Iterator[ImpossibleItem]:
    """Yield bonuses for going out that contradict this line or another one of the deal."""
    rules, items = replay.rules, dict(line.items or ())
    out = items.get("out", 0)
    end = replay.deal.end
    ended = _ended(replay, at, "out")
    if out not in (0, rules.score_out):
        yield "out", f"going out counts {rules.score_out}", "score.out"
    elif out and max(tabled.canastas) < rules.out_canastas:
        yield "out", f"going out needs {count(rules.out_canastas, 'canasta')}", "out.canastas"
    elif out and end and not ended:
        ending = f"end {end.reason} {end.seat or ''}".rstrip()
        yield "out", f"the end line says `{ending}`", "score.out"
    elif out and not end and _may_have_ended(replay, line):
        yield "out", "another side ended the deal", "score.out"
    elif ended and end and out != rules.score_out:
        yield "out", f"the side went out (end out {end.seat})", "score.out"
    concealed = items.get("concealed", 0)
    if concealed not in (0, rules.score_concealed):
        yield "concealed", f"going out concealed adds {rules.score_concealed}", "score.concealed"
    elif concealed and not _went_out(replay, at, items):
        yield "concealed", "the side did not go out", "score.concealed"
    elif concealed and not (out or end) and _may_have_ended(replay, line):
        yield "concealed", "another side ended the deal", "score.concealed"
    elif ended and end and end.concealed and concealed != rules.score_concealed:
        why = f"the side went out concealed (end out {end.seat} concealed)"
        yield "concealed", why, "score.concealed"


def _before(replay: DealReplay, line: ScoreLine) -> Iterator[ScoreLine]:
    """Yield the score lines of a deal that come before a line and have no false item."""
    false = _false_lines(replay)
    return (each for each in _earlier(replay, line) if each.span.line not in false)


def _earlier(replay: DealReplay, line: ScoreLine) -> Iterator[ScoreLine]:
    """Yield the score lines of a deal that come before a line."""
    return takewhile(lambda each: each.side != line.side, replay.deal.scores)


def _false_lines(replay: DealReplay) -> set[int]:
    """Return the lines on which an item is false."""
    return {each.span.line for each in replay.findings if each.code == "score-item"}


def _may_have_ended(replay: DealReplay, line: ScoreLine) -> bool:
    """Return whether an earlier score line claims a special hand, or can claim going out."""
    for before in _before(replay, line):
        items = dict(before.items or ())
        most = max(_melded(replay, items)[1].canastas)
        out = _claims_out(replay.rules, items) and most >= replay.rules.out_canastas
        if out or items.get("special"):
            return True
    return False


def _hands(replay: DealReplay, at: int, items: dict[str, int]) -> int:
    """Return how many hands of a side have cards left: all except the one that went out."""
    return len(replay.rules.sides[at]) - _went_out(replay, at, items)


def _went_out(replay: DealReplay, at: int, items: dict[str, int]) -> bool:
    """Return whether the side went out: by the end line, or by its items if there is none."""
    return _ended(replay, at, "out") if replay.deal.end else _claims_out(replay.rules, items)


def _claims_out(rules: Rules, items: dict[str, int]) -> bool:
    """Return whether items say that the side went out; if that counts 0, `concealed` says it."""
    return bool(items.get("out") or (not rules.score_out and items.get("concealed")))


def _held(replay: DealReplay, at: int, items: dict[str, int]) -> Iterator[ImpossibleItem]:
    """Yield held sevens or aces that need more hands, or cards of more points, than there are."""
    rules, hands = replay.rules, _hands(replay, at, items)
    if items.get("hand", 0) and not hands:
        yield "hand", "the hand that went out was the only one", ""
    held = items.get("held", 0)
    if not rules.score_held or not held:
        return
    # Three or more sevens, or aces, in each hand, if the deck has enough.
    kinds = [
        MELD_SIZE * RANK_POINTS[rank]
        for rank in (SEVEN, ACE)
        for _ in range(min(hands, rules.rank_copies[rank] // MELD_SIZE))
    ]
    count = held // rules.score_held
    if held % rules.score_held or not 0 <= count <= len(kinds):
        yield "held", f"each counts {rules.score_held}, at most {len(kinds)}", "score.held"
    elif "cards" not in items and -items.get("hand", 0) < sum(kinds[:count]):
        yield "held", f"the cards of such hands count {sum(kinds[:count])} or more", "score.held"


def _threes(rules: Rules, items: dict[str, int], tabled: _Melded) -> Iterator[ImpossibleItem]:
    """Yield a bonus for threes whose amount or sign is impossible."""
    item = "threes" if rules.black_tabled else "red3"
    points = items.get(item, 0)
    sums = {0, *rules.score_red3}
    if rules.black_tabled:
        sums = {red + black for red in sums for black in sums}
    if abs(points) not in sums:
        yield item, f"threes count {_either({*rules.score_red3})}", "score.red3"
        return
    if _has_melds(items) or min(tabled.canastas):
        opened = {True}
    else:
        opened = {"cards" in items or max(tabled.canastas) > 0, False}
    signs = threes_signs(rules, opened, tabled.canastas)
    if points and (points > 0) - (points < 0) not in signs:
        melds = "with such melds" if max(tabled.canastas) or _has_melds(items) else "without melds"
        ways = " or ".join(_WAYS[sign] for sign in sorted(signs))
        yield item, f"{melds} threes {ways}", "score.red3_minus"


def _deck(replay: DealReplay, line: ScoreLine) -> Iterator[ImpossibleItem]:
    """Yield items for which the items before them, and the lines before, leave too few cards.

    One false number can leave too few of a rank for several lines; the first of them is yielded.
    """
    rules, deal, copies = replay.rules, replay.deal, _scarce(replay.rules)
    # The sides whose cards the table at the end shows.
    melds, threes = {each.side for each in deal.melds}, {each.side for each in deal.threes}
    shown = {"held": {*rules.sides} if deal.left else set(), "red3": threes, "threes": threes}
    ways = [Counter[int]()]
    lacking, false = set[int](), _false_lines(replay)
    for each in (*_earlier(replay, line), line):
        items = dict(each.items or ())
        hand = _deck_points(rules) if "cards" in items else -items.get("hand", 0)
        for item, points in items.items():
            needs = _needs(rules, item, points, hand if item == "held" else 0)
            if not needs:
                continue
            sums = [way + need for way in ways for need in needs]
            fitting = [need for need in sums if all(need[rank] <= copies[rank] for rank in need)]
            if fitting:
                ways = ways if each.span.line in false else fitting
                continue
            scarce = next(rank for rank in sums[0] if sums[0][rank] > copies[rank])
            found = each is line and scarce not in lacking
            lacking.add(scarce)
            if found and line.side not in shown.get(item, melds):
                key = "score.red3" if item == "threes" else f"score.{item}"
                cards = f"{copies[scarce]} {rank_name(scarce)} of the deck"
                if scarce == UNKNOWN_RANK:
                    cards = f"{copies[scarce]} ranks that can make a natural canasta"
                yield item, f"with the items before it, it takes more than the {cards}", key


@lru_cache(maxsize=32)
def _scarce(rules: Rules) -> Counter[int]:
    """Return the copies of each rank, and at UNKNOWN_RANK, of how many natural canastas count."""
    copies = Counter(dict(enumerate(rules.rank_copies)))
    plain = [canasta_bonus(rules, rank, 0, 0)[0] == NATURAL for rank in range(FOUR, TWO)]
    copies[UNKNOWN_RANK] = sum(plain)
    return copies


@lru_cache(maxsize=1024)
def _needs(rules: Rules, item: str, points: int, hand: int) -> list[Counter[int]]:
    """Return the fewest cards of scarce ranks that an item needs, for each way to have earned it.

    At UNKNOWN_RANK are natural canastas: no two can be of one rank. `hand` is what the cards left
    in the side's hands cost.
    """
    match item:
        case "red3" | "threes":
            worth = (0, *rules.score_red3)
            blacks = range(len(worth) if rules.black_tabled else 1)
            return [
                Counter({RED_THREE: red, BLACK_THREE: black})
                for red, black in product(range(len(worth)), blacks)
                if worth[red] + worth[black] == abs(points)
            ]
        case "natural" if rules.score_natural:
            return [Counter({UNKNOWN_RANK: points // rules.score_natural})]
        case "sevens" | "aces" if points:
            return [Counter({SEVEN if item == "sevens" else ACE: CANASTA_SIZE})]
        case "wild" if points:
            return [
                Counter({TWO: max(0, CANASTA_SIZE - jokers), JOKER_RANK: jokers})
                for jokers in range(rules.jokers + 1)
                if canasta_bonus(rules, JOKER_RANK, CANASTA_SIZE, jokers)[1] == points
            ]
        case "held" if rules.score_held and points // rules.score_held <= 2 * rules.players:
            hands = points // rules.score_held
            return [
                Counter({SEVEN: MELD_SIZE * sevens, ACE: MELD_SIZE * (hands - sevens)})
                for sevens in range(hands + 1)
                if MELD_SIZE * (sevens * RANK_POINTS[SEVEN] + (hands - sevens) * RANK_POINTS[ACE])
                <= hand
            ]
    return []


def _special(replay: DealReplay, at: int, line: ScoreLine) -> Iterator[ImpossibleItem]:
    """Yield items beside a special hand, and a special hand that contradicts the end line."""
    items = dict(line.items or ())
    points = items.get("special", 0)
    if not replay.rules.special:
        return
    end = replay.deal.end
    amounts = special_amounts(replay.rules)
    if points and points not in amounts:
        yield "special", f"special hands count {_either(amounts)}", "special"
    elif points and not end and _may_have_ended(replay, line):
        yield "special", "another side ended the deal", "special"
    elif end and _ended(replay, at, "special") != (points != 0):
        did = "did not end" if points else "ended"
        why = f"the end line says that the side {did} the deal with a special hand"
        yield "special", why, "special"
    for item, other in items.items():
        if points and other and item not in ("special", "penalty"):
            yield item, "a side with a special hand scores nothing else", "special"


def _ended(replay: DealReplay, at: int, reason: str) -> bool:
    """Return whether the end line says that the side ended the deal in this way."""
    end = replay.deal.end
    return end is not None and end.reason == reason and (end.seat or "-") in replay.rules.sides[at]


def _either(amounts: set[int]) -> str:
    """Return the amounts in words: a list of a few, the bounds of many."""
    if 2 < len(amounts) < 6:
        return listed(map(str, sorted(amounts)), "or")
    return spell_amounts(amounts)


def _has_melds(items: dict[str, int]) -> bool:
    return items.get("melds", 0) != 0 or items.get("cards", 0) > 0


# --- the melds behind the bonuses -----------------------------------------------------------------


class _Board(NamedTuple):
    """Melds that a side can have: the amounts of `_BOARD_ITEMS`, and how many canastas it has."""

    amounts: tuple[int, ...]
    canastas: int


class _Melded(NamedTuple):
    """What is known about a side's melds: the number of canastas, the fewest points of cards."""

    canastas: frozenset[int]
    fewest: int


class Ways:
    """Possible ways to have earned a score, each with an amount for every item."""

    def __init__(self, ways: Collection[tuple[int, ...]]) -> None:
        self.all = (1 << len(ways)) - 1
        #: For each item and each of its amounts, a bit for each way that has it.
        self.having: list[dict[int, int]] = []
        for column in zip(*ways, strict=True):
            having: dict[int, int] = {}
            for at, amount in enumerate(column):
                having[amount] = having.get(amount, 0) | 1 << at
            self.having.append(having)

    def narrow(
        self, items: tuple[str, ...], written: Mapping[str, int]
    ) -> tuple[list[tuple[str, set[int]]], Iterator[int]]:
        """Return the items that fit none of the ways, and the ways that fit all other items.

        Each of the items comes with the amounts that would fit. The ways are their places, from 0.
        An item that is not written is claimed to be 0. The first item is compared last.
        """
        false, left = [], self.all
        for at in (*range(1, len(items)), 0):
            having = self.having[at]
            kept = left & having.get(written.get(items[at], 0), 0)
            if not kept:
                false.append((items[at], {each for each, ways in having.items() if ways & left}))
            left = kept or left
        return false, _bits(left)


def _bits(bits: int) -> Iterator[int]:
    """Yield the places (from 0) of the bits that are set."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


class _Boards:
    """Everything that a side can have melded, with the fewest points that the cards can count.

    Only melds that appear in a score are distinguished: canastas, and melds that cost points
    because they are unfinished. Not checked: whether the deck is enough for both sides.
    """

    def __init__(self, choices: tuple[tuple[tuple[_Board, int], ...], ...]) -> None:
        """`choices` has for each rank the melds that a side can have, with their fewest points."""
        found = {_Board((0,) * len(_BOARD_ITEMS), 0): 0}
        for melds in choices:
            more: dict[_Board, int] = {}
            for meld, points in melds:
                for board, fewest in found.items():
                    sums = zip(board.amounts, meld.amounts, strict=True)
                    both = _Board(tuple([a + b for a, b in sums]), board.canastas + meld.canastas)
                    more[both] = min(more.get(both, fewest + points), fewest + points)
            found = more
        self.fewest = found
        by_amounts: dict[tuple[int, ...], _Melded] = {}
        for board, fewest in found.items():
            canastas, least = by_amounts.get(board.amounts, (frozenset[int](), fewest))
            by_amounts[board.amounts] = _Melded(canastas | {board.canastas}, min(least, fewest))
        self.ways = Ways(by_amounts)
        #: What is known of the melds by each of the ways.
        self.melded = [*by_amounts.values()]

    def narrow(self, amounts: tuple[int, ...]) -> tuple[list[tuple[str, set[int]]], _Melded]:
        """Return which amounts of `_BOARD_ITEMS` cannot be, and the melds of the others."""
        false, left = self.ways.narrow(_BOARD_ITEMS, dict(zip(_BOARD_ITEMS, amounts, strict=True)))
        kept = [self.melded[at] for at in left]
        canastas = frozenset[int]().union(*(each.canastas for each in kept))
        return false, _Melded(canastas, min(each.fewest for each in kept))


#: Everything that a side can have melded, by the melds of each rank.
_boards_of = lru_cache(maxsize=32)(_Boards)
