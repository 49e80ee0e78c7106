"""A Canasta table in one file: a server, a client that plays, and a client that watches.

    pip install websockets
    python samples/table_server.py serve table.json      # prints the port, and a key for each seat
    python samples/table_server.py play PORT N KEY       # a player: here a bot, one for each seat
    python samples/table_server.py watch PORT            # a spectator, any number of them

The server listens only on this machine. It saves the game before it reports a play to anyone, so it
can be stopped at any moment: when it is started again, it continues, and the clients connect again
automatically. A message is JSON, as schemas/live.schema.json and schemas/replay.schema.json
describe it. A client needs no rules: the server sends what it may play, and what each play does.

A client sends {"play": "+"}, or {"undo": true} for its last play, as long as no other seat has
played since: the next deal may have been dealt by then.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import sys
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

import canasta_notation as cn


class Table:
    """A game, the keys of its seats, and who is connected to each: None is for spectators."""

    def __init__(self, path: Path, rules: str = "classic") -> None:
        self.path = path
        self.present: dict[ServerConnection, str | None] = {}
        if path.exists():
            saved = json.loads(path.read_text("utf-8"))
            self.keys: dict[str, str] = saved["keys"]
            self.game = cn.LiveGame.load(saved["game"])
        else:
            self.game = cn.LiveGame(rules)
            self.keys = {seat: secrets.token_hex(8) for seat in self.game.seats}
            self.game.deal()
            self.save()

    def save(self) -> None:
        """Write the whole game or nothing."""
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"keys": self.keys, "game": self.game.dump()}), "utf-8")
        os.replace(fresh, self.path)

    def view(
        self,
        seat: str | None,
        event: cn.Event | None = None,
        undone: tuple[cn.Undone, ...] = (),
    ) -> dict[str, Any]:
        """Return the message for a seat or a spectator, with nothing that it may not see."""
        view: dict[str, Any] = {"seat": seat, "table": self.game.observe(seat).to_json()}
        if event:
            view["event"] = event.seen_by(seat).to_json()
        if undone:
            steps = (each.seen_by(seat) if isinstance(each, cn.Event) else each for each in undone)
            view["undone"] = [step.to_json() for step in steps]
        if seat and seat == self.game.due:
            view["legal"] = self.game.legal().to_json()
        if self.game.deal_over:
            view["score_card"] = self.game.score_card().to_json()
        return view | {"over": self.game.over}

    async def send(self, to: ServerConnection, message: dict[str, Any]) -> None:
        """Send a message; a client that has just left will ask again when it is back."""
        try:
            await to.send(json.dumps(message))
        except ConnectionClosed:
            self.present.pop(to, None)

    async def serve(self, client: ServerConnection) -> None:
        """Talk to one client until it leaves; its address is /SEAT/KEY, or / for a spectator."""
        _, seat, key, *_ = [*(client.request.path if client.request else "").split("/"), "", ""]
        if seat and not secrets.compare_digest(self.keys.get(seat, "").encode(), key.encode()):
            await client.close(4001, "the key is not that of the seat")
            return
        self.present[client] = seat or None
        await self.send(client, self.view(seat or None))
        try:
            async for text in client:
                await self.play(client, seat, text)
        finally:
            self.present.pop(client, None)

    async def play(self, client: ServerConnection, seat: str, text: str | bytes) -> None:
        """Play or take back what a client asks for; a refusal changes nothing, and has a reason."""
        try:
            asked = json.loads(text)
            if asked.get("undo") is True:
                undone, event = self.game.take_back(seat), None
            else:
                undone, event = (), self.game.play(seat, str(asked["play"]))
        except cn.PlayError as refusal:
            await self.send(client, {"refused": refusal.to_json()})
            return
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            await self.send(
                client, {"refused": {"message": 'write {"play": "+"} or {"undo": true}'}}
            )
            return
        self.save()
        await self.send_all(event, undone)
        if self.game.deal_over and not self.game.over:
            self.game.deal()
            self.save()
            await self.send_all()

    async def send_all(
        self, event: cn.Event | None = None, undone: tuple[cn.Undone, ...] = ()
    ) -> None:
        """Send everyone who is connected the current table."""
        views = [(to, self.view(seat, event, undone)) for to, seat in self.present.items()]
        await asyncio.gather(*(self.send(*view) for view in views))


async def run(path: Path, port: int = 0) -> None:
    """Serve one table until the process is stopped."""
    table = Table(path)
    async with serve(table.serve, "127.0.0.1", port, max_size=1 << 12) as server:
        print("port", server.sockets[0].getsockname()[1], flush=True)
        for seat, key in table.keys.items():
            print("seat", seat, "key", key, flush=True)
        await server.serve_forever()


async def client(port: int, seat: str = "", key: str = "") -> None:
    """Play for a seat until the game is over, or watch; connect again whenever necessary."""
    async for server in connect(f"ws://127.0.0.1:{port}/{seat}/{key}"):
        try:
            async for text in server:
                told = json.loads(text)
                if "event" in told:
                    print(told["event"]["seat"], told["event"]["text"], flush=True)
                if told.get("over"):
                    print("over", told["score_card"]["sides"], flush=True)
                    return
                if "legal" in told:
                    play = random.choice(told["legal"]["plays"])["text"]
                    await server.send(json.dumps({"play": play}))
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 4001:
                raise SystemExit(closed.rcvd.reason) from None


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", path, *port]:
            asyncio.run(run(Path(path), *map(int, port)))
        case ["play", port, seat, key]:
            asyncio.run(client(int(port), seat, key))
        case ["watch", port]:
            asyncio.run(client(int(port)))
        case _:
            raise SystemExit(__doc__)
