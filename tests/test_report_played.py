"""A played game: its turns, the tables between them, its findings, and what one seat sees of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cards import CODES, RANK, SUITED, TEXT, UNKNOWN, UNKNOWN_RANK, card_texts
from canasta_notation.engine.actions import Draw, Lay, LaySpecial, TableThrees, Take, TakePacket
from canasta_notation.engine.state import State
from canasta_notation.notation.document import BonusLine, PenaltyLine, Turn
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.replay.deal_state import line_number
from canasta_notation.replay.header import read_header
from canasta_notation.report.played import Played, replay_json
from canasta_notation.report.plays import find_choices, legal_json
from canasta_notation.report.walker import Spot, Walker, happens
from tests.cli_records import BROKEN, FALSE, KINDS, SHEET, VERIFIED
from tests.every_kind import SAMPLES, kept, played, plays, readings, rulings

CLUB = (SAMPLES / "thursday-club.canasta").read_text("utf-8")


def flat(value: Any, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every simple value of JSON with its path, in which a place in a list is left out."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from flat(held, f"{path}.{key}")
    elif isinstance(value, list) and not all(isinstance(each, str) for each in value):
        for held in value:
            yield from flat(held, path)
    else:
        yield path, value


def document(play: Played) -> dict[str, Any]:
    """Return the JSON of a game, its steps as a list."""
    [game] = replay_json(play.file, [play])["games"]
    return game | {"steps": [*game["steps"]]}


# --- turns and findings ---------------------------------------------------------------------------


def test_a_turn_begins_where_the_one_before_it_ends() -> None:
    for name, _, play in plays():
        for deal in play.deals:
            states = deal.states
            assert len(states) == (0 if deal.setup is None else deal.last + 1), name
            lines = [line for line in deal.written.play if isinstance(line, Turn)]
            for at, turn in enumerate(deal.turns):
                assert (turn.deal, turn.turn) == (deal.number, at + 1)
                assert turn.line == lines[at]
                assert turn.before == states[at] and turn.after == states[at + 1]
            assert deal.first == (0 if deal.early else min(1, deal.last))
        assert [*play.turns] == [turn for deal in play.deals for turn in deal.turns]
        assert play.names == play.game.names(play.profile.seats)
        assert (play.seats, play.sides) == (play.profile.seats, play.profile.side_names)


def test_rulings_follow_the_turn_after_which_they_stand() -> None:
    ruled = 0
    for _, _, play in plays():
        for deal in play.deals:
            seen = [*deal.rulings, *(each for turn in deal.turns for each in turn.rulings)]
            written = [it for it in deal.written.play if isinstance(it, PenaltyLine | BonusLine)]
            assert seen == written[: len(seen)]
            ruled += len(seen)
            for turn in deal.turns:
                after = [it.line for it in deal.turns[turn.turn :]]
                for each in turn.rulings:
                    assert turn.line.line < line_number(each)
                    assert not after or line_number(each) < after[0].line
    assert ruled > 10


def test_every_finding_is_shown_once() -> None:
    for name, reading, play in plays():
        shown = Counter(
            (each.code, each.span, each.message)
            for found in (
                *(play.early, play.late),
                *(part for deal in play.deals for part in (deal.early, deal.late)),
                *(turn.findings for turn in play.turns),
            )
            for each in found
        )
        report = [each for each in play.report.findings if each.deal or each in play.report.outside]
        due = Counter((each.code, each.span, each.message) for each in report)
        assert not due - shown, name
        errors = [each for each in play.report.findings if each.severity == "error"]
        assert play.errors == len(errors)
        for number, line in play.lines.items():
            assert line == reading.lines[number - reading.first_line]
        for deal in play.deals:
            first = min(map(line_number, deal.written.play), default=0)
            assert all(each.span.line < first for each in deal.early)
            assert all(each.span.line >= first or each in reading.problems for each in deal.late)
            for turn in deal.turns:
                assert all((each.deal, each.turn) == (deal.number, turn.turn)
                           for each in turn.findings)  # fmt: skip
        assert all(each.code == "result" for each in play.late)
        assert all(each.code != "result" and each.deal is None for each in play.early)


def test_the_json_of_a_game_is_the_record_and_the_tables() -> None:
    """Also of a game further down: its lines, its number and its findings are those of the file."""
    first = f"{VERIFIED}\n"
    for text in (*KINDS.values(), CLUB):
        source = (first + text).split("\n")
        for at, reading in enumerate(read_text(first + text), 1):
            play = played(reading)
            assert play is not None
            value = document(play)
            assert (value["game"], value["rules"]) == (at, play.report.rules)
            assert (value["seat"], value["verdict"]) == (None, play.report.verdict)
            for shown, step in zip(value["steps"], play.steps, strict=True):
                places = ("deal", "turn", "action", "last")
                named = {key: getattr(step, key) for key in places}
                named["action"] = -1 if step.action is None else step.action
                assert {key: shown[key] for key in places} == named
                if shown["line"] is None:
                    assert step.line is None and shown["done"] is None and shown["seat"] is None
                else:
                    line = source[shown["line"] - 1]
                    assert shown["done"] is None or shown["done"] in line
                    if isinstance(step.line, Turn):
                        assert line.startswith(f"{shown['turn']}. {shown['seat']} ")
                        assert (shown["clock"] or "") in line
                        assert all(sign in line or "$" in sign for sign in shown["annotations"])
                    assert (shown["comment"] or "") in line
            for group in (value["findings"], *(each["findings"] for each in value["steps"])):
                for found in group:
                    cause = found["consequence_of"]
                    assert found["game"] == at
                    assert cause is None or group[cause]["line"] <= found["line"]
    seen = document(next(play for name, _, play in plays() if name == "false"))["steps"][1]
    assert seen["comment"] == "a bold start" and seen["clock"] == "12.5"


def test_states_of_the_json(snapshot: SnapshotAssertion) -> None:
    """A figure of another seat, side or meld changes a line here."""
    names = ("true", "thursday-club", "profile-samba", "profile-american-4p", "unseen", "broken")
    few = [(name, play) for name, _, play in plays() if name in names]
    said = [
        (name, f"{path} {value}")
        for name, play in few
        for shown in (document(play)["steps"][:40:13] + document(play)["steps"][-1:])
        for path, value in flat(shown | {"findings": shown["findings"][:3]})
    ]
    assert kept(said) == snapshot


def test_a_game_of_one_deal_has_the_steps_of_that_deal() -> None:
    [reading] = read_text(CLUB)
    whole = played(reading)
    assert whole is not None
    for number in (1, 3, len(whole.deals)):
        one = played(reading, deal=number)
        assert one is not None and one.report == whole.report
        assert one.steps == tuple(each for each in whole.steps if each.deal == number)
        for deal, full in zip(one.deals, whole.deals, strict=True):
            assert deal.turns == (full.turns if deal.number == number else ())


# --- a seat's view --------------------------------------------------------------------------------


def seen_by_seats() -> Iterator[tuple[str, Played, Played]]:
    """Yield games with all cards, and as each seat sees them."""
    whole = {"false", "first-deal", "samba-deal", "final-tables", "unseen", "broken"}
    for name, reading, play in plays():
        few = play.deals[0].last <= 12 and len(play.deals) == 1
        if name in whole or (few and "american" in name and name.startswith("K")):
            for seat in play.seats[: 2 if play.deals[0].last > 20 else None]:
                view = played(reading, seat)
                assert view is not None
                yield name, play, view


@cache
def views() -> tuple[tuple[str, Played, Played], ...]:
    return tuple(seen_by_seats())


def test_a_seat_sees_its_hand_and_the_table_and_nothing_else() -> None:
    for name, play, view in views():
        place = play.seats.index(view.seat)
        assert len(view.steps) == len(play.steps) and view.lines == {}
        for full, seen in zip(play.steps, view.steps, strict=True):
            own, shown = full.state.hands[place], seen.state.hands[place]
            final = play.game.deals[full.deal - 1].is_final_table
            assert shown.size == own.size
            assert not own.cards or shown.cards == own.cards, (name, view.seat)
            assert (seen.deal, seen.turn, seen.action) == (full.deal, full.turn, full.action)
            table = ("pile", "pile_loose", "stock", "frozen", "due", "ended", "ended_by")
            for fact in table:
                assert getattr(seen.state, fact) == getattr(full.state, fact)
            for one, other in zip(full.state.sides, seen.state.sides, strict=True):
                assert (one.melds, one.threes, one.total) == (
                    other.melds,
                    other.threes,
                    other.total,
                )
                assert other.points == (one.points if final else None)
            for at, hand in enumerate(seen.state.hands):
                assert hand.size == full.state.hands[at].size
                if at != place and not final:
                    left = Counter(RANK[card] for card in hand.cards)
                    held = Counter(RANK[card] for card in full.state.hands[at].cards)
                    assert not left - held or full.state.hands[at].unknown, (name, view.seat)
            if seen.line is not None:
                assert seen.line.comment is None and seen.line.before == ()
            mine = isinstance(seen.line, Turn) and seen.line.seat == view.seat
            assert mine or not seen.findings
            if isinstance(seen.line, Turn) and isinstance(full.line, Turn):
                _check_hidden(full.line, seen.line, full.state, mine=mine)
        assert view.report == play.report and view.errors == play.errors
        assert [deal.early + deal.late for deal in view.deals] == [()] * len(view.deals)
        assert view.said(*view.game.tags, view.game.deals[0]) == ()
        value = document(view)
        assert (value["seat"], value["verdict"]) == (view.seat, None)


def _check_hidden(full: Turn, seen: Turn, after: State, *, mine: bool) -> None:
    """Check that only threes that were tabled are shown of what another seat drew."""
    if mine:
        assert seen.actions == full.actions
        return
    tabled = {card for side in after.sides for card in side.threes}
    for one, other in zip(full.actions, seen.actions, strict=True):
        if isinstance(one, Draw | TakePacket | TableThrees):
            assert isinstance(other, type(one))
            for card, shown in zip(one.cards, other.cards, strict=True):
                assert shown == UNKNOWN or (shown == card and card in tabled)
        else:
            assert one == other


def test_what_a_seat_deduces_is_true() -> None:
    """No copy of what it can place is elsewhere, and as many are unseen as it does not see."""
    deduced = 0
    for name, play, view in views():
        place = play.seats.index(view.seat)
        for deal, own in zip(play.deals, view.deals, strict=True):
            moments = [(deal.setup, own.deduction)]
            moments += [
                (one.after, other.deduction)
                for one, other in zip(deal.turns, own.turns, strict=True)
            ]
            for state, found in moments:
                if state is None or found is None:
                    continue
                hands = [hand for at, hand in enumerate(state.hands) if at != place]
                if any(hand.unknown or hand.loose for hand in state.hands) or deal.report.final:
                    continue
                deduced += 1
                others = [card for hand in hands for card in hand.cards]
                for rank in range(UNKNOWN_RANK):
                    hidden = sum(RANK[card] == rank for card in others)
                    assert found.unseen[rank] >= hidden - sum(
                        RANK[card] == rank for hand in found.hands for card in hand.cards
                    ), (name, view.seat)
                assert found.not_in_stock == tuple(
                    rank for rank in range(UNKNOWN_RANK) if not found.unseen[rank]
                )
                assert all(SUITED[card] and card < CODES for card in found.gone)
    assert deduced > 300


# --- a place in a game ----------------------------------------------------------------------------


def walker_of(text: str, seat: str = "", only: int | None = None) -> Walker:
    """Return a walker through the games of a text."""

    def player(reading: Reading) -> Any:
        def play(view: str) -> Played:
            profile = read_header(reading.game, 1).profile
            known = view if profile is not None and view in profile.seats else ""
            found = played(reading, known)
            assert found is not None
            return found

        return play

    return Walker([player(each) for each in read_text(text)], seat, only)


def spots(walker: Walker, only: int | None = None) -> list[Spot]:
    """Return every place of a walker's games, in order."""
    return [
        Spot(game, deal.number, turn)
        for game, play in enumerate(walker.games)
        for deal in play("").deals
        if only in (None, deal.number)
        for turn in range(deal.last + 1)
    ]


WALKED = "\n".join([VERIFIED, FALSE, SHEET, BROKEN])


@pytest.mark.parametrize(("text", "only"), [(WALKED, None), (WALKED, 1), (CLUB, 2), (CLUB, None)])
def test_every_move_from_every_place(text: str, only: int | None) -> None:
    walker = walker_of(text, only=only)
    places = spots(walker, only)
    first = {spot: walker.games[spot.game]("").deals[spot.deal - 1].first for spot in places}

    def at(spot: Spot | None, since: Spot) -> tuple[Spot, bool]:
        return (since, False) if spot is None or spot == since else (spot, True)

    def entered(spot: Spot | None, since: Spot) -> tuple[Spot, bool]:
        return at(None if spot is None else replace(spot, turn=first[replace(spot, turn=0)]), since)

    for spot in places[:: max(1, len(places) // 60)] + places[-2:]:
        place = places.index(spot)
        dealt = [each for each in places if each.turn == 0]
        own = dealt.index(replace(spot, turn=0))
        after = dealt[own + 1] if own + 1 < len(dealt) else None
        before = dealt[own - 1] if own else None
        last = max(each.turn for each in places if replace(each, turn=spot.turn) == spot)
        moves = {
            "forward": at(places[place + 1] if place + 1 < len(places) else None, spot),
            "back": at(places[place - 1] if place else None, spot),
            "next_deal": entered(after, spot),
            "previous_deal": entered(before or spot, spot),
            "to_end": at(replace(spot, turn=last), spot),
        }
        for name, (expected, moved) in moves.items():
            walker.spot = spot
            assert getattr(walker, name)() is moved, (name, spot)
            assert walker.spot == expected, (name, spot)
        for turn in (-1, 0, 1, last, last + 1):
            walker.spot = spot
            there = 0 <= turn <= last
            assert walker.to_turn(turn) is (there and turn != spot.turn), (turn, spot)
            assert walker.spot == (replace(spot, turn=turn) if there else spot)
        deals = len(walker.games[spot.game]("").deals)
        for deal in (0, 1, 2, deals, deals + 1):
            walker.spot = spot
            there = 1 <= deal <= deals and only in (None, deal)
            assert walker.shows_deal(deal) is there
            goal = entered(Spot(spot.game, deal, 0) if there else None, spot)
            assert (walker.to_deal(deal), walker.spot) == (goal[1], goal[0])
            walker.spot = spot
            assert walker.to_turn(0, deal) is (
                (there or deal == 0) and spot != Spot(spot.game, deal or spot.deal, 0)
            )


def test_what_is_shown_at_a_place() -> None:
    for text in (WALKED, CLUB):
        walker = walker_of(text)
        for spot in spots(walker):
            walker.spot = spot
            play = walker.games[spot.game]("")
            deal = play.deals[spot.deal - 1]
            turn = deal.turns[spot.turn - 1] if spot.turn else None
            assert (walker.play, walker.deal, walker.turn) == (play, deal, turn)
            assert walker.findings() == (turn.findings if turn else ())
            found = (deal.early if spot.turn == 0 else ()) + (
                deal.late if spot.turn == deal.last else ()
            )
            assert walker.deal_findings() == found
            dealt = None if deal.report.sheet else deal.setup
            assert walker.state == (turn.after if turn else dealt)
            assert walker.rulings == (turn or deal).rulings and walker.deduction is None


@pytest.mark.parametrize("event", ["take", "meld", "canasta", "finding"])
def test_seeking_finds_each_event_once_and_in_order(event: Any) -> None:
    for text in (WALKED, CLUB):
        walker = walker_of(text)
        walker.spot = spots(walker)[0]
        expected = []
        for spot in spots(walker)[1:]:
            deal = walker.games[spot.game]("").deals[spot.deal - 1]
            turn = deal.turns[spot.turn - 1] if spot.turn else None
            lines = () if turn is None else turn.line.actions
            early = spot.turn == 0 and deal.early
            there = {
                "take": any(isinstance(each, Take) for each in lines),
                "meld": any(isinstance(each, Lay | LaySpecial) for each in lines),
                "canasta": turn is not None and turn.after.canastas > turn.before.canastas,
                "finding": bool(early or (spot.turn == deal.last and deal.late))
                or bool(turn and turn.findings),
            }
            if turn is not None:
                assert happens(event, turn) is (
                    there[event] if event != "finding" else bool(turn.findings)
                )
            if there[event]:
                expected.append(spot)
        found = []
        while walker.seek(event):
            found.append(walker.spot)
        assert found == expected
        assert walker.spot == (found or spots(walker))[-1 if found else 0], "it stays there"


def test_each_seat_has_its_turn_to_be_seen() -> None:
    walker = walker_of(VERIFIED)
    walker.to_turn(20)
    seen = []
    for _ in range(10):
        assert walker.flip()
        seen.append(walker.seat)
        assert walker.play.seat == walker.seat and walker.spot == Spot(0, 1, 20)
        assert (walker.deduction is None) == (walker.seat == "")
    assert seen == ["N", "E", "S", "W", "", "N", "E", "S", "W", ""]
    assert walker_of(SHEET, "S").play.seat == "S"
    other = SHEET.replace('"1"]', '"1"]\n[Rules "classic-2p"]').replace("EW", "S")
    two = walker_of(f"{SHEET}\n{other.replace('NS', 'N').replace('out E', 'out S')}", "E")
    assert two.next_deal() and (two.seat, two.play.seat) == ("", ""), "no such seat there"


# --- what could be played -------------------------------------------------------------------------


def test_what_can_be_played_as_it_is(snapshot: SnapshotAssertion) -> None:
    said = []
    for name, reading in readings():
        profile = read_header(reading.game, 1).profile
        few = name[:1] in "CEFKJ" and name in dict(rulings())
        if (
            profile is None
            or not (few or name in ("first-deal", "unseen"))
            or not reading.game.deals
        ):
            continue
        last = len(reading.game.deals)
        turns = sum(isinstance(line, Turn) for line in reading.game.deals[-1].play)
        for turn in {max(1, turns), turns + 1}:
            found = find_choices("a", reading.game, reading.game.number, last, turn, profile)
            if found is None or not turn:
                continue
            value = legal_json(found)
            assert (value["file"], value["game"], value["deal"], value["turn"]) == (
                *("a", reading.game.number, last, turn),
            )
            said += [(name, f"{path} {held}") for path, held in flat(value)]
    assert kept(said) == snapshot


def test_the_choices_of_a_turn_are_those_of_its_player() -> None:
    first = f"{VERIFIED}\n"
    [_, reading] = read_text(first + CLUB)
    play = played(reading)
    assert play is not None
    for deal in (1, len(play.deals)):
        turns = play.deals[deal - 1].turns
        for turn in (1, 2, len(turns), len(turns) + 1, len(turns) + 2):
            found = find_choices("a", reading.game, 2, deal, turn, play.profile)
            if turn == len(turns) + 2:
                assert found is None
                continue
            assert found is not None and found.before is not None
            state = play.deals[deal - 1].states[turn - 1]
            for fact in ("hands", "pile", "stock", "due", "frozen", "ended"):
                assert getattr(found.before, fact) == getattr(state, fact)
            if turn > len(turns):
                assert found.played is None and found.after is None
                continue
            line = turns[turn - 1].line
            assert play.seats[found.start.seat] == line.seat
            assert found.player == play.names[line.seat]
            assert found.played == line.actions[0] and found.after is not None
            begun = (found.game, found.deal, found.turn, legal_json(found)["seat"])
            assert begun == (2, deal, turn, line.seat)
            texts = [each["card"] for each in legal_json(found)["after"]["discards"]]
            assert texts == [TEXT[each.card] for each in found.after.discards]
            assert card_texts(each.card for each in found.after.discards) == texts
