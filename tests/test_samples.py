"""The samples: complete records have no error, broken ones have exactly the expected finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.rules import codes, profile_names

SAMPLES = Path(__file__).parent.parent / "samples"
BROKEN = sorted((SAMPLES / "broken").glob("*.canasta"))
EXPECT = re.compile(r";\s*expect: (\S+)$")

#: The verdict of each complete sample.
VERDICTS = {
    **{path.stem: "verified" for path in SAMPLES.glob("profile-*.canasta")},
    "kitchen-table": "undetermined",
    "outside-000": "verified",
    "outside-013": "verified",
    "outside-018": "verified",
    "score-sheet-1": "undetermined",
    "score-sheet-2": "undetermined",
    "first-deal": "verified",
    "final-tables": "undetermined",
    "seen-at-the-table": "undetermined",
    "thursday-club": "verified",
    "samba-deal": "verified",
}
#: The findings that complete samples acknowledge.
ACKNOWLEDGED = {"kitchen-table": ["out-promised"]}
#: Broken samples that contradict nothing, because their finding is a note or a warning.
NOT_CONTRADICTED = {"penalty", "unfinished"}
#: Broken samples whose text cannot be formatted without losing what is broken.
UNREADABLE = {"duplicate-tag", "syntax"}


def read(path: Path) -> Reading:
    """Return the only game of a sample."""
    (reading,) = read_text(path.read_text("utf-8"))
    return reading


def report_of(reading: Reading) -> GameReport:
    return replay_game(reading.game)


def formatted(game: Game) -> str:
    """Return the canonical text of a game under its own rules."""
    profile = read_header(game, 1).profile
    return format_game(game, profile["draw.count"] if profile else 1)


def listed(findings: list[Finding]) -> str:
    return "\n".join(f"{each.span.line}: {each.code}: {each.message}" for each in findings)


def test_every_sample_has_a_verdict_and_a_line_in_the_readme() -> None:
    names = {path.stem for path in SAMPLES.glob("*.canasta")}
    assert names == VERDICTS.keys()
    readme = (SAMPLES / "README.md").read_text("utf-8")
    unnamed = [name for name in sorted(names) if f"`{name}.canasta`" not in readme]
    # The samples of profiles say in their first line what they show.
    assert [name for name in unnamed if not name.startswith("profile-")] == []


@pytest.mark.parametrize("name", VERDICTS)
def test_a_complete_sample_has_no_finding(name: str) -> None:
    report = report_of(read(SAMPLES / f"{name}.canasta"))
    findings = report.findings
    assert [each.code for each in findings] == ACKNOWLEDGED.get(name, []), listed(findings)
    assert all(each.acknowledged for each in findings)
    assert [deal.unchecked_from for deal in report.deals] == [None] * len(report.deals)
    assert report.verdict == VERDICTS[name]


@pytest.mark.parametrize("name", VERDICTS)
def test_a_complete_sample_is_canonical(name: str) -> None:
    path = SAMPLES / f"{name}.canasta"
    assert formatted(read(path).game) == path.read_text("utf-8")


def test_every_profile_has_a_game_to_its_end() -> None:
    reports = [report_of(read(path)) for path in SAMPLES.glob("*.canasta")]
    finished = {
        each.rules for each in reports if each.verdict == "verified" and each.result.finished
    }
    assert set(profile_names()) - finished == set(), "add samples/profile-NAME.canasta"


def test_every_code_has_a_broken_sample() -> None:
    assert sorted(path.stem for path in BROKEN) == sorted(codes())


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_sample_has_exactly_its_finding(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = text.split("\n")
    marks = [(at, match[1]) for at, line in enumerate(lines, 1) if (match := EXPECT.search(line))]
    report = report_of(read(path))
    findings = report.findings
    assert [(each.span.line, each.code) for each in findings] == marks, listed(findings)
    assert [code for _, code in marks] == [path.stem]
    assert (report.verdict == "contradicted") == (path.stem not in NOT_CONTRADICTED)
    assert lines[0].startswith("; ") and lines[0].endswith(".")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_sample_is_canonical_if_it_can_be_read(path: Path) -> None:
    reading = read(path)
    assert any(each.code in UNREADABLE for each in reading.problems) == (path.stem in UNREADABLE)
    if path.stem not in UNREADABLE:
        assert formatted(reading.game) == path.read_text("utf-8")


def test_a_wrapped_line_is_one_finding() -> None:
    lines = (SAMPLES / "seen-at-the-table.canasta").read_text("utf-8").splitlines()
    wrapped = [at for at, line in enumerate(lines) if " " in line[len(line) // 2 :]]
    for at in wrapped:
        cut = lines[at].find(" ", len(lines[at]) // 2)
        pieces = [lines[at][:cut], lines[at][cut + 1 :]]
        [reading] = read_text("\n".join([*lines[:at], *pieces, *lines[at + 1 :]]))
        [finding] = [each for each in report_of(reading).findings if not each.follows]
        assert (finding.code, finding.span.line) == ("syntax", at + 2), lines[at]
        assert "continues the line above" in finding.message
    assert len(wrapped) > 20
