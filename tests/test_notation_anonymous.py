"""Records without the names of players: which words are replaced, and which stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from canasta_notation.formats import game_as
from canasta_notation.notation.anonymous import PlayerNumbers
from canasta_notation.notation.reader import read_text
from tests.programs import canasta, contents

SAMPLES = Path(__file__).parent.parent / "samples"


def without_names(*texts: str) -> list[str]:
    """Return the texts of games in canonical form, without the names of the players of all."""
    games = [reading.game for text in texts for reading in read_text(text)]
    players = PlayerNumbers()
    for game in games:
        players.add(game)
    return [game_as("canasta", players.without_names(game)) for game in games]


WRITTEN = """\
; Ana's evening
[CGN "1"]
[Event "ANA against Bruno, at Anastasia's"] ; Bruno chose it
[Site "Montevideo"] ; and this goes with it
[Date "2026-11-19"]
[Rules "classic"]
[N "Ana"]
[E "Bruno"]
[S "Carla García"]
[W "?"]
[Dealer "N"]
[Result "NS 0 EW 0"]
[Recorder "Carla  garcia"]
[Annotator "Elena"]
[Scorer "bruno"]

; bruno deals
deal 1 dealer N ; to Ana
E: 3s4s5s6s7s8s9sTsJsQsKs ; Bruno's, not Brunos'
up 4c ; up, Ana
1. E +5c -5c ; Garcia sighs
penalty NS 50 ask ; Ana asked Carla
end unfinished ; Ana-Bruno
score NS 0 ; Ana
total NS 0 EW 0 ; bananas
; thank you, ANA
"""
ANONYMOUS = """\
; Player 1's evening
[CGN "1"]
[Event "Player 1 against Player 2, at Anastasia's"] ; Player 2 chose it
[Date "2026-11-19"]
[Rules "classic"]
[N "Player 1"]
[E "Player 2"]
[S "Player 3"]
[W "?"]
[Dealer "N"]
[Result "NS 0 EW 0"]
[Recorder "Player 3"]
[Annotator "Elena"]
[Scorer "Player 2"]

; Player 2 deals
deal 1 dealer N ; to Player 1
E: 3s4s5s6s7s8s9sTsJsQsKs ; Player 2's, not Brunos'
up 4c ; up, Player 1
1. E +5c -5c ; Player 3 sighs
penalty NS 50 ask ; Player 1 asked Player 3
end unfinished ; Player 1-Player 2
score NS 0 ; Player 1
total NS 0 EW 0 ; bananas
; thank you, Player 1
"""


def test_names_are_replaced_everywhere() -> None:
    (shown,) = without_names(WRITTEN)
    wanted = [reading.game for reading in read_text(ANONYMOUS)]
    assert shown == game_as("canasta", wanted[0])


def said(comment: str, *names: str) -> str:
    """Return a comment in a game of these players, without their names."""
    tags = "".join(f'[{seat} "{name}"]\n' for seat, name in zip("NESW", names, strict=False))
    (text,) = without_names(f'[CGN "1"]\n{tags}\n; {comment}\ndeal 1\n')
    return text.split("; ")[1].split("\n")[0]


@pytest.mark.parametrize(
    ("names", "comment", "shown"),
    [
        (("Ana", "Ana Maria"), "Ana and Ana Maria and Maria", "Player 1 and Player 2 and Player 2"),
        (("Ana Maria", "Ana"), "Ana to ana  maria", "Player 2 to Player 1"),
        (("Ana Ruiz", "Eva Ruiz"), "Ruiz: Ana, Eva", "Player 1 or Player 2: Player 1, Player 2"),
        (("Maria de la Cruz",), "de la Cruz, de la mano", "de la Player 1, de la mano"),
        (("Will", "Rose"), "will Will rise? ROSE!", "Player 1 Player 1 rise? Player 2!"),
        (("José",), "Jose, JOSE\u0301 and Josefa", "Player 1, Player 1 and Josefa"),
        (("Straße",), "STRASSE, Straße", "Player 1, Player 1"),
        (("J. O'Neil",), "J. O'Neil and oneil", "Player 1 and oneil"),
        (("S", "N", "NS", "7"), "S leads NS by 7", "S leads NS by 7"),
        (("Player 2", "Player 1"), "player 1 passes Player 2", "Player 2 passes Player 1"),
        (("Player 2", "Player 1"), "each player", "each player"),
        (("Ana_1", "x+y"), "Ana_1 and Ana, x+y", "Player 1 and Player 1, Player 2"),
        (("?", ""), "? nothing", "? nothing"),
    ],
)
def test_words_of_names(names: tuple[str, ...], comment: str, shown: str) -> None:
    assert said(comment, *names) == shown


def test_a_player_is_the_same_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "in" / "more").mkdir(parents=True)
    (tmp_path / "in" / "a.canasta").write_text('[CGN "1"]\n[N "Ana"]\n\n; Eva waits\ndeal 1\n')
    (tmp_path / "in" / "more" / "b.jsonl").write_text(
        canasta(
            "convert", "-", "--to", "jsonl", stdin='[CGN "1"]\n[E "Eva"]\n[S "ana"]\n\ndeal 1\n'
        ).stdout
    )
    out = tmp_path / "out"
    result = canasta("convert", "--anonymous", tmp_path / "in", "-o", out)
    assert (result.exit_code, result.stderr) == (0, "")
    made = contents(out)
    assert made["a.canasta"] == b'[CGN "1"]\n[N "Player 1"]\n\n; Player 2 waits\ndeal 1\n'
    tags = json.loads(made["more/b.jsonl"])["tags"]
    assert {tag["name"]: tag["value"] for tag in tags} == {
        "CGN": "1",
        "E": "Player 2",
        "S": "Player 1",
    }


def test_nothing_is_written_if_a_record_cannot_be_read(tmp_path: Path) -> None:
    """Its players, who are not known, might be named in the others."""
    (tmp_path / "a.canasta").write_text('[CGN "1"]\n[N "Ana"]\n\ndeal 1\n')
    (tmp_path / "b.canasta").write_text('[CGN "1"]\n[N "Eva]\n\ndeal 1\n')
    result = canasta("convert", "--anonymous", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "b.canasta:2:" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_record_without_names_has_the_same_verdict() -> None:
    path = SAMPLES / "thursday-club.canasta"
    shown = canasta("convert", "--anonymous", path).stdout
    typed = canasta("convert", "--anonymous", "-", stdin=path.read_text("utf-8")).stdout
    assert shown == typed
    assert '[Annotator "Player 3"]' in shown and '[Recorder "Elena"]' in shown
    assert not {"Ana", "Bruno", "Carla", "Dario", "Montevideo"} & {*shown.replace('"', " ").split()}
    assert "verified" in canasta("validate", "-", stdin=shown).stdout
    again = canasta("convert", "--anonymous", "-", stdin=shown).stdout
    assert again == shown
