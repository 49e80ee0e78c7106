"""Records in other forms: what convert and format write, and what stops them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from canasta_notation.cli.session import UserError
from canasta_notation.formats import FORMS, Form, games_as
from canasta_notation.notation.document import Game
from canasta_notation.notation.reader import read_games
from canasta_notation.storage import write_whole
from tests.cli_records import BROKEN, UNSEEN, VERIFIED
from tests.programs import canasta, contents

SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_round_trip_gives_the_canonical_record(tmp_path: Path, form: str) -> None:
    text = VERIFIED + "\n" + UNSEEN.replace("up 9c", "; why\nup 9c ; an up card")
    (tmp_path / "a.canasta").write_text(text, "utf-8")
    assert canasta("convert", tmp_path / "a.canasta", "-o", tmp_path / f"a.{form}").exit_code == 0
    back = canasta("convert", tmp_path / f"a.{form}", "--to", "canasta")
    assert back.stdout == canasta("format", "-", stdin=text).stdout
    assert "; why\n" in back.stdout
    again = canasta(
        "convert", "-", "--from", form, "--to", form, stdin=(tmp_path / f"a.{form}").read_bytes()
    )
    assert again.stdout == (tmp_path / f"a.{form}").read_text("utf-8")


def test_a_record_with_errors_is_not_converted(records: Path) -> None:
    result = canasta("convert", records / "broken.canasta", "-o", records / "out.json")
    assert result.exit_code == 1
    assert not (records / "out.json").exists()
    assert "error[syntax]" in result.stderr
    assert canasta("convert", records / "true.canasta").exit_code == 2


@pytest.mark.parametrize("command", [["format"], ["convert", "--to", "json"]])
def test_every_error_is_shown_and_nothing_written(tmp_path: Path, command: list[str]) -> None:
    text = (VERIFIED.replace("N: 4c 8s", "N: 8s 4c") + "\n" + BROKEN + "\n") * 2
    (tmp_path / "a.canasta").write_text(text, "utf-8")
    (tmp_path / "out.json").write_text("as it was")
    result = canasta(*command, "-", stdin=text)
    assert (result.exit_code, result.stdout) == (1, "")
    more = ["-o", tmp_path / "out.json"] if "convert" in command else []
    result = canasta(*command, tmp_path / "a.canasta", *more)
    assert (result.exit_code, result.stderr.count("error[syntax]")) == (1, 2)
    assert (tmp_path / "a.canasta").read_text("utf-8") == text
    assert (tmp_path / "out.json").read_text() == "as it was"
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_game_is_written_before_the_next_is_read(form: Form) -> None:
    read = written = 0

    def games() -> Iterator[Game]:
        nonlocal read
        for reading in read_games((VERIFIED + "\n").encode().splitlines(keepends=True) * 3):
            read += 1
            assert read <= written + 1
            yield reading.game

    for text in games_as(form, games()):
        written += "Montevideo" in text
    assert written == 3


@pytest.mark.parametrize("wrong", [KeyboardInterrupt(), UserError("why")])
def test_incomplete_output_is_not_written(tmp_path: Path, wrong: BaseException) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"one\n" * 100_000
        raise wrong

    path = tmp_path / "a"
    for before in (None, b"as it was"):
        if before:
            path.write_bytes(before)
        with pytest.raises(type(wrong)):
            write_whole(path, pieces())
        assert [each.read_bytes() for each in tmp_path.iterdir()] == ([before] if before else [])


def test_format(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(VERIFIED.replace("N: 4c 8s", "N: 8s 4c").replace("\n", "\r\n").encode())
    path.chmod(0o640)
    link = tmp_path / "link.canasta"
    link.symlink_to(path)
    before = path.read_bytes()
    assert canasta("format", "--check", path).exit_code == 1
    diff = canasta("format", "--diff", path)
    assert (diff.exit_code, "+N: 4c 8s" in diff.stdout) == (0, True)
    assert path.read_bytes() == before
    assert canasta("format", link).exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text("utf-8") == canasta("format", "-", stdin=before).stdout
    assert canasta("format", "--check", path, link).exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.canasta", "link.canasta"]


def test_format_leaves_what_it_cannot_read(records: Path) -> None:
    path = records / "broken.canasta"
    result = canasta("format", path)
    assert (result.exit_code, path.read_text("utf-8")) == (1, BROKEN)
    assert "14:6: error[syntax]" in result.stderr
    (records / "x.json").write_text("{}")
    assert canasta("format", records / "x.json").exit_code == 2


def test_format_leaves_a_read_only_file(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(UNSEEN + "\n\n", "utf-8")
    path.chmod(0o444)
    result = canasta("format", path)
    assert (result.exit_code, path.read_text("utf-8")) == (2, UNSEEN + "\n\n")
    assert result.stderr == f"canasta: {path}: permission denied\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_format_without_write_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(UNSEEN + "\n\n", "utf-8")
    tmp_path.chmod(0o555)
    try:
        assert canasta("format", path).exit_code == 2
    finally:
        tmp_path.chmod(0o755)


def test_a_line_that_is_too_long_in_its_canonical_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.canasta"
    path.write_text(f'[CGN "1"]\n;{"x" * 65_535}\ndeal 1 dealer N\n')
    for command in (("format",), ("convert", "--to", "json")):
        result = canasta(command[0], path, *command[1:])
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"{path}: no reader accepts a line of more than 64 KiB" in result.stderr


def test_a_game_of_nothing_has_no_text(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text('{"tags": [], "deals": []}\n')
    result = canasta("convert", str(path), "--to", "canasta")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}: a game needs a tag or a deal" in " ".join(result.stderr.split())
    assert canasta("convert", str(path), "--to", "json").exit_code == 0


def test_the_records_of_a_folder(tmp_path: Path) -> None:
    """Each becomes a file of the same name; one that has errors is left out."""
    (tmp_path / "in" / "more").mkdir(parents=True)
    (tmp_path / "in" / "a.canasta").write_text(VERIFIED)
    (tmp_path / "in" / "more" / "b.canasta").write_text(UNSEEN)
    (tmp_path / "in" / "sheet.csv").write_text("deal,NS\n1,5\n")
    out = tmp_path / "out"
    assert canasta("convert", tmp_path / "in", "--to", "json", "-o", out).exit_code == 0
    assert {*contents(out)} == {"a.json", "more/b.json"}
    one = canasta("convert", tmp_path / "in" / "a.canasta", "--to", "json").stdout
    assert contents(out)["a.json"].decode() == one
    (tmp_path / "in" / "broken.canasta").write_text(BROKEN)
    result = canasta("convert", tmp_path / "in", "--to", "jsonl", "-o", f"{tmp_path / 'other'}/")
    assert result.exit_code == 1
    assert "broken.canasta:14:6: error[syntax]" in result.stderr
    assert result.stderr.endswith(f"\nnot written (1 of 3 files): {tmp_path}/in/broken.canasta\n")
    assert {*contents(tmp_path / "other")} == {"a.jsonl", "more/b.jsonl"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.canasta", "b.canasta", "--to", "json"], "there are 2 records; name a folder for them"),
        (["a.canasta", "b.canasta", "-o", "all.json"], "there are 2 records; name a folder for"),
        ([".", "-o", "out"], "the format to write is not known; use --to"),
        ([".", "--to", "canasta", "-o", "."], "a.canasta: is a file to convert; choose another"),
        (["a.canasta", "more/a.json", "--to", "jsonl", "-o", "out"], "would both become out"),
        (["more/none", "--from", "csv", "-o", "out"], "more/none: no score sheets (.csv or .tsv"),
        (["more/none", "--to", "json", "-o", "out"], "no records"),
        (["a.canasta", "--anonymous", "-o", "more/../a.canasta"], "whose names would be lost"),
        (["a.canasta", "--to", "json", "-o", "b.canasta/"], "-o b.canasta/: is not a folder"),
    ],
)
def test_several_records_need_a_folder_and_names(
    args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more" / "none").mkdir(parents=True)
    (tmp_path / "a.canasta").write_text(VERIFIED)
    (tmp_path / "b.canasta").write_text(VERIFIED)
    assert canasta("convert", "a.canasta", "-o", "more/a.json").exit_code == 0
    result = canasta("convert", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_failed_conversion_makes_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.canasta").write_text(BROKEN)
    out = tmp_path / "new" / "one"
    assert canasta("convert", tmp_path / "a.canasta", "--to", "json", "-o", f"{out}/").exit_code
    assert not out.parent.exists()


def test_a_conversion_adds_no_tag(tmp_path: Path) -> None:
    text = '[Event "x"]\n\ndeal 1 dealer N\n'
    value = canasta("convert", "-", "--to", "json", stdin=text)
    (tmp_path / "a.json").write_text(value.stdout)
    back = canasta("convert", tmp_path / "a.json", "--to", "canasta")
    assert (value.exit_code, back.exit_code, back.stdout) == (0, 0, text)
    for judged in (canasta("validate", "-", stdin=text), canasta("validate", tmp_path / "a.json")):
        assert judged.exit_code == 1 and "1:1: error[version]" in judged.stdout
