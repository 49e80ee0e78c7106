"""Score sheets: which items of a deal without play are impossible under the profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement, product, takewhile
from math import gcd
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CARD_STEP,
    CODE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RANK_NAMES,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.packets import most_unused
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import (
    NATURAL,
    PACKET_UNUSED,
    UNFINISHED_NAMES,
    canasta_bonus,
    items_of,
    special_amounts,
    threes_item,
    threes_signs,
)
from canasta_notation.english import count, listed
from canasta_notation.fields import POINTS
from canasta_notation.notation.document import Deal, ScoreLine
from canasta_notation.replay.deal_state import DealReplay
from canasta_notation.replay.sheet_melds import (
    BONUS_ITEMS,
    any_melds,
    fewest_naturals,
    melds_of,
    most_melds,
    narrowed,
    unfinished_ways,
)
from canasta_notation.replay.totals import spell_amounts
from canasta_notation.rules.items import SCORED

#: How threes count, by their sign.
_WAYS = {-1: "count against the side", 0: "do not count", 1: "count for the side"}
#: In counts of scarce cards by rank, the places of mixed canastas and of wild cards.
_MIXED: Final = UNKNOWN_RANK + 1
_WILD: Final = UNKNOWN_RANK + 2
#: How many ranks canastas can have: 4 to A.
_RANKS: Final = TWO - FOUR
#: How many ways to have earned items are tried for one more item.
_MOST_TRIED: Final = 5_000
#: An item, why it is impossible, and the key of the rule.
ImpossibleItem = tuple[str, str, str]


def score_range(replay: DealReplay, at: int) -> Collection[int]:
    """Return what a deal can be worth to a side, given its rulings and the end line."""
    worth, ruled = deal_worth(replay.rules), replay.table.bonuses[at] - replay.table.penalties[at]
    if replay.deal.unread:
        return range(0)
    if replay.rules.special and ended_by(replay.deal, replay.rules.sides[at], "special"):
        return {points + ruled for points in special_amounts(replay.rules)}
    return range(worth.start + ruled, worth.stop + ruled, worth.step)


@lru_cache(maxsize=32)
def deal_worth(rules: Rules) -> range:
    """Return what a deal can be worth to a side before rulings, as a range with its step.

    The bounds add up the best and the worst of each item, even if they exclude each other.
    """
    special = special_amounts(rules)
    parts = [*_parts(rules)]
    least, most = sum(part.least for part in parts), sum(part.most for part in parts)
    step = gcd(*special, *(amount for part in parts for amount in part.units))
    return range(least // step * step, max([most, *special]) + 1, step)


class _ScorePart(NamedTuple):
    """What some items of a score can be worth together: the bounds, and their parts."""

    least: int
    most: int
    units: Collection[int]


def _parts(rules: Rules) -> Iterator[_ScorePart]:
    """Yield the parts of a score without a special hand; a rule about points changes one."""
    # The points of cards: melds, hand and cards; threes in a hand can have points of their own.
    cards = _deck_points(rules)
    units = CARD_STEP, rules.red3_held, rules.black3_held
    yield _ScorePart(-cards - _threes_held(rules), cards, units)
    # The bonuses of melds: canastas, how they were laid, and unfinished ones.
    melds, concealed = melds_of(rules), rules.score_concealed_canasta
    worst = sum(min(bonus for _, bonus, _, _ in each) for each in melds)
    best = sum(max(bonus + concealed * canasta for _, bonus, canasta, _ in each) for each in melds)
    yield _ScorePart(
        worst, best, {concealed, *(bonus for each in melds for _, bonus, _, _ in each)}
    )
    # Tabled threes: red3, or threes of both colours.
    threes = max(0, *rules.score_red3) * (2 if rules.black_tabled else 1)
    yield _ScorePart(-threes, threes, rules.score_red3)
    # Going out: out and concealed.
    out = rules.score_out, rules.score_concealed
    yield _ScorePart(0, sum(out), out)
    # Held: sevens and aces in each hand of a side.
    hands = max(map(len, rules.sides))
    yield _ScorePart(2 * hands * rules.score_held, 0, (rules.score_held,))
    # Packets that nobody took.
    unused = max(most_unused(rules, side, out=False) for side in range(len(rules.sides)))
    yield _ScorePart(unused * rules.packet_points, 0, (rules.packet_points,))


def _deck_points(rules: Rules) -> int:
    """Return the points of all cards of the deck except red threes."""
    return sum(rules.rank_copies[rank] * rules.rank_points[rank] for rank in range(UNKNOWN_RANK))


def _threes_held(rules: Rules) -> int:
    """Return how much more all threes together cost in hands than `_deck_points` counts."""
    black = -rules.black3_held - rules.rank_points[BLACK_THREE]
    red = -(rules.red3_held + rules.rank_points[RED_THREE]) * rules.rank_copies[RED_THREE]
    return red + max(0, black * rules.rank_copies[BLACK_THREE])


# --- the items of a score line --------------------------------------------------------------------


def impossible_items(
    replay: DealReplay, line: ScoreLine, undecided: Callable[[], object] = lambda: None
) -> Iterator[ImpossibleItem]:
    """Yield the items of a score line that no play of the deal could have earned.

    `undecided` is called once if that is not known of some of them, because they can be earned in
    more ways than are tried (`sheet_melds.narrowed`, `_Claimed`). Not checked: whether one deck has
    enough naturals for the mixed canastas of every side, beyond the points of their cards.
    """
    sheet = _Sheet(replay, line)
    rules, items = sheet.rules, sheet.items
    known = items_of(rules)
    for item, points in items.items():
        if item not in known and points:
            yield item, "these rules do not score it", ""
    if "cards" in items and ("melds" in items or "hand" in items):
        yield "cards", "it already includes melds and hand", ""
    table, side = replay.table, rules.sides.index(line.side)
    for item, ruled in (("penalty", -table.penalties[side]), ("bonus", table.bonuses[side])):
        if items[item] != ruled and not replay.deal.unread:
            yield item, f"the {item} lines of this deal come to {ruled}", ""
    for check in _CHECKS:
        yield from check(sheet)
    if sheet.undecided:
        undecided()


def spoils_sum(replay: DealReplay, line: ScoreLine, item: str) -> bool:
    """Return whether the line could be true if an item had another amount."""
    items = Counter(dict(line.items or ()))
    items[item] += line.score - items.total()
    if not POINTS[0](items[item]):
        return False  # the notation cannot spell such an amount
    left = tuple((name, points) for name, points in items.items() if points)
    return not any(impossible_items(replay, replace(line, items=left or None)))


class _Sheet:
    """A score line of a deal without play, and what its items say about the side."""

    def __init__(self, replay: DealReplay, line: ScoreLine) -> None:
        self.replay = replay
        self.rules = replay.rules
        self.end = replay.deal.end
        self.line = line
        #: The points of each item, 0 for one that is not written.
        self.items = Counter(dict(line.items or ()))
        known = items_of(self.rules)
        amounts = [self.items[item] if item in known else 0 for item in BONUS_ITEMS]
        #: The items of `BONUS_ITEMS` that are impossible, each with the amounts that would fit; and
        #: what the others say of the side's melds.
        fitting = narrowed(self.rules, tuple(amounts))
        self.misfits, self.melded = fitting or ([], any_melds(self.rules))
        #: Whether it is not known which items are impossible.
        self.undecided = fitting is None
        self.most_canastas = max(self.melded.canastas)

    def ended(self, reason: str) -> bool:
        """Return whether the end line says that the side ended the deal in this way."""
        return ended_by(self.replay.deal, self.line.side, reason)

    def went_out(self) -> bool:
        """Return whether the side went out: by the end line, or by its items if there is none."""
        return self.ended("out") if self.end else self.claims_out()

    def claims_out(self) -> bool:
        """Return whether the items say that the side went out; by `concealed` if `out` counts 0."""
        return bool(self.items["out"] or (not self.rules.score_out and self.items["concealed"]))

    def lacks_sequences(self) -> bool:
        """Return whether, by its items, the side has too few sequences of seven for going out."""
        if any(item == "sequence" for item, _ in self.misfits):
            return False
        return self.items["sequence"] < self.rules.out_sequences * self.rules.score_sequence

    def lacks_kind(self) -> str:
        """Return the kind of canastas of which its items show too few for going out, or ""."""
        rules, items = self.rules, self.items
        false = {item for item, _ in self.misfits}
        named = ("aces",) if rules.out_sevens else ("sevens", "aces")
        special = sum(bool(items[item]) for item in named)
        worth = rules.score_wild.values()
        kinds = (
            ("natural", rules.score_natural, special),
            ("mixed", rules.score_mixed, int(bool(items["semi"]))),
            ("wild", max(worth, default=0), 0),
            ("sevens", rules.score_sevens, 0),
        )
        for kind, each, more in kinds:
            shown = -(-items[kind] // each) + more if each else 0
            if each and kind not in false and shown < self.due(kind):
                return kind
        return ""

    def due(self, kind: str) -> int:
        """Return how many canastas of a kind going out needs."""
        rules = self.rules
        return {
            "natural": rules.out_natural,
            "mixed": rules.out_mixed,
            "wild": rules.out_wild,
            "sevens": rules.out_sevens,
        }[kind]

    def hands(self) -> int:
        """Return how many hands have cards left: all except the one that went out."""
        return len(self.line.side) - self.went_out()

    def earlier(self) -> Iterator[_Sheet]:
        """Yield the score lines of the deal that come before this one."""
        lines = takewhile(lambda each: each.side != self.line.side, self.replay.deal.scores)
        return (_Sheet(self.replay, each) for each in lines)

    def is_false(self) -> bool:
        """Return whether an item of the line has been reported as false."""
        return any(
            each.code == "score-item" and each.span.line == self.line.span.line
            for each in self.replay.findings
        )

    def another_ended(self) -> bool:
        """Return whether an earlier line, without a false item, shows that its side ended the deal.

        It claims a special hand, or claims going out and can have the canastas.
        """
        return any(
            (each.claims_out() and each.most_canastas >= self.rules.out_canastas)
            or each.items["special"]
            for each in self.earlier()
            if not each.is_false()
        )


def ended_by(deal: Deal, side: str, reason: str) -> bool:
    """Return whether the end line of a deal says that a side ended it in this way."""
    return deal.end is not None and deal.end.reason == reason and (deal.end.seat or "-") in side


def _special(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield items beside a special hand, and a special hand that contradicts the end line."""
    amounts, points = special_amounts(sheet.rules), sheet.items["special"]
    if not sheet.rules.special:
        return
    if points and points not in amounts:
        yield "special", f"special hands count {_either(amounts)}", "special"
    elif points and not sheet.end and sheet.another_ended():
        yield "special", "another side ended the deal", "special"
    elif sheet.end and sheet.ended("special") != (points != 0):
        did = "did not end" if points else "ended"
        why = f"the end line says that the side {did} the deal with a special hand"
        yield "special", why, "special"
    for item, other in sheet.items.items():
        if points and other and item not in ("special", "penalty", "bonus"):
            yield item, "a side with a special hand scores nothing else", "special"


def _canastas(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield the impossible bonuses of melds."""
    rules, items = sheet.rules, sheet.items
    long = rules.score_king or rules.score_ace
    units = {
        "natural": 0 if long else rules.score_natural,
        "semi": rules.score_semi,
        "mixed": rules.score_mixed,
        "sequence": rules.score_sequence,
    }
    for item, amounts in sheet.misfits:
        unit = units.get(item, 0)
        misfit = unit and (items[item] < 0 or items[item] % unit)
        why = f"each counts {unit}" if misfit else f"with the other melds it is {_either(amounts)}"
        yield item, why, f"score.{item}"
    item, each, most = "concealed-canasta", rules.score_concealed_canasta, sheet.most_canastas
    if items[item] < 0 or (each and items[item] % each):
        yield item, f"each counts {each}", "score.concealed_canasta"
    elif each and items[item] > most * each:
        why = f"the side has no more than {count(most, 'canasta')}"
        yield item, why, "score.concealed_canasta"


def _cards(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield points that no cards of the deck can count."""
    rules, items = sheet.rules, sheet.items
    # Held threes, which count among the cards of a hand, can have any points.
    odd_threes = rules.red3_held % CARD_STEP or rules.black3_held % CARD_STEP
    for item in ("melds",) if odd_threes else ("melds", "hand", "cards"):
        if items[item] % CARD_STEP:
            yield item, f"the points of cards are multiples of {CARD_STEP}", ""
    if items["hand"] > 0:
        yield "hand", "cards left in a hand count against the side", ""
    before = sum(_card_points(each) for each in sheet.earlier() if not each.is_false())
    most = _deck_points(rules)
    if before + _card_points(sheet) > most >= before:
        item = next(item for item in ("melds", "cards", "hand") if items[item])
        yield item, f"all cards of the deck together count {most}", ""


def _card_points(sheet: _Sheet) -> int:
    """Return the fewest points of a side's cards, melded or held."""
    items = sheet.items
    held = -items["hand"] - min(0, items["cards"])
    melded = abs(items["melds"]) + max(0, items["cards"])
    return melded + max(0, held - _threes_held(sheet.rules))


def _melds(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield points of melds that have the wrong sign, or are too low for their bonuses."""
    item = "cards" if "cards" in sheet.items else "melds"
    if item == "cards" and sheet.hands():
        return
    points, melded = sheet.items[item], sheet.melded
    minus = sheet.rules.melds_minus == "no-canasta"
    signs = {-1 if minus and not canastas else 1 for canastas in melded.canastas}
    if points and (1 if points > 0 else -1) not in signs:
        why = "without a canasta they count against it" if minus else "they count for the side"
        yield item, why, "score.melds_minus"
    # Points of any melds are those of a meld of the cheapest cards or more.
    cheapest = max(CARD_STEP, MELD_SIZE * _cheapest_card(sheet.rules))
    fewest = max(melded.fewest, cheapest if points else 0)
    if abs(points) < fewest:
        yield item, f"the cards of such melds count {fewest} or more", ""


def _cheapest_card(rules: Rules) -> int:
    """Return the fewest points of a card that can be in a meld."""
    return min(rules.rank_points[BLACK_THREE:UNKNOWN_RANK])


def _out(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield a bonus for going out that contradicts this line or another one of the deal."""
    rules, end, ended, out = sheet.rules, sheet.end, sheet.ended("out"), sheet.items["out"]
    if out not in (0, rules.score_out):
        yield "out", f"going out counts {rules.score_out}", "score.out"
    elif out and sheet.most_canastas < rules.out_canastas:
        yield "out", f"going out needs {count(rules.out_canastas, 'canasta')}", "out.canastas"
    elif out and sheet.lacks_sequences():
        needed = count(rules.out_sequences, "canasta")
        yield "out", f"going out needs {needed} in sequence", "out.sequences"
    elif out and (kind := sheet.lacks_kind()):
        due = sheet.due(kind)
        needed = f"{count(due, 'canasta')} of sevens"
        if kind != "sevens":
            needed = count(due, f"{kind} canasta")
        yield "out", f"going out needs {needed}", f"out.{kind}"
    elif out and end and not ended:
        ending = f"end {end.reason} {end.seat or ''}".rstrip()
        yield "out", f"the end line says `{ending}`", "score.out"
    elif out and not end and sheet.another_ended():
        yield "out", "another side ended the deal", "score.out"
    elif ended and end and out != rules.score_out:
        yield "out", f"the side went out (end out {end.seat})", "score.out"


def _concealed(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield a bonus for going out concealed that contradicts this line or another one."""
    rules, end, concealed = sheet.rules, sheet.end, sheet.items["concealed"]
    if concealed not in (0, rules.score_concealed):
        yield "concealed", f"going out concealed adds {rules.score_concealed}", "score.concealed"
    elif concealed and not sheet.went_out():
        yield "concealed", "the side did not go out", "score.concealed"
    elif concealed and not (sheet.items["out"] or end) and sheet.another_ended():
        yield "concealed", "another side ended the deal", "score.concealed"
    elif sheet.ended("out") and end and end.concealed and concealed != rules.score_concealed:
        why = f"the side went out concealed (end out {end.seat} concealed)"
        yield "concealed", why, "score.concealed"


def _held(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield held sevens or aces that need more hands, or cards of more points, than there are."""
    rules, items, hands = sheet.rules, sheet.items, sheet.hands()
    if items["hand"] and not hands:
        yield "hand", "the hand that went out was the only one", ""
    if not rules.score_held or not items["held"]:
        return
    # Three or more sevens, or aces, in each hand, if the deck has enough.
    kinds = [
        MELD_SIZE * rules.rank_points[rank]
        for rank in (SEVEN, ACE)
        for _ in range(min(hands, rules.rank_copies[rank] // MELD_SIZE))
    ]
    held, rest = divmod(items["held"], rules.score_held)
    if rest or not 0 <= held <= len(kinds):
        yield "held", f"each counts {rules.score_held}, at most {len(kinds)}", "score.held"
    elif "cards" not in items and -items["hand"] < sum(kinds[:held]):
        yield "held", f"the cards of such hands count {sum(kinds[:held])} or more", "score.held"


def _packet(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield points for more packets that nobody took than there can be."""
    rules, points = sheet.rules, sheet.items["packet"]
    each = rules.packet_points
    if not each or not points:
        return
    side = rules.sides.index(sheet.line.side)
    most = most_unused(rules, side, sheet.went_out())
    number, rest = divmod(points, each)
    if rest or not 0 <= number <= most:
        why = f"each {rules.packet_word} that nobody took counts {each}, at most {most}"
        yield "packet", why, PACKET_UNUSED


def _threes(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield a bonus for threes whose amount or sign is impossible."""
    rules, items, canastas = sheet.rules, sheet.items, sheet.melded.canastas
    item = threes_item(rules)
    if not item:
        return
    points, has_melds = items[item], items["melds"] != 0 or items["cards"] > 0
    if not _needs(rules, item, points, 0):
        yield item, f"threes count {_either({*rules.score_red3})}", "score.red3"
        return
    if has_melds or min(canastas):
        opened = {True}
    else:
        opened = {"cards" in items or max(canastas) > 0 or not _cheapest_card(rules), False}
    sevens = {items["sevens"] > 0} if rules.score_sevens else {False, True}
    signs = threes_signs(rules, opened, canastas, sevens)
    if points and (points > 0) - (points < 0) not in signs:
        melds = "with such melds" if max(canastas) or has_melds else "without melds"
        ways = " or ".join(_WAYS[sign] for sign in sorted(signs))
        yield item, f"{melds} threes {ways}", "score.red3_minus"


def _deck(sheet: _Sheet) -> Iterator[ImpossibleItem]:
    """Yield items for which earlier items and lines leave too few cards.

    One false number can leave too few of a rank for several lines; only the first of them is
    yielded.
    """
    claimed = _Claimed(sheet.rules)
    reported = set[int]()
    for each, is_false in [(each, each.is_false()) for each in (*sheet.earlier(), sheet)]:
        hand = _deck_points(sheet.rules) if "cards" in each.items else -each.items["hand"]
        for item, points in each.items.items():
            needs = _needs(sheet.rules, item, points, hand if item == "held" else 0)
            scarce = claimed.claim(needs, keep=not is_false)
            if scarce is None or scarce in reported:
                continue
            reported.add(scarce)
            if each is sheet and not _is_shown(sheet, item):
                cards = claimed.words(scarce)
                why = f"with the items before it, it takes more than the {cards}"
                yield item, why, SCORED[item].key
    sheet.undecided = sheet.undecided or claimed.undecided


#: What judges the items of a score line, in this order.
_CHECKS: Final[tuple[Callable[[_Sheet], Iterator[ImpossibleItem]], ...]] = (
    _special,
    _canastas,
    _cards,
    _melds,
    _out,
    _concealed,
    _held,
    _packet,
    _threes,
    _deck,
)


class _Claimed:
    """The scarce cards that items have claimed, for each way in which all these items can be true.

    With four red threes and the points 100, 200, 300, 800:

        NS red3 200        two red threes                          one way
        NS natural 500     one rank made a natural canasta         one way
        EW red3 300        2 + 3 red threes are more than 4        no way: red threes are scarce

    An item that can be earned in several ways, such as `held`, multiplies the ways. At most
    `_MOST_TRIED` are tried for an item; one with more claims nothing, and `undecided` says so. An
    item for which no way is left claims nothing, so that those after it are compared with the
    others.
    """

    def __init__(self, rules: Rules) -> None:
        self.copies = _scarce(rules)
        self.ways = [Counter[int]()]
        self.undecided = False

    def claim(self, needs: list[Counter[int]], *, keep: bool) -> int | None:
        """Claim the cards of an item that needs one of `needs`; return the rank that is scarce.

        Returns None if there is a way. If `keep` is false, the cards are not claimed from others.
        """
        if len(self.ways) * len(needs) > _MOST_TRIED:
            self.undecided = True
            return None
        # Ways that take the same cards are one way.
        added = (way + need for way in self.ways for need in needs)
        sums = [*{frozenset(each.items()): each for each in added}.values()]
        lacking = [self._lacks(cards) for cards in sums]
        fitting = [cards for cards, lacks in zip(sums, lacking, strict=True) if not lacks]
        if sums and not fitting:
            first, *others = lacking
            return next((rank for rank in first if all(rank in each for each in others)), first[0])
        if fitting and keep:
            self.ways = fitting
        return None

    def _lacks(self, cards: Counter[int]) -> list[int]:
        """Return the ranks of which the deck has too few for the cards."""
        # Each canasta beyond one of every rank leaves a rank with too few naturals for two.
        more = max(0, cards[UNKNOWN_RANK] + cards[_MIXED] - _RANKS)
        double = max(0, 2 * CANASTA_SIZE - self.copies[FOUR] - 2)
        wild = cards[_WILD] + cards[TWO] + cards[JOKER_RANK] + cards[_MIXED] + more * double
        lacks = [rank for rank in cards if rank < _MIXED and cards[rank] > self.copies[rank]]
        return [*lacks, _WILD] if wild > self.copies[_WILD] else lacks

    def words(self, scarce: int) -> str:
        """Return how many there are of a scarce rank, in words."""
        copies = self.copies[scarce]
        if scarce == UNKNOWN_RANK:
            return f"{count(copies, 'rank')} that can make a natural canasta"
        name = ("wild card", "wild cards") if scarce == _WILD else RANK_NAMES[scarce]
        return f"{count(copies, *name)} of the deck"


def _is_shown(sheet: _Sheet, item: str) -> bool:
    """Return whether the table at the end shows the side's cards that an item is about."""
    deal = sheet.replay.deal
    match SCORED[item].decided:
        case "hands":
            return bool(deal.left)
        case "threes":
            return any(each.side == sheet.line.side for each in deal.threes)
    return any(each.side == sheet.line.side for each in deal.melds)


@lru_cache(maxsize=32)
def _scarce(rules: Rules) -> Counter[int]:
    """Return the copies of each rank, of wild cards, and how many natural canastas can count."""
    copies = Counter(dict(enumerate(rules.rank_copies)))
    plain = [canasta_bonus(rules, rank, 0, 0)[0] == NATURAL for rank in range(FOUR, TWO)]
    most = max(1, copies[FOUR] // CANASTA_SIZE) if rules.several else 1
    copies[UNKNOWN_RANK] = sum(plain) * most
    copies[_WILD] = rules.rank_copies[TWO] + rules.jokers
    return copies


@lru_cache(maxsize=1024)
def _needs(rules: Rules, item: str, points: int, hand: int) -> list[Counter[int]]:
    """Return the fewest cards of scarce ranks that an item needs, for each way to have earned it.

    UNKNOWN_RANK has the natural canastas: no two can be of one rank. _MIXED has the mixed canastas,
    and _WILD the further wild cards, twos or jokers, that are needed. `hand` is what the cards left
    in the side's hands cost.
    """
    match item:
        case "red3" | "threes":
            return [*_tabled_threes(rules, abs(points))]
        case "natural" | "mixed" | "semi" if rules.sequences and not rules.sequences_apart:
            worth = {"mixed": rules.score_mixed, "semi": rules.score_semi}.get(item, 0)
            return [Counter({_WILD: points // worth})] if worth else []
        case "natural" if rules.score_natural:
            return [Counter({UNKNOWN_RANK: points // rules.score_natural})]
        case "mixed" if rules.score_mixed:
            return [Counter({_MIXED: points // rules.score_mixed})]
        case "unfinished" if points:
            return [*_unfinished(rules, points)]
        case "sequence" if rules.score_sequence:
            # Every sequence of seven from 4 to ace has a nine.
            return [Counter({RANK[CODE["9s"]]: points // rules.score_sequence})]
        case "sevens" if rules.score_sevens and points > 0:
            mixed = not rules.no_wilds[SEVEN]
            naturals = fewest_naturals(rules) if mixed else CANASTA_SIZE
            return [Counter({SEVEN: points // rules.score_sevens * naturals})]
        case "aces" if points:
            return [Counter({ACE: CANASTA_SIZE})]
        case "wild" if points:
            return [*_wild_canastas(rules, points)]
        case "held" if rules.score_held and points // rules.score_held <= 2 * rules.players:
            return [*_held_groups(rules, points // rules.score_held, hand // MELD_SIZE)]
    return []


def _tabled_threes(rules: Rules, points: int) -> Iterator[Counter[int]]:
    """Yield the red and black threes that together count these points."""
    worth = (0, *rules.score_red3)
    blacks = range(len(worth) if rules.black_tabled else 1)
    for red, black in product(range(len(worth)), blacks):
        if worth[red] + worth[black] == points:
            yield Counter({RED_THREE: red, BLACK_THREE: black})


def _held_groups(rules: Rules, groups: int, most: int) -> Iterator[Counter[int]]:
    """Yield the sevens and aces of groups left in hands; a card of each costs at most `most`."""
    for sevens in range(groups + 1):
        aces = groups - sevens
        if sevens * rules.rank_points[SEVEN] + aces * rules.rank_points[ACE] <= most:
            yield Counter({SEVEN: MELD_SIZE * sevens, ACE: MELD_SIZE * aces})


def _wild_canastas(rules: Rules, points: int) -> Iterator[Counter[int]]:
    """Yield the twos and jokers of the canastas of wild cards that together count these points."""
    one = {
        jokers: canasta_bonus(rules, JOKER_RANK, CANASTA_SIZE, jokers)[1]
        for jokers in range(min(rules.jokers, CANASTA_SIZE) + 1)
    }
    for number in range(1, most_melds(rules, JOKER_RANK) + 1):
        for each in combinations_with_replacement(one, number):
            jokers = sum(each)
            if jokers <= rules.jokers and sum(one[of] for of in each) == points:
                yield Counter({TWO: number * CANASTA_SIZE - jokers, JOKER_RANK: jokers})


def _unfinished(rules: Rules, points: int) -> Iterator[Counter[int]]:
    """Yield the fewest cards of the unfinished melds that together cost these points."""
    kinds = [*_unfinished_kinds(rules)]
    for numbers in product(*(range(most + 1) for _, _, _, most in kinds)):
        cards, cost = Counter[int](), 0
        for number, (kind, size, each, _) in zip(numbers, kinds, strict=True):
            cards[kind] += number * size
            cost += number * each
        if cost == points:
            yield cards


def _unfinished_kinds(rules: Rules) -> Iterator[tuple[int, int, int, int]]:
    """Yield the kinds of unfinished melds that cost points.

    They are the scarce cards, how many a meld has at least, its points, and the most melds.
    """
    for rank in UNFINISHED_NAMES:
        wild = rank == JOKER_RANK
        pure = wild or rank == ACE or rules.no_wilds[rank]
        size = MELD_SIZE if pure else min(MELD_SIZE, rules.min_naturals)
        for cost, jokers in unfinished_ways(rules, rank).items():
            if jokers:
                yield JOKER_RANK, jokers, cost, 1
            else:
                yield _WILD if wild else rank, size, cost, most_melds(rules, rank)


def _either(amounts: set[int]) -> str:
    """Return the amounts in words: a list of a few, the bounds of many."""
    if 2 < len(amounts) < 6:
        return listed(map(str, sorted(amounts)), "or")
    return spell_amounts(amounts)
