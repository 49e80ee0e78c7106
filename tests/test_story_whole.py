"""All that stories say about played games, with values that are made up: a figure, a name, a turn
or a plural that is another changes a line of the golden file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.analysis.analyzed import GameAnalysis, Players, analyze_game
from canasta_notation.analysis.values import ABOUT, DealValues, Judged, PlayValue, SeatValues, Why
from canasta_notation.cards import TEXT
from canasta_notation.language.languages import use_language
from canasta_notation.language.sentences import Names
from canasta_notation.render.paint import PLAIN, Look, Rows
from canasta_notation.story.cover import cover
from canasta_notation.story.deals import every_story, more_chances, more_losses
from canasta_notation.story.highlights import highlights
from canasta_notation.story.notes import turn_notes
from canasta_notation.story.player_rows import player_rows
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.story_rows import story_rows
from canasta_notation.story.turn_parts import Part, act, parts_text, turn_parts
from canasta_notation.story.turn_rows import turn_rows
from tests.contradictions import compared, made_up
from tests.every_kind import kept, plays
from tests.pages import SAMPLES, page_games, readings

#: Records of every kind: whole games, sheets, tables at the end, a deal alone, one broken off.
NAMES = (
    "thursday-club", "profile-classic-3p", "profile-uruguay", "profile-samba", "profile-cla",
    "profile-american-4p", "kitchen-table", "score-sheet-1", "final-tables",
    "seen-at-the-table", "outside-013", "broken/unfinished",
)  # fmt: skip
#: Those that are played out.
VALUED = NAMES[:6]
#: Deals of which every turn is shown.
TURNS = (
    ("profile-samba", 1),
    ("profile-american-4p", 2),
    ("kitchen-table", 2),
    ("broken/unfinished", 1),
)


@cache
def facts(name: str, seat: str = "") -> StoryGame:
    return page_games(readings(SAMPLES / f"{name}.canasta"), seat)[0].story


@cache
def valued(name: str) -> StoryGame:
    """Return a game with random values, with all kinds of figures for its seats."""
    game = facts(name)
    story = made_up(game, compared(game, 3), Random(name))
    deals = [replace(deal, values=figures(deal.values, Random(f"{name}{at}")))
             for at, deal in enumerate(story.analysis.deals)]  # fmt: skip
    return replace(story, analysis=replace(story.analysis, deals=tuple(deals)))


def figures(values: DealValues | None, random: Random) -> DealValues | None:
    if values is None:
        return None
    seats = {
        seat: SeatValues(
            random.randrange(3), 90.0 * at, 40.0, at, at % 2, random.randrange(3),
            *(random.uniform(-200, 200) for _ in range(4)),
        )
        for at, seat in enumerate(values.seats)
    }  # fmt: skip
    return replace(values, seats=seats)


def text(rows: Rows) -> str:
    return "\n".join("".join(run.text for run in line).rstrip() for line in rows)


def front_said(game: StoryGame) -> Iterator[str]:
    """Yield the cover of a game, with the pictures of its moments."""
    front = cover(game)
    yield f"{front.headline} | {front.result} | {front.why} | {front.totals}"
    for each in front.moments:
        halves = [(str(half.name), [*map(str, half.labels)], [*half.cards]) for half in each.halves]
        lost = each.loss and each.loss.turn
        place = f"{each.heading} {each.deal}/{each.turn} {each.weight:.1f} {lost}"
        yield f"{place}: {each.sentence} {halves}"


def deals_said(game: StoryGame, most: int) -> Iterator[str]:
    """Yield what is said about the first deals of a game, and the notes on their turns."""
    told = [*zip(game.deals(), every_story(game), strict=True)][:most]
    for (played, deal), story in told:
        yield f"deal {story.number}: {story.headline} | {story.winner}"
        for row in (*story.rows, *more_chances(game, deal, story)):
            yield f"  {row.turn} {row.mark} {row.sentence} {row.loss and row.loss.turn}"
        for sentence in (*story.closing, *more_losses(deal, game.play.seat)):
            yield f"  {sentence.key} {sentence}"
        for turn, note in enumerate(turn_notes(game, played, deal, story), 1):
            words = (note.ended, note.cost, note.reason, *note.said)
            if any(words):
                yield f"  {turn} {note.mark} {' '.join(str(each) for each in words if each)}"


def turns_said(game: StoryGame, deal: int) -> Iterator[str]:
    """Yield the turns of a deal: in brief, in parts, and its highlights."""
    played, analyzed = [*game.deals()][deal - 1]
    notes = turn_notes(game, played, analyzed, every_story(game)[deal - 1])
    marked = {turn: (seen, known) for turn, seen, known in highlights(game, played, notes)}
    for turn in played.turns:
        parts = parts_text(turn_parts(turn, game.side_of(turn.line.seat)))
        yield f"{turn.turn} [{act(turn)}] {parts} {marked.pop(turn.turn, '')}"
    assert not marked


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_without_play_outs(name: str, snapshot: SnapshotAssertion) -> None:
    game = facts(name)
    assert "\n".join([*front_said(game), *deals_said(game, 3)]) == snapshot


@pytest.mark.parametrize("name", VALUED)
def test_what_is_said_with_values(name: str, snapshot: SnapshotAssertion) -> None:
    game = valued(name)
    lines = [line for line in deals_said(game, 1) if " T2 " not in line]
    assert "\n".join([*front_said(game), *lines]) == snapshot


@pytest.mark.parametrize(("name", "deal"), TURNS)
def test_what_is_said_of_turns(name: str, deal: int, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(turns_said(facts(name), deal)) == snapshot


@pytest.mark.parametrize("name", ["profile-classic-3p", "profile-uruguay"])
def test_what_a_seat_is_told(name: str, snapshot: SnapshotAssertion) -> None:
    """With values, which the view of a seat leaves out where they show others' cards."""
    whole, seen = valued(name), facts(name, "S")
    game = replace(seen, analysis=whole.analysis)
    losses = {
        (at, loss.turn)
        for at, deal in enumerate(whole.analysis.deals)
        for loss in (deal.values.losses if deal.values else ())
        if loss.seat != "S"
    }
    assert losses and cover(game).moments == ()
    lines = []
    for at, ((played, deal), story) in enumerate(zip(game.deals(), every_story(game), strict=True)):
        assert all(row.loss.seat == "S" for row in story.rows if row.loss)
        notes = turn_notes(game, played, deal, story)
        for turn, note in zip(played.turns, notes, strict=True):
            assert (at, turn.turn) not in losses or note.mark in ("", "chance")
            assert note.mark == "" or turn.line.seat == "S"
        lines += [f"{story.number} {row.turn} {row.mark} {row.sentence}" for row in story.rows]
        lines += map(str, (*story.closing, *more_losses(deal, "S")))
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize(
    ("look", "language"), [(PLAIN, "en"), (Look(width=50, unicode=False), "es")], ids=["80", "50"]
)
def test_stories_as_text(look: Look, language: str, snapshot: SnapshotAssertion) -> None:
    with use_language(language):
        shown = [text(story_rows(valued(name), look)) for name in ("profile-uruguay",)]
        one = valued("profile-uruguay")
        second = replace(one, analysis=replace(one.analysis, deals=one.analysis.deals[1:2]))
        shown.append(text(story_rows(second, look, 2)))
        shown.append(text(story_rows(facts("broken/not-in-hand"), look)))
    assert "\n=====\n".join(shown) == snapshot
    longest = max(len(line) for each in shown for line in each.split("\n"))
    assert longest <= look.width


def part_said(part: Part) -> str:
    cards = ", ".join(TEXT[card] for card in part.cards)
    return f"{part.label}:{' own' * part.own} {cards} {part.word} {part.onto}".strip()


def test_turns_of_every_kind(snapshot: SnapshotAssertion) -> None:
    """Those of all samples and rulings, at most two that differ only in cards and numbers."""
    said = []
    for name, _, play in plays():
        for deal in play.deals:
            for turn in deal.turns:
                parts = turn_parts(turn, play.profile.side_of(turn.line.seat))
                line = f"[{act(turn)}] {'; '.join(map(part_said, parts))}"
                said.append((f"{name} {deal.report.deal}/{turn.turn}", line))
    assert kept(said) == snapshot


def test_a_long_name_is_cut() -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    for length in (1, 23, 24, 25, 60):
        named = re.sub(r'\[E "[^"]*"\]', '[E "' + "n" * length + '"]', text)
        shown = page_games(readings(named))[0].story.player("E")
        assert shown == ("n" * length if length <= 24 else "n" * 23 + "\u2026")


def test_sides_are_seats_only_if_nobody_has_a_name() -> None:
    text = re.sub(r'\[[NESW] "[^"]*"\]\n', "", (SAMPLES / "first-deal.canasta").read_text("utf-8"))
    for named in ("", "N", "W", "NE", "ESW", "NESW"):
        tags = "".join(f'[{seat} "Player {seat}"]\n' for seat in named)
        record = text.replace("[Rules", f"{tags}[Rules", 1)
        game = page_games(readings(record))[0].story
        shown = {seat: f"Player {seat}" if seat in named else seat for seat in "NESW"}
        sides = [Names((pair,)) for pair in ("NS", "EW")]
        if named:
            sides = [Names((shown[a], shown[b])) for a, b in ("NS", "EW")]
        assert [game.side(at) for at in (0, 1)] == sides


@pytest.mark.parametrize("name", ["first-deal", "profile-classic-3p"])
def test_the_headline_of_every_result(name: str, snapshot: SnapshotAssertion) -> None:
    """With the leader as winner and without one, finished and unfinished, and every order."""
    game = facts(name)
    sides = game.play.sides
    said = []
    for winner in (*sides, None):
        for finished in (True, False):
            for points in permutations((300, 200, 100)[: len(sides)]):
                for level in (points, (300, *points[1:]), (200,) * len(sides)):
                    ahead = level[sides.index(winner)] if winner else 0
                    if winner and sum(each >= ahead for each in level) > 1:
                        continue
                    result = replace(
                        game.play.report.result,
                        winner=winner,
                        finished=finished,
                        totals=dict(zip(sides, level, strict=True)),
                    )
                    report = replace(game.play.report, result=result, deals=())
                    front = cover(replace(game, play=replace(game.play, report=report)))
                    said.append(f"{winner} {finished} {level}: {front.headline} | {front.result}")
    assert "\n".join(dict.fromkeys(said)) == snapshot


# --- the players ----------------------------------------------------------------------------------


def practised(game: GameAnalysis, random: Random) -> GameAnalysis:
    """Return the analysis with decisions of every kind, so that there is something to practise."""
    deals = []
    for deal in game.deals:
        judged = tuple(
            Judged(1, seat, "turn", about, "-4s", "-5s", 0, gain, 9.0, False, random.random() < 0.5,
                   ())
            for seat in game.seats
            for about in ABOUT
            for gain in [float(random.randrange(-20, 90))]
        )  # fmt: skip
        deals.append(replace(deal, values=deal.values and replace(deal.values, judged=judged)))
    return replace(game, deals=tuple(deals))


@pytest.mark.parametrize(
    "names",
    [
        ("profile-uruguay", "profile-cla"),
        ("kitchen-table",),
        ("profile-uruguay", "seen-at-the-table"),
    ],
)
@pytest.mark.parametrize("seat", [None, "S"])
@pytest.mark.parametrize("width", [60, 110])
def test_players_of_games(
    names: tuple[str, ...], seat: str | None, width: int, snapshot: SnapshotAssertion
) -> None:
    players, limits = Players(), []
    for name in names:
        game = valued(name) if name in VALUED else facts(name)
        analysis = practised(game.analysis, Random(name))
        players.add(analysis, seat)
        limits.append(analysis.limits)
    found = players.figures()
    assert (
        text(player_rows(found, Look(width=width), [each for each in limits if each])) == snapshot
    )


# --- one turn -------------------------------------------------------------------------------------

#: A decision of which each play has other figures; the third was asked for, the last is far behind.
WHY = Why(
    {"natural": 80.0, "hand": -40.0},
    {"natural": 5.0, "hand": 9.0},
    {"out": 60.0, "natural": -9.0},
    {"out": 8.0},
)
PLAYS = (
    PlayValue("-4s", 0, 0, 210, 30, 0.25, 0.01, 50),
    PlayValue("K:KsKhKd -5s", 210, 30, 0, 0, 0.05, 0.01, 100, why=WHY),
    PlayValue("-6s", -35, 20, 245, 31, 0.5, 0.02, 50, asked=True, why=WHY),
    PlayValue("-7s", 190, 25, 20, 25, 0.125, 0.02, 50),
)


@pytest.mark.parametrize("better", ["K:KsKhKd -5s", None])
@pytest.mark.parametrize("near", [True, False])
@pytest.mark.parametrize("decision", ["turn", "draw"])
def test_a_turn_and_its_plays(
    better: str | None, near: bool, decision: str, snapshot: SnapshotAssertion
) -> None:
    plays = PLAYS if near else PLAYS[:3]
    judged = Judged(4, "W", decision, "lay", "-4s", better, 210 if better else 0, 210, 30, False,
                    False, plays)  # fmt: skip
    game = facts("first-deal")
    values = DealValues({}, {}, (), None, (judged,))
    shown = replace(game, analysis=game.analysis.with_values({1: values}, 4))
    assert text(turn_rows(shown, 4, "", PLAIN)) == snapshot


def test_every_turn_is_shown_with_what_it_could_have_done(snapshot: SnapshotAssertion) -> None:
    shown = []
    for name, deal in (("profile-uruguay", 1), ("profile-american-4p", 2)):
        game = facts(name)
        analysis = analyze_game(game.play.game, 1, deal=deal)
        one = replace(game, analysis=analysis)
        for turn in range(1, game.play.deals[deal - 1].last + 1):
            unjudged = ("", "why not")[turn % 2]
            shown.append(text(turn_rows(one, turn, unjudged, Look(width=100))))
    assert "\n".join(line for each in shown for line in each.split("\n")[2:]) == snapshot
