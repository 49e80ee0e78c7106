"""The JSON form: lossless both ways, described by its schema, and strict when it is read."""

from __future__ import annotations

import json
import pickle
import sys
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from canasta_notation.fields import TEXT_LINE
from canasta_notation.formats import decode, file_of, game_as
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import canonical, format_game
from canasta_notation.notation.json_form import (
    JsonError,
    _explain,
    _fast_check,
    _is_plainly_valid,
    format_json,
    format_jsonl,
    game_from_json,
    game_to_json,
    games_from_json,
    join_json,
    parse_json,
)
from canasta_notation.notation.reader import read_text
from canasta_notation.resources import packaged_text
from tests.cli_records import VERIFIED
from tests.documents import GAMES, RECORDS, TIDY, games_to_json, read
from tests.programs import canasta

SAMPLES = Path(__file__).parent.parent / "samples"
SCHEMAS = Path(__file__).parent.parent / "schemas"
SCHEMA = json.loads(packaged_text("schemas", "game.schema.json"))


def test_shape() -> None:
    text = (
        '[CGN "1"]\n; a\ndeal 1 dealer N ; b\nN: 4s ... +5s ~x\nup 9h\n'
        "1. N +3h +4d ask=yes K:KsKd open=95 -9s talon:4s # ~y @1.5 !\n2. E ^9s/3\n"
        "penalty N 5 ask\nend out N concealed\nmelds N K:KsKd\nthrees S\nleft S 4d ...\n"
        "score N 5 = out 5\ntotal N 5\n; c\n"
    )
    assert game_to_json(read(text)) == {
        "tags": [{"name": "CGN", "value": "1"}],
        "deals": [
            {
                "number": 1,
                "dealer": "N",
                "hands": [
                    {
                        "seat": "N",
                        "cards": ["4s"],
                        "rest_unknown": True,
                        "replacements": ["5s"],
                        "acknowledged": ["x"],
                    }
                ],
                "up": {"cards": ["9h"]},
                "play": [
                    {
                        "number": 1,
                        "seat": "N",
                        "actions": [
                            {"draw": ["3h", "4d"]},
                            {"ask": True},
                            {"lay": "K", "cards": ["Ks", "Kd"]},
                            {"discard": "9s"},
                            {"packet": "talon", "cards": ["4s"]},
                        ],
                        "open": 95,
                        "out": "#",
                        "acknowledged": ["y"],
                        "clock": "1.5",
                        "annotations": ["!"],
                    },
                    {"number": 2, "seat": "E", "actions": [{"take": "9s", "count": 3}]},
                    {"penalty": "N", "points": 5, "word": "ask"},
                ],
                "end": {"reason": "out", "seat": "N", "concealed": True},
                "melds": [{"side": "N", "groups": [{"lay": "K", "cards": ["Ks", "Kd"]}]}],
                "threes": [{"side": "S", "cards": []}],
                "left": [{"seat": "S", "cards": ["4d"], "rest_unknown": True}],
                "scores": [{"side": "N", "score": 5, "items": [{"item": "out", "points": 5}]}],
                "total": {"totals": [{"side": "N", "total": 5}]},
                "before": ["a"],
                "comment": "b",
            }
        ],
        "comments": ["c"],
    }


@settings(max_examples=50, deadline=None)
@given(GAMES)
def test_lossless_both_ways(game: Game) -> None:
    value = json.loads(json.dumps(game_to_json(game)))
    assert game_from_json(value) == game
    tidy = canonical(game)
    assert read(format_game(game_from_json(value))) == tidy
    assert game_to_json(read(format_game(tidy))) == game_to_json(tidy)
    assert game_from_json(parse_json(format_jsonl(game))) == game


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_records_through_json(path: Path) -> None:
    games = [reading.game for reading in read_text(path.read_text("utf-8"))]
    text = "".join(join_json(map(format_json, games)))
    assert text == json.dumps(games_to_json(games), ensure_ascii=False, indent=1) + "\n"
    again = games_from_json(parse_json(text))
    assert list(map(format_game, again)) == list(map(format_game, games))


def test_file_and_line() -> None:
    game = read(TIDY)
    assert list(games_from_json(games_to_json([game, game]))) == [game, game]
    assert "".join(join_json([])) == '{\n "cgn": 1,\n "games": []\n}\n'
    assert format_jsonl(game).count("\n") == 1
    for value in (games_to_json([game]), game_to_json(game)):
        assert Draft202012Validator(SCHEMA).is_valid(value)


def test_schema_describes_every_field_and_allows_no_other() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    objects = [it for it in nodes(SCHEMA) if "properties" in it and "type" in it]
    assert len(objects) > 15
    for node in objects:
        assert node["additionalProperties"] is False
        assert all("description" in field for field in node["properties"].values())
    assert SCHEMA["$id"].startswith("urn:")


def nodes(value: Any) -> list[dict[str, Any]]:
    """Return every object in a schema."""
    if isinstance(value, list):
        return [node for it in value for node in nodes(it)]
    if not isinstance(value, dict):
        return []
    return [value, *(node for it in value.values() for node in nodes(it))]


def deal(**fields: Any) -> dict[str, Any]:
    return {"tags": [], "deals": [{"number": 1, **fields}]}


def turn(*actions: Any, **fields: Any) -> dict[str, Any]:
    return deal(play=[{"seat": "N", "actions": list(actions), **fields}])


DISCARD = {"discard": "9s"}

#: Values that are not games, with the place and the message of the refusal.
REFUSED: list[tuple[Any, str, str]] = [
    ([], "$", "is not an object"),
    (None, "$", "is not an object"),
    ({"tags": []}, "$", "the field deals is missing"),
    ({"tags": [], "deals": [], "x": 1}, "$", 'unknown field "x"'),
    ({"tags": [{"name": "A"}], "deals": []}, "$.tags[0]", "the field value is missing"),
    ({"tags": [{"name": "A b", "value": ""}], "deals": []}, "$.tags[0].name", "does not fit"),
    ({"tags": [{"name": "A\n", "value": ""}], "deals": []}, "$.tags[0].name", "does not fit"),
    ({"tags": [{"name": "A", "value": "a\nb"}], "deals": []}, "$.tags[0].value", "one line"),
    ({"tags": [], "deals": [], "comments": ["\ud800"]}, "$.comments[0]", "one line"),
    ({"tags": [], "deals": [], "comments": ["a\n"]}, "$.comments[0]", "one line"),
    (deal(number=True), "$.deals[0].number", "is not an integer"),
    (deal(number=1.5), "$.deals[0].number", "is not an integer"),
    (deal(number=-1), "$.deals[0].number", "beyond the limit"),
    (deal(number=10**9), "$.deals[0].number", "beyond the limit"),
    (deal(dealer="n"), "$.deals[0].dealer", "is not one of N, E"),
    (deal(hands=[]), "$.deals[0].hands", "an empty list"),
    (deal(hands=[{"seat": "N", "cards": ["KS"]}]), "$.deals[0].hands[0].cards[0]", '"KS"'),
    (deal(hands=[{"seat": "N", "cards": []}] * 2), "$.deals[0].hands[1].seat", "a second time"),
    (deal(up={"cards": []}), "$.deals[0].up.cards", "an empty list"),
    (
        deal(
            play=[
                {
                    "seat": "N",
                    "actions": [{"threes": ["3h"], "replacements": ["5h"], "bare": True}],
                }
            ]
        ),
        "$.deals[0].play[0].actions[0].bare",
        "for all replacements, or for none",
    ),
    (deal(end={"reason": "out"}), "$.deals[0].end", "the field seat is missing"),
    (deal(end={"reason": "stock", "seat": "N"}), "$.deals[0].end.seat", "only `out`"),
    (
        deal(end={"reason": "special", "seat": "N", "concealed": True}),
        "$.deals[0].end.reason",
        'is not "out"',
    ),
    (deal(melds=[{"side": "N"}]), "$.deals[0].melds[0]", "the field groups is missing"),
    (deal(melds=[{"side": "N", "groups": []}] * 2), "$.deals[0].melds[1].side", "a second time"),
    (
        deal(melds=[{"side": "N", "groups": [{"lay": "K", "cards": []}]}]),
        "$.deals[0].melds[0].groups[0].cards",
        "an empty list",
    ),
    (deal(threes=[{"side": "N", "cards": []}] * 2), "$.deals[0].threes[1].side", "a second time"),
    (deal(left=[{"seat": "N", "cards": ["3"]}]), "$.deals[0].left[0].cards[0]", '"3"'),
    (deal(left=[{"seat": "N", "cards": []}] * 2), "$.deals[0].left[1].seat", "a second time"),
    (deal(scores=[{"side": "W", "score": 1}]), "$.deals[0].scores[0].side", "not one of NS"),
    (deal(scores=[{"side": "N", "score": 1}] * 2), "$.deals[0].scores[1].side", "a second time"),
    (
        deal(scores=[{"side": "N", "score": 1, "items": [{"item": "out", "points": 1}] * 2}]),
        "$.deals[0].scores[0].items[1].item",
        "out appears a second time",
    ),
    (
        deal(total={"totals": [{"side": "N", "total": 1}] * 2}),
        "$.deals[0].total.totals[1].side",
        "a second time",
    ),
    (deal(play=[{"penalty": "N"}]), "$.deals[0].play[0]", "the field points is missing"),
    (turn({"foo": 1}), "$.deals[0].play[0].actions[0]", "one of threes, draw, take"),
    (turn({}), "$.deals[0].play[0].actions[0]", "one of threes, draw, take"),
    (turn({"draw": []}), "$.deals[0].play[0].actions[0].draw", "empty list"),
    (turn({"draw": ["9s"], **DISCARD}), "$.deals[0].play[0].actions[0]", "unknown field"),
    (turn({"take": "9x"}), "$.deals[0].play[0].actions[0].take", '"9x"'),
    (turn({"lay": "10", "cards": ["Ts"]}), "$.deals[0].play[0].actions[0].lay", "label of a meld"),
    (turn(DISCARD, DISCARD), "$.deals[0].play[0].actions[1]", "is not allowed here"),
    (turn(DISCARD, {"draw": ["9s"]}), "$.deals[0].play[0].actions[1]", "is not allowed here"),
    (
        turn({"packet": "talon", "cards": ["9s"]}, DISCARD),
        "$.deals[0].play[0].actions[1]",
        "is not allowed here",
    ),
    (turn(out="###"), "$.deals[0].play[0].out", "not one of #, ##"),
    (turn(clock="1:3"), "$.deals[0].play[0].clock", "does not fit"),
    (turn(clock="1\n"), "$.deals[0].play[0].clock", "does not fit"),
    (turn(annotations=["!!!"]), "$.deals[0].play[0].annotations[0]", "does not fit"),
    (turn(acknowledged=["A"]), "$.deals[0].play[0].acknowledged[0]", "does not fit"),
]


@pytest.mark.parametrize(("value", "path", "message"), REFUSED)
def test_refused_with_its_place(value: Any, path: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        game_from_json(value)
    assert caught.value.path == path
    assert message in caught.value.message
    assert len(str(caught.value)) < 300
    for again in (copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert (str(again), again.path) == (str(caught.value), path)
    if isinstance(value, dict):
        with pytest.raises(JsonError) as caught:
            games_from_json({"cgn": 1, "games": [value]})
        assert caught.value.path == "$.games[0]" + path[1:]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON at column 1"),
        ('{"a": 1,\n "b" 2}', "not JSON at line 2, column 6"),
        ('["a', "not JSON at column 2: Unterminated string"),
        ('[CGN "1"]\n', "this is a record in text; give its file a name that ends in .canasta"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 'the name "c" appears twice'),
        ("[NaN]", "NaN is not a JSON number"),
        ("-Infinity", "-Infinity is not a JSON number"),
        ("1" * 5000, "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"x":' * 100_000, "nested too deeply"),
    ],
)
def test_text_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert message in caught.value.message


def test_deep_value_is_one_error() -> None:
    value: Any = "x"
    for _ in range(50_000):
        value = [value]
    for refused in (value, {"tags": value, "deals": []}, {"tags": [], "deals": value}):
        with pytest.raises(JsonError):
            game_from_json(refused)


def test_number_of_thousands_of_digits_is_one_error() -> None:
    with pytest.raises(JsonError, match="too many digits"):
        game_from_json(deal(number=10**5000))


def test_version_of_a_file() -> None:
    with pytest.raises(JsonError, match=r"\$\.cgn: 2 is not 1"):
        games_from_json({"cgn": 2, "games": []})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["tags", "deals", "number", "play", "x"]), inner)
    ),
    max_leaves=10,
)


@settings(max_examples=50, deadline=None)
@given(JSON)
def test_any_value_is_refused_or_a_game(value: Any) -> None:
    try:
        game = game_from_json(value)
    except JsonError:
        return
    assert isinstance(game, Game)


BASE = read('[CGN "1"]\ndeal 1 dealer N\nup 9h\n1. E +5h -9s ~out-denied\nend unfinished\n; last\n')
#: Values that replace others.
ODD = [
    None, True, 0, 1, -1, 1.0, 1.5, 1e300, 10**30, 10**400, 10**5000, "", "N", "NS", "K", "Ks",
    "x\n", "x\r", "a\tb", "\x7f", "\x85", "\ud800", "\u2028", "é", "٣", "1.5", "!", "$1000", [],
    "x" * 300, [1], ["Ks"], {}, {"name": "A"}, {"draw": []}, {"lay": "3", "cards": ["3s"]},
]  # fmt: skip


def put_odd(value: Any, chance: Random) -> Any:
    """Return a JSON value with one part replaced, left out or renamed."""
    if not value or not isinstance(value, dict | list) or chance.random() < 0.1:
        return chance.choice(ODD)
    at = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    odd = put_odd(value[at], chance)
    if isinstance(value, list):
        return [*value[:at], *([odd] if chance.random() < 0.9 else []), *value[at + 1 :]]
    if chance.random() < 0.1:
        return {name: each for name, each in value.items() if name != at}
    name = chance.choice(["x", "cards", "\udfff"]) if chance.random() < 0.1 else at
    return {**value, name: odd}


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_the_fast_check_reads_every_schema(path: Path) -> None:
    fast = pytest.importorskip("jsonschema_rs")
    fast.Draft202012Validator(json.loads(path.read_text("utf-8")))


def test_a_text_holds_what_a_line_can_hold() -> None:
    for code in (*range(0x100), 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF):
        value: Any = {"tags": [], "deals": [], "comments": [chr(code)]}
        if TEXT_LINE[0](chr(code)):
            assert game_from_json(value).comments == (chr(code),)
            _explain(value, "game")
        else:
            with pytest.raises(JsonError, match="one line of text"):
                game_from_json(value)


def test_the_fast_check_agrees_with_the_other() -> None:
    pytest.importorskip("jsonschema_rs")
    chance = Random(11)
    for record in (BASE, read((SAMPLES / "first-deal.canasta").read_text("utf-8"))):
        value = games_to_json([record])
        assert _is_plainly_valid(value, "file")
        for _ in range(200):
            odd = put_odd(value, chance)
            if _is_plainly_valid(odd, "file"):
                _explain(odd, "file")
            else:
                with pytest.raises(JsonError):
                    _explain(odd, "file")


def test_json_is_read_the_same_without_the_fast_check(monkeypatch: pytest.MonkeyPatch) -> None:
    _fast_check.cache_clear()
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    try:
        assert _fast_check("game") is None
        assert game_from_json(game_to_json(BASE)) == BASE
        with pytest.raises(JsonError):
            game_from_json({"tags": []})
    finally:
        _fast_check.cache_clear()


# --- text and JSON agree ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (("tags", 0, "value"), "$.tags[0]"),
        (("tags", 0, "comment"), "$.tags[0]"),
        (("comments", 0), "$.comments[0]"),
        (("deals", 0, "before"), "$.deals[0]"),
        (("deals", 0, "comment"), "$.deals[0]"),
        (("deals", 0, "up", "comment"), "$.deals[0].up"),
        (("deals", 0, "play", 0, "comment"), "$.deals[0].play[0]"),
        (("deals", 0, "play", 0, "acknowledged", 0), "$.deals[0].play[0]"),
        (("deals", 0, "end", "comment"), "$.deals[0].end"),
    ],
)
@pytest.mark.parametrize("text", ["x" * 65_536, "\u6f22" * 22_000])
def test_a_line_that_is_too_long_as_text(place: tuple[Any, ...], path: str, text: str) -> None:
    value: Any = game_to_json(BASE)
    *way, last = place
    held = value
    for step in way:
        held = held[step]
    if last == 0 and "acknowledged" in way and not text.isascii():
        return  # no code
    held[last] = [text] if last == "before" else text
    with pytest.raises(JsonError, match="a line of more than 64 KiB") as found:
        game_from_json(value)
    assert found.value.path == path
    held[last] = [text[:9_000]] if last == "before" else text[:9_000]
    game = game_from_json(value)
    assert read(format_game(game)) == canonical(game)


def test_a_game_that_is_too_long_as_text() -> None:
    value: Any = game_to_json(BASE)
    value["comments"] = ["x" * 60_000] * 150
    with pytest.raises(JsonError, match=r"^as text this is a game of more than 8 MiB"):
        game_from_json(value)


@pytest.mark.parametrize(
    ("first", "second", "path"),
    [
        ({"deals": [], "tags": [{"name": "Event", "value": "x"}]}, {}, "$.games[1]"),
        ({}, {"tags": [{"name": "Event", "value": "x"}]}, "$.games[1].tags"),
    ],
)
def test_games_that_would_be_one_as_text(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], path: str
) -> None:
    games = [game_to_json(BASE) | first, game_to_json(BASE) | second]
    with pytest.raises(JsonError) as found:
        games_from_json({"cgn": 1, "games": games})
    assert found.value.path == path
    assert list(games_from_json({"cgn": 1, "games": games[:1]}))
    record = tmp_path / "a.jsonl"
    record.write_text("".join(json.dumps(game) + "\n" for game in games))
    result = canasta("convert", record, "--to", "canasta")
    assert result.exit_code == 2
    place = "$.tags: a CGN" if path.endswith(".tags") else "the game before it"
    assert result.stderr.startswith(f"canasta: {record}:2: {place}")


def mutants(value: Any, rng: Random) -> Any:
    """Return a JSON value with one part left out, repeated or replaced."""
    value = json.loads(json.dumps(value))
    parts = [value]
    for part in parts:
        parts += [
            each
            for each in (part.values() if isinstance(part, dict) else part)
            if isinstance(each, (dict, list))
        ]
    part = rng.choice([part for part in parts if part])
    key = rng.choice(list(part)) if isinstance(part, dict) else rng.randrange(len(part))
    match rng.randrange(3):
        case 0:
            del part[key]
        case 1 if isinstance(part, list):
            part.insert(key, part[key])
        case _:
            other = rng.choice([each for each in parts if type(each) is type(part)] or [part])
            names = list(other) if isinstance(other, dict) else range(len(other))
            if names:
                # A copy, so that no part contains itself.
                part[key] = json.loads(json.dumps(other[rng.choice(names)]))
    return value


@pytest.mark.parametrize("path", RECORDS[::3], ids=lambda path: path.stem)
def test_accepted_values_can_be_written(path: Path) -> None:
    games = [game_to_json(reading.game) for reading in read_text(path.read_text("utf-8"))]
    rng = Random(path.stem)
    accepted = 0
    for _ in range(60):
        if accepted == 4:
            break
        value = mutants(mutants(rng.choice(games), rng), rng)
        try:
            game = game_from_json(value)
        except JsonError:
            continue
        accepted += 1
        [reading] = read_text(format_game(game)) if game.tags or game.deals else [None]
        if reading is not None:
            unread = [each for each in reading.problems if each.code == "syntax"]
            assert unread == [] and reading.game == canonical(game), json.dumps(value)
    assert accepted


def test_places_in_a_file_of_games_count_every_line_and_byte(tmp_path: Path) -> None:
    game = read(VERIFIED)
    path = tmp_path / "a.jsonl"
    path.write_text(game_as("jsonl", game).rstrip("\n") + '\n\n\n{"tags": []}\n')
    assert f"{path}:4: " in canasta("validate", path).stderr
    assert "".join(file_of("canasta", ["a\n", "b\n"])) == "a\n\nb\n"
    with pytest.raises(NotText, match=r"byte 3 is not UTF-8 \(0xff\)"):
        decode(b"ab\xff")
