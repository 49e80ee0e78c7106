"""Every ruling is a record, with the expected finding written on its line.

The tables in `rulings/` were written from the rule texts. A comment `expect: CODE` marks the line
of a finding; nothing else may be found except notes of unfinished deals. A comment `open: CODE`
marks the line of a check that unwritten cards leave undecided; others may be too. `says` is a part
of the message of one finding, and `first` is the code of the first error.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from canasta_notation import GameReport, positions
from canasta_notation.cards import CARD_STEP
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.scoring import items_of
from canasta_notation.notation.document import Game, Tag
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import entry, keys, load_profile, parse_rules, profile_names
from canasta_notation.rules.items import SCORED
from canasta_notation.rules.keys import Key
from tests.mutation.mistakes import dropped_statements
from tests.mutation.planting import planted, runs_from_source

RULINGS = Path(__file__).parent / "rulings"
# The rows of the reference. Each has a ruling under every profile, unless it is about something
# that a profile lacks (two-card draws, cards turned up, partners, wild melds) or only about others.
ROWS = """
A01 A02 A04 A05 A07 A08 A10 A11 A13 A14 B01 B02 B04 B05 B07 B08 B10 B11 B13 C01 C02 C04 C05 C07
C08 C10 C11 C13 C14 C16 C17 C19 C20 C22 C23 C25 C26 C28 C29 C31 C32 D01 D02 D04 D05 D07 D08 D10
D11 D13 D14 D16 D17 D19 D20 D22 D23 D25 D26 E01 E02 E04 E05 E07 E08 E10 E11 E13 E14 F01 F02 F04
F05 F07 F08 F10 F11 F13 F14 F16 F17 F19 F20 F22 F23 F25 F26 F28 F29 F31 F32 F34 G01 G02 G04 G05
G07 G08 G10 H01 H02 H04 H05 H07 H08 H10 H11 H31 H13 H14 H16 H17 H19 H20 H22 H23 H25 H26 H28 H29
I01 I02 I04 I05 I07 I08 I10 I11 I12 I13 I14
"""
NOT_ABOUT = {
    "classic": """
        B05 B07 D26 H20 H22 H23 H26 H28 H29
    """,
    "classic-strict": """
        B05 B07 D26 H20 H22 H23 H26 H28 H29
    """,
    "bga": """
        B05 B07 D26 H20 H22 H23 H26 H28 H29
    """,
    "davenport": """
        B05 B07 D26 F22 F23 F26 H20 H22 H23 H26 H28 H29
    """,
    "classic-2p": """
        A14 B13 C28 C29 C31 D19 D20 D22 D26 F11 F13 F14 F20 F22 F23 F34
        H19 H20 H22 H23 H26 H28 H29
    """,
    "american-2p": """
        A07 A08 A10 A13 B05 B07 C10 C11 C14 C16 C17 C19 C22 C23 C31 D11 D16 D19 D20
        D22 E07 F10 F11 F13 F14 F16 F17 F20 F22 F23 F29 H31
    """,
    "american-4p": """
        A07 A08 A10 A13 B04 B05 B07 C10 C11 C16 C17 C19 C22 C23 C31 D16
        D19 D20 D22 F10 F11 F13 F14 F16 F17 F29 H31
    """,
}
# The rows that the number of players, sides or packs changes, with the profiles concerned; then the
# rows of Samba and Bolivia.
PLAYERS = {
    "classic-3p": "A01 A02 A04 A05 D10 F05 F19 H02 H14 H17 I05 I11",
    "classic-6p": "A01 A02 A05 C14 D11 E04 F01 F20 H02 H14 H16 I05 I11",
    "samba": "F27 J01 J02 J03 J04 J05 J06 J07 J08 J09 J10 J11 J12 J13 J14 J15 J16 J17 J18 J19 Y803",
    "bolivia": "D26 J01 J07 J08 J09 J14 J15 J16 J17 J18",
}
# The rows that call something illegal, compulsory or impossible, with the profiles concerned.
CLASSIC = "classic classic-strict bga davenport classic-2p"
AMERICAN = "american-2p american-4p"
ILLEGAL = {
    """
        A01 A02 A04 A05 A08 A11 B02 B11 C04 C08 C11 C16 C23 C25 C26 C31 C32 D02 D05 D07 D10 D16
        D17 E01 F01 F02 F08 F19 F20 F26 F28 G04 G07 G10 I01 I02 I04 I05 I11
    """: f"{CLASSIC} {AMERICAN}",
    "D14 E10 F34 G01 H25": CLASSIC,
    "E11": "classic classic-strict davenport classic-2p",
    "G02 G05": "classic classic-strict",
    "F23": "bga",
    "C10": "davenport",
    "D04": f"classic-strict classic-2p {AMERICAN}",
    "B13 C02 C05 C20 C29 D01 D13 D23 D25 D26 E02 E05 E14 F05 F07 F32 H10 H28": AMERICAN,
}
EXPECT = re.compile(r";\s*expect:(.*)$")
OPEN = re.compile(r";\s*open:(.*)$")


@cache
def cases() -> tuple[Any, ...]:
    """Return every case of every table, under each of its profiles."""
    return tuple(
        pytest.param(case, profile, id=f"{case['row']}-{profile}-{case['name'].replace(' ', '_')}")
        for path in sorted(RULINGS.glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
        for profile in case["profiles"]
    )


def under(game: Game, profile: str, overrides: str) -> Game:
    """Return the game with a Rules tag, unless it names its own."""
    if game.tag("Rules"):
        return game
    return replace(game, tags=(*game.tags, Tag("Rules", f"{profile} {overrides}".strip())))


def expected(record: str, kind: re.Pattern[str] = EXPECT) -> set[tuple[int, str]]:
    """Return (line, code) of every finding, or open check, that the record's comments expect."""
    marks = [(at, kind.search(line)) for at, line in enumerate(record.split("\n"), 1)]
    return {(at, code) for at, mark in marks if mark for code in mark[1].split()}


def games_of(case: dict[str, Any], profile: str) -> list[Game]:
    """Return the games of a case, under its rules."""
    overrides = case.get("overrides", "")
    return [under(each.game, profile, overrides) for each in read_text(case["record"])]


def judge(case: dict[str, Any], games: list[Game]) -> None:
    """Replay the games of a case; fail unless it is judged as expected."""
    reports = [replay_game(game) for game in games]
    findings = [each for report in reports for each in report.findings]
    found = {(each.span.line, each.code) for each in findings if each.code != "unfinished"}
    assert found == expected(case["record"]), "\n".join(
        f"{each.span.line}: {each.code}: {each.message}" for each in findings
    )
    assert len(findings) == len({(each.span, each.message) for each in findings}), "said twice"
    deals = [deal for report in reports for deal in report.deals]
    doubts = {(each.line, each.code) for deal in deals for each in deal.doubts}
    assert expected(case["record"], OPEN) - doubts == set(), "these checks are not open"
    assert reports[-1].verdict == case["verdict"]
    says = case.get("says", "")
    assert not says or any(says in each.message for each in findings), "this is not said"
    assert not [each.message for each in findings if "{" in each.message], "not filled in"
    first = next((each.code for each in findings if each.severity == "error"), "")
    assert case.get("first", first) == first
    for deal in deals:
        places = [(entry(each.code).claim, each.span.line) for each in deal.findings]
        assert places == sorted(places), "violations first, then false claims, each by line"
    for each in findings:
        assert each.rule is None or each.rule.key in entry(each.code).keys


@pytest.mark.parametrize(("case", "profile"), cases())
def test_ruling(case: dict[str, Any], profile: str) -> None:
    judge(case, games_of(case, profile))


#: A doubt that needs more choices of kept threes than a ruling has; test_replay_end_lines shows it.
BEYOND_RULINGS = "leave_open(_CODES[type(line)], line.span)"


@pytest.mark.skipif(not runs_from_source(), reason="compiled functions cannot be changed")
def test_a_ruling_needs_each_doubt() -> None:
    """Each statement that leaves a check undecided is needed: without it, a ruling differs.

    If this fails, write a ruling with a comment `open: CODE` on the line of the check.
    """
    values = [each.values for each in cases() if expected(each.values[0]["record"], OPEN)]
    values = [(case, profile) for case, profile in values if profile == case["profiles"][0]]
    values.sort(key=lambda each: len(each[0]["record"]))
    rulings = [(case, games_of(case, profile)) for case, profile in values]
    unneeded = []
    for mutant in dropped_statements(r"doubt\(|leave_open\("):
        if BEYOND_RULINGS in mutant.change:
            continue
        with planted(mutant):
            if all(holds(case, games) for case, games in rulings):
                unneeded.append(f"{mutant.file}:{mutant.line} {mutant.change}")
    assert unneeded == []


def holds(case: dict[str, Any], games: list[Game]) -> bool:
    """Return whether the findings and the verdict of a case are the expected ones."""
    try:
        judge(case, games)
    except AssertionError:
        return False
    return True


def test_a_ruling_depends_on_each_key() -> None:
    """Each key that rulings override decides one of them: without it, the findings differ."""
    named, deciding = set(), set()
    for case, profile in (each.values for each in cases()):
        overrides = case.get("overrides", "").split()
        for override in overrides:
            key = override.partition("=")[0]
            named.add(key)
            if key not in deciding:
                others = [each for each in overrides if each != override]
                found = lines_found(case, profile, overrides)
                if found != lines_found(case, profile, others):
                    deciding.add(key)
    assert named - deciding == set(), "no check asks for these keys, or no ruling shows it"


#: The keys whose values are points, of bonuses and penalties.
POINTS = [key for key in keys().values() if key.name.startswith(("score.", "penalty."))]
NUMBERS = [key for key in POINTS if key.kind == "number"]


@pytest.mark.parametrize("more", [-1, 1], ids=["less", "more"])
@pytest.mark.parametrize("key", NUMBERS, ids=[key.name for key in NUMBERS])
def test_a_ruling_depends_on_each_number(key: Key, more: int) -> None:
    """The points are exact: a few more or less change a ruling."""
    step = more * CARD_STEP
    values = [each.values for each in cases() if "[Rules" not in each.values[0]["record"]]
    # The rulings that name what the key is about come first, because they are likely to show it.
    word = key.name.partition(".")[2].replace("_", "-")
    values.sort(key=lambda each: f" {word}" not in each[0]["record"])
    tried = 0
    for case, profile in values:
        overrides = case.get("overrides", "")
        rules = parse_rules(f"{profile} {overrides}").profile
        if rules is None or rules[key.name] is None:
            continue
        others = [each for each in overrides.split() if not each.startswith(f"{key.name}=")]
        other = " ".join([*others, f"{key.name}={rules[key.name] + step}"])
        if parse_rules(f"{profile} {other}").profile is not None:
            tried += 1
            if not holds(case, games_of({**case, "overrides": other}, profile)):
                return
    assert not tried, f"no ruling shows the number of {key.name}"


def lines_found(case: dict[str, Any], profile: str, overrides: list[str]) -> set[tuple[int, str]]:
    """Return (line, code) of every finding of a case under other overrides."""
    return {
        (each.span.line, each.code)
        for reading in read_text(case["record"])
        for each in replay_game(under(reading.game, profile, " ".join(overrides))).findings
    }


def unplayed(game: Game, report: GameReport) -> Iterator[list[str]]:
    """Yield the lines of each deal that ended, with its scores, as a sheet and as a final table."""
    table = {position.deal: position for position in positions(game)}
    for deal in report.deals:
        if not deal.ended or any(side.score is None for side in deal.sides):
            continue
        scores = [
            f"score {side.side} {side.score} = "
            + " ".join(f"{item} {points}" for item, points in side.items.items())
            for side in deal.sides
        ]
        yield ["deal 1", *scores]
        last = table[deal.deal]
        concealed = any(side.items.get("concealed") for side in deal.sides)
        end = f"end {deal.ended} {deal.by or ''} {'concealed' * concealed}"
        melds = [
            " ".join(["melds", side, *(f"{rank}:{''.join(cards)}" for rank, cards in each.items())])
            for side, each in last.melds.items()
        ]
        threes = [" ".join(["threes", side, *each]) for side, each in last.threes.items()]
        left = [" ".join(["left", seat, *each]) for seat, each in last.hands.items()]
        yield ["deal 1", end, *melds, *threes, *left, *scores]


@pytest.mark.parametrize(
    ("case", "profile"),
    [
        each
        for each in cases()
        if "score." in each.values[0].get("overrides", "")
        and each.values[0]["verdict"] == "verified"
    ],
)
def test_what_the_play_scores_is_possible_without_the_play(
    case: dict[str, Any], profile: str
) -> None:
    """If this fails, engine/scoring.py or replay/sheets.py does not know a rule about points."""
    for reading in read_text(case["record"]):
        game = under(reading.game, profile, case["overrides"])
        head = [f'[{tag.name} "{tag.value}"]' for tag in game.tags if tag.name in ("CGN", "Rules")]
        for lines in unplayed(game, replay_game(game)):
            (sheet,) = read_text("\n".join([*head, *lines]))
            found = replay_game(sheet.game).findings
            assert [str(each) for each in found if each.severity == "error"] == [], lines


BONUSES = [key for key in POINTS if key.name.startswith("score.") and key.kind != "choice"]


@pytest.mark.parametrize("key", BONUSES, ids=[key.name for key in BONUSES])
def test_a_sheet_s_bounds_know_every_bonus(key: Key) -> None:
    """If a rule's points are much larger, a score without the play can be that large."""
    named = {"score.sequence": "bolivia", "score.king": "buraco", "score.ace": "buraco"}
    profile = load_profile(named.get(key.name, "american-2p"))
    value: Any = -1_000_000 if key.least < 0 else 1_000_000
    points = value
    if key.kind == "points":
        value = {name: each * 1_000 for name, each in profile[key.name].items()}
        points = next(iter(value.values()))
    elif key.kind == "threes":
        value = ("all", (points,))
    elif key.kind == "cards":
        value = {"4": value}
    larger = profile.with_values({key.name: value})
    side = profile.side_names[0]
    (sheet,) = read_text(f'[CGN "1"]\n\ndeal 1 dealer N\nscore {side} {points}\n')
    codes = [
        [each.code for each in replay_game(sheet.game, rules=rules).findings]
        for rules in (profile, larger)
    ]
    assert codes == [["score"], []]


@pytest.mark.parametrize("item", SCORED)
def test_a_sheet_knows_what_each_item_can_be(item: str) -> None:
    """If this fails, replay/sheets.py does not know an item that engine/scoring.py writes."""
    profiles = [load_profile(name) for name in profile_names()]
    scoring = [each for each in profiles if item in items_of(rules_of(each))]
    if not scoring:  # an item that only a house rule gives
        scoring = [load_profile("classic").with_values({SCORED[item].key: 100})]
    for profile in scoring:
        for points in (1, 1_000_000, -1_000_000):
            score = f"score {profile.side_names[0]} {points} = {item} {points}"
            (sheet,) = read_text(f'[CGN "1"]\n\ndeal 1 dealer {profile.seats[0]}\n{score}\n')
            found = replay_game(sheet.game, rules=profile).findings
            assert "score-item" in [each.code for each in found], (profile.name, points)


@pytest.mark.parametrize("profile", NOT_ABOUT)
def test_every_row_is_ruled_on(profile: str) -> None:
    ruled = {each.values[0]["row"] for each in cases() if each.values[1] == profile}
    assert set(ROWS.split()) - ruled == set(NOT_ABOUT[profile].split())


@pytest.mark.parametrize("profile", PLAYERS)
def test_every_row_about_the_players_is_ruled_on(profile: str) -> None:
    assert {each.values[0]["row"] for each in cases() if each.values[1] == profile} == set(
        PLAYERS[profile].split()
    )


@pytest.mark.parametrize("profile", NOT_ABOUT)
def test_what_is_illegal_has_a_legal_twin(profile: str) -> None:
    illegal = {row for rows in ILLEGAL if profile in ILLEGAL[rows].split() for row in rows.split()}
    ruled = [each.values[0] for each in cases() if each.values[1] == profile]
    found = {case["row"] for case in ruled if case["verdict"] == "contradicted"}
    legal = {case["row"] for case in ruled if case["verdict"] != "contradicted"}
    assert illegal - set(NOT_ABOUT[profile].split()) <= found
    assert found & set(ROWS.split()) <= legal
