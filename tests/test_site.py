"""The website of the documents: every link leads somewhere, and nothing comes from another host."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.site import PAGES, ROOT, build

pytest.importorskip("mkdocs", reason="needs the extra `docs`")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


def test_every_document_is_a_page() -> None:
    documents = list(ROOT.glob("*.md"))
    documents += [path for name in ("grammar", "samples") for path in (ROOT / name).glob("*.md")]
    documents += [ROOT / "tests" / "conformance" / "README.md"]
    assert {str(path.relative_to(ROOT)) for path in documents} == set(PAGES)


def test_no_link_is_broken(site: Path) -> None:
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert len(pages) > len(PAGES)
    for page, text in pages.items():
        for target in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:", target) or page.name == "404.html":
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / unquote(path)).resolve() if path else page
            assert file.exists(), (page.name, target)
            if anchor and file in pages:
                assert f'id="{anchor}"' in pages[file], (page.name, target)


def test_nothing_comes_from_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        loaded = re.findall(r'<(?:script|img|link)\b[^>]*\b(?:src|href)="([^"]+)"', text)
        loaded += re.findall(r"url\(([^)]+)\)", text)
        assert [each for each in loaded if "//" in each] == [], page.name
    styles = list(site.rglob("*.css"))
    assert styles
    for style in styles:
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", style.read_text("utf-8")), (
            style
        )


def test_the_site_can_be_searched(site: Path) -> None:
    assert "opening minimum" in (site / "search" / "search_index.json").read_text("utf-8")
