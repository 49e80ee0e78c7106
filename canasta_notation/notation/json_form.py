"""The JSON form of a record: the same lines as structured values, comments included.

schemas/game.schema.json describes it. Empty fields are left out, so a canonical document can be
converted to JSON and back without a change. Places in a text, and lines that could not be read, are
not included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Final, assert_never, cast

from canasta_notation.cards import CODE, RANK_LETTERS, TEXT
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.fields import unchecked
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT
from canasta_notation.notation.builder import label_rank
from canasta_notation.notation.document import (
    TURN_ORDER,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    TalonLine,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import check_size, format_line
from canasta_notation.resources import read_text

# There are many of these, so they are made without checks: the schema accepts only valid ones.
_turn: Final = unchecked(Turn)
_draw: Final = unchecked(Draw)
_lay: Final = unchecked(Lay)
_discard: Final = unchecked(Discard)

#: The most bytes that a character of JSON can take in the text.
_BYTES: Final = 4
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
        "tags": [_commented({"name": tag.name, "value": tag.value}, tag) for tag in game.tags],
        "deals": [_deal_to_json(deal) for deal in game.deals],
    }
    return value | _listed("comments", game.comments)


def games_from_json(value: object) -> Iterator[Game]:
    """Return the games of a file's JSON value, or the one game of a game's, built when asked for.

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
    game = check_game(value)
    _check_written(game, "$")
    return _game(game)


def _check_written(value: dict[str, Any], path: str) -> None:
    """Raise JsonError if the text of a checked game would be too long to read again."""
    sizes = [len(str(part)) for part in (value["tags"], value.get("comments"), *value["deals"])]
    if max(sizes) <= LINE_LIMIT // _BYTES and sum(sizes) <= GAME_LIMIT // _BYTES:
        return  # the text cannot be longer than this
    game = _game(value)
    total = len(game.deals)  # the blank lines
    for place, line in _lines(game, path):
        comments = (line,) if isinstance(line, str) else line.before
        texts = [] if isinstance(line, str) else [format_line(line)]
        for text in (*(f"; {comment}" for comment in comments), *texts):
            size = len(text.encode("utf-8", "surrogatepass"))
            total += size + 1
            if size > LINE_LIMIT:
                limit = f"{LINE_LIMIT >> 10} KiB"
                raise JsonError(place, f"as text this is a line of more than {limit}")
    if total >= GAME_LIMIT:
        raise JsonError(path, f"as text this is a game of {GAME_LIMIT >> 20} MiB or more")


def _lines(game: Game, path: str) -> Iterator[tuple[str, Line | Deal | str]]:
    """Yield every line of a game and its last comments, each with its place in the JSON value."""
    for at, comment in enumerate(game.comments):
        yield f"{path}.comments[{at}]", comment
    for at, tag in enumerate(game.tags):
        yield f"{path}.tags[{at}]", tag
    for number, deal in enumerate(game.deals):
        place = f"{path}.deals[{number}]"
        yield place, deal
        for field in fields(deal):
            held = getattr(deal, field.name)
            if isinstance(held, tuple):
                for at, line in enumerate(held):
                    if not isinstance(line, (str, int)):
                        yield f"{place}.{field.name}[{at}]", line
            elif hasattr(held, "before"):
                yield f"{place}.{field.name}", held


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


def _deal_to_json(deal: Deal) -> dict[str, Any]:
    value: dict[str, Any] = {"number": deal.number}
    if deal.dealer is not None:
        value["dealer"] = deal.dealer
    value |= _listed("hands", deal.hands) | _single("up", deal.up) | _single("stock", deal.stock)
    value |= _listed("talons", deal.talons) | _listed("play", deal.play) | _single("end", deal.end)
    value |= _listed("melds", deal.melds) | _listed("threes", deal.threes)
    value |= _listed("left", deal.left)
    value |= _listed("scores", deal.scores) | _single("total", deal.total)
    return _commented(value, deal)


def _single(name: str, line: Line | None) -> dict[str, Any]:
    return {} if line is None else {name: _line_to_json(line)}


def _listed(name: str, values: tuple[Line, ...] | tuple[str, ...]) -> dict[str, Any]:
    if not values:
        return {}
    return {name: [it if isinstance(it, str) else _line_to_json(it) for it in values]}


def _commented(value: dict[str, Any], line: Line | Deal) -> dict[str, Any]:
    if line.before:
        value["before"] = list(line.before)
    if line.comment is not None:
        value["comment"] = line.comment
    return value


def _line_to_json(line: Line) -> dict[str, Any]:
    return _commented(_fields(line), line)


def _fields(line: Line) -> dict[str, Any]:
    match line:
        case Turn():
            return _turn_to_json(line)
        case HandLine():
            return _hand_to_json(line)
        case UpLine():
            return {"cards": _texts(line.cards)} | _listed("acknowledged", line.acknowledged)
        case StockLine() | TalonLine():
            return {"cards": _texts(line.cards)}
        case PenaltyLine():
            return {"penalty": line.side, "points": line.points, "word": line.word}
        case EndLine():
            seat = {"seat": line.seat} if line.seat else {}
            return {"reason": line.reason} | seat | ({"concealed": True} if line.concealed else {})
        case MeldsLine():
            return {"side": line.side, "groups": list(map(_action_to_json, line.groups))}
        case ThreesLine():
            return {"side": line.side, "cards": _texts(line.cards)}
        case LeftLine():
            rest = {"rest_unknown": True} if line.rest_unknown else {}
            return {"seat": line.seat, "cards": _texts(line.cards)} | rest
        case ScoreLine():
            return _score_to_json(line)
        case TotalLine():
            return {"totals": [{"side": side, "total": total} for side, total in line.totals]}
        case Tag():
            return {"name": line.name, "value": line.value}
        case _:
            assert_never(line)


def _hand_to_json(hand: HandLine) -> dict[str, Any]:
    value: dict[str, Any] = {"seat": hand.seat, "cards": _texts(hand.cards)}
    if hand.rest_unknown:
        value["rest_unknown"] = True
    replacements = tuple(_texts(hand.replacements))
    return (
        value | _listed("replacements", replacements) | _listed("acknowledged", hand.acknowledged)
    )


def _score_to_json(score: ScoreLine) -> dict[str, Any]:
    value: dict[str, Any] = {"side": score.side, "score": score.score}
    if score.items:
        value["items"] = [{"item": item, "points": points} for item, points in score.items]
    return value


def _turn_to_json(turn: Turn) -> dict[str, Any]:
    value: dict[str, Any] = {} if turn.number is None else {"number": turn.number}
    value |= {"seat": turn.seat, "actions": [_action_to_json(action) for action in turn.actions]}
    if turn.open is not None:
        value["open"] = turn.open
    if turn.out:
        value["out"] = turn.out
    value |= _listed("acknowledged", turn.acknowledged)
    if turn.clock is not None:
        value["clock"] = turn.clock
    return value | _listed("annotations", turn.annotations)


def _action_to_json(action: Action) -> dict[str, Any]:
    match action:
        case Draw():
            return {"draw": _texts(action.cards)} | ({"bare": True} if action.bare else {})
        case Take():
            count = {} if action.count is None else {"count": action.count}
            return {"take": TEXT[action.card]} | count
        case Ask():
            return {"ask": action.yes}
        case Lay():
            return {"lay": RANK_LETTERS[action.rank], "cards": _texts(action.cards)}
        case LaySpecial():
            return {"special": action.kind, "cards": _texts(action.cards)}
        case Discard():
            return {"discard": TEXT[action.card]}
        case TakeTalon():
            return {"talon": _texts(action.cards)}
        case _:
            assert_never(action)


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [TEXT[card] for card in cards]


def _game(value: dict[str, Any]) -> Game:
    """Return the game of a checked value; the functions below take checked values too."""
    tags = tuple(Tag(tag["name"], tag["value"], *_comments(tag)) for tag in value["tags"])
    return Game(tags, tuple(map(_deal, value["deals"])), tuple(value.get("comments", ())))


def _comments(value: dict[str, Any]) -> tuple[tuple[str, ...], str | None]:
    return tuple(value.get("before", ())), value.get("comment")


def _deal(value: dict[str, Any]) -> Deal:
    up, stock, end, total = (value.get(name) for name in ("up", "stock", "end", "total"))
    return Deal(
        int(value["number"]),
        value.get("dealer"),
        tuple(map(_hand, value.get("hands", ()))),
        up and UpLine(_codes(up["cards"]), tuple(up.get("acknowledged", ())), *_comments(up)),
        stock and StockLine(_codes(stock["cards"]), *_comments(stock)),
        tuple(TalonLine(_codes(it["cards"]), *_comments(it)) for it in value.get("talons", ())),
        tuple(map(_play, value.get("play", ()))),
        end
        and EndLine(end["reason"], end.get("seat"), end.get("concealed", False), *_comments(end)),
        tuple(map(_melds, value.get("melds", ()))),
        tuple(map(_threes, value.get("threes", ()))),
        tuple(map(_left, value.get("left", ()))),
        tuple(map(_score, value.get("scores", ()))),
        total and TotalLine(_pairs(total["totals"], "side", "total"), *_comments(total)),
        *_comments(value),
    )


def _hand(value: dict[str, Any]) -> HandLine:
    return HandLine(
        value["seat"],
        _codes(value["cards"]),
        value.get("rest_unknown", False),
        _codes(value.get("replacements", ())),
        tuple(value.get("acknowledged", ())),
        *_comments(value),
    )


def _melds(value: dict[str, Any]) -> MeldsLine:
    groups = (Lay(label_rank(it["lay"]), _codes(it["cards"])) for it in value["groups"])
    return MeldsLine(value["side"], tuple(groups), *_comments(value))


def _threes(value: dict[str, Any]) -> ThreesLine:
    return ThreesLine(value["side"], _codes(value["cards"]), *_comments(value))


def _left(value: dict[str, Any]) -> LeftLine:
    rest_unknown = value.get("rest_unknown", False)
    return LeftLine(value["seat"], _codes(value["cards"]), rest_unknown, *_comments(value))


def _score(value: dict[str, Any]) -> ScoreLine:
    items = _pairs(value["items"], "item", "points") if "items" in value else None
    return ScoreLine(value["side"], int(value["score"]), items, *_comments(value))


def _play(value: dict[str, Any]) -> Turn | PenaltyLine:
    if "penalty" in value:
        points = int(value["points"])
        return PenaltyLine(value["penalty"], points, value["word"], *_comments(value))
    return _turn(
        _number(value, "number"),
        value["seat"],
        tuple(map(_action, value["actions"])),
        _number(value, "open"),
        value.get("out", ""),
        tuple(value.get("acknowledged", ())),
        value.get("clock"),
        tuple(value.get("annotations", ())),
        *_comments(value),
    )


def _action(value: dict[str, Any]) -> Action:
    match value:
        case {"draw": cards}:
            return _draw(_codes(cards), value.get("bare", False))
        case {"take": card}:
            return Take(CODE[card], _number(value, "count"))
        case {"ask": yes}:
            return Ask(yes)
        case {"lay": label, "cards": cards}:
            return _lay(label_rank(label), _codes(cards))
        case {"special": kind, "cards": cards}:
            return LaySpecial(kind, _codes(cards))
        case {"discard": card}:
            return _discard(CODE[card])
        case _:
            return TakeTalon(_codes(value["talon"]))


def _codes(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple([CODE[text] for text in texts])


def _number(value: dict[str, Any], name: str) -> int | None:
    return int(value[name]) if name in value else None


def _pairs(values: list[dict[str, Any]], name: str, points: str) -> tuple[tuple[str, int], ...]:
    return tuple((value[name], int(value[points])) for value in values)


# --- checks --------------------------------------------------------------------------------------

#: A letter for each kind of action, as in `TURN_ORDER`.
_LETTERS: Final = {
    "draw": "d",
    "take": "d",
    "ask": "l",
    "lay": "l",
    "special": "l",
    "discard": "x",
    "talon": "k",
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
        line = f"line {error.lineno}, " if "\n" in text else ""
        place = f"{line}column {error.colno}"
        raise JsonError("$", f"not JSON at {place}: {error.msg}") from None
    except RecursionError:
        raise JsonError("$", "nested too deeply to be a record") from None
    except ValueError:
        raise JsonError("$", "a number with too many digits") from None


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


def check_game(value: object) -> dict[str, Any]:
    """Return the value of one game; raises JsonError if it is not one."""
    record = _check(value, "game")
    _check_deals(record, "$")
    return record


def check_apart(before: dict[str, Any] | None, game: dict[str, Any], path: str) -> None:
    """Raise JsonError for a game that would, as text, merge with the previous one."""
    if before is None:
        return
    if not before["deals"]:
        raise JsonError(path, "the game before it has no deal: as text the two would be one")
    if not any(tag["name"] == "CGN" for tag in game["tags"]):
        raise JsonError(
            f"{path}.tags", "a CGN tag is missing: as text this game would belong to the one before"
        )


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
    definitions = json.loads(read_text("schemas", "game.schema.json"))["$defs"]
    check: Any = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": definitions})
    return cast("Callable[[object], bool]", check.is_valid)


@cache
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    definitions = json.loads(read_text("schemas", "game.schema.json"))["$defs"]
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
    letters = "".join(_LETTERS[next(name for name in _LETTERS if name in it)] for it in actions)
    match = TURN_ORDER.match(letters)
    end = match.end() if match else 0
    if end < len(letters):
        order = "the order is: draw or take, asking and groups, discard, talon"
        raise JsonError(f"{path}[{end}]", f"this action is not allowed here; {order}")
    for index, action in enumerate(actions):
        if action.get("draw") == [] and not action.get("bare"):
            raise JsonError(f"{path}[{index}].draw", "an empty list; a bare + is written as bare")
