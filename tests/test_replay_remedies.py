"""The remedy of a finding removes it, and causes no other finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from canasta_notation.findings import Finding
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from tests.test_rulings import cases, expected, games_of
from tests.test_samples import BROKEN, SAMPLES

#: What the remedy of each broken sample asks for: a text of its record, and what takes its place.
SAMPLE_EDITS = {
    "ack-claim": (" ~opening-low", ""),
    "after-end": ("2. S +Qd -Qd", ""),
    "after-game": ('[Rules "classic"]', '[Rules "classic target=6000"]'),
    "ask-when": ("K:KsKsKhKhKdKdKc ask=yes", "ask=yes K:KsKsKhKhKdKdKc"),
    "deal-number": ("deal 3", "deal 2"),
    "deal-size": ("Qs Kh ;", "Qs Kh ... ;"),
    "dealer": ("deal 2 dealer S", "deal 2 dealer E"),
    "deck-count": ("Qs As Ah ;", "Qs As Ac ;"),
    "discard-ban": ("-7s", "-Jd"),
    "discard-missing": ("A:AsAhAc", "A:AsAhAc -_"),
    "discard-three": (" -3h", " -7s"),
    "draw-count": (" +Qh", ""),
    "draw-missing": ("E -4d", "E + -4d"),
    "duplicate-tag": ('[Event "Thursday club, second table"]', ""),
    "end-claim": ("end out S", ""),
    "end-hand": (" 9h Qc", " 9c Qc"),
    "end-melds": ("8s8h8h8c", "8s8h8d8c"),
    "end-missing": ("score NS 675\nscore EW 435\n", "end unfinished\n"),
    "end-stock-left": ("end stock", "end unfinished"),
    "end-threes": ("threes NS 3h", "threes NS"),
    "meld-dead": (" 6:6d6c6c", ""),
    "meld-label": ("K/3:", "K/2:"),
    "meld-naturals": ("K:Ks2s*", "K:KsKd2s"),
    "meld-rank": ("K:KsKhKdQs", "K:KsKhKd"),
    "meld-sequence": (" s:8sTsJs", " s:8s9sTsJs"),
    "meld-short": (" K:KsKh", ""),
    "meld-size": (" J:Js -6h", " -Js"),
    "meld-threes": (" 3:3s3s3c", ""),
    "meld-wild-ban": ("7:7s7h2s K:KsKhKdKc", "K:KsKhKdKc2s"),
    "meld-wild-only": (" *:2s2h*", ""),
    "meld-wilds": ("2s2h2d*", "2s2h2d"),
    "not-in-hand": ("-4s", "-7s"),
    "opening-claim": ("open=80", "open=75"),
    "opening-form": ("Q:QsQh2s2h open=180", "Q:QsQhQd"),
    "opening-low": (" 6:6s6h6d", ""),
    "out-canasta": ("A:AsAhAc #", "-Ac", "end out E", "end unfinished"),
    "out-claim": (" #", ""),
    "out-denied": ("ask=no", "ask=yes"),
    "out-discard": ("KdKdKc #", "Kd -Kd", "end out N", "end unfinished"),
    "out-promised": ("-9s", "-9s ~out-promised"),
    "penalty": ("NS 100", "NS 50"),
    "pile-blocked": ("^3c", "+_"),
    "pile-count": ("^8d/3", "^8d"),
    "pile-empty": ("^9h 9:9s9d", "+_"),
    "pile-frozen": ("^Kd K:Kh*", "+_"),
    "pile-must-take": ('deal.hand=25"', 'deal.hand=25 pile.must_take=no"'),
    "pile-one-card": ('[Rules "classic"]', '[Rules "classic pile.one_card_rule=no"]'),
    "pile-top": ("^8h", "^8d"),
    "pile-unmeldable": ("^Qd", "+_"),
    "replacement": ("+3h", "+3h +"),
    "result": ('[Result "NS 4980 EW 3300"]', ""),
    "rules-option": ("meld.max_wild=2", "meld.max_wilds=2"),
    "rules-unknown": ('"clasic"', '"classic"'),
    "score": ("815", "715"),
    "score-item": (
        "675 = melds 310 natural 450",
        "725 = melds 310 natural 500",
        "NS 675",
        "NS 725",
    ),
    "score-sum": ("score NS 685", "score NS 675", "total NS 685", "total NS 675"),
    "special-hand": (
        "straight:3s4s5s6h7d8c9sThJdQcKsKhAh2d",
        "-Kh",
        "end special N",
        "end unfinished",
    ),
    "stock-empty": ("4. N + -4s", "4. N ^5s 5:5s5h5d A:AhAdAdAc -4s"),
    "stock-order": ("+7h", "+7s"),
    "syntax": ("-4d!", "-4d !"),
    "tag-value": ("2026-02-30", "2026-02-??"),
    "packet": ("-9c foot", "-9c"),
    "total": ("NS 1275", "NS 1265"),
    "turn-number": ("4. W", "3. W"),
    "unfinished": ("-6s", "-6s\nend unfinished"),
    "up-cards": ("up 2d", "up 2d 9c"),
    "version": ('"2"', '"1"'),
    "wrong-seat": ("2. N", "2. S + -_\n3. W + -_\n4. N"),
}


#: What remedies ask for, by code: words of the help, a pattern in the line of the finding (for turn
#: numbers, in every line), and what takes the place of the text that it matches.
LINE_EDITS = {
    "ack-claim": ("remove the `~`", r" ~\S+", ""),
    "ask-when": ("remove", r" ask=\S+", ""),
    "discard-missing": ("write", r" 3:.*|(?<!#)$", " -_"),
    "draw-missing": ("write `+`", r"^((?:\d+\. ?)?[A-Z](?: threes:\S+)?)(?= |$)", r"\1 +"),
    "end-claim": ("leave it out", r".+", ""),
    "end-stock-left": ("write `end unfinished`", r"end stock", "end unfinished"),
    "opening-claim": ("leave it out", r" open=\S+", ""),
    "out-claim": ("leave the mark out", r" ##?(?= |$)", ""),
    "out-discard": ("before the black threes", r"( 3:\S+)(( \w:\S+)+)", r"\2\1"),
    "pile-blocked": ("draw", r"\^\S+", "+"),
    "pile-count": ("leave it out", r"/\d+", ""),
    "result": ("leave it out", r".+", ""),
    "stock-empty": ("`end stock`", r"(?s).+", "end stock"),
    "packet": ("remove the talon", r" talon:\S+", ""),
    "turn-number": ("leave the turn numbers out", r"(?m)^\d+\. ?", ""),
}


def batched(edits: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return zip(edits[::2], edits[1::2], strict=True)


def findings(text: str) -> list[Finding]:
    found = [each for it in read_text(text) for each in replay_game(it.game).findings]
    return [each for each in found if not each.acknowledged]


def texts_of(findings: list[Finding]) -> str:
    return "\n".join(f"{each} ({each.help})" for each in findings)


@pytest.mark.parametrize("name", [path.stem for path in BROKEN])
def test_the_remedy_of_a_broken_sample(name: str) -> None:
    text = (SAMPLES / "broken" / f"{name}.canasta").read_text("utf-8")
    mended = text
    for old, new in batched(SAMPLE_EDITS[name]):
        assert mended.count(old) == 1, old
        mended = mended.replace(old, new)
    assert not findings(mended), texts_of(findings(text)) + "\n=> " + texts_of(findings(mended))


def errors(record: str, case: dict[str, Any], profile: str) -> list[Finding]:
    games = games_of({**case, "record": record}, profile)
    found = [each for game in games for each in replay_game(game).findings]
    return [each for each in found if each.severity == "error"]


@pytest.mark.parametrize("code", LINE_EDITS)
def test_the_remedies_of_rulings(code: str) -> None:
    words, pattern, new = LINE_EDITS[code]
    followed = 0
    for case, profile in (each.values for each in cases()):
        if [code] != [each for _, each in expected(case["record"])]:
            continue
        before = errors(case["record"], case, profile)
        if len(before) != 1 or words not in str(before[0].help):
            continue
        lines = re.sub(r"\s*;.*", "", case["record"]).split("\n")
        at = before[0].span.line - 1
        until = len(lines) if code in ("turn-number", "stock-empty") else at + 1
        at = 0 if code == "turn-number" else at
        part, edits = re.subn(pattern, new, "\n".join(lines[at:until]), count=until - at)
        mended = "\n".join([*lines[:at], part, *lines[until:]])
        followed += bool(edits)
        after = errors(mended, case, profile) if edits else []
        assert not after, f"{texts_of(before)}\n=> {texts_of(after)}\n{mended}"
    assert followed


SAMBA = '[CGN "1"]\n[Rules "samba"]\n\ndeal 1 dealer N\nup 3c\n'
CLASSIC = '[CGN "1"]\n\ndeal 1 dealer N\nup 3c\n'
END = "\nend unfinished\n"
AMERICAN = '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\n'
#: A record, words of the remedy, and what they ask for: a text, and what takes its place.
FOLLOWED = [
    (
        SAMBA + "1. E +4c5c A:AsAhAd s:5s6s -Tc" + END,
        "lay the cards before or after them",
        (" s:5s6s", " s:5s6s7s"),
    ),
    (
        SAMBA + "1. E +4c5c A:AsAhAd s:5s6s7s s/2:8s9sTs s/2>1 -Tc" + END,
        "leave the two melds apart",
        (" s/2>1", ""),
    ),
    (
        SAMBA + "1. E +4c5c A:AsAhAd K:KsKh2s2h K/2:KdKc2d K/2>1 -Tc" + END,
        "leave the two melds apart",
        (" K/2>1", ""),
    ),
    (
        SAMBA + "1. E +4c5c A:AsAhAd K:KsKsKhKhKdKd K/2:KcKc2s2h K/2>1 -Tc" + END,
        "leave the two melds apart",
        (" K/2>1", ""),
    ),
    (
        SAMBA + "1. E +4c5c A:AsAhAd K:KsKsKhKhKdKd -Tc\n2. S +4d4d -4d\n3. W +6h6h K:2s2h -6h\n",
        "lay 1 wild card of them",
        ("K:2s2h", "K:2s"),
    ),
    (
        '[CGN "1"]\n[Rules "cla deal.hand=26"]\n\ndeal 1 dealer N\n'
        "stock 4s 5s 6s\n1. E +4s -4s" + END,
        "talons that are set aside are not among them",
        ("stock 4s 5s 6s", "stock 4s 5s 6s 7s"),
    ),
    (
        CLASSIC + "1. E +4c -4c\n2. S +4d -4d\ndeal 1 dealer N\n3. W +5d -5d" + END,
        "remove this line",
        ("d\ndeal 1 dealer N", "d"),
    ),
    (
        '[CGN "1"]\n\ndeal 1 dealer N\nscore NS 50\ndeal 1 dealer N\nscore NS 60\n',
        "write `deal 2 dealer E`",
        ("50\ndeal 1 dealer N", "50\ndeal 2 dealer E"),
    ),
    (
        CLASSIC + "1. E +4c A:AsAhAd; 9:9c9d9h -3s\n2. S +4d -4d" + END,
        "write a blank in place of the `;`",
        (";", " "),
    ),
    (
        CLASSIC + "1. E +4c 9:9c; A:AsAhAd 9:9d9h -3s\n2. S +4d -4d" + END,
        "write a blank in place of the `;`",
        (";", " "),
    ),
    (
        '[CGN "1"]\n\ndeal 1 dealer N\nscore NS 500 = redthrees 100 mixed 300 melds 100\n',
        "write `red3`",
        ("redthrees", "red3"),
    ),
    (
        AMERICAN + "E: As Ah Ad Ac Ks Kh Kd Kc Qs Qh Qd 2s 2h\n"
        "1. E +9c A:AsAhAdAc K:KsKhKdKc Q:QsQhQd2s2h -9c\n2. S + -_" + END,
        "write the talon after the discard, as in `talon:____`",
        ("-9c\n", "-9c talon:____\n"),
    ),
    (
        AMERICAN + "1. E + K:KsKhKdKc A:AsAhAdAcAs -_\n2. S + -_\n3. W + K:2s -_" + END,
        "lay natural cards too until the meld has 5 of them",
        ("K:2s", "K:Ks2s"),
    ),
    (
        AMERICAN + "1. E + K:KsKhKdKc A:AsAhAdAcAs -_ talon:3h3s6d9c\n"
        "2. S + -_\n3. W + -_\n4. N + -_\n5. E threes:3h+Td + -_" + END,
        "add it to the threes that this turn tables",
        ("threes:3h+Td", "threes:3h3s+Td_"),
    ),
    (
        AMERICAN + "1. E + K:KsKhKdKc A:AsAhAdAcAs -_ talon:3h3s6d9c\n"
        "2. S + -_\n3. W + -_\n4. N + -_\n5. E + -_" + END,
        "write all threes of the turn in one word",
        ("5. E +", "5. E threes:3h3s+Td_ +"),
    ),
    (
        AMERICAN + "1. E + J:JsJsJhJhJd A:AsAhAdAc -_\n2. S + -_\n3. W + -_\n4. N + -Jd\n"
        "5. E ^Jd J:JcJc -_" + END,
        "if the top of the pile is one of them, leave the pile",
        ("^Jd J:JcJc", "+"),
    ),
    (
        AMERICAN + "1. E + -Q\n2. S ^Q Q:QsQh A:AsAhAdAc2s K:KsKhKd2h -_" + END,
        "lay three natural cards of one rank, or three wild cards, from the hand",
        ("A:AsAhAdAc2s", "A:AsAhAdAc"),
    ),
    (
        CLASSIC + "1. E + -Kd\n2. S ^Kd K:KsKh -_" + END,
        "after a take, leave the pile",
        ("^Kd K:KsKh", "+"),
    ),
    (
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\nend stock\n'
        "melds NS Q:QsQhQd A:AsAhAd\nthrees NS 3h\nleft N K\nleft S\n"
        "score NS -2700 = melds -90 unfinished -2500 red3 -100 hand -10\n",
        "write `threes -100`",
        ("red3 -100", "threes -100"),
    ),
    (
        '[CGN "1"]\n\ndeal 1 dealer N\nscore NS -245 = red3 2 hand -45\n',
        "write `red3 -200`",
        ("red3 2", "red3 -200"),
    ),
    (
        '[CGN "1"]\n\ndeal 1 dealer N\npenalty NS 50 upcard\nscore NS 55 = melds 110 hand -5\n',
        "add the item",
        ("hand -5", "penalty -50 hand -5"),
    ),
    (
        CLASSIC + "1. E + A:AsAhAd ask=no -_" + END,
        "write the question right after the draw or take",
        ("A:AsAhAd ask=no", "ask=no A:AsAhAd"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "edits"), FOLLOWED)
def test_a_remedy_that_can_be_followed(text: str, words: str, edits: tuple[str, ...]) -> None:
    before = [each for each in findings(text) if each.follows is None]
    assert any(words in str(each.help) for each in before), texts_of(before)
    (edit,) = batched(edits)
    assert text.count(edit[0]) == 1
    after = [each for each in findings(text.replace(*edit)) if each.severity != "note"]
    assert not after, texts_of(before) + "\n=> " + texts_of(after)
