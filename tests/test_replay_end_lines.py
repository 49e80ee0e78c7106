"""The table at the end: what people see during play and at the end makes every score known.

Random legal games are reduced to what everyone sees, with the table at the end of each deal. The
game itself makes the record true, so nothing may be found. Every item must be the true one, except
for those that nobody could have seen.
`CANASTA_TABLES=200 pytest tests/test_replay_end_lines.py` runs the long form.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from canasta_notation import format_game, load_profile, read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.report.ledger import audit_game
from canasta_notation.rules import profile_names
from tests.documents import report
from tests.end_tables import final_tables, visible, with_tables

GAMES = int(os.environ.get("CANASTA_TABLES", "2"))
#: The items that a reduced record may not decide: how a canasta was laid, which special hand it
#: was.
OPEN = {
    with_tables: set(),
    visible: {"concealed-canasta"},
    final_tables: {"concealed-canasta", "special"},
}
VERDICTS = {with_tables: "verified", visible: "undetermined", final_tables: "undetermined"}
#: The items of a table without play that depend on which feet and pots were taken.
NOT_SEEN = {
    **dict.fromkeys(("hand-and-foot", "pennies"), frozenset({"hand"})),
    **dict.fromkeys(("burraco", "burraco-international"), frozenset({"packet"})),
    **dict.fromkeys(("buraco", "buraco-fechado", "buraco-stbl"), frozenset({"packet", "hand"})),
}
Reduction = Callable[[str], str]


@cache
def record(profile: str, seed: int, deals: int = 2) -> str:
    rules = load_profile(profile)
    return format_game(play_game(rules, seed, deals=deals), rules["draw.count"])


def errors(text: str) -> list[str]:
    found = report(text).findings
    return [f"{each.span.line}: {each.code}" for each in found if each.severity == "error"]


@pytest.mark.parametrize("reduced", OPEN, ids=lambda reduced: reduced.__name__)
@pytest.mark.parametrize("profile", profile_names())
def test_the_table_at_the_end_makes_every_item_known(profile: str, reduced: Reduction) -> None:
    for seed in range(GAMES):
        text = record(profile, seed)
        shown = reduced(text)
        found, true = report(shown), report(text)
        assert not errors(shown), f"{profile} {seed}\n{shown}"
        assert found.verdict == VERDICTS[reduced]
        for deal, real in zip(found.deals, true.deals, strict=True):
            for side, other in zip(deal.sides, real.sides, strict=True):
                items = {item for item, points in side.items.items() if points is None}
                # Whether a foot or a pot that no line shows was taken is not known.
                unseen = (
                    NOT_SEEN.get(profile, frozenset()) if reduced is final_tables else frozenset()
                )
                assert items <= OPEN[reduced] | unseen, f"{profile} {seed} {side.side}\n{shown}"
                known = {item: points for item, points in side.items.items() if item not in items}
                truth = {item: other.items.get(item, 0) for item in known}
                assert known == truth, f"{profile} {seed} {side.side}\n{shown}"
                assert side.score == (None if items else other.score)


def test_a_seat_that_had_laid_before_did_not_go_out_concealed() -> None:
    """This holds even if the turns cannot be followed to the end."""
    last = report(
        '[CGN "1"]\n[Rules "classic-2p"]\ndeal 1 dealer N\n'
        "1. S + -4\n2. N + K:KKKKKK -5\n3. S + -_\n4. N ^_ Q:QQQQQQQ -4 #\n5. S + -4\n"
        "end out N\nmelds N K:KKKKKK Q:QQQQQQQ\nthrees N\nleft S 4 4\n"
    ).deals[-1]
    assert last.unchecked_from is not None
    assert [side.items.get("concealed", 0) for side in last.sides] == [0, 0]


def test_a_special_hand_counts_nothing_if_the_rules_have_none() -> None:
    found = report('[CGN "1"]\ndeal 1 dealer N\nend special S\nmelds NS\nleft S 4d\n')
    assert found.findings[0].code == "special-hand"
    assert [side.items.get("special", 0) for side in found.deals[0].sides] == [0, 0]


def test_each_false_meld_at_the_end_is_reported() -> None:
    found = report(
        '[CGN "1"]\n[Rules "classic opening.table=0"]\ndeal 1 dealer N\n'
        "1. E +Qs 4:4h4c4d 7:7s7h7c 8:8s8h8c -Qs\nend unfinished\n"
        "melds EW 4:4h4c 7:7s7h7d 8:8s8h\n"
    )
    codes = [(each.code, each.span.line) for each in found.findings]
    assert codes == [("end-melds", 6)] * 3


#: A card in a line of the table at the end, after the side or seat and a meld's label.
CARD = re.compile(r"(?<=[ :shdc*])(?:[3-9TJQKA2][shdc]|\*)(?![:])")


def mistaken(text: str, chance: random.Random) -> tuple[str, int]:
    """Return a record with one card changed in a table at the end, and the card's line."""
    lines = text.split("\n")
    places = [
        (at, match.start(), match.end())
        for at, line in enumerate(lines)
        if line.startswith(("melds ", "threes ", "left "))
        for match in CARD.finditer(line)
    ]
    at, start, end = chance.choice(places)
    line, card = lines[at], lines[at][start:end]
    others = [r + s for r in "456789TJQKA2" for s in "shdc"] + ["*", "3s", "3c", "3h", "3d"]
    other = chance.choice([each for each in others if each != card])
    lines[at] = line[:start] + other + line[end:]
    return "\n".join(lines), at + 1


@pytest.mark.parametrize("profile", profile_names())
def test_one_changed_card_is_found_if_every_card_is_written(profile: str) -> None:
    chance = random.Random(7)
    for seed in range(GAMES):
        text = with_tables(record(profile, seed))
        for _ in range(4):
            changed, line = mistaken(text, chance)
            codes = ("end-melds", "end-threes", "end-hand")
            found = [each for each in report(changed).findings if each.code in codes]
            assert [each.span.line for each in found if each.follows is None] == [line], (
                f"{profile} {seed} {line}\n{changed}"
            )


@pytest.mark.parametrize("profile", profile_names())
def test_more_cards_than_the_deck_has_are_found(profile: str) -> None:
    """The records are not fully written; the test itself counts the cards on the table."""
    chance = random.Random(11)
    rules = load_profile(profile)
    for seed in range(GAMES):
        for reduced in (visible, final_tables):
            text = reduced(record(profile, seed))
            for _ in range(4):
                changed, line = mistaken(text, chance)
                deal = next(
                    part for part in changed.split("\n\n") if part_holds(changed, part, line)
                )
                shown = re.findall(r"^(?:melds|threes|left) .*", deal, re.MULTILINE)
                copies = Counter(CARD.findall("\n".join(shown)))
                most = {"*": rules["deck.jokers"]}
                if any(copies[card] > most.get(card, rules["deck.packs"]) for card in copies):
                    codes = {each.split()[1] for each in errors(changed)}
                    assert codes - {"score", "score-item", "total", "result"}, f"{seed}\n{changed}"


def part_holds(text: str, part: str, line: int) -> bool:
    """Return whether a part of a text, which occurs once in it, contains a line."""
    first = text[: text.index(part)].count("\n") + 1
    return first <= line <= first + part.count("\n")


def test_an_omitted_three_is_found_if_the_stock_has_ended_the_deal() -> None:
    """Each dealt three took a card from the stock, which then ran out."""
    found = 0
    for seed in range(20):
        text = visible(record("davenport", seed))
        deals = [deal for deal in text.split("\n\n") if "\nend stock" in deal]
        for deal in deals:
            threes = re.findall(r"^threes \w+ (3\w).*$", deal, re.MULTILINE)
            if threes:
                less = re.sub(r"^(threes \w+) 3\w", r"\1", deal, count=1, flags=re.MULTILINE)
                codes = [each.split()[1] for each in errors(text.replace(deal, less))]
                assert "end-threes" in codes, f"{seed}\n{less}"
                found += 1
    assert found


TABLE = """\
[CGN "1"]
[Rules "classic-strict"]

deal 1 dealer N
end out E
melds EW 8:8s8h8d8c K:KsKsKhKhKdKdKc
threes NS 3h
left N 4d 5d ...
left W 4c _
"""
PLAY = """\
[CGN "1"]

deal 1 dealer N
up 9c
1. E + K:KsKsKhKhKdKd_ -4d
2. S + -5d
3. W + -5h
4. N + -6d
5. E + 8:8s8h8d8c -4h #
end out E
left W 4c 5c ...
"""


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        (
            TABLE,
            {
                "NS melds": "the melds of NS at the end",
                "NS natural": "the melds of NS at the end",
                "NS mixed": "the melds of NS at the end",
                "NS concealed-canasta": "the turns in which NS laid its canastas",
                "NS red3": "the melds of NS at the end",
                "NS hand": "the hands of N and S at the end",
                "EW concealed-canasta": "the turns in which EW laid its canastas",
                "EW red3": "the threes of EW at the end",
                "EW hand": "the hand of W at the end",
            },
        ),
        (
            PLAY,
            {
                "NS red3": "the threes of NS at the end",
                "NS hand": "the hands of N and S at the end",
                "EW melds": "the melds of EW at the end",
                "EW natural": "the melds of EW at the end",
                "EW mixed": "the melds of EW at the end",
                "EW red3": "the threes of EW at the end",
                "EW hand": "the hand of W at the end",
            },
        ),
    ],
)
def test_audit_says_what_would_decide_each_open_figure(text: str, decided: dict[str, str]) -> None:
    assert open_rows(text.split("\n"), []) == decided


SPECIAL = """\
[CGN "1"]
[Rules "american-2p"]

deal 1 dealer N
1. S + garbage:44445555__777_
end special S
"""
CONCEALED = """\
[CGN "1"]
[Rules "classic-2p deal.hand=3 out.canastas=0 opening.table=0"]

deal 1 dealer N
S: 4s 4h 5s
N: 8s 8h 9s
1. S ^4d 4:4s4h -5s
end out S
"""
NET = """\
[CGN "1"]

deal 1 dealer N
end out E
melds EW K:KsKsKhKhKdKdKc
left N 4d 5d ...
left S 4d 5d
left W 4c 4c
score NS -50 = cards -50
"""


@pytest.mark.parametrize(
    ("text", "figure", "decided"),
    [
        (SPECIAL, "S special", "the special hand of S"),
        (SPECIAL, "N threes", "the threes of N at the end"),
        (SPECIAL, "N held", "the hand of N at the end"),
        (CONCEALED, "S concealed", "whether S went out concealed"),
        (NET, "NS cards", "the melds of NS at the end and the hand of N at the end"),
        (NET, "NS red3", "the threes of NS at the end and the melds of NS at the end"),
    ],
)
def test_audit_says_what_would_decide_a_rare_figure(text: str, figure: str, decided: str) -> None:
    assert open_rows(text.split("\n"), [])[figure] == decided


@pytest.mark.parametrize("reduced", [visible, final_tables], ids=lambda reduced: reduced.__name__)
def test_the_lines_that_audit_names_decide(reduced: Reduction) -> None:
    """Some lines of a table at the end are left out; the lines named make the figure known."""
    for seed, profile in enumerate(("classic-2p", "classic", "american-4p", "classic-6p"), 528):
        chance = random.Random(seed)
        rules = load_profile(profile)
        text = reduced(format_game(play_game(rules, seed, deals=1), rules["draw.count"]))
        lines = [line for line in text.split("\n") if not line.startswith(("score ", "total "))]
        table = [line for line in lines if line.startswith(("melds ", "threes ", "left "))]
        gone = table[-1:] if seed == 528 else chance.sample(table, chance.randint(1, len(table)))
        for key, decided in open_rows(lines, gone).items():
            if "at the end" not in decided:
                assert key.split()[1] in OPEN[final_tables], f"{profile} {key} {decided}"
                continue
            kinds = ("melds", "threes", "hand")
            named = {
                line
                for line in gone
                for kind, word in zip(kinds, ("melds", "threes", "left"), strict=True)
                for whose in re.findall(rf"{kind}s? of ([A-Z, and]+?) (?:at|and the)", decided)
                if line.startswith(word) and line.split()[1] in re.findall("[A-Z]+", whose)
            }
            left = [line for line in gone if line not in named]
            assert named and key not in open_rows(lines, left), f"{profile} {key} {decided}"


def open_rows(lines: list[str], gone: list[str]) -> dict[str, str]:
    """Return what would decide each open figure of a record without the lines `gone`."""
    (reading,) = read_text("\n".join(line for line in lines if line not in gone))
    (deal,) = audit_game(reading, 1).deals
    return {
        f"{side.side} {row.item}": row.decided_by
        for side in deal.sides
        for row in side.items
        if row.computed is None
    }


@pytest.mark.parametrize(
    "lines",
    [
        "end out S\nmelds NS K:KKKKKKK,6:666\n",
        "end stock\nmelds NS 6:6♣6♥6♦\n",
        "end out South\nmelds NS K:KKKKKKK\n",
        "end out S\n",
    ],
)
def test_an_unreadable_or_missing_line_is_no_mistake_of_another(lines: str) -> None:
    found = errors(f'[CGN "1"]\ndeal 1 dealer N\n{lines}')
    assert [error for error in found if "syntax" not in error] == []


@pytest.mark.parametrize("lines", ["", "score N 10\n", "melds N\n"])
def test_a_seat_that_the_game_does_not_have_did_not_go_out(lines: str) -> None:
    head = '[CGN "1"]\n[Rules "classic-2p"]\ndeal 1 dealer N\n'
    assert errors(f"{head}end out E\n{lines}") == ["4: end-claim"]


def test_a_false_total_is_judged_by_what_it_can_be() -> None:
    """It does not matter whether the score before it is missing or false."""
    shown = "end stock\nmelds NS\nmelds EW Q:QQQ\nthrees NS\nthrees EW\nleft E 4\nleft W _\n"
    for claims in ("total EW 300\n", "score EW 300\ntotal EW 301\n"):
        (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{shown}{claims}')
        total = audit_game(reading, 1).deals[0].sides[1].total
        assert (total.at_least, total.at_most, total.agrees) == (-25, 20, False)


KEPT = """[CGN "1"]
[Rules "american-4p out.canastas=0 opening.table=0 opening.clean_triple=no \
meld.rule_of_five=no packet.of=none"]

deal 1 dealer N
N: {dealt}
S: 4d 4d 7d 8c 9c Td Jd Qd Kd Ad Ad 2d 2d
E: 5s 5s 5h 5d 6s 6h 6d 8s 8h 8d 9s 9h 9d
E +4s 5:5s5s5h5d 6:6s6h6d 8:8s8h8d 9:9s9h9d -4s #
end out E
threes NS {threes}
left N {left}
"""
PLAIN = "4c 7h Jh Jc Qh Qc Kh Kc Ah Ac"


@pytest.mark.parametrize(
    ("dealt", "threes", "kept", "wrong"),
    [
        # A three by its colour is the one that the other lines leave.
        ("3s 3c", "3b", "3s", []),
        ("3s 3c", "3b", "3c", []),
        ("3s 3b", "3s", "3c", []),
        ("3s 3b", "3c", "3s", []),
        ("3s 3b", "3c", "3b", []),
        ("3d 3r", "3d", "3h", []),
        ("3d 3r", "3h", "3d", []),
        ("3d 3r", "3r", "3h", []),
        ("3b 3c 3c", "3b 3c", "3c", []),
        ("3b 3c 3s", "3c 3c", "3s", []),
        # It is not a three that the hand was not dealt, and a hand keeps no red three if it has a
        # black one.
        ("3s 3b", "3c", "3c", ["11: end-hand"]),
        ("3s 3s", "3b", "3c", ["11: end-hand"]),
        ("3d 3r", "3h", "3h", ["11: end-hand"]),
        ("3b 3r", "3b", "3r", ["10: end-threes", "11: end-hand"]),
    ],
)
def test_the_lines_together_show_which_three_a_hand_kept(
    dealt: str, threes: str, kept: str, wrong: list[str]
) -> None:
    pulled = ["Td", "Tc"][: len(dealt.split()) - 1]
    plain = PLAIN if len(pulled) == 2 else f"5c {PLAIN}"
    hand = f"{dealt} {plain} +{' +'.join(pulled)}"
    left = " ".join([kept, plain, *pulled])
    assert errors(KEPT.format(dealt=hand, threes=threes, left=left)) == wrong


@pytest.mark.parametrize(
    ("threes", "wrong"), [("3r 3r 3b", []), ("3r 3r 3b 3s", ["11: deck-count"])]
)
def test_a_hand_seen_in_part_may_have_kept_a_three_that_is_written(
    threes: str, wrong: list[str]
) -> None:
    """Two hands kept the two threes of spades, so the black one on the table is another."""
    text = KEPT.replace("S: 4d 4d 7d 8c 9c Td Jd Qd Kd Ad Ad 2d 2d\n", "")
    left = f"3s 5c Td {PLAIN}\nleft W 3s ..."
    assert errors(text.format(dealt="3d 3s ... +Td", threes=threes, left=left)) == wrong


def test_a_line_is_not_false_while_choices_are_untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two partners' hands have choices enough that one try does not reach the one that fits."""
    text = KEPT.replace("S: 4d 4d", "S: 3d 3h").replace("2d 2d\n", "2d 2d +4d\n")
    left = f"3h 5c Td {PLAIN}\nleft S 3d 4d 7d 8c 9c Td Jd Qd Kd Ad Ad 2d 2d"
    text = text.format(dealt=f"3d 3h 5c {PLAIN} +Td", threes="3d 3h", left=left)
    assert {each.code for each in report(text).deals[0].doubts} == {"deal-size"}
    monkeypatch.setattr("canasta_notation.replay.end_lines._MOST_TRIES", 1)
    said = report(text)
    assert (said.verdict, errors(text)) == ("undetermined", [])
    assert {each.code for each in said.deals[0].doubts} == {"deal-size", "end-threes", "end-hand"}


def test_two_partners_can_each_have_kept_either_of_two_threes() -> None:
    text = KEPT.replace("S: 4d 4d", "S: 3d 3h").replace("2d 2d\n", "2d 2d +4d\n")
    left = f"3h 5c Td {PLAIN}\nleft S 3d 4d 7d 8c 9c Td Jd Qd Kd Ad Ad 2d 2d"
    dealt = f"3d 3h 5c {PLAIN} +Td"
    assert errors(text.format(dealt=dealt, threes="3d 3h", left=left)) == []
