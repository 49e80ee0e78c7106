"""Packaged files: the same text from the source tree and from a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from canasta_notation import resources
from canasta_notation.resources import packaged_text

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("folder", "name"),
    [("grammar", "canasta.lark"), ("grammar", "slips.toml"), ("schemas", "game.schema.json")],
)
def test_a_packaged_text_is_that_of_the_project(folder: str, name: str) -> None:
    assert packaged_text(folder, name) == (ROOT / folder / name).read_text("utf-8")


def test_the_copy_of_a_wheel_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    packed, beside = package / "_data" / "schemas", tmp_path / "schemas"
    for folder, text in ((packed, "packed"), (beside, "beside")):
        folder.mkdir(parents=True)
        (folder / "a.json").write_text(text, "utf-8")
    (beside / "b.json").write_text("only beside", "utf-8")
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert packaged_text("schemas", "a.json") == "packed"
    assert packaged_text("schemas", "b.json") == "only beside"
    with pytest.raises(FileNotFoundError):
        packaged_text("schemas", "c.json")
