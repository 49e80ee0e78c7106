"""A host for the web application and a browser that opens it, for tests and tools.

The environment variable CANASTA_PYODIDE names the archive of Pyodide. `python -m tests.app_host 30`
kills a browser 30 times while someone taps, and lists what was shown as saved and then lost.
"""

from __future__ import annotations

import gzip
import os
import random
import signal
import sys
import threading
from collections import Counter
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from canasta_notation.app.web_app import build

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
}


@cache
def built() -> dict[str, bytes]:
    """Return the files of the application."""
    return build(Path(os.environ["CANASTA_PYODIDE"]).read_bytes())


@cache
def _small(data: bytes) -> bytes:
    return gzip.compress(data, 6)


class Host:
    """A host of static files that counts what it serves, and can cut files off or not answer."""

    def __init__(self, found: dict[str, bytes]) -> None:
        self.files = dict(found)
        self.served: Counter[str] = Counter()
        self.bytes = 0
        #: Whether it answers, and the files that it cuts off.
        self.up = True
        self.broken: set[str] = set()
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host._answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self._server.server_port}/"

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        name = request.path.split("?")[0].lstrip("/") or "index.html"
        data = self.files.get(name)
        if not self.up or name in self.broken:
            request.close_connection = True
            request.connection.close()
            return
        if data is None:
            request.send_error(404)
            return
        self.served[name] += 1
        zipped = not name.endswith((".zip", ".png"))
        body = _small(data) if zipped else data
        self.bytes += len(body)
        request.send_response(200)
        request.send_header("Content-Type", TYPES.get(Path(name).suffix, "application/zip"))
        request.send_header("Content-Length", str(len(body)))
        request.send_header("Cache-Control", "no-cache" if name == "sw.js" else "max-age=600")
        if zipped:
            request.send_header("Content-Encoding", "gzip")
        request.end_headers()
        request.wfile.write(body)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def launch(playwright: Any, **more: Any) -> Any:
    """Return a browser."""
    installed = which("chromium") or which("chromium-browser") or which("google-chrome")
    return playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"], **more)


def state(page: Any) -> str:
    """Return the state of the footer."""
    found: str = page.evaluate("document.getElementById('state').dataset.state")
    return found


def wait(page: Any, expression: str, seconds: float = 180) -> Any:
    """Return the value of a script as soon as it is true; the policy forbids Playwright's own."""
    for _ in range(int(seconds * 20)):
        try:
            found = page.evaluate(expression)
        except Exception as error:  # the page has just begun to load again
            if "context was destroyed" not in str(error):
                raise
            found = None
        if found:
            return found
        page.wait_for_timeout(50)
    shown = page.inner_text("body")[:600]
    raise AssertionError(f"{expression}: not within {seconds} s, state {state(page)}: {shown}")


def until_ready(page: Any) -> None:
    wait(page, "['ready', 'update'].includes(document.getElementById('state').dataset.state)")


# --- a browser that is killed while someone taps --------------------------------------------------

_COUNT = "document.querySelectorAll('.count')[1]?.textContent"


def kill_rounds(playwright: Any, host: Host, folder: Path, rounds: int) -> list[str]:
    """Kill a browser `rounds` times during taps; return what was shown and then lost."""
    chance = random.Random(rounds)
    lost, address, count = [], "", 0
    for number in range(rounds):
        context = _persistent(playwright, folder)
        page = context.pages[0]
        page.goto(host.url + address)
        if not address:
            until_ready(page)
            page.evaluate("location.hash = 'new'")
            wait(page, "document.querySelector('[data-key=start]') !== null")
            page.click("[data-key=start]")
            wait(page, "location.hash.startsWith('#pad/')")
            address = page.evaluate("location.hash")
        wait(page, f"{_COUNT} !== undefined && {_COUNT} !== ''")
        found = int(page.evaluate(_COUNT))
        if found < count:
            lost.append(f"round {number}: {count} shown, {found} left")
        for _ in range(chance.randint(1, 4)):
            page.click("[data-key='NS mixed +']")
        page.wait_for_timeout(chance.random() * 300)
        count = int(page.evaluate(_COUNT))
        _kill(folder)
        with suppress(Exception):
            context.close()
    return lost


def _persistent(playwright: Any, folder: Path) -> Any:
    installed = which("chromium") or which("chromium-browser") or which("google-chrome")
    return playwright.chromium.launch_persistent_context(
        folder, executable_path=installed, args=["--no-sandbox"],
        viewport={"width": 360, "height": 740},
    )  # fmt: skip


def _kill(folder: Path) -> None:
    """Kill every process of the browser that keeps its data in a folder."""
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if (
                process.name.isdigit()
                and str(folder).encode() in (process / "cmdline").read_bytes()
            ):
                os.kill(int(process.name), signal.SIGKILL)


def main(rounds: int) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        lost = kill_rounds(playwright, Host(built()), Path(folder), rounds)
    print(f"{rounds} kills, {len(lost)} with a lost tap", *lost, sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
