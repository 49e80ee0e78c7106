"""The two workers of the web application: what one keeps for later, and how the other begins."""

from __future__ import annotations

import gzip
import json
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from canasta_notation.app import web_app
from tests.scripted import FOLDER, needs_node

pytestmark = needs_node
WEB = Path(web_app.__file__).parent / "web"
SITE = "https://host/app/"
#: The files of a version, each with its hash and size.
FILES = [["./", "h0", 5], ["app.js", "h1", 70], ["core/python.wasm", "h2", 900]]
NOW, SNAPSHOTS = "canasta-v2", "canasta-snapshots"
SERVED = {f"{SITE}{name}".removesuffix("./"): [f"new {name}", 200] for name, _, _ in FILES}


class Worked(NamedTuple):
    """What a worker did, in order, and what the caches held at the end."""

    happened: list[list[Any]]
    held: dict[str, dict[str, list[str]]]

    def of(self, kind: str) -> list[list[Any]]:
        return [rest for name, *rest in self.happened if name == kind]


def run(folder: Path, script: str, steps: list[list[Any]], **given: Any) -> Worked:
    done = subprocess.run(
        ["node", str(FOLDER / "workers.mjs"), str(folder), script],
        input=json.dumps({"steps": steps, **given}), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return Worked(**json.loads(done.stdout))


# --- what is kept for later -----------------------------------------------------------------------


def keeper(tmp_path: Path, *steps: list[Any], **given: Any) -> Worked:
    text = (WEB / "sw.js").read_text("utf-8")
    text = text.replace("@VERSION@", "v2").replace("@FILES@", json.dumps(FILES))
    (tmp_path / "sw.mjs").write_text(text, "utf-8")
    return run(tmp_path, "sw.mjs", [*steps], **{"served": SERVED, **given})


def test_every_file_is_kept_with_its_hash_and_progress_is_told(tmp_path: Path) -> None:
    worked = keeper(tmp_path, ["install"])
    assert worked.held == {
        NOW: {
            url: [body, hash_, "text/x"]
            for (url, (body, _)), (_, hash_, _) in zip(SERVED.items(), FILES, strict=True)
        }
    }
    asked = [[url, hash_, "force-cache"] for url, (_, hash_, _) in zip(SERVED, FILES, strict=True)]
    assert worked.of("fetch") == asked
    told = [each for [each] in worked.of("page")]
    assert {each["total"] for each in told} == {sum(size for _, _, size in FILES)}
    sizes = [0, *(each["done"] for each in told)]
    steps = [after - before for before, after in pairwise(sizes)]
    assert sorted(steps) == sorted(size for _, _, size in FILES)
    assert worked.of("pages")[0] == [{"includeUncontrolled": True, "type": "window"}]


@pytest.mark.parametrize(
    ("cache", "hash_", "taken"),
    [
        ("canasta-v1", "h1", True),
        (NOW, "h1", True),
        ("canasta-v1", "h9", False),
        (SNAPSHOTS, "h1", False),
        ("other-v1", "h1", False),
    ],
)
def test_a_file_that_has_not_changed_is_not_fetched_again(
    cache: str, hash_: str, taken: bool, tmp_path: Path
) -> None:
    worked = keeper(tmp_path, ["install"], caches={cache: {"app.js": ["old app", hash_]}})
    fetched = [url for url, *_ in worked.of("fetch")]
    assert (f"{SITE}app.js" not in fetched) == taken
    body, kept_hash, _ = worked.held[NOW][f"{SITE}app.js"]
    assert (body, kept_hash) == ("old app" if taken else "new app.js", "h1")


def test_what_the_browser_has_in_an_old_state_is_fetched_anew(tmp_path: Path) -> None:
    worked = keeper(tmp_path, ["install"], stale=[f"{SITE}app.js"])
    ways = [(hash_, way) for url, hash_, way in worked.of("fetch") if url == f"{SITE}app.js"]
    assert ways == [("h1", "force-cache"), ("h1", "reload")]
    assert worked.held[NOW][f"{SITE}app.js"][0] == "new app.js"


@pytest.mark.parametrize("status", [404, 500])
def test_a_version_of_which_a_file_is_missing_is_not_installed(status: int, tmp_path: Path) -> None:
    served = {**SERVED, f"{SITE}app.js": ["sorry", status]}
    worked = keeper(tmp_path, ["install"], served=served)
    assert worked.of("failed") == [[f"app.js: {status}"]]
    assert f"{SITE}app.js" not in worked.held[NOW]


def test_a_new_version_deletes_older_ones_and_nothing_else(tmp_path: Path) -> None:
    names = [NOW, "canasta-v1", "canasta-v0", SNAPSHOTS, "other-v1"]
    worked = keeper(tmp_path, ["activate"], caches={name: {} for name in names})
    assert [*worked.held] == [NOW, SNAPSHOTS, "other-v1"]
    assert worked.of("claim") == [[]]


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        (SITE, "kept ./"),
        (f"{SITE}?x=1#pad", "kept ./"),
        (f"{SITE}index.html", "kept ./"),
        (f"{SITE}index.html?x", "kept ./"),
        (f"{SITE}app.js", "kept app.js"),
        (f"{SITE}app.js?x=1", "kept app.js"),
        (f"{SITE}unknown.js", "from the network"),
    ],
)
def test_a_file_is_answered_from_what_is_kept(url: str, answer: str, tmp_path: Path) -> None:
    caches = {NOW: {"./": ["kept ./", "h0"], "app.js": ["kept app.js", "h1"]}}
    served = {f"{SITE}unknown.js": ["from the network", 200]}
    worked = keeper(tmp_path, ["fetch", {"url": url}], caches=caches, served=served)
    assert worked.of("answer") == [[answer]]
    assert bool(worked.of("fetch")) == (answer == "from the network")


@pytest.mark.parametrize(
    "request_", [{"url": f"{SITE}app.js", "method": "POST"}, {"url": "https://other/app/app.js"}]
)
def test_what_is_not_a_file_of_the_site_is_left_alone(
    request_: dict[str, str], tmp_path: Path
) -> None:
    worked = keeper(tmp_path, ["fetch", request_], caches={NOW: {"app.js": ["kept", "h1"]}})
    assert worked.happened == [["left alone"]]


def test_a_version_waits_until_the_person_says_so(tmp_path: Path) -> None:
    assert keeper(tmp_path, ["message", "something"]).of("take over") == []
    assert keeper(tmp_path, ["message", "take over"]).of("take over") == [[]]


# --- how Python begins ----------------------------------------------------------------------------

KEY = f"{SITE}snapshot-p1"
#: A Python that answers with what it was asked, and tells what is done to it.
PYODIDE = """
export async function loadPyodide({ indexURL, _loadSnapshot, _makeSnapshot }) {
  const shown = _loadSnapshot ? [..._loadSnapshot.slice(0, 9)] : null;
  told("load", indexURL, shown, Boolean(_makeSnapshot));
  let files = !_loadSnapshot;
  if (given.wasm) {
    const code = Uint8Array.from(given.wasm);
    const module = await WebAssembly.compile(code);
    const { instance } = await WebAssembly.instantiate(code);
    for (const each of [instance, await WebAssembly.instantiate(module)]) {
      told("memory", each.exports.memory.buffer.byteLength);
    }
  }
  class PythonError extends Error {}
  return {
    _module: { HEAP8: { length: 7 } },
    unpackArchive(archive, form, { extractDir }) {
      told("unpack", [...new Uint8Array(archive)], form, extractDir);
      files = true;
    },
    makeMemorySnapshot() { told("snapshot"); return Uint8Array.from([1, 2, 3]); },
    runPython(code) {
      if (code.includes("warm()")) told("warm", code.includes('"/lib/site"'));
      if (code.includes("begin()")) told("begin");
      if (code.includes("invalidate_caches")) told("invalidate");
      if (!code.endsWith("; call")) return null;
      return (name, args) => {
        if (name === "wrong") throw new PythonError("x".repeat(2000) + "ValueError");
        if (name === "memory") throw new RangeError("out of memory");
        if (name === "needs files" && !files) throw new PythonError("ModuleNotFoundError: toml");
        if (name === "never") throw new PythonError("ModuleNotFoundError: never");
        return `${name} ${args}`;
      };
    },
  };
}
"""
ZIP = {f"{SITE}site.zip": [[80, 75], 200]}
PACKED = [*gzip.compress(bytes([9, 8, 7]))]


def python(tmp_path: Path, *steps: list[Any], **given: Any) -> Worked:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "pyodide.mjs").write_text(PYODIDE)
    text = (WEB / "worker.js").read_text("utf-8").replace("@PYTHON@", "p1")
    (tmp_path / "worker.mjs").write_text(text, "utf-8")
    given = {"served": ZIP, "binary": True, **given}
    return run(tmp_path, "worker.mjs", [*steps, ["nothing waits"]], **given)


def posts(worked: Worked, kind: str) -> list[Any]:
    return [message[1] for [message] in worked.of("post") if message[0] == kind]


def test_the_first_start_builds_everything_and_keeps_a_snapshot(tmp_path: Path) -> None:
    old = {"snapshot-p0": ["old", ""]}
    worked = python(tmp_path, ["question", [4, "pad", ["a"]]], caches={SNAPSHOTS: old})
    done = [name for name, *_ in worked.happened]
    order = ["load", "fetch", "unpack", "warm", "snapshot", "begin", "post", "post", "post"]
    assert done == order
    assert worked.of("load") == [["./core/", None, True]]
    assert worked.of("unpack") == [[[80, 75], "zip", "/lib/site"]] and worked.of("warm") == [[True]]
    ready, answer, timings = (message for [message] in worked.of("post"))
    assert ready[0] == "ready" and {*ready[1]} == {"loaded", "warmed", "ready", "heap"}
    assert ready[1]["heap"] == 7 and answer == [4, 'pad ["a"]']
    assert timings[0] == "timings" and {*timings[1]} == {*ready[1], "kept"}
    assert all(isinstance(each, int) and each >= 0 for each in timings[1].values())
    assert [*worked.held[SNAPSHOTS]] == [KEY]


def test_a_later_start_uses_the_snapshot_and_fetches_the_files_afterwards(tmp_path: Path) -> None:
    worked = python(
        tmp_path, ["question", [1, "pad", []]], caches={SNAPSHOTS: {"snapshot-p1": [PACKED, ""]}}
    )
    assert worked.of("load") == [["./core/", [9, 8, 7], False]]
    assert worked.of("warm") == worked.of("snapshot") == []
    done = [name for name, *_ in worked.happened]
    assert done.index("begin") < done.index("unpack") < done.index("invalidate")
    [ready], [timings] = posts(worked, "ready"), posts(worked, "timings")
    assert {*ready} == {"restored", "ready", "heap"} and {*timings} == {*ready, "files"}
    assert [*worked.held[SNAPSHOTS]] == [KEY]


def test_a_damaged_snapshot_is_deleted_and_everything_is_built(tmp_path: Path) -> None:
    worked = python(tmp_path, caches={SNAPSHOTS: {"snapshot-p1": ["not gzip", ""]}})
    assert worked.of("load") == [["./core/", None, True]] and worked.of("snapshot") == [[]]
    assert "damaged" in posts(worked, "ready")[0]
    assert worked.held[SNAPSHOTS][KEY][0] != len("not gzip")


def test_without_storage_everything_is_built_and_nothing_is_kept(tmp_path: Path) -> None:
    worked = python(tmp_path, ["question", [1, "pad", []]], noStorage=True)
    assert worked.of("snapshot") == [] and posts(worked, "timings") == []
    assert posts(worked, "ready") and [1, "pad []"] in [each for [each] in worked.of("post")]


def test_without_room_the_reason_is_told(tmp_path: Path) -> None:
    worked = python(tmp_path, noRoom=True)
    assert posts(worked, "timings")[0]["unkept"] == "Error: no room"


def test_questions_are_answered_in_their_order_with_their_numbers(tmp_path: Path) -> None:
    steps = [["question", [1, "a", []]], ["question", [2, "b", ["x", 1]]], ["nothing waits"]]
    worked = python(tmp_path, *steps, ["question", [3, "c", {"k": 1}]])
    answers = [message for [message] in worked.of("post") if isinstance(message[0], int)]
    assert answers == [[1, "a []"], [2, 'b ["x",1]'], [3, 'c {"k":1}']]


def test_a_mistake_of_python_is_answered_and_any_other_ends_the_worker(tmp_path: Path) -> None:
    steps = [["nothing waits"], ["question", [5, "wrong", []]], ["question", [6, "memory", []]]]
    wrong, ended = [each for [each] in python(tmp_path, *steps).of("post")][-2:]
    assert wrong[:2] == [5, None] and len(wrong[2]) == 1500 and wrong[2].endswith("xValueError")
    assert ended == ["failed", "RangeError: out of memory"]


def test_a_question_that_needs_the_files_waits_for_them(tmp_path: Path) -> None:
    """It is asked once more; a module that is missing from the files too is told."""
    steps = [["question", [1, "needs files", []]], ["question", [2, "never", []]]]
    worked = python(tmp_path, *steps, caches={SNAPSHOTS: {"snapshot-p1": [PACKED, ""]}})
    answers = [message for [message] in worked.of("post") if isinstance(message[0], int)]
    assert answers[0] == [1, "needs files []"] and answers[1][:2] == [2, None]


#: A module with a memory of one page.
WASM = [*bytes.fromhex("0061736d010000000503010001070a01066d656d6f72790200")]
PAGE = 1 << 16


@pytest.mark.parametrize(
    ("snapshot", "pages"), [(1, 1), (PAGE, 1), (PAGE + 1, 2), (3 * PAGE, 3), (3 * PAGE + 9, 4)]
)
def test_the_memory_is_as_large_as_the_snapshot(snapshot: int, pages: int, tmp_path: Path) -> None:
    kept = {SNAPSHOTS: {"snapshot-p1": [[*gzip.compress(bytes(snapshot))], ""]}}
    worked = python(tmp_path, caches=kept, wasm=WASM)
    assert worked.of("memory") == [[pages * PAGE]] * 2


def test_without_a_snapshot_the_memory_is_as_it_was(tmp_path: Path) -> None:
    assert python(tmp_path, wasm=WASM).of("memory") == [[PAGE]] * 2


def test_a_start_that_fails_is_told(tmp_path: Path) -> None:
    worked = python(tmp_path, served={f"{SITE}site.zip": ["", 503]})
    assert worked.of("post") == [[["failed", "site.zip: 503"]]]
