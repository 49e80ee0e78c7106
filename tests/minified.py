"""The small form of the page's script: `python -m tests.minified` writes it with esbuild.

Run it after each change of page.js. It needs npm. A page whose script has no small form yet gets
the script as it is.
"""

from __future__ import annotations

from pathlib import Path
from subprocess import run
from typing import Final

from canasta_notation.page.one_file import script_mark

PAGE: Final = Path(__file__).parent.parent / "canasta_notation" / "page"
_ESBUILD: Final = (
    "npx",
    "--yes",
    "esbuild@0.28.2",
    "--minify",
    "--charset=utf8",
    "--target=es2022",
)


def main() -> None:
    """Write the small form, which begins with the mark of the script."""
    source = (PAGE / "page.js").read_text("utf-8")
    done = run(_ESBUILD, input=source, capture_output=True, check=True, text=True)
    (PAGE / "page.min.js").write_text(f"{script_mark(source)}\n{done.stdout.strip()}\n", "utf-8")


if __name__ == "__main__":
    main()
