"""TOML with a mistake: the place, the cause and the remedy, in no words of Python's."""

from __future__ import annotations

import tomllib

import pytest

from canasta_notation.toml import read_toml


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'name = "x"\xff\n', "1:11: byte 0xff is not UTF-8; save the file as plain text in UTF-8"),
        (b"a = 1\n# \x85", "2:3: byte 0x85 is not UTF-8; save the file as plain text in UTF-8"),
        (b'\na = "x\n', "2:7: a text in quotes does not end on its line; close it with"),
        (b'a = """x', "1:1: a text in quotes does not end; close it with the same quotes"),
        (b"a = 'x", "1:1: a text in quotes does not end; close it with the same quotes"),
        (b'a = "\x01"', "1:6: this is a control character; delete it"),
        (b"a = 1 # \x01", "1:9: this is a control character; delete it"),
        (b'a = "\\q"', "a \\ in quotes begins no known sign; write \\\\ for the sign itself"),
        (b'a = "\\uD800"', "a \\ in quotes begins no known sign; write \\\\ for the sign itself"),
        (b'a = "\\u12"', "a \\ in quotes begins no known sign; write \\\\ for the sign itself"),
        (b"a = 1\na = 2\n", "2:6: the same name is written a second time; leave one of them out"),
        (b"[a]\n[a]\n", "2:3: the same name is written a second time; leave one of them out"),
        (b"a = {b = 1, b = 2}", "the same name is written a second time; leave one of them out"),
        (b"a = {}\n[a.b]\n", "the same name is written a second time; leave one of them out"),
        (b"a\n", '1:2: there is no = after the name; write each line like name = "our club"'),
        (b"[a\n", "1:3: a name in brackets does not end; close it with ]"),
        (b"a = 1 b = 2\n", "1:7: more follows what is whole; write each value on its own line"),
        (b"a = [1,\n", "2:1: a list does not end; close it with ]"),
        (b"a = {b = 1", "a table does not end; close it with }"),
        (b"a = 2026-02-30\n", "1:5: there is no such date; write it like 2026-11-19"),
        (b"a = our\n", "1:5: this is no value; write a text in quotes, and true or false in small"),
        (b"= 1\n", '1:1: this is not TOML; write each line like name = "our club" or target = 5'),
        (b"a = " + b"7" * 5000, "contains a number with too many digits"),
    ],
)
def test_a_mistake_has_a_place_a_cause_and_a_remedy(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=r"^our club\.toml:") as raised:
        read_toml("our club.toml", data)
    assert not isinstance(raised.value, tomllib.TOMLDecodeError | UnicodeDecodeError)
    assert said in str(raised.value)


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_mistake() -> None:
    assert read_toml("a", b"\xef\xbb\xbfa = 1\r\nb = 'x'\r\n") == {"a": 1, "b": "x"}
