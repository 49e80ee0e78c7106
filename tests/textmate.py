"""Make the TextMate grammar of the VS Code extension: `python -m tests.textmate`.

It is made from the grammar of the notation and the colours of canasta_notation/editor/highlight.py.
A line of each kind begins with the words with which all such lines begin; after them, any other
word of that kind of line is coloured wherever it is.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from canasta_notation.editor.highlight import TERMINALS
from canasta_notation.notation.reader import parser

FOLDER = Path(__file__).parent.parent / "grammar" / "vscode"
PATH = FOLDER / "canasta.tmLanguage.json"
#: The scope of each kind of token that the language server names.
SCOPES = {
    "property": "entity.other.attribute-name",
    "string": "string.quoted.double",
    "keyword": "keyword.control",
    "operator": "keyword.operator",
    "variable": "variable.other",
    "number": "constant.numeric",
    "enumMember": "constant.other",
    "function": "entity.name.function",
    "method": "support.function",
    "parameter": "variable.parameter",
    "macro": "keyword.other",
    "decorator": "storage.modifier",
    "comment": "comment.line.semicolon",
}
#: The lexer reads both as one word, but they are two.
APART = {"TURN": ("TURN_NUMBER", "SEAT")}


def grammar() -> dict[str, Any]:
    """Return the TextMate grammar."""
    patterns = [rule for name in statements() for rule in line_rules(name)]
    return {
        "name": "Canasta Game Notation",
        "scopeName": "source.canasta",
        "fileTypes": ["canasta"],
        "patterns": [*patterns, word_rule("COMMENT")],
    }


def statements() -> Iterator[str]:
    """Yield the names of the kinds of lines."""
    for rule in parser().rules:
        if rule.origin.name in ("_statement", "_ended"):
            (part,) = rule.expansion
            if not part.is_term and not part.name.startswith("_"):
                yield part.name


def line_rules(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rules for a kind of line, one for each word that it can begin with."""
    by_first: dict[str, list[tuple[list[str], list[str]]]] = defaultdict(list)
    for fixed, free in forms(name):
        by_first[fixed[0]].append((fixed, free))
    for found in by_first.values():
        begins = common([fixed for fixed, _ in found])
        later = dict.fromkeys(word for fixed, free in found for word in fixed[len(begins) :] + free)
        yield {
            "begin": "^[ \\t]*" + "[ \\t]*".join(f"({regexp(word)})" for word in begins),
            "beginCaptures": {str(at): scope(word) for at, word in enumerate(begins, 1)},
            "end": "$",
            "patterns": [word_rule(word) for word in {**later, "COMMENT": None}],
        }


def common(lists: list[list[str]]) -> list[str]:
    """Return the words that all lists begin with."""
    together = list(zip(*lists, strict=False))
    return [words[0] for words in takewhile(lambda each: len(set(each)) == 1, together)]


def forms(name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each form of a rule, the words before any part of its own, and all after them."""
    for rule in parser().rules:
        if rule.origin.name == name:
            fixed: list[str] = []
            free: list[str] = []
            for part in rule.expansion:
                words = APART.get(part.name, (part.name,)) if part.is_term else parts(part.name)
                (fixed if part.is_term and not free else free).extend(words)
            yield [each for each in fixed if each != "COMMENT"], free


def parts(name: str, seen: frozenset[str] = frozenset()) -> list[str]:
    """Return every terminal within a rule."""
    found: list[str] = []
    for rule in parser().rules:
        if rule.origin.name == name:
            for part in rule.expansion:
                if part.is_term:
                    found += APART.get(part.name, (part.name,))
                elif part.name not in seen | {name}:
                    found += parts(part.name, seen | {name})
    return found


def word_rule(word: str) -> dict[str, str]:
    """Return the rule of a word."""
    return {"match": regexp(word), **scope(word)}


def scope(word: str) -> dict[str, str]:
    """Return the scope of a word."""
    return {"name": f"{SCOPES[TERMINALS[word][0]]}.canasta"}


def regexp(word: str) -> str:
    """Return the pattern of a terminal as TextMate writes it, without the spaces after the word."""
    (found,) = (each.pattern.to_regexp() for each in parser().terminals if each.name == word)
    found = found.removesuffix("[ \t]*").replace("\t", "\\t")
    return re.sub(r"[^ -~]", lambda sign: f"\\x{{{ord(sign[0]):X}}}", found)


def main() -> None:
    """Write the grammar."""
    PATH.write_text(json.dumps(grammar(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
