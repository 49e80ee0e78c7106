"""The forms of a record: recognised by a suffix and by the first bytes, read and written."""

from __future__ import annotations

import io
import json

import pytest

from canasta_notation.formats import (
    FORMS,
    HEAD,
    SUFFIXES,
    Form,
    decode,
    draw_count,
    file_of,
    form_of_text,
    game_as,
    games_as,
    read_json,
)
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game
from canasta_notation.notation.json_form import JsonError
from canasta_notation.notation.reader import read_text

TEXT = '[CGN "1"]\n[Rules "american-2p"]\n\ndeal 1 dealer N\nscore N 20\nscore S 30\n'
FIRST = TEXT.replace("american-2p", "classic-2p")


def games(text: str = f"{FIRST}\n{TEXT}") -> list[Game]:
    return [each.game for each in read_text(text)]


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (b'[CGN "1"]', "canasta"),
        (b"", "canasta"),
        (b'\xef\xbb\xbf \n\t{"cgn": 1', "json"),
        (b'{"games": [', "json"),
        (b'{\n  "tags"', "json"),
        (b'{"tags": {}}', "jsonl"),
        (b'{"tags": {}} \r\n{"tags": {}}\n', "jsonl"),
        (b'{"tags": {}', "jsonl"),
    ],
)
def test_the_first_bytes_say_the_form(head: bytes, form: Form) -> None:
    assert form_of_text(head) == form


def test_each_form_has_a_suffix() -> None:
    assert FORMS == ("canasta", "json", "jsonl") == tuple(SUFFIXES.values())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"ab\xff", r"byte 3 is not UTF-8 \(0xff\)"),
        (b"\x85", r"byte 1 is not UTF-8 \(0x85\)"),
        ("é".encode() + b"\xe2\x99", r"byte 3 is not UTF-8 \(0xe2\)"),
        (b"a\x00b", "not text"),
        (b"a" * (HEAD - 1) + b"\x00", "not text"),
    ],
)
def test_bytes_that_are_not_text_are_named(data: bytes, why: str) -> None:
    with pytest.raises(NotText, match=why):
        decode(data)


def test_text_loses_only_its_mark() -> None:
    assert decode("\ufeffKönig\ufeff".encode()) == "König\ufeff"


def _wrong(number: int, error: Exception) -> Exception:
    return ValueError(f"{number}: {error}")


@pytest.mark.parametrize("form", FORMS)
def test_games_are_read_again_as_they_were(form: Form) -> None:
    written = "".join(games_as(form, games()))
    if form == "canasta":
        assert [each.game for each in read_text(written)] == games()
        return
    assert [*read_json(io.BytesIO(written.encode()), form, _wrong)] == games()
    assert [*file_of(form, (game_as(form, game) for game in games()))]
    assert "".join(file_of(form, (game_as(form, game) for game in games()))) == written


def test_games_of_a_file_of_text_stand_apart() -> None:
    text = "".join(file_of("canasta", (game_as("canasta", game) for game in games())))
    assert text == f"{FIRST}\n{TEXT}"


def test_an_error_has_its_line_of_a_file_with_a_game_on_each() -> None:
    one = game_as("jsonl", games()[0]).strip()
    for bad, line in ((f"{one}\n\n{{}}\n", 3), ("{}", 1), (f"{one}\n{one[:-1]}", 2)):
        with pytest.raises(ValueError, match=rf"^{line}: "):
            list(read_json(io.BytesIO(bad.encode()), "jsonl", _wrong))
    with pytest.raises(ValueError, match=r"^0: "):
        list(read_json(io.BytesIO(b"{}"), "json", _wrong))
    with pytest.raises(ValueError, match=r"^0: there is no game"):
        list(read_json(io.BytesIO(b" \n"), "json", _wrong))


def test_games_that_would_merge_are_refused_where_they_must_stand_apart() -> None:
    first, second = ({**json.loads(game_as("jsonl", game))} for game in games())
    second["tags"] = []
    lines = "\n".join(map(json.dumps, (first, second))).encode()
    assert len([*read_json(io.BytesIO(lines), "jsonl", _wrong)]) == 2
    with pytest.raises(ValueError, match=r"^2: "):
        list(read_json(io.BytesIO(lines), "jsonl", _wrong, apart=True))


def test_a_draw_has_as_many_cards_as_the_rules_say() -> None:
    assert [draw_count(game) for game in games()] == [2, 1]
    assert draw_count(games(TEXT.replace("american-2p", "classic"))[0]) == 1
    assert draw_count(games(TEXT.replace("american-2p", "no such rules"))[0]) == 1


def test_json_errors_are_values_of_their_kind() -> None:
    assert issubclass(JsonError, ValueError) and issubclass(NotText, ValueError)
