"""The website of the documents: every link leads somewhere, and nothing comes from another host."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.app_host import Host, launch
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


def test_a_browser_opens_every_page_and_searches(site: Path) -> None:
    sync = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    host = Host({path.relative_to(site).as_posix(): path.read_bytes() for path in files(site)})
    wrong: list[str] = []
    with sync.sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except sync.Error as why:
            pytest.skip(f"no browser is installed (apt-get install chromium): {why}")
        page = browser.new_page()
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("request", lambda each: each.url.startswith(host.url) or wrong.append(each.url))
        page.on("response", lambda each: each.ok or wrong.append(f"{each.status} {each.url}"))
        for name in (name for name in host.files if name.endswith(".html") and name != "404.html"):
            page.goto(host.url + name)
            assert page.locator("h1").first.is_visible(), name
            shown = "[...document.images].every(each => each.complete && each.naturalWidth > 0)"
            page.wait_for_function(shown)
        held: list[Any] = []
        page.route("**/search_index.json", lambda route: held.append(route))
        with page.expect_request("**/search_index.json"):
            page.goto(host.url)
        page.get_by_role("link", name="Search").click()
        page.get_by_role("searchbox").press_sequentially("opening minimum")
        held[0].continue_()  # what is typed before the index is loaded is searched too
        with page.expect_navigation():  # to the end of the page that was found
            page.locator("#mkdocs-search-results a").first.click()
        text = page.inner_text("body").lower()
        assert "opening" in text and "minimum" in text
        browser.close()
    host.close()
    assert wrong == []


def files(folder: Path) -> list[Path]:
    """Return the files of a folder."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]
