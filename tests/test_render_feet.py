"""What people see and type of a foot: turns, tables, ledgers, pages, questions, completions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import canasta_notation as cn
from canasta_notation.app.pad_form import pad
from canasta_notation.dialogue.questions import AskDetail, Course, TypedEntry
from canasta_notation.dialogue.turn_questions import LEFT_OUT, TABLES, TURNS
from canasta_notation.foreign.spreadsheet_words import plain, words
from canasta_notation.page.shown_game import ShownGame
from canasta_notation.page.table_changes import Texts, deal_tables
from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.opening import house_questions
from canasta_notation.recorder.pad_row import columns, parse_row, propose_row, row_text
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.diagram import position_svg
from canasta_notation.render.position import walk_positions
from canasta_notation.story.turn_parts import act, parts_text, turn_parts
from tests.pages import page_games, readings
from tests.programs import canasta

HEAD = '[CGN "1"]\n[Rules "hand-and-foot"]\n\n'
FOOT = "4d 5s 5h 5d 8c 8d Tc Js Qd Qc *"
DEALT = f"""deal 1 dealer W
N: 7s 7h 7d Ks Kh Kd 4s 4h 4c 9c 9d
up 9h
foot N {FOOT}
"""
#: N has 7c 9d Kc left.
PLAYED = """1. N +7cKc 7:7s7h7d K:KsKhKd 4:4s4h4c -9c
2. E + -5c
3. S + -6c
4. W + -8h
"""
LAID = "5. N +9s2c 9:9d9s2c 7:7c K:Kc"
RUN = f"{LAID} foot 5:5s5h5d -4d"
TAKEN = f"foot:{FOOT.replace(' ', '')}"


def game(text: str, seat: str = "") -> ShownGame:
    """Return what a page shows of a record."""
    return page_games(readings(text), seat)[0]


def shown(tmp_path: Path, text: str, *args: str) -> str:
    """Return what a command shows of a record."""
    path = tmp_path / "feet.canasta"
    path.write_text(text, "utf-8")
    command, *options = args
    return canasta(command, path, *options).output


def test_a_turn_and_the_table_show_a_foot(tmp_path: Path) -> None:
    text = HEAD + DEALT + PLAYED + RUN
    replay = shown(tmp_path, text, "replay")
    assert f"  foot N     {FOOT}\n" in replay
    assert "hand 12, foot | pile 5" in replay and "hand 7 | pile 6" in replay
    assert "laid on kings Kc; picked up the foot 4d 5s 5h 5d" in " ".join(replay.split())
    before, after = (
        shown(tmp_path, text, "replay", "--turn", turn).split("pile  ")[0] for turn in "45"
    )
    assert f"  foot N      11  {FOOT}\n" in before and "foot N" not in after
    assert "  foot E      11  not known\n" in after


def test_nobody_sees_a_foot_before_it_is_picked_up(tmp_path: Path) -> None:
    text = HEAD + DEALT + PLAYED + RUN
    for seat in "NS":
        replay = shown(tmp_path, text, "replay", "--seat", seat)
        assert "foot N" not in replay
        assert ("picked up the foot of 11 cards" in " ".join(replay.split())) == (seat == "S")
        first = json.loads(shown(tmp_path, text, "replay", "--json", "--seat", seat))
        packets = first["games"][0]["steps"][0]["state"]["packets"]
        assert packets[0] == {"packet": "foot", "seat": "N", "cards": ["_"] * 11}
    hand = "E: 3h 4c 5d 6s 7c 8d 9s Td Jh Qs Kd\n"
    assert "3h" not in shown(
        tmp_path, HEAD + DEALT.replace("up", hand + "up"), "replay", "--seat", "N"
    )


def test_a_position_has_its_feet() -> None:
    positions = [*walk_positions(readings(HEAD + DEALT + PLAYED + RUN)[0].game)]
    assert positions[0].packets[0] == ("foot", "N", tuple(FOOT.split()))
    assert f"foot N: {FOOT}\n" in str(positions[0])
    assert [seat for _, seat, _ in positions[-1].packets] == ["E", "S", "W"]


def test_the_ledger_has_a_row_for_each_foot(tmp_path: Path) -> None:
    turns = "".join(f"{at}. {seat} + -{at + 3}s\n" for at, seat in enumerate("NESW", 1))
    hand = "S: 3h 4c 5d 6s 7c 8d 9s Td Jh Qs 4s\n"
    text = HEAD + DEALT.replace("up", hand + "up") + turns + "end stock\n"
    audit = " ".join(shown(tmp_path, text, "audit").split())
    assert "foot of N: 11 cards 4d 5s 5h 5d 8c -130 8d Tc" in audit
    assert "hands and foot of NS: 35 cards, 15 ? not seen 3h 4s" in audit
    assert "decided by the hands of N and S and the foot of S at the end" in audit
    assert "decided by the hands and feet of E and W at the end" in audit


def test_a_page_and_a_picture_show_feet_until_they_are_picked_up() -> None:
    play = game(HEAD + DEALT + PLAYED + RUN)
    [deal] = play.play.deals
    texts = Texts()
    start, changes = deal_tables(play.story, deal, texts)
    foot = next(str(at) for at, text in enumerate(texts.all()) if text == "foot: 11")
    assert start.split(" ")[-1] == f"{foot}.{foot}.{foot}.{foot}."
    last = len(start.split(" ")) - 1
    changed = [
        change
        for line in changes
        for change in line.split(" ")
        if int(change[:1] or "0", 36) == last
    ]
    assert len(changed) == 1 and changes[-1].endswith(changed[0])
    drawn = [position_svg(state, "NESW", ("NS", "EW")) for state in deal.states]
    assert [each.count(">foot: 11<") for each in drawn] == [4, 4, 4, 4, 4, 3]
    assert "Foot of N: 11 cards." in drawn[0] and "Foot of N" not in drawn[-1]


@pytest.mark.parametrize(
    ("language", "said", "row"),
    [
        ("en", "picked up the foot", "N picked up the foot of 11 cards."),
        ("de", "hob den Fuß auf", "N hob den Fuß mit 11 Karten auf."),
        ("es", "tomó el pie", "N tomó el pie de 11 cartas."),
    ],
)
def test_the_story_of_a_foot(language: str, said: str, row: str) -> None:
    from canasta_notation.language.languages import use_language

    shown_game = game(HEAD + DEALT + PLAYED + RUN)
    [deal] = shown_game.play.deals
    with use_language(language):
        assert said in parts_text(turn_parts(deal.turns[-1], 0))
        assert row in [each.sentence.text for each in shown_game.stories[0].rows]


def test_a_take_of_a_part_of_the_pile_says_so(tmp_path: Path) -> None:
    cards = zip("NESWNESWN", "456789TJQ", strict=True)
    turns = "".join(f"{at}. {seat} + -{card}s\n" for at, (seat, card) in enumerate(cards, 1))
    text = f"{HEAD}deal 1 dealer W\nup 9h\n{turns}10. E ^Qs/10 Q:QhQd A:AAA -5s\n"
    replay = shown(tmp_path, text, "replay")
    assert "took the pile, 7 of 10 cards, with Qs on top" in replay
    shown_game = game(text)
    last = shown_game.play.deals[0].turns[-1]
    assert "(7/10)" in parts_text(turn_parts(last, 1))
    assert act(last).startswith("7,")


# --- recording ------------------------------------------------------------------------------------


def asked(lines: str, typed: str) -> Any:
    """Return what follows an answer to the question for a turn."""
    course = Course(Standing((HEAD + lines).splitlines()))
    question = next(each for each in TURNS.questions if each.due(course))
    return question.answer(course, typed)


@pytest.mark.parametrize(
    ("typed", "said", "written"),
    [
        ("+9s2c 9:9d9s2c 7:7c -Kc", "", "5. N +9s2c 9:9d9s2c 7:7c -Kc foot"),
        ("+9s2c 9:9d9s2c 7:7c -Kc", "FOOT", "5. N +9s2c 9:9d9s2c 7:7c -Kc foot"),
        ("+9s2c 9:9d9s2c 7:7c K:Kc 5:5s5h5d -4d", "", RUN),
        ("+9s2c 9:9d9s2c 7:7c K:Kc 5:5s5h5d -4d", FOOT, RUN.replace("foot", TAKEN)),
    ],
)  # fmt: skip
def test_a_foot_is_asked_for_when_the_hand_is_empty(typed: str, said: str, written: str) -> None:
    reply = asked(DEALT + PLAYED, typed)
    assert isinstance(reply, AskDetail)
    assert reply.detail.prompt == "  N has an empty hand and picks up the foot: which cards?> "
    entry = reply.then(reply.detail.read(said))
    assert isinstance(entry, TypedEntry) and not entry.proposal.errors
    assert entry.proposal.written == (written,)


PENNIES = """[CGN "1"]
[Rules "pennies"]

deal 1 dealer F
A: 4s 4h 5s 6s 9d 9c Ks Ks Kh Kh Kd Kc 2c
up 9h
"""
KINGS = "+KdQd K:KsKhKdKcKsKhKd"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("", f"1. A {KINGS} foot -9c"),
        ("4d 5h 6d 7c 8h Ac 9d Tc Jh Qs *", f"1. A {KINGS} foot:4d5h6d7c8hAc9dTcJhQs* -9c"),
        ("3h5h6d7c8hAc9dTcJhQs*+Kc", f"1. A {KINGS} foot:3h5h6d7c8hAc9dTcJhQs*+Kc -9c"),
        (LEFT_OUT, f"1. A {KINGS} -9c"),
    ],
)  # fmt: skip
def test_a_foot_is_asked_for_when_a_canasta_is_complete(said: str, written: str) -> None:
    course = Course(Standing(PENNIES.splitlines()))
    question = next(each for each in TURNS.questions if each.due(course))
    reply = question.answer(course, f"{KINGS} -9c")
    assert isinstance(reply, AskDetail)
    asked = "  A has completed a canasta and picks up the foot: which cards?> "
    assert reply.detail.prompt == asked
    entry = reply.then(reply.detail.read(said))
    assert isinstance(entry, TypedEntry) and not entry.proposal.errors
    assert entry.proposal.written == (written,)
    for typed in ("+KdQd K:KsKhKdKcKsKh -9c", f"{KINGS} foot -9c"):
        assert isinstance(question.answer(course, typed), TypedEntry)


def test_a_foot_can_be_left_and_is_not_asked_for_too_early() -> None:
    left = asked(DEALT + PLAYED, "+9s2c 9:9d9s2c 7:7c -Kc")
    entry = left.then(left.detail.read(LEFT_OUT))
    assert {each.code for each in entry.proposal.errors} == {"packet"}
    for typed in ("+9s2c -Kc", "+9s2c 9:9d9s2c 5:5s5h5d -4d", "+9s2c 9:9d9s2c 7:7c -Kc foot"):
        assert isinstance(asked(DEALT + PLAYED, typed), TypedEntry)


def test_the_completion_of_a_foot() -> None:
    standing = Standing((HEAD + DEALT + PLAYED).splitlines())
    offered = {
        done: [each.text for each in complete(standing, done)]
        for done in ("+9s2c 9:9d9s2c 7:7c ", f"{LAID[5:]} ", "+9s2c 9:9d9s2c 7:7c -Kc ")
    }
    assert ["foot" in each for each in offered.values()] == [False, True, True]
    assert "ask=yes" not in [*offered.values()][-1]


def test_no_threes_are_asked_for_under_rules_that_table_none() -> None:
    course = Course(Standing((f"{HEAD}deal 1 dealer W\nup 9h\n").splitlines()))
    assert next(each for each in TURNS.questions if each.due(course)).name == "play"
    ended = Standing((f"{HEAD}deal 1 dealer W\nend out N\nmelds NS\nmelds EW\n").splitlines())
    assert next(each for each in TABLES.questions if each.due(Course(ended))).name == "left"


def test_a_score_pad_without_threes() -> None:
    standing = Standing(f'{HEAD.rstrip()}\n[Dealer "N"]'.splitlines())
    assert columns(standing.rules) == ("natural", "mixed", "cards")
    [proposal] = propose_row(standing, "NS", parse_row("2 3 570/130 out N", "NS", standing.rules))
    assert proposal.errors == () and proposal.after is not None
    line = "score NS 2440 = natural 1000 mixed 900 out 100 melds 570 hand -130"
    assert proposal.written[-1] == line
    assert row_text(proposal.after, 0, "NS") == "2 3 570/-130 out N"
    with pytest.raises(ValueError, match=r"type three numbers \(clean dirty cards\)"):
        parse_row("2 3", "NS", standing.rules)
    asked_first = [each.override for each in house_questions("hand-and-foot")]
    assert asked_first == ["score.melds_minus=no-canasta"]
    form = pad("\n".join(standing.lines) + "\n")
    assert [each["key"] for each in form["columns"]] == ["natural", "mixed", "cards"]


@pytest.mark.parametrize(
    ("word", "item"),
    [
        ("Clean books", "natural"), ("red canastas", "natural"), ("Dirty Books", "mixed"),
        ("Hand und Fuß", "hand"), ("canastas negras", "mixed"), ("rode canasta's", "natural"),
    ],
)  # fmt: skip
def test_the_words_of_score_sheets(word: str, item: str) -> None:
    assert words().columns[plain(word)] == item


# --- findings -------------------------------------------------------------------------------------


def findings(text: str) -> list[tuple[str, str]]:
    """Return the codes and messages of the findings of a record."""
    return [(each.code, each.message) for each in cn.verify(readings(text)[0].game).findings]


def test_an_item_for_threes_that_are_not_tabled() -> None:
    played = f"{HEAD}{DEALT}{PLAYED}end stock\nscore NS 600 = red3 100 natural 500\n"
    assert ("score-item", "these rules have no item red3") in findings(played)


def test_hidden_hands_table_no_threes() -> None:
    shown_at_the_end = f"{HEAD}deal 1 dealer W\nend out N\nmelds NS K:KKKK\nmelds EW\n"
    sides = cn.verify(readings(shown_at_the_end)[0].game).deals[0].sides
    assert [[*side.items] for side in sides] == [["melds", "out", "hand"], ["hand"]]


def test_the_number_of_deals_decides_a_game_without_a_target() -> None:
    scores = "".join(f"deal {at}\nscore NS 500\nscore EW 0\n\n" for at in range(1, 5))
    text = HEAD.replace("\n\n", '\n[Result "*"]\n\n') + scores
    [result] = [
        each for each in cn.verify(readings(text)[0].game).findings if each.code == "result"
    ]
    assert result.rule is not None and result.rule.key == "game.deals"


def test_the_plays_say_what_a_take_brings(tmp_path: Path) -> None:
    cards = zip("NESWNESWN", "456789TJQ", strict=True)
    turns = "".join(f"{at}. {seat} + -{card}s\n" for at, (seat, card) in enumerate(cards, 1))
    hand = "E: Qh Qd Qc Ah Ad Ac 4h 4d 5h 7d 8c\n"
    text = f"{HEAD}deal 1 dealer W\n{hand}up 9h\n{turns}10. E ^Qs/10 Q:QhQd A:AhAdAc -5h\n"
    legal = shown(tmp_path, text, "legal", "--turn", "10")
    assert "takes    Qs and 6 more of the pile of 10 with Qh Qd" in legal
    assert "after taking Qs and 6 more of the pile of 10:" in legal


def test_an_unseen_hand_may_be_left_with_red_threes() -> None:
    played = f"{HEAD}deal 1 dealer W\nup 9h\n1. N + -4s\n2. E + -3h\nend unfinished\n"
    assert findings(played + "left N 3h 3s ...\nleft E 3h 3d 3d ...\n") == []
