"""samples/table_server.py: a table whose server is killed and whose clients come back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import canasta_notation as cn

SERVER = Path(__file__).parent.parent / "samples" / "table_server.py"
pytest.importorskip("websockets")


class Process:
    """A server or client, and the lines that it has printed."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, str(SERVER), *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        self.lines += (line.rstrip() for line in self.process.stdout)


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def begin(*arguments: object) -> Process:
        started.append(Process(*arguments))
        return started[-1]

    yield begin
    for each in started:
        each.process.kill()
        each.process.wait()


def wait(until: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)
    return found


def has_watched(watcher: Process) -> bool:
    """Return whether a spectator has seen many plays, or came back when the game was over."""
    return len(watcher.lines) > 20 or any(line.startswith("over ") for line in watcher.lines)


def saved(path: Path) -> cn.LiveGame:
    return cn.LiveGame.load(json.loads(path.read_text("utf-8"))["game"])


def test_a_table_continues_after_its_server_is_killed(
    tmp_path: Path, start: Callable[..., Process]
) -> None:
    path = tmp_path / "table.json"
    server = start("serve", path)
    wait(lambda: len(server.lines) == 5)
    port = server.lines[0].split()[1]
    keys = dict(line.split()[1::2] for line in server.lines[1:])
    watchers = [start("watch", port) for _ in range(2)]
    wrong = start("play", port, "N", "guessed")
    assert wrong.process.wait(30) == 1
    players = [start("play", port, seat, key) for seat, key in keys.items()]
    wait(lambda: len(saved(path).events) >= 8)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    before = saved(path)
    assert all(player.process.poll() is None for player in players)
    again = start("serve", path, port)
    wait(lambda: saved(path).deals >= 2 and len(saved(path).events) >= 4)
    wait(lambda: all(map(has_watched, watchers)))
    again.process.kill()
    game = saved(path)
    (record,) = cn.read(game.to_record())
    assert cn.verify(record).verdict == "verified"
    assert game.events_of(1)[: len(before.events)] == before.events
    assert not any("+5" in line or "+K" in line for watcher in watchers for line in watcher.lines)


def test_the_last_play_of_a_deal_is_taken_back_when_the_next_is_dealt(
    tmp_path: Path, start: Callable[..., Process]
) -> None:
    from websockets.sync.client import connect

    game = cn.LiveGame("classic", seed=3)
    game.deal()
    cn.play_out(game, "greedy")
    last = game.undo()
    assert isinstance(last, cn.Event)
    path = tmp_path / "table.json"
    keys = {seat: f"key{seat}" for seat in game.seats}
    path.write_text(json.dumps({"keys": keys, "game": game.dump()}), "utf-8")
    server = start("serve", path)
    wait(lambda: server.lines)
    port = server.lines[0].split()[1]
    other = next(seat for seat in game.seats if seat != last.seat)
    with (
        connect(f"ws://127.0.0.1:{port}/{last.seat}/{keys[last.seat]}") as player,
        connect(f"ws://127.0.0.1:{port}/{other}/{keys[other]}") as partner,
    ):

        def told(by: Any) -> Any:
            return json.loads(by.recv(timeout=30))

        def ask(by: Any, **message: object) -> Any:
            by.send(json.dumps(message))
            return told(by)

        assert [told(each)["seat"] for each in (player, partner)] == [last.seat, other]
        assert ask(player, play=last.text)["event"]["ended"] == last.ended
        assert told(player)["table"]["deal"] == saved(path).deals == 2
        assert [told(partner)["table"]["deal"] for _ in range(2)] == [1, 2]
        refusal = ask(partner, undo=True)["refused"]
        assert refusal["message"] == f"another has played since: {last.seat} {last.public}"
        undone = ask(player, undo=True)
        assert undone["undone"] == [cn.NewDeal(2).to_json(), last.to_json()]
        assert undone["legal"]["seat"] == last.seat and saved(path) == game
        assert told(partner)["undone"][1] == last.seen_by(other).to_json()
        for wrong in ([], {"undo": 1}, 5):
            player.send(json.dumps(wrong))
            assert "write" in told(player)["refused"]["message"]
