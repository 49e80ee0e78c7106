"""The languages of a story: no catalogue lacks a key, no translation loses a figure or a term."""

from __future__ import annotations

import re
import string
import tomllib
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cards import parse_cards
from canasta_notation.language.catalogue_file import compile_catalogue
from canasta_notation.language.languages import LANGUAGES, catalogue, figure, use_language
from canasta_notation.language.sentences import Card, Names, say, sentence_keys, texts
from canasta_notation.story.cover import cover
from canasta_notation.story.deals import every_story
from tests import templates
from tests.pages import CLUB, SAMPLES, page_games, readings
from tests.programs import program

OTHERS = [language for language in LANGUAGES if language != "en"]
FOLDER = files("canasta_notation.language").joinpath("languages")


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("language", OTHERS)
def test_no_catalogue_lacks_a_key_and_no_template_loses_a_figure(language: str) -> None:
    source = FOLDER.joinpath(f"{language}.po").read_text("utf-8")
    assert set(re.findall(r'msgctxt "(.*)"', source)) == set(sentence_keys())
    known = catalogue(language)._catalog  # type: ignore[attr-defined]
    for key in sentence_keys():
        english, translated = texts(key, "en"), texts(key, language)
        for number, (one, other) in enumerate(zip(english, translated, strict=True)):
            message = f"{key}\x04{english[0]}"
            assert (message in known) or ((message, number) in known), key
            assert other.strip() and fields(one) == fields(other), key


@pytest.mark.parametrize("language", OTHERS)
def test_the_words_of_the_table_are_those_of_the_terms(language: str) -> None:
    terms = tomllib.loads(FOLDER.joinpath("terms.toml").read_text("utf-8"))
    for name, term in terms.items():
        found = 0
        for key in sentence_keys():
            for one, other in zip(texts(key, "en"), texts(key, language), strict=True):
                if re.search(rf"\b{term['en']}", one, re.IGNORECASE):
                    found += 1
                    words = term[language].lower().split()
                    assert all(word in other.lower() for word in words), (name, key, other)
        assert found, name


def test_a_catalogue_is_compiled_as_gettext_reads_it() -> None:
    source = (
        'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n"Content-Type: '
        'text/plain; charset=UTF-8\\n"\n\n# a remark\nmsgctxt "H3"\nmsgid "{c} card"\n'
        'msgid_plural "{c} "\n"cards"\nmsgstr[0] "{c} Karte"\nmsgstr[1] "{c} Kärtchen \\"x\\""\n'
    )
    found = GNUTranslations(BytesIO(compile_catalogue(source)))
    assert found.npgettext("H3", "{c} card", "{c} cards", 1) == "{c} Karte"
    assert found.npgettext("H3", "{c} card", "{c} cards", 2) == '{c} Kärtchen "x"'
    with pytest.raises(ValueError, match="msgid"):
        compile_catalogue("msgid nothing\n")


def test_numbers_names_and_cards_have_the_form_of_the_language() -> None:
    assert [figure(-12345, each) for each in LANGUAGES] == [
        f"\N{MINUS SIGN}{each}" for each in ("12,345", *["12.345"] * len(OTHERS))
    ]
    assert [figure(5480, each) for each in LANGUAGES] == ["5,480", "5480", "5.480", "5480", "5.480"]
    cards = [Card(card) for card in parse_cards("JsQhKdAcTs*")]
    expected = {
        "en": ("J♠ Q♥ K♦ A♣ 10♠ joker", "Ana and Inés"),
        "es": ("J♠ Q♥ K♦ A♣ 10♠ joker", "Ana e Inés"),
        "de": ("B♠ D♥ K♦ A♣ 10♠ Joker", "Ana und Inés"),
        "it": ("J♠ Q♥ K♦ A♣ 10♠ jolly", "Ana e Inés"),
        "pt": ("J♠ Q♥ K♦ A♣ 10♠ joker", "Ana e Inés"),
    }
    assert [*expected] == [*LANGUAGES]
    for language, (shown, names) in expected.items():
        with use_language(language):
            assert " ".join(map(str, cards)) == shown
            assert str(Names(("Ana", "Inés"))) == names


def test_one_card_is_not_several() -> None:
    said = {n: say("H3", n="Ana", c=n) for n in (1, 2)}
    assert "1 card," in said[1].text and "2 cards," in said[2].text
    assert "1 Karte " in said[1].said("de") and "2 Karten " in said[2].said("de")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_can_be_filled_with_small_and_large_figures(language: str) -> None:
    """No text says several of one."""
    found = [*templates.shown([language])]
    assert [each.key for each in found] == [*sentence_keys()]
    for each in found:
        assert all(text.strip() and "{" not in text for text in each.texts), each
        assert templates.several_of_one(each) == [], each
    wrong = templates.Shown("es", "cards", ("1 cartas", "1 carta", "21 cartas"))
    assert templates.several_of_one(wrong) == ["1 cartas"]


def test_a_story_has_the_same_figures_in_each_language() -> None:
    [reading] = readings(SAMPLES / "thursday-club.canasta")
    [game] = page_games([reading])
    said = [cover(game.story).headline, cover(game.story).why]
    said += [event.sentence for story in every_story(game.story) for event in story.rows]
    for sentence in filter(None, said):
        figures = {
            language: sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d)", "", text)))
            for language in LANGUAGES
            for text in [sentence.said(language)]
        }
        assert all(each == figures["en"] for each in figures.values()), sentence


def test_analyze_shows_a_game_in_the_sentences_of_a_page() -> None:
    whole = program("analyze", CLUB, "--language", "de", text=True).stdout
    assert "\nSieg für Ana und Carla gegen Bruno und Dario\n" in whole
    assert "16  Ana nahm den größten Ablagestapel der Runde, 16 Karten." in whole
    assert "\nSpieler  Runden  gew.  Züge  nahm" in whole
    [game] = page_games(readings(CLUB))
    in_english = " ".join(program("analyze", CLUB, text=True).stdout.split())
    for story in every_story(game.story):
        for sentence in (story.headline, *(event.sentence for event in story.rows)):
            assert sentence.text in in_english
    deal = program("analyze", CLUB, "--language", "es", "--deal", "2", text=True).stdout
    assert "Mano 2" in deal and "Mano 1" not in deal and "Victoria" not in deal
    wrong = program("analyze", CLUB, "--language", "all", text=True)
    assert wrong.returncode == 2 and "give en, es, de, it or pt, not 'all'" in wrong.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_as_it_is(language: str, snapshot: SnapshotAssertion) -> None:
    """A value that is exchanged with another, or a word, changes a line here."""
    said = (f"{key}: {'  |  '.join(texts(key, language))}" for key in sentence_keys())
    assert "\n".join(said) == snapshot
