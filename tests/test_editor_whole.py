"""What an editor shows at every word of records of every kind, and where it leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from lsprotocol import types
from syrupy.assertion import SnapshotAssertion

from canasta_notation.editor.assist import actions, complete, definition, hints, references
from canasta_notation.editor.features import folds, hover, symbols
from canasta_notation.editor.open_record import Document, Text
from tests.cli_records import BROKEN, FALSE, SHEET, UNSEEN, VERIFIED
from tests.test_render_shown import kept

URI = "file:///a.canasta"
#: Two games in each file, with a comment and blank lines between their deals.
TEXTS = {
    "verified": VERIFIED + "\n; later\n\n" + SHEET,
    "broken": BROKEN + "\n\n" + FALSE,
    "unseen": UNSEEN + "\n" + UNSEEN.replace("deal 1", "; between\n\n; two\ndeal 1"),
}


@cache
def opened(name: str) -> tuple[Document, Text]:
    text = Text(TEXTS[name], 1, "utf-16")
    return Document(URI, text), text


def positions(name: str, step: int) -> Iterator[tuple[str, types.Position]]:
    """Yield the words of a text, one of `step`, each with its position."""
    _, text = opened(name)
    at = 0
    for number, line in enumerate(text.lines):
        for word in re.finditer(r"\S+", line):
            at += 1
            if at % step == 0:
                yield f"{number + 1} {word[0]}", types.Position(number, word.start())


def shown(name: str, place: types.Range) -> str:
    """Return the text of a range, with its line."""
    _, text = opened(name)
    line = text.lines[place.start.line]
    end = place.end.character if place.end.line == place.start.line else len(line)
    return f"{place.start.line + 1} {line[place.start.character : end]!r}"


@pytest.mark.parametrize("name", TEXTS)
def test_the_outline_is_of_the_lines_that_it_names(name: str) -> None:
    """A game begins with its tags, a deal and a turn with their lines, and none overlaps."""
    document, text = opened(name)

    def check(all_of: list[types.DocumentSymbol], first: int, last: int) -> None:
        for each in all_of:
            start, end = each.range.start.line, each.range.end.line
            assert first <= start <= end <= last
            begins = text.lines[start]
            if each.name.startswith("Game"):
                assert begins.startswith(("[", ";"))
            else:
                assert each.name and begins.startswith(each.name), (each.name, begins)
                assert (each.detail or "") in begins
            assert text.lines[end].strip()
            if "deal" in each.name and each is not all_of[-1]:
                assert not text.lines[end].startswith(";"), "it belongs to the next deal"
            check([*(each.children or [])], start, end)
            first = end + 1

    found = symbols(document, text)
    assert [each.name for each in found] == ["Game 1", "Game 2"]
    check(found, 0, len(text.lines))
    deals = sum(line.startswith("deal ") for line in text.lines)
    assert sum(len(each.children or []) for each in found) == deals
    starts = {each.range.start.line for it in found for each in (it, *(it.children or []))}
    assert {fold.start_line for fold in folds(document, text)} <= starts | {
        at for at, line in enumerate(text.lines) if line.startswith((";", "["))
    }


@pytest.mark.parametrize("name", TEXTS)
def test_the_words_about_a_word(name: str, snapshot: SnapshotAssertion) -> None:
    document, text = opened(name)
    lines = []
    for word, position in positions(name, 5):
        found = hover(document, text, position)
        if found is not None:
            assert isinstance(found.contents, types.MarkupContent)
            marked = shown(name, found.range) if found.range else ""
            lines += [(word, f"{marked} {each}") for each in found.contents.value.splitlines()]
    assert kept(lines) == snapshot


@pytest.mark.parametrize("name", TEXTS)
def test_where_words_lead(name: str, snapshot: SnapshotAssertion) -> None:
    """Definitions and references, as the text that stands there."""
    document, text = opened(name)
    lines = []
    for word, position in positions(name, 4):
        found = definition(document, text, position)
        places = found if isinstance(found, list) else [found] if found else []
        lines += [(word, f"is of {shown(name, each.range)}") for each in places]
        used = references(document, text, position) or []
        lines += [(word, f"is used in {shown(name, each.range)}") for each in used[:3]]
    assert "\n".join(f"{word} {line}" for word, line in lines) == snapshot


@pytest.mark.parametrize("name", TEXTS)
def test_hints_and_completions(name: str, snapshot: SnapshotAssertion) -> None:
    document, text = opened(name)
    whole = types.Range(types.Position(0, 0), types.Position(len(text.lines), 0))
    lines = []
    found = hints(document, text, whole)
    for each in found[::5]:
        assert each.position.character == len(text.lines[each.position.line])
        lines.append(f"{text.lines[each.position.line]}{each.label}")
    for some in (1, len(text.lines) // 2):
        among = types.Range(types.Position(some, 0), types.Position(some + 3, 0))
        inside = [it for it in found if some <= it.position.line <= some + 3]
        assert [it.position.line for it in hints(document, text, among)] == [
            it.position.line for it in inside
        ]
    for word, position in positions(name, 17):
        offered = complete(document, text, position)
        lines.append(f"{word}: " + ", ".join(f"{it.label} ({it.detail})" for it in offered[:4]))
    for each in actions(document, text, whole):
        lines.append(f"{each.title}: {each.kind}")
    assert "\n".join(lines) == snapshot
