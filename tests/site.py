"""Make a website of the project's documents: `python -m tests.site FOLDER` (extra `docs`).

The pages are the Markdown files that README.md leads to, unchanged, with the files to which they
link. The site can be searched, and loads nothing from another host.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
#: The pages, in the order of the menu. The title of each is its first heading.
PAGES = (
    "README.md",
    "grammar/README.md",
    "grammar/SPECIFICATION.md",
    "grammar/RULES.md",
    "grammar/LIBRARY.md",
    "grammar/ANALYSIS.md",
    "grammar/LEARN.md",
    "grammar/COMPARISON.md",
    "grammar/EDITOR.md",
    "grammar/APP.md",
    "samples/README.md",
    "tests/conformance/README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
SETTINGS = {
    "site_name": "Canasta Game Notation",
    "nav": PAGES,
    "strict": True,
    "use_directory_urls": False,
    "theme": {"name": "mkdocs", "highlightjs": False, "color_mode": "auto", "custom_dir": "theme"},
    "validation": dict.fromkeys(
        ("not_found", "absolute_links", "unrecognized_links", "anchors"), "warn"
    ),
}
#: The theme switches the colours of code with those of the page, but loads them from another host.
#: It searches at each key, but loses the keys that come before the index is loaded.
TEMPLATE = """{% extends "base.html" %}
{% block styles %}{{ super() }}
<style id="hljs-light"></style><style id="hljs-dark"></style>
{% endblock %}
{% block scripts %}{{ super() }}
<script>
searchWorker.addEventListener("message", (event) => {
  const typed = document.getElementById("mkdocs-search-query").value;
  if (event.data.allowSearch && typed) doSearch();
});
</script>
{% endblock %}
"""
LINK = re.compile(r"\[([^]]*)\]\(([^)#]*)(#[^)]*)?\)")


def build(folder: Path) -> None:
    """Write the site into a folder. Raises Abort for a link that leads nowhere."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config

    with TemporaryDirectory() as work:
        docs = Path(work, "docs")
        for page in PAGES:
            _copy(page, docs)
        Path(work, "theme").mkdir()
        Path(work, "theme", "main.html").write_text(TEMPLATE, "utf-8")
        settings = Path(work, "mkdocs.yml")
        settings.write_text(json.dumps(SETTINGS), "utf-8")  # JSON is YAML
        make(load_config(str(settings), site_dir=str(folder)))


def _copy(page: str, work: Path) -> None:
    """Copy a page and the files that it links to; a link to a folder becomes plain text."""
    source, target = ROOT / page, work / page

    def linked(match: re.Match[str]) -> str:
        label, path, _ = match.groups()
        if not path or "://" in path:
            return match[0]
        file = (source.parent / path).resolve()
        if file.is_dir():
            return label
        if file.suffix != ".md":
            copied = work / file.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)
        return match[0]

    target.parent.mkdir(parents=True, exist_ok=True)
    parts = re.split(r"(?ms)(^```.*?^```$)", source.read_text("utf-8"))
    parts[::2] = [LINK.sub(linked, part) for part in parts[::2]]
    target.write_text("".join(parts), "utf-8")


def main() -> None:
    """Build the site."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build(Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    main()
