"""The file of a page: templates, tables for the browser, style and script. It loads nothing."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from canasta_notation.cards import TEXT
from canasta_notation.english import signs
from canasta_notation.language.languages import ENGLISH, LANGUAGES, use_language
from canasta_notation.language.sentences import Names, Sentence, say, words
from canasta_notation.page.guessing import questions
from canasta_notation.page.lead import lead
from canasta_notation.page.marked_up import card_list, faces, inked
from canasta_notation.page.page_texts import PageTexts, in_language
from canasta_notation.page.share_picture import share_picture
from canasta_notation.page.shown_game import ShownGame, day, item_points, kind_of, setting
from canasta_notation.page.standings import Outcome, outcome, standings
from canasta_notation.page.table_changes import ALPHABET, Texts, deal_tables
from canasta_notation.render.diagram import picture_parts
from canasta_notation.render.wording import fit, quoted_parts, ruled
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.highlights import highlights
from canasta_notation.story.notes import Note
from canasta_notation.story.turn_parts import act

_INDENT: Final = re.compile(r"\n\s*")
_COMMENT: Final = re.compile(r"/\*[^*]*\*/\s*")
#: A value of an attribute that needs no quotation marks; those of texts are escaped.
_QUOTED: Final = re.compile(r'="([\w#.-]+)"(?=[ >])')
#: White space that a style does not need.
_LOOSE: Final = re.compile(r"[ \n]?([{};,])[ \n]?|(?<=:) ")
#: The template of the document, whose lines are kept; those of the others are joined.
_DOCUMENT: Final = "page.html"


class Placed(NamedTuple):
    """A side of a game in the list of games: its players, its total, and whether it won."""

    name: Names
    total: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game as a part of a page. `record` is HTML; `tables` is JSON, as `summary` becomes.

    `languages` are those that `record` and `tables` have; `record`, `headline` (who won and by
    what) and `picture` (an SVG to share) are in the first. `date` is as the record writes it,
    `verdict` is "" in a seat's view.
    """

    languages: tuple[str, ...]
    title: Sentence | str
    headline: str
    event: str
    date: str
    placed: tuple[Placed, ...]
    verdict: str
    outcome: Outcome
    record: Markup
    tables: Markup
    summary: dict[str, Any]
    picture: str
    errors: int

    @property
    def winner(self) -> Names | None:
        """The side that won."""
        return next((side.name for side in self.placed if side.won), None)


def game_page(game: ShownGame, languages: tuple[str, ...] = (ENGLISH,)) -> GamePage:
    """Return what a page has of a game, in languages, the first of which is shown first."""
    with use_language(languages[0]):
        return _game_page(game, languages)


def _game_page(game: ShownGame, languages: tuple[str, ...]) -> GamePage:
    play, said, texts = game.play, PageTexts(languages), Texts()
    template: Any = _templates().get_template("game.html").make_module({"said": said})
    deals = [_deal(game, deal, texts) for deal in play.deals]
    record = Markup(_QUOTED.sub(r"=\1", template.section(game)))
    result, pictures = outcome(game), _each(languages, lambda: share_picture(game))
    return GamePage(
        languages=languages,
        title=game.title,
        headline=_headline(game),
        event=game.tag("Event"),
        date=game.tag("Date"),
        placed=tuple(
            Placed(name, result.totals.get(side), result.winner == side)
            for side, name in zip(play.sides, game.story.sides, strict=True)
        ),
        verdict="" if play.seat else play.report.verdict,
        outcome=result,
        record=record,
        tables=Markup(
            _json(
                {
                    "texts": _each(languages, texts.all),
                    "said": said.translations(),
                    "deals": deals,
                    "questions": questions(game),
                    "picture": pictures,
                }
            )
        ),
        summary={
            **_summary(game, languages),
            "turns": [len(deal["changes"]) for deal in deals],
        },
        picture=pictures[languages[0]],
        errors=play.errors,
    )


def _summary(game: ShownGame, languages: tuple[str, ...]) -> dict[str, Any]:
    """Return what the browser needs of a game before its tables are read, except its turns."""
    play = game.play
    return {
        "seats": play.seats,
        "sides": play.sides,
        "event": fit(game.tag("Event")),
        "titles": _each(languages, lambda: fit(str(game.title))),
        "names": [fit(game.story.player(seat)) for seat in play.seats],
        "players": _each(languages, lambda: [fit(str(each)) for each in game.story.sides]),
        "sideOf": [game.story.side_of(seat) for seat in play.seats],
        "view": play.seat,
    }


def in_one_language(game: GamePage) -> GamePage:
    """Return a game only in the first of its languages."""
    first = game.languages[0]
    tables, summary = json.loads(game.tables), dict(game.summary)
    tables["said"] = {}
    for part, name in (
        (tables, "texts"),
        (tables, "picture"),
        (summary, "titles"),
        (summary, "players"),
    ):
        part[name] = {first: part[name][first]}
    return replace(game, languages=(first,), tables=Markup(_json(tables)), summary=summary)


def _each(languages: tuple[str, ...], make: Callable[[], Any]) -> dict[str, Any]:
    """Return what is made in each language."""
    return {language: in_language(language, make) for language in languages}


def page(games: Sequence[GamePage], *, embedded: bool = False) -> str:
    """Return games as one HTML document that needs nothing else, in the languages of the games.

    An `embedded` page is for an application that shows it in a frame and has its own ways to share
    it. It does not offer links, pictures or printing, and neither reads nor changes its address.
    For one game, call `page([game_page(page_game(file, reading, number, profile))],
    embedded=True)`. The bytes of its style and script are those of every page:
    `style_and_script()`.
    """
    with use_language(games[0].languages[0]):
        return _page(games, embedded=embedded)


def _page(games: Sequence[GamePage], *, embedded: bool) -> str:
    # Style and script are ours and contain no text of a record.
    style, script = map(Markup, style_and_script())
    languages = games[0].languages
    said = PageTexts(languages)
    document = _templates().get_template(_DOCUMENT)
    data: dict[str, Any] = {
        "alphabet": ALPHABET,
        "cards": " ".join(TEXT[code] for code in range(len(ALPHABET))),
        "games": [game.summary for game in games],
        "picture": picture_parts(),
        "embedded": embedded,
        "words": {language: words(language) for language in languages},
    }
    return document.render(
        title=page_title(games),
        games=games,
        standings=standings([game.outcome for game in games]),
        language=languages[0],
        names={code: LANGUAGES[code] for code in languages},
        said=said,
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        # The translations are complete once the rest has been written.
        data=lambda: data | {"said": said.translations()},
    )


def style_and_script() -> tuple[str, str]:
    """Return the style and the script of a page: the same bytes whatever it shows."""
    return _style(), _script()


@cache
def _templates() -> Environment:
    """Return the templates of this folder; they escape every text but that of other templates."""
    templates = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
    )
    templates.globals |= {"facts_only": say("V8"), "quoted": quoted_parts}
    templates.filters |= {
        "cards": card_list,
        "ruled": ruled,
        "day": day,
        "faces": faces,
        "inked": inked,
        "item_points": item_points,
        "setting": setting,
        "signs": signs,
    }
    templates.policies["json.dumps_function"] = _json
    return templates


def _template(name: str) -> str:
    return _INDENT.sub("\n" if name == _DOCUMENT else "", _text(name)).strip()


def _finalized(value: object) -> object:
    """Return a value as a template writes it, before it is escaped."""
    if isinstance(value, Markup) or not isinstance(value, str | Sentence | Names):
        return value
    return fit(str(value))


def page_title(games: Sequence[GamePage]) -> Sentence | str:
    """Return the title of the page: the event, or the number of games."""
    events = {game.event for game in games}
    if len(games) == 1:
        return games[0].headline
    return (
        events.pop() if len(events) == 1 and "" not in events else say("games_number", n=len(games))
    )


def _headline(game: ShownGame) -> str:
    cover = game.cover
    return f"{cover.headline.text}, {cover.result.text}" if cover.result else cover.headline.text


def _style() -> str:
    """Return the style without comments, and the white space and signs that it does not need."""
    style = _INDENT.sub("\n", _COMMENT.sub("", _text("page.css"))).strip()
    return _LOOSE.sub(r"\1", style).replace(";}", "}")


def _script() -> str:
    """Return the small form of the script, which tests/minified.py writes, if it is up to date."""
    source = _text("page.js")
    mark, _, small = _text("page.min.js").partition("\n")
    return small.strip() if mark == script_mark(source) else source


def script_mark(source: str) -> str:
    """Return the line with which the small form of a script begins."""
    return f"// {_hash(source)}"


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _json(data: object, **_: object) -> str:
    """Return JSON, as short as possible, for a script in HTML.

    What UTF-8 cannot write, and what could end the script, is spelled out.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return text.encode("utf-8", "backslashreplace").decode()


def _deal(game: ShownGame, deal: PlayedDeal, texts: Texts) -> dict[str, Any]:
    story, seats = game.story.at(deal.number), game.play.seats
    names = [fit(story.player(seat)) for seat in seats]
    start, changes = deal_tables(story, deal, texts)
    notes = game.notes[deal.number - 1]
    moved = [_moved(game, note) for note in notes]
    return {
        "kind": kind_of(deal),
        "start": start,
        "changes": changes,
        "hands": any(hand.cards for each in deal.states for hand in each.hands),
        "turns": deal.report.turns,
        "seats": "".join(turn.line.seat for turn in deal.turns),
        "moments": highlights(game.story, deal, notes),
        "acts": [act(turn) for turn in deal.turns],
        **({"names": names} if names != [*map(fit, map(game.story.player, seats))] else {}),
        **({"moved": moved} if any(each != 0 for each in moved) else {}),
        **lead(game, deal),
    }


def _moved(game: ShownGame, note: Note) -> list[int] | int:
    """Return towards which side a turn without a mark moved the deal, by how much, and the errors.

    It is [] without a clear change, and 0 if there is nothing to say.
    """
    if note.mark or not note.said:
        return 0
    [sentence] = note.said
    if sentence.key == "T2":
        return []
    values: dict[str, Any] = dict(sentence.values)
    return [game.story.sides.index(values["s"]), values["x"], values["e"]]
