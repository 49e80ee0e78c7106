"""The JSON form of a record: the same lines as structured values, comments included.

schemas/game.schema.json describes it. Empty fields are left out, so a canonical document can be
converted to JSON and back without a change. Places in a text, and lines that could not be read, are
not included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any, Final, NamedTuple, cast, get_args

from canasta_notation.cards import CODE, LABELS, PLACE_OF, TEXT, card_texts
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.fields import PACKET_WORDS, unchecked
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT
from canasta_notation.notation.document import (
    DEAL_LINES,
    LINE_FIELDS,
    TURN_ORDER,
    BonusLine,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PacketLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import TooLong, check_size, format_line
from canasta_notation.resources import packaged_text

#: The most bytes that a character of JSON can take in the text.
_BYTES: Final = 4
#: A tag, with which a record in text begins.
_TAG: Final = re.compile(r'\s*\[[A-Za-z][\w-]* +"')
#: The version of the JSON form, and of the notation.
VERSION: Final = 1


def game_to_json(game: Game) -> dict[str, Any]:
    """Return the JSON value of one game, valid against the schema.

    Everything is in the order of the document; `format.canonical` makes that canonical. Places and
    the numbers of unread lines are left out. Raises ValueError like `format_game`.
    """
    check_size(game)
    return _game_to_json(game)


def _game_to_json(game: Game) -> dict[str, Any]:
    value: dict[str, Any] = {
        "tags": _all_to_json(game.tags),
        "deals": _all_to_json(game.deals),
    }
    if game.comments:
        value["comments"] = list(game.comments)
    return value


def _game(value: dict[str, Any]) -> Game:
    """Return the game of a checked value."""
    tags = tuple([_from_json(Tag, tag) for tag in value["tags"]])
    deals = tuple([_from_json(Deal, deal) for deal in value["deals"]])
    return Game(tags, deals, tuple(value.get("comments", ())))


def games_from_json(value: object) -> Iterator[Game]:
    """Return the games of a file's JSON value, or of the value of one game, built when asked for.

    Raises JsonError at once for the first thing that is wrong in any game.
    """
    if isinstance(value, dict) and "tags" in value:
        return iter([game_from_json(value)])
    games = check_file(value)["games"]
    for index, game in enumerate(games):
        check_apart(games[index - 1] if index else None, game, f"$.games[{index}]")
        _check_written(game, f"$.games[{index}]")
    return map(_game, games)


def game_from_json(value: object) -> Game:
    """Return the game of a JSON value; raises JsonError for the first thing that is wrong.

    Not checked: tags that appear twice, the version in the CGN tag, and anything that a replay
    judges.
    """
    game = game_value(value)
    _check_written(game, "$")
    return _game(game)


def _check_written(value: dict[str, Any], path: str) -> None:
    """Raise JsonError if the text of a checked game would be too long to read again."""
    sizes = [len(str(part)) for part in (value["tags"], value.get("comments"), *value["deals"])]
    if max(sizes) <= LINE_LIMIT // _BYTES and sum(sizes) <= GAME_LIMIT // _BYTES:
        return  # the text cannot be longer than this
    game = _game(value)
    for place, line in _lines(game, path):
        comments = (line,) if isinstance(line, str) else line.before
        texts = [] if isinstance(line, str) else [format_line(line)]
        for text in (*(f"; {comment}" for comment in comments), *texts):
            size = len(text.encode("utf-8", "surrogatepass"))
            if size > LINE_LIMIT:
                limit = f"{LINE_LIMIT >> 10} KiB"
                raise JsonError(place, f"as text this is a line of more than {limit}")
    try:
        check_size(game)
    except TooLong as error:
        limit = f"{GAME_LIMIT >> 20} MiB"
        raise JsonError(path, f"as text this is a game of more than {limit}") from error


def _lines(game: Game, path: str) -> Iterator[tuple[str, Line | Deal | str]]:
    """Yield every line of a game and its last comments, each with its place in the JSON value."""
    for at, comment in enumerate(game.comments):
        yield f"{path}.comments[{at}]", comment
    for at, tag in enumerate(game.tags):
        yield f"{path}.tags[{at}]", tag
    for number, deal in enumerate(game.deals):
        place = f"{path}.deals[{number}]"
        yield place, deal
        for name, many in LINE_FIELDS.items():
            held = getattr(deal, name)
            for at, line in enumerate(held if many else () if held is None else (held,)):
                yield f"{place}.{name}[{at}]" if many else f"{place}.{name}", line


def format_json(game: Game) -> str:
    """Return a game as indented JSON, without a line end. Raises TooLong like `format_game`."""
    return _dumped(game, indent=1)


def join_json(games: Iterable[str]) -> Iterator[str]:
    """Yield the JSON text of a file of games, which are texts of `format_json`, game by game."""
    yield f'{{\n "cgn": {VERSION},\n "games": ['
    before = ""
    for text in games:
        yield f"{before}\n{text}".replace("\n", "\n  ")
        before = ","
    yield "\n ]\n}\n" if before else "]\n}\n"


def format_jsonl(game: Game) -> str:
    """Return a game as one line of JSON, with its line end. Raises TooLong like `format_game`."""
    return _dumped(game, separators=(",", ":")) + "\n"


def _dumped(game: Game, **layout: Any) -> str:
    text = json.dumps(_game_to_json(game), ensure_ascii=False, **layout)
    if len(text.encode("utf-8", "surrogatepass")) > LINE_LIMIT:  # the lines of a game are shorter
        check_size(game)
    return text


# --- the fields -----------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A field of a value in JSON, and the attribute of the document that holds the same.

    `write` and `read` convert it, None if it is the same in both. A field that equals `empty` is
    left out.
    """

    name: str
    attribute: str
    write: Callable[[Any], object] | None = None
    read: Callable[[Any], object] | None = None
    empty: object = None


def _to_json(value: Any) -> dict[str, Any]:
    """Return the JSON value of a line, a deal or an action."""
    made = {}
    for name, attribute, write, empty in _WRITTEN[type(value)]:
        held = getattr(value, attribute)
        if held != empty:
            made[name] = held if write is None else write(held)
    return made


def _from_json(kind: type, value: dict[str, Any]) -> Any:
    """Return the line, deal or action of a checked value."""
    make, fields = _READ[kind]
    return make(
        *[
            empty if name not in value else value[name] if read is None else read(value[name])
            for name, read, empty in fields
        ]
    )


def _play(value: dict[str, Any]) -> Any:
    ruling = PenaltyLine if "penalty" in value else BonusLine if "bonus" in value else None
    return _from_json(ruling or Turn, value)


def _action(value: dict[str, Any]) -> Any:
    for name in value:
        if name in _ACTIONS:
            return _from_json(_ACTIONS[name], value)
    raise AssertionError(value)


def _codes(texts: list[str]) -> tuple[int, ...]:
    return tuple([CODE[text] for text in texts])


def _tuple_of(read: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda values: tuple([read(value) for value in values])


def _all_to_json(values: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [_to_json(value) for value in values]


def _held_lines() -> Iterator[_Field]:
    """Yield the fields of a deal that hold its lines."""
    kinds = {each.field: each.kind for each in DEAL_LINES}
    for name, many in LINE_FIELDS.items():
        read = _play if name == "play" else partial(_from_json, kinds[name])
        if many:
            yield _Field(name, name, _all_to_json, _tuple_of(read), ())
        else:
            yield _Field(name, name, _to_json, read)


def _pairs(name: str, points: str) -> tuple[Callable[[Any], object], Callable[[Any], object]]:
    """Return how pairs are written, as objects with these two names, and how they are read."""
    return (
        lambda pairs: [{name: word, points: number} for word, number in pairs],
        _tuple_of(lambda value: (value[name], int(value[points]))),
    )


#: A value that no field has: the field is always there.
_NEVER: Final = object()

_SEAT: Final = _Field("seat", "seat", empty=_NEVER)
_SIDE: Final = _Field("side", "side", empty=_NEVER)
_CARDS: Final = _Field("cards", "cards", card_texts, _codes, _NEVER)
_REST: Final = _Field("rest_unknown", "rest_unknown", empty=False)
_CODES: Final = _Field("acknowledged", "acknowledged", list, tuple, ())
_NOTES: Final = (_Field("before", "before", list, tuple, ()), _Field("comment", "comment"))


def _number(name: str, attribute: str = "", empty: object = _NEVER) -> _Field:
    return _Field(name, attribute or name, None, int, empty)


def _label(name: str, attribute: str, empty: object = _NEVER) -> _Field:
    return _Field(name, attribute, LABELS.__getitem__, PLACE_OF.__getitem__, empty)


def _card(name: str) -> _Field:
    return _Field(name, "card", TEXT.__getitem__, CODE.__getitem__, _NEVER)


def _cards(name: str) -> _Field:
    return _Field(name, "cards", card_texts, _codes, _NEVER)


#: The fields of each value, in the order of its attributes.
_FIELDS: Final[dict[type, tuple[_Field, ...]]] = {
    Draw: (_cards("draw"), _Field("bare", "bare", empty=False)),
    Take: (_card("take"), _number("count", empty=None), _label("onto", "onto", None)),
    Ask: (_Field("ask", "yes", empty=_NEVER),),
    Lay: (
        _label("lay", "rank"),
        _CARDS,
    ),
    Combine: (_label("combine", "rank"), _label("onto", "onto")),
    TakeBack: (_cards("back"),),
    LaySpecial: (_Field("special", "kind", empty=_NEVER), _CARDS),
    Discard: (_card("discard"),),
    TakePacket: (
        _Field("packet", "word", empty=_NEVER),
        _Field("cards", "cards", card_texts, _codes, ()),
        _Field("replacements", "replacements", card_texts, _codes, ()),
    ),
    TableThrees: (
        _Field("threes", "threes", card_texts, _codes, _NEVER),
        _Field("replacements", "cards", card_texts, _codes, ()),
        _Field("bare", "bare", empty=False),
    ),
    Tag: (_Field("name", "name"), _Field("value", "value"), *_NOTES),
    HandLine: (
        _SEAT,
        _CARDS,
        _REST,
        _Field("replacements", "replacements", card_texts, _codes, ()),
        _CODES,
        *_NOTES,
    ),
    UpLine: (_CARDS, _CODES, *_NOTES),
    StockLine: (_CARDS, *_NOTES),
    PacketLine: (
        _Field("packet", "word", empty=_NEVER),
        _CARDS,
        _Field("seat", "seat"),
        _REST,
        *_NOTES,
    ),
    Turn: (
        _number("number", empty=None),
        _SEAT,
        _Field("actions", "actions", _all_to_json, _tuple_of(_action), _NEVER),
        _number("open", empty=None),
        _Field("out", "out", empty=""),
        _CODES,
        _Field("clock", "clock"),
        _Field("annotations", "annotations", list, tuple, ()),
        *_NOTES,
    ),
    PenaltyLine: (
        _Field("penalty", "side"),
        _number("points"),
        _Field("word", "word"),
        *_NOTES,
    ),
    BonusLine: (
        _Field("bonus", "side"),
        _number("points"),
        _Field("word", "word"),
        *_NOTES,
    ),
    EndLine: (
        _Field("reason", "reason"),
        _Field("seat", "seat"),
        _Field("concealed", "concealed", empty=False),
        *_NOTES,
    ),
    MeldsLine: (
        _SIDE,
        _Field("groups", "groups", _all_to_json, _tuple_of(_action), _NEVER),
        *_NOTES,
    ),
    ThreesLine: (_SIDE, _CARDS, *_NOTES),
    LeftLine: (_SEAT, _CARDS, _REST, *_NOTES),
    ScoreLine: (
        _SIDE,
        _number("score"),
        _Field("items", "items", *_pairs("item", "points")),
        *_NOTES,
    ),
    TotalLine: (_Field("totals", "totals", *_pairs("side", "total")), *_NOTES),
    Deal: (_number("number"), _Field("dealer", "dealer"), *_held_lines(), *_NOTES),
}
#: The actions by the field that only they have.
_ACTIONS: Final = {_FIELDS[kind][0].name: kind for kind in get_args(Action)}
#: The parts of `_FIELDS` that writing and reading need.
_WRITTEN: Final = {
    kind: [(each.name, each.attribute, each.write, each.empty) for each in fields]
    for kind, fields in _FIELDS.items()
}
# There are many turns, so they are made without checks: the schema accepts only valid ones.
_UNCHECKED: Final = (Turn, Draw, Lay, Discard)
_READ: Final = {
    kind: (
        unchecked(kind) if kind in _UNCHECKED else kind,
        [(each.name, each.read, each.empty) for each in fields],
    )
    for kind, fields in _FIELDS.items()
}


# --- checks --------------------------------------------------------------------------------------

#: A letter for each kind of action, as in `TURN_ORDER`.
_LETTERS: Final = {
    "threes": "h",
    "draw": "d",
    "take": "d",
    "ask": "l",
    "lay": "l",
    "combine": "l",
    "back": "b",
    "special": "l",
    "discard": "x",
}
#: A number too large for a float; the fast check would accept it as within any bounds.
_HUGE: Final = re.compile(r"\d{300}")
#: The most characters of a value that a message repeats.
_QUOTED: Final = 60
#: The most values that a message lists.
_LISTED: Final = 20


class JsonError(ValueError):
    """JSON that is not a record: `path` is the place (`$.deals[0]`), `message` the reason."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return self.message if self.path == "$" else f"{self.path}: {self.message}"


def parse_json(text: str) -> object:
    """Return the value of a JSON text.

    Raises JsonError for text that is not JSON, and for what Python would lose, misread or refuse: a
    repeated name in an object, NaN and infinities, numbers of thousands of digits, deep nesting.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError("$", _not_json(text, error)) from None
    except RecursionError:
        raise JsonError("$", "nested too deeply to be a record") from None
    except ValueError:
        raise JsonError("$", "a number with too many digits") from None


def _not_json(text: str, error: json.JSONDecodeError) -> str:
    """Return why a text is not JSON."""
    if _TAG.match(text):
        return "this is a record in text; give its file a name that ends in .canasta"
    line = f"line {error.lineno}, " if "\n" in text else ""
    what = error.msg.removesuffix(" at").removesuffix(" starting")
    return f"not JSON at {line}column {error.colno}: {what}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise JsonError("$", f"the name {_shorten(name)} appears twice in one object")
            names.add(name)
    return value


def _no_constant(text: str) -> object:
    raise JsonError("$", f"{text} is not a JSON number")


def check_file(value: object) -> dict[str, Any]:
    """Return the value of a file of games; raises JsonError if it is not one."""
    record = _check(value, "file")
    for index, game in enumerate(record["games"]):
        _check_deals(game, f"$.games[{index}]")
    return record


def game_value(value: object) -> dict[str, Any]:
    """Return the value of one game; raises JsonError if it is not one."""
    record = _check(value, "game")
    _check_deals(record, "$")
    return record


def check_apart(before: dict[str, Any] | None, game: dict[str, Any], path: str) -> None:
    """Raise JsonError for a game that would, as text, merge with the previous one."""
    if before is None:
        return
    if not (before["deals"] or _has_version(before)):
        raise JsonError(
            path, "the game before it has no CGN tag and no deal: as text the two are one"
        )
    if not _has_version(game):
        raise JsonError(
            f"{path}.tags", "a CGN tag is missing: as text this game would belong to the one before"
        )


def _has_version(game: dict[str, Any]) -> bool:
    return any(tag["name"] == "CGN" for tag in game["tags"])


def _check(value: object, kind: str) -> dict[str, Any]:
    if not _is_plainly_valid(value, kind):
        _explain(value, kind)
    assert isinstance(value, dict)
    return value


def _is_plainly_valid(value: object, kind: str) -> bool:
    """Return whether the fast check is installed and finds nothing wrong."""
    is_valid = _fast_check(kind)
    try:
        return is_valid is not None and is_valid(value) and not _HUGE.search(str(value))
    except (ValueError, RecursionError):  # a lone surrogate, too many digits or levels
        return False


def _explain(value: object, kind: str) -> None:
    """Raise JsonError for the first thing in a value that the schema refuses, if there is one."""
    from jsonschema.exceptions import best_match

    try:
        error = best_match(_validator(kind).iter_errors(value))
        if error is not None:
            raise JsonError(_path(error.absolute_path), _message(error))
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("$", "nested too deeply to be a record") from None
    except ValueError:  # Python refuses to print a number of thousands of digits
        raise JsonError("$", "a number with too many digits") from None


@cache
def _fast_check(kind: str) -> Callable[[object], bool] | None:
    """Return the check of the extra `fast`, None if that is not installed."""
    try:
        from jsonschema_rs import Draft202012Validator
    except ImportError:
        return None
    # For a text with a lone surrogate, the check raises UnicodeEncodeError.
    definitions = json.loads(packaged_text("schemas", "game.schema.json"))["$defs"]
    check: Any = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": definitions})
    return cast("Callable[[object], bool]", check.is_valid)


@cache
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    definitions = json.loads(packaged_text("schemas", "game.schema.json"))["$defs"]
    return Draft202012Validator(_inlined(definitions[kind], definitions))


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with its references filled in, which jsonschema checks much faster."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: _inlined(each, definitions) for key, each in schema.items()}


def _path(parts: Iterable[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


def _message(error: Any) -> str:
    """Return the message of a schema error: what the value is, and what it should be."""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        name = next(name for name in error.instance if name not in known)
        return f"an unknown field {_shorten(name)}; the fields are {', '.join(known)}"
    if error.validator == "required":
        name = next(name for name in error.validator_value if name not in error.instance)
        return f"the field {name} is missing"
    found = _shorten(error.instance)
    if error.validator == "type":
        article = "an" if error.validator_value[0] in "aio" else "a"
        return f"{found} is not {article} {error.validator_value}"
    if error.validator == "const":
        return f"{found} is not {_shorten(error.validator_value)}"
    if error.validator == "enum" and len(error.validator_value) <= _LISTED:
        return f"{found} is not one of {', '.join(error.validator_value)}"
    if error.validator == "minItems":
        return "an empty list; leave the field out if there is nothing"
    if error.validator in ("minimum", "maximum", "maxLength"):
        return f"{found} is beyond the limit {error.validator_value}"
    return f"{found} does not fit: {error.schema.get('description', 'see the schema')}"


def _shorten(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (RecursionError, ValueError):
        return "a value"
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"


def _check_deals(game: dict[str, Any], path: str) -> None:
    for index, deal in enumerate(game["deals"]):
        place = f"{path}.deals[{index}]"
        _check_once(deal.get("hands", ()), "seat", f"{place}.hands")
        owned = [line for line in deal.get("packets", ()) if "seat" in line]
        _check_once(owned, "seat", f"{place}.packets")
        for name in ("melds", "threes", "scores"):
            _check_once(deal.get(name, ()), "side", f"{place}.{name}")
        _check_once(deal.get("left", ()), "seat", f"{place}.left")
        _check_once(deal.get("total", {}).get("totals", ()), "side", f"{place}.total.totals")
        for number, score in enumerate(deal.get("scores", ())):
            _check_once(score.get("items", ()), "item", f"{place}.scores[{number}].items")
        for number, turn in enumerate(deal.get("play", ())):
            if "actions" in turn:
                _check_actions(turn["actions"], f"{place}.play[{number}].actions")


def _check_once(values: Iterable[dict[str, Any]], name: str, path: str) -> None:
    """Raise JsonError if two values have the same `name`."""
    seen = set()
    for index, value in enumerate(values):
        if value[name] in seen:
            raise JsonError(f"{path}[{index}].{name}", f"{value[name]} appears a second time")
        seen.add(value[name])


def _check_actions(actions: list[dict[str, Any]], path: str) -> None:
    letters = "".join(
        PACKET_WORDS[it["packet"]]
        if "packet" in it
        else _LETTERS[next(name for name in _LETTERS if name in it)]
        for it in actions
    )
    match = TURN_ORDER.match(letters)
    end = match.end() if match else 0
    if end < len(letters):
        order = (
            "the order is: threes, draw or take, asking, groups, one back, discard, foot or talon"
        )
        raise JsonError(f"{path}[{end}]", f"this action is not allowed here; {order}")
    for index, action in enumerate(actions):
        if "combine" in action and action["combine"][0] != action["onto"][0]:
            raise JsonError(f"{path}[{index}].onto", "the two melds are not of one label")
        if action.get("draw") == [] and not action.get("bare"):
            raise JsonError(f"{path}[{index}].draw", "an empty list; a bare + is written as bare")
        if "threes" in action and action.get("replacements") and action.get("bare"):
            raise JsonError(f"{path}[{index}].bare", "it stands for all replacements, or for none")
