"""What a page computes, without a browser: every table, bar, picture, question and place in it.

What is measured is compared with the game itself. The golden file has the HTML and the values of
small games; a text, a condition or a number that is another changes a line of it.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from markupsafe import Markup
from syrupy.assertion import SnapshotAssertion

from canasta_notation.analysis.values import Loss, PlayValue
from canasta_notation.cards import CODES, LABELS, RANK, TEXT, UNKNOWN
from canasta_notation.engine.actions import Discard, Lay, LaySpecial, TakePacket
from canasta_notation.engine.state import State
from canasta_notation.language.languages import use_language
from canasta_notation.language.sentences import Names
from canasta_notation.page import one_file
from canasta_notation.page.guessing import questions
from canasta_notation.page.marked_up import card_list, faces, inked
from canasta_notation.page.one_file import GamePage, game_page, in_one_language, page_title
from canasta_notation.page.share_picture import share_picture, width
from canasta_notation.page.shown_game import (
    ShownGame,
    day,
    first_error,
    item_points,
    kind_of,
    setting,
)
from canasta_notation.page.standings import Outcome, placings, standings
from canasta_notation.page.table_changes import ALPHABET, Texts, deal_tables
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import stated_losses
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import act
from tests.contradictions import compared, made_up
from tests.pages import CLUB, SAMPLES, page, page_games, readings

DIGITS = string.digits + string.ascii_lowercase
#: Games of all kinds: three sides, sequences, special hands, talons, penalties, unseen hands.
NAMES = ("thursday-club", "profile-classic-3p", "profile-samba", "profile-american-4p",
         "profile-uruguay", "kitchen-table", "seen-at-the-table", "final-tables")  # fmt: skip


@cache
def shown(name: str, seat: str = "") -> ShownGame:
    return page_games(readings(SAMPLES / f"{name}.canasta"), seat)[0]


@cache
def begun(name: str, seat: str = "") -> ShownGame:
    """Return the first two deals of a game, or the first for a seat."""
    text = (SAMPLES / f"{name}.canasta").read_text("utf-8")
    cut = re.split(rf"(?m)^deal {2 if seat else 3} ", text)[0]
    return page_games(readings(re.sub(r"\[Result .*\n", "", cut)), seat)[0]


@cache
def valued(name: str) -> ShownGame:
    game = begun(name)
    return replace(game, story=made_up(game.story, compared(game.story, 3), Random(name)))


# --- the tables -----------------------------------------------------------------------------------


def tables_of(start: str, changes: Iterable[str]) -> Iterator[list[str]]:
    """Yield the fields of each table, from those of the first and what each turn changes."""
    fields = start.split(" ")
    yield fields
    for line in changes:
        fields = [*fields]
        for change in line.split(" ") if line else ():
            at, text = DIGITS.index(change[0]), change[1:]
            if text[0] == "=":
                fields[at] = text[1:]
            else:
                before, after, middle = text.split(",", 2)
                old = fields[at]
                fields[at] = old[: int(before)] + middle + old[len(old) - int(after) :]
        yield fields


def cards_in(text: str) -> list[int]:
    return [ALPHABET.index(char) for char in text]


def check_table(fields: list[str], state: State, texts: list[str], seats: str) -> None:
    """Compare the fields of a table with the table, except what they say in words."""
    read = iter(fields)
    for hand in state.hands:
        assert cards_in(next(read)) == [*hand.cards, *[UNKNOWN] * hand.unknown]
    said = []
    for side in state.sides:
        melds = [each for each in next(read).split(".") if each]
        assert len(melds) == len(side.melds)
        for text, meld in zip(melds, side.melds, strict=True):
            label = LABELS[meld.rank]
            kind, cards = text[len(label)], text[len(label) + 1 :]
            assert text.startswith(label) and sorted(cards_in(cards)) == sorted(meld.cards)
            assert kind.isupper() == (meld.concealed and kind != "-")
            assert kind.lower() == (meld.canasta[:1] or "-")
        assert cards_in(next(read)) == [*side.threes]
        assert next(read) == ("" if side.points is None else str(side.points))
        said.append((next(read), side))
    assert cards_in(next(read)) == [*state.pile]
    said_of_pile, (fewest, most) = next(read), state.stock
    assert next(read) == (str(fewest) if fewest == most else f"{fewest}-{most}")
    due = "" if state.due is None or state.ended else seats[state.due]
    assert next(read) == due
    for field in (said_of_pile, *(field for field, _ in said)):
        assert all(texts[int(each)] for each in field.split("+") if each)
    for field, side in said:
        words = " ".join(texts[int(each)] for each in field.split("+") if each)
        for points, word in ((side.penalty, "penalt"), (side.bonus, "bonus")):
            assert (word in words) == bool(points) and (not points or f"{points:,}" in words)
        opens = not state.ended and not side.opened
        assert ("open" in words) == opens and (not opens or str(side.minimum) in words)


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_a_page_are_those_of_the_game(name: str) -> None:
    for seat in ("", begun(name).play.seats[-1]):
        game = begun(name, seat)
        for deal in game.play.deals:
            texts = Texts()
            start, changes = deal_tables(game.story, deal, texts)
            if not deal.states:
                assert (start, changes) == ("", [])
                continue
            assert len(changes) == len(deal.states) - 1
            said = texts.all()
            for fields, state in zip(tables_of(start, changes), deal.states, strict=True):
                check_table(fields, state, said, game.play.seats)


def test_a_change_is_as_short_as_it_can_be() -> None:
    for deal in begun("thursday-club").play.deals:
        start, changes = deal_tables(begun("thursday-club").story, deal, Texts())
        tables = pairwise(tables_of(start, changes))
        for (before, after), line in zip(tables, changes, strict=True):
            changed = [DIGITS[at] for at, old in enumerate(before) if old != after[at]]
            assert [each[0] for each in line.split(" ") if each] == changed
            for change in filter(None, line.split(" ")):
                at = DIGITS.index(change[0])
                assert len(change) <= len(after[at]) + 2


@pytest.mark.parametrize("name", ["thursday-club", "profile-samba", "kitchen-table"])
def test_the_words_of_the_tables(name: str, snapshot: SnapshotAssertion) -> None:
    """All texts of the first deals, each with the fields of the tables that say it."""
    lines = []
    for seat in ("", "S"):
        game = begun(name, seat)
        texts = Texts()
        for deal in game.play.deals:
            start, changes = deal_tables(game.story, deal, texts)
            tables = [*tables_of(start, changes)][::9]
            lines += [f"{deal.number} {fields[4 + 8 :]}" for fields in tables]
        lines += [f"{at}: {text}" for at, text in enumerate(texts.all())]
    assert "\n".join(lines) == snapshot


# --- bars and pictures ----------------------------------------------------------------------------


class Bar(NamedTuple):
    x: int
    y: int
    width: int
    height: int
    colour: str


def bars_of(drawn: str) -> list[Bar]:
    found = re.findall(
        r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" rx="4" fill="(#\w+)"/>', drawn
    )
    return [Bar(int(x), int(y), int(wide), int(tall), ink) for x, y, wide, tall, ink in found]


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p", "final-tables"])
def test_the_bars_of_a_picture_are_the_margins_of_the_deals(name: str) -> None:
    game = shown(name)
    drawn = share_picture(game)
    rows = [row for row in game.rows if row.winner is not None][-12:]
    bars = bars_of(drawn)
    largest = max(row.margin for row in rows)
    colours: dict[int, set[str]] = {}
    for at, (row, bar) in enumerate(zip(rows, bars, strict=True)):
        assert abs(bar.height - row.margin / largest * 66) < 2 or bar.height == 4
        above = row.winner == 0 or len(game.play.sides) > 2
        assert (bar.y + bar.height if above else bar.y) == 440
        assert bar.x == 60 + at * bars[1].x - at * 60 and bar.x + bar.width <= 620
        assert bar.width == bars[1].x - bars[0].x - 8
        colours.setdefault(row.winner or 0, set()).add(bar.colour)
        number = f'<text x="{bar.x}" y="570" font-size="20" fill="#d3e4d7">{row.number}</text>'
        assert number in drawn
        under = bar.y - 6 if above else bar.y + bar.height + 20
        margin = re.search(rf'<text x="{bar.x}" y="{under}"[^>]*>([^<]*)<', drawn)
        assert margin is not None and margin[1] == f"{row.margin:,}"
    assert all(len(each) == 1 for each in colours.values())
    assert len({*map(str, colours.values())}) == len(colours)
    for at, side in enumerate(game.story.sides):
        [(x, colour)] = re.findall(
            rf'<text x="(\d+)" y="604"[^>]*fill="(#\w+)"[^>]*>■ {side}<', drawn
        )
        assert int(x) == 60 + at * (560 // len(game.play.sides))
        assert colours.get(at, {colour}) == {colour}


def test_the_bars_of_many_deals_have_room() -> None:
    game = shown("final-tables")
    for number in (1, 5, 6, 7, 12, 13, 40):
        rows = [game.rows[at % 7]._replace(number=at + 1) for at in range(number)]
        rows = [each._replace(winner=at % 2) for at, each in enumerate(rows)]
        many = replace(game)
        many.__dict__["rows"] = [*rows, rows[0]._replace(winner=None)]
        drawn = share_picture(many)
        bars = bars_of(drawn)
        assert len(bars) == min(number, 12)
        assert max(bar.x + bar.width for bar in bars) <= 60 + 560
        assert all(one.x + one.width < other.x for one, other in pairwise(bars))
        shown_numbers = [int(each) for each in re.findall(r'y="570"[^>]*>(\d+)<', drawn)]
        assert shown_numbers == [*range(1, number + 1)][-12:]


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p", "profile-samba"])
def test_the_picture_to_share(name: str, snapshot: SnapshotAssertion) -> None:
    pictures = []
    for game, language in ((shown(name), "en"), (valued(name), "de")):
        with use_language(language):
            pictures.append(share_picture(game))
    assert "\n\n".join(each.replace("><", ">\n<") for each in pictures) == snapshot


def test_the_picture_of_long_names_and_of_no_deal() -> None:
    text = CLUB.read_text("utf-8")
    for seat in "NESW":
        text = re.sub(rf'\[{seat} "[^"]*"\]', f'[{seat} "{seat} iiii WWWW ξξξξ 0123 abcd"]', text)
    [long] = page_games(readings(text))
    lines = re.findall(r'<text x="60" y="(\d+)" font-size="(\d+)"', share_picture(long))
    title, *head = [(int(y), int(size)) for y, size in lines if int(y) < 360]
    assert title == (70, 30) and head[-1][1] == 44
    assert [size for _, size in head[:-1]] == [48] * 3
    assert [y for y, _ in head] == [138, 186, 234, 290]
    [none] = page_games(readings('[CGN "1"]\n\ndeal 1 dealer N\n'))
    assert bars_of(share_picture(none)) == [] and "■" not in share_picture(none)
    wide = {"i": 40, "m": 100, "W": 100, "a": 72, "é": 72, "ξ": 110, "王": 110, "…": 100, " ": 40}
    for char, each in wide.items():
        assert width(char * 3, 50) == each * 3 * 50 // 100


def test_the_rows_of_a_game_have_its_margins_and_leads() -> None:
    for name in ("thursday-club", "profile-classic-3p", "score-sheet-1", "broken/unfinished"):
        game = shown(name)
        largest = max([row.margin for row in game.rows], default=0) or 1
        for row, report in zip(game.rows, game.play.report.deals, strict=True):
            assert row.number == report.deal
            assert row.part == round(100 * row.margin / largest)
            for points, first, more in (
                ([side.scored for side in report.sides], row.winner, row.margin),
                ([side.total for side in report.sides], row.leader, row.lead),
            ):
                if not points or None in points:
                    assert (first, more) == (None, 0)
                    continue
                best, second, *_ = sorted((it or 0 for it in points), reverse=True)
                assert more == best - second
                assert first == (None if best == second else points.index(best))


# --- the data of a page ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, "score-sheet-1", "broken/unfinished"])
@pytest.mark.parametrize("seat", ["", "S"])
def test_every_place_in_the_data_is_of_a_turn(name: str, seat: str) -> None:
    """Moments, acts, seats, questions and summaries resolved back to the turns that they name."""
    game = begun(name, seat)
    made = game_page(game, ("en", "es"))
    data = json.loads(made.tables)
    play = game.play
    assert made.summary["turns"] == [len(deal.turns) for deal in play.deals]
    assert made.summary["view"] == seat and made.verdict == ("" if seat else play.report.verdict)
    assert made.summary["sideOf"] == [
        next(at for at, side in enumerate(play.sides) if each in side) for each in play.seats
    ]
    assert [*made.summary["titles"]] == [*data["texts"]] == [*data["picture"]] == ["en", "es"]
    assert made.placed == tuple(
        (
            game.story.side(at),
            play.report.result.totals.get(side),
            play.report.result.winner == side,
        )
        for at, side in enumerate(play.sides)
    )
    for shown_deal, deal in zip(data["deals"], play.deals, strict=True):
        assert shown_deal["seats"] == "".join(turn.line.seat for turn in deal.turns)
        assert shown_deal["acts"] == [act(turn) for turn in deal.turns]
        assert shown_deal["turns"] == deal.report.turns and shown_deal["kind"] == kind_of(deal)
        cards = [hand.cards for state in deal.states for hand in state.hands]
        assert shown_deal["hands"] == any(cards)
        turns = [turn for turn, _, _ in shown_deal["moments"]]
        assert turns == sorted({*turns}) and all(1 <= turn <= deal.last for turn in turns)
        for turn, seen, known in shown_deal["moments"]:
            line = deal.turns[turn - 1]
            side = game.story.side_of(line.line.seat)
            opened = line.after.sides[side].opened and not line.before.sides[side].opened
            assert ("open" in seen.split()) == opened
            assert ("error" in known.split()) == any(
                each.severity == "error" for each in line.findings
            )
        for line in shown_deal["lines"]:
            assert len(line) == max(1, len(deal.states))


def test_a_change_of_the_value_is_that_of_the_note() -> None:
    found = 0
    for name in ("thursday-club", "profile-classic-3p"):
        game = valued(name)
        data = json.loads(game_page(game).tables)
        for deal, notes, held in zip(
            data["deals"], game.notes, game.story.analysis.deals, strict=True
        ):
            for at, note in enumerate(notes):
                moved = deal["moved"][at]
                if note.mark or not note.said:
                    assert moved == 0
                    continue
                change = game.story.change(held.values, at + 1)
                assert change is not None
                amount = stated(change.points, change.error) if change.stands else None
                assert moved == ([change.side, amount.x, amount.e] if amount else [])
                found += bool(moved)
    assert found > 30


def blocks(text: str) -> str:
    """Return HTML with a line for each of its blocks."""
    return re.sub(
        r"(?=<(?:li|p|h\d|tr|t[hd]|section|article|div|ul|ol|table|details|span|a)\b)", "\n", text
    )


#: The games whose HTML is in the golden file, and the seats that see them.
RECORDS = (
    ("first-deal", ""),
    ("first-deal", "S"),
    ("broken/not-in-hand", ""),
    ("score-sheet-2", ""),
    ("broken/unfinished", "E"),
    ("broken/score-item", ""),
    ("seen-at-the-table", ""),
)


@pytest.mark.parametrize(("name", "seat"), RECORDS)
def test_the_record_as_html(name: str, seat: str, snapshot: SnapshotAssertion) -> None:
    assert blocks(game_page(shown(name, seat)).record) == snapshot


def losing(game: ShownGame) -> ShownGame:
    """Return a game of one deal with mistakes of which the plays were compared."""
    plays = (
        PlayValue("-Qc", 0, 0, 310, 20, 0.5, 0.01, 50),
        PlayValue("-Ah", 310, 20, 0, 0, 0.1, 0.01, 100),
        PlayValue("-5c", 300, 20, 10, 20, 0.1, 0.01, 100),
        PlayValue("-6c", 150, 20, 160, 20, 0.1, 0.01, 100),
        PlayValue("-7c", 5, 20, 305, 20, 0.1, 0.01, 100),
        PlayValue("-8c", -200, 20, 510, 20, 0.1, 0.01, 100),
        PlayValue("-9c", -300, 20, 610, 20, 0.1, 0.01, 100),
    )
    losses = (
        Loss(
            5, "E", "blunder", "turn", "-Qc", "-Ah", 310, 20, {}, {}, 0.5, 0.1, 5, candidates=plays
        ),
        Loss(3, "W", "mistake", "draw", "^", "+", 130, 20, {}, {}, 0, 0, 0),
        Loss(7, "W", "mistake", "turn", "-9s", "Q:Qh2c -Ac #", 130, 50, {}, {}, 0, 0, 0),
        Loss(6, "S", "mistake", "turn", "-Ac", "Q:Qh2c -Ac #", 130, 20, {}, {}, 0, 0, 0),
    )
    deal = made_up(game.story, [], Random(1)).analysis.deals[0]
    assert deal.values is not None
    values = replace(deal.values, losses=losses)
    analysis = game.story.analysis.with_values({1: values})
    return replace(game, story=replace(game.story, analysis=analysis))


def test_the_record_with_mistakes_as_html(snapshot: SnapshotAssertion) -> None:
    game = losing(shown("first-deal"))
    assert blocks(game_page(game, ("de", "en")).record) == snapshot
    assert [(cost.seat, cost.mistakes, cost.points, cost.error) for cost in game.costs] == [
        ("N", 0, 0, 0), ("E", 1, 310, 60), ("S", 1, 130, 60), ("W", 1, 130, 60),
    ]  # fmt: skip
    seen = replace(game, story=replace(game.story, play=shown("first-deal", "S").play))
    assert seen.costs == [] and seen.asks
    assert not shown("first-deal").asks and shown("first-deal").costs == []


def test_several_games_as_html(snapshot: SnapshotAssertion) -> None:
    names = ("first-deal", "profile-classic-3p", "broken/not-in-hand", "profile-cla")
    games = [replace(game_page(shown(name)), record=Markup("")) for name in names]
    assert games[0].winner is None and str(games[3].winner) == str(shown("profile-cla").story.side(
        shown("profile-cla").play.sides.index(games[3].outcome.winner or "")))  # fmt: skip
    made = one_file.page(games)
    body = re.sub(r"<(script|nav class=.tabs.).*?</(script|nav)>", "", made[made.index("<body") :],
                  flags=re.DOTALL)  # fmt: skip
    assert blocks(body[: body.index('id="viewer"')]) == snapshot
    seen = one_file.page([game_page(shown("first-deal", "S"))] * 21)
    assert "<details><summary>" in seen and "verified" not in seen[seen.index("<main") :]
    assert "<details open>" in one_file.page([game_page(shown("first-deal"))] * 20)


# --- guessing -------------------------------------------------------------------------------------


def test_a_question_is_about_a_mistake_and_its_plays() -> None:
    game = losing(shown("first-deal"))
    asked = questions(game)
    assert [each[:2] for each in asked] == [[1, 3], [1, 5], [1, 6]], "one is too close to call"
    for _, turn, better, played, hand, alike, options in asked:
        loss = next(it for it in stated_losses(game.story.analysis.deals[0]) if it.turn == turn)
        plays = [option[0] for option in options]
        assert (plays[better], plays[played]) == (loss.better, loss.played)
        assert len(plays) == len({*plays}) == min(6, max(2, len(loss.candidates)))
        at = plays.index(min(plays))
        assert plays[at:] + plays[:at] == sorted(plays)
        line = game.play.deals[0].turns[turn - 1]
        if loss.decision == "draw":
            assert hand == alike == ""
            continue
        check_hand(game, game.play.deals[0], turn, hand, alike)
        assert line.line.seat == loss.seat
    [_, (*_, options), _] = asked
    counts = {play: (points, worth, error) for play, points, worth, error in options}
    assert counts == {
        "-Qc": (0, 0, 0), "-Ah": (2, 310, 60), "-5c": (2, 300, 60), "-6c": (1, 150, 60),
        "-7c": (None, 0, 0), "-8c": (0, -200, 60),
    }  # fmt: skip


def check_hand(game: ShownGame, deal: PlayedDeal, turn: int, hand: str, alike: str) -> None:
    """Compare the cards to choose from with those that were left, laid and discarded."""
    line = deal.turns[turn - 1]
    seat = game.play.seats.index(line.line.seat)
    cards = [*line.after.hands[seat].cards]
    for action in line.line.actions:
        if isinstance(action, Lay | LaySpecial):
            cards += action.cards
        if isinstance(action, Discard):
            cards.append(action.card)
        if isinstance(action, TakePacket):
            for card in (*action.cards, *action.replacements):
                cards.remove(card)
    assert cards_in(hand) == sorted(cards)
    first = [min(card for card in cards if same(game, card, each)) for each in sorted(cards)]
    assert cards_in(alike) == first


def same(game: ShownGame, one: int, other: int) -> bool:
    suits = game.play.profile.base in ("samba", "bolivia")
    return one == other if suits else RANK[one] == RANK[other]


@pytest.mark.parametrize("name", ["profile-samba", "profile-american-4p", "profile-classic-3p"])
def test_the_questions_of_a_game_are_those_of_its_mistakes(name: str) -> None:
    game = valued(name)
    expected = [
        (deal.facts.deal, loss)
        for deal in game.story.analysis.deals
        for loss in sorted(stated_losses(deal), key=lambda each: each.turn)
    ]
    asked = questions(game)
    for (number, loss), (deal, turn, *_, hand, alike, options) in zip(expected, asked, strict=True):
        assert (deal, turn) == (number, loss.turn) and len(options) == 2
        points = {play: (count, worth) for play, count, worth, _ in options}
        assert points[loss.played] == (0, 0)
        amount = stated(loss.loss, loss.error)
        assert amount is not None and points[loss.better] == (2, amount.x)
        if loss.decision != "draw":
            check_hand(game, game.play.deals[number - 1], turn, hand, alike)
    deals = game.story.analysis.deals[:1]
    analysis = replace(game.story.analysis, deals=deals)
    expected = [each for each in expected if each[0] == 1]
    for seat in {loss.seat for _, loss in expected}:
        seen = replace(game, story=StoryGame(begun(name, seat).play, analysis))
        own = [(number, loss.turn) for number, loss in expected if loss.seat == seat]
        assert [(deal, turn) for deal, turn, *_ in questions(seen)] == own


# --- standings ------------------------------------------------------------------------------------


def random_outcomes(random: Random) -> list[Outcome]:
    pool = ["Ana", "Bo", "Cy", "Di", "Eve", ""]
    found = []
    for _ in range(12):
        sides = random.choice((("NS", "EW"), ("N", "E", "S"), ("NSX", "EWY")))
        players = {side: sorted({random.choice(pool) for _ in side} - {""}) for side in sides}
        totals = {side: random.choice((None, *range(-500, 5000, 700))) for side in sides}
        winner = random.choice((None, *sides))
        found.append(Outcome(players, totals, winner, random.choice(("classic", "samba", "bga"))))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_standings_are_what_another_count_gives(seed: int) -> None:
    games = random_outcomes(Random(seed))
    known = [game for game in games if None not in game.totals.values()]
    found = standings(games)
    for together, placed in ((False, found.players), (True, found.partners)):
        expected: dict[tuple[str, ...], list[int]] = {}
        for game in known:
            for side, names in game.players.items():
                units = [tuple(names)] if together else [(name,) for name in names]
                for unit in units if names else ():
                    if not together or len(unit) > 1:
                        figures = expected.setdefault(unit, [0, 0, 0])
                        figures[0] += 1
                        figures[1] += game.winner == side
                        figures[2] += game.totals[side] or 0
        assert {each.name.names: [*each[1:]] for each in placed} == expected
        order = [(-each.won, -each.points, each.name.names) for each in placed]
        assert order == sorted(order)
    for game in games:
        points = [total or 0 for total in game.totals.values()]
        best, second, *_ = sorted(points, reverse=True)
        assert game.margin == (best - second if game in known else None)
        assert game.named == any(names for names in game.players.values())
        assert (game.known is None) == (game not in known)
    check_remarks(found.remarks, games, known)


def check_remarks(remarks: list[Any], games: list[Outcome], known: list[Outcome]) -> None:
    said = {each.key: dict(each.values) for each in remarks}
    named = [(at, game) for at, game in enumerate(games, 1) if any(game.players.values())]
    for key, numbers in {
        "not_counted": [at for at, game in named if game not in known],
        "no_winner": [at for at, game in named if game in known and not game.winner],
    }.items():
        assert (key in said) == bool(numbers)
        if numbers:
            assert said[key] == {"n": len(numbers), "g": Names(tuple(numbers))}
    rules = [*dict.fromkeys(game.rules for _, game in named if game in known)]
    assert ("rules_differ" in said) == (len(rules) > 1)
    if len(rules) > 1:
        assert said["rules_differ"] == {"r": Names(tuple(rules))}


def test_nothing_is_placed_without_games_or_totals() -> None:
    assert standings([]) == ([], [], []) and placings([], together=True) == []
    none = Outcome({"NS": ["Ana"], "EW": []}, {}, None, "classic")
    assert none.known is None and none.margin is None


# --- small things ---------------------------------------------------------------------------------


def test_cards_as_html() -> None:
    codes = [code for code in range(CODES) if TEXT[code][0] in "4T*2"]
    for code in codes:
        red = TEXT[code][-1] in "hdr"
        shown_card = str(faces([code]))
        joker = TEXT[code] == "*"
        assert ("★" in shown_card) == joker and (" wild" in shown_card) == joker
        assert (" red" in shown_card) == (red and not joker)
    assert str(faces([UNKNOWN])) == '<span class="face back"></span>'
    assert card_list(codes[:2]).count(" ") == 1
    assert str(inked("10♥ K♦ 4♠ <b> JK♥")).count("<span class=red>") == 3


#: A deal of which the hands at the end are not all known, so that points lie in a range.
OPEN = """\
[CGN "1"]

deal 1 dealer N
end out S
melds NS 5:5555555
melds EW 7:777
threes NS
left N
left E
left W ...
score NS 400
"""


def test_settings_days_and_points() -> None:
    assert [setting(each) for each in (True, False, [1, 2], [], "x", 3)] == [
        "yes", "no", "1,2", "none", "x", "3",
    ]  # fmt: skip
    assert [str(day(each)) for each in ("2026-11-09", "2026-??-09", "")] == [
        "9 November 2026", "2026-??-09", "",
    ]  # fmt: skip
    games = [shown("seen-at-the-table"), shown("broken/score-item"), *page_games(readings(OPEN))]
    ledgers = [deal for game in games for deal in game.ledger.deals]
    rows = [row for deal in ledgers for side in deal.sides for row in side.rows]
    assert any(row.at_least is not None and row.at_most is not None for row in rows)
    for row in rows:
        said = item_points(row)
        if row.at_least is not None and row.at_most is not None:
            assert str(row.at_least).lstrip("-") in str(said).replace(",", "")
        else:
            assert said == (row.computed if row.summed is None else row.summed)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("first-deal", None), ("broken/not-in-hand", (1, 2)), ("broken/tag-value", (1, 0)),
        ("broken/deal-size", (1, 0)), ("broken/score", (1, 0)), ("broken/result", (1, 0)),
    ],
)  # fmt: skip
def test_the_first_error_has_its_deal_and_turn(name: str, place: tuple[int, int] | None) -> None:
    game = shown(name)
    found = first_error(game.play)
    turns = {(deal.number, turn.turn): turn for deal in game.play.deals for turn in deal.turns}
    if found in turns:
        assert any(each.severity == "error" for each in turns[found].findings)
    assert (found is None) == (game.play.errors == 0)
    assert (
        found is None
        if place is None
        else found is not None and found[1] == (place[1] and found[1])
    )
    assert (game.errors_text == "") == (found is None)


def test_the_title_of_a_page() -> None:
    one, other = (game_page(shown(name)) for name in ("thursday-club", "first-deal"))
    assert page_title([one]) == one.headline and page_title([one, one]) == one.event
    assert str(page_title([one, other])) == "2 games"
    assert str(page_title([replace(other, event="")] * 3)) == "3 games"
    assert str(page_title([replace(one, event="A"), replace(one, event="B")])) == "2 games"


def test_a_game_in_the_first_of_its_languages_is_the_game_in_that_language() -> None:
    for first in ("en", "de"):
        several: GamePage = game_page(shown("first-deal"), (first, "es"))
        alone, cut = game_page(shown("first-deal"), (first,)), in_one_language(several)
        assert cut.summary == alone.summary and cut.languages == (first,)
        assert json.loads(cut.tables) == json.loads(alone.tables)
        assert cut.picture == alone.picture and cut.headline == alone.headline


def test_every_text_that_is_translated_has_its_place() -> None:
    made = game_page(losing(shown("first-deal")), ("en", "es", "de"))
    said = json.loads(made.tables)["said"]
    assert [*said] == ["es", "de"]
    marks = {int(each) for each in re.findall(r"data-t=(\d+)", made.record)}
    assert marks == {*range(len(said["es"]))} == {*range(len(said["de"]))}
    spanish = game_page(losing(shown("first-deal")), ("es",)).record
    plain = re.sub(r"<[^>]*>", "", spanish)
    # In a headline, a sign and a number follow each side: they are its colour, not its text.
    texts = [re.sub(r"\0.", "", each) for each in said["es"]]
    missing = [each for each in texts if re.sub(r"<[^>]*>", "", str(inked(each))) not in plain]
    assert missing == []
    assert page([shown("first-deal")]).count("data-t=") == 0
