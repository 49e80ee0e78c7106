"""The work of `canasta explain`: what is known of a finding, a rule or a topic.

Typer and what it needs are not loaded here: see `cli.main`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from canasta_notation.cli.session import Session, UserError
from canasta_notation.english import listed
from canasta_notation.quoting import QUOTED, shortened

if TYPE_CHECKING:
    from canasta_notation.render.paint import Look, Rows

#: A code or a key, also one that is misspelled.
_LIKE_A_CODE: Final = re.compile(r"\S+[-.]\S+")


def explain_words(session: Session, words: Iterable[str]) -> None:
    """Show what is known of the topic that the words name, and all findings without a word.

    Raises UserError if nothing is known of it.
    """
    session.show(_explained(" ".join(words), session.look))


def _explained(topic: str, look: Look) -> Rows:
    """Return what is known of a topic. Raises UserError if that is nothing."""
    from canasta_notation.render.rules_view import codes_rows, entry_rows, key_rows, topic_rows
    from canasta_notation.rules import about, codes, entry, keys, load_profile, profile_names

    if not topic:
        return codes_rows(look)
    if topic in keys():
        return key_rows(topic, map(load_profile, profile_names()), look)
    if topic in codes():
        return entry_rows(topic, _example(entry(topic).example), look)
    found = () if _LIKE_A_CODE.fullmatch(topic) else about(topic)
    if not found:
        raise UserError(f"nothing is known about {shortened(topic, QUOTED)}: {_nearest(topic)}")
    return topic_rows(found, load_profile(profile_names()[0]), look)


def _nearest(topic: str) -> str:
    from difflib import get_close_matches

    from canasta_notation.rules import codes, keys

    near = get_close_matches(topic.casefold()[:QUOTED], [*codes(), *keys()], n=3, cutoff=0.5)
    return f"did you mean {listed(near, 'or')}?" if near else "canasta explain lists the findings"


def _example(name: str) -> str | None:
    """Return the text of a broken sample, None if the installation does not have it."""
    from canasta_notation.resources import packaged_text

    try:
        return packaged_text("samples/broken", name)
    except FileNotFoundError:
        return None
