"""The table at the end of every deal of a legal game, and records of what the players see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tests.naive_scorer import Deal, cards_of, play_through

_DRAW = re.compile(r"(?<= )\+\S*(?: \+\S*)*")
_PACKET = re.compile(r"(?:(?<= talon:)|(?<= foot:)|(?<= pot:))\S+")
#: The cards that replaced threes tabled late.
_LATE = re.compile(r"(?<=[sdhc]\+)(?:[2-9TJQKA][sdhc]|\*)+(?= |$)")


def with_tables(text: str) -> str:
    """Return a complete record with the table at the end of each deal."""
    deals = iter(play_through(text))
    return _rewritten(text, lambda line: line, deals)


def visible(text: str) -> str:
    """Return what everyone at the table sees of a game, with the table at the end of each deal."""
    played = play_through(text)
    american = played[0].profile["american"]
    black = american or bool(played[0].profile.get("both_threes"))

    def seen(line: str) -> str | None:
        if re.match(r"[A-FNSW]: |stock |talon |foot |pot ", line):
            return None
        if not re.match(r"\d+\. ", line):
            return line
        may_keep = american and " -" in line
        if any(played[0].profile.get(each) for each in ("foot", "pot")):
            line = _DRAW.sub("+", line)
        else:
            line = _DRAW.sub(lambda draw: _drawn(draw[0], black, may_keep), line)
        line = _PACKET.sub(lambda packet: _packet_seen(packet[0], played[0]), line)
        return _LATE.sub(lambda cards: _hidden(cards[0], black), line)

    return _rewritten(text, seen, iter(played))


def final_tables(text: str) -> str:
    """Return a game with only the table at the end of each deal, without the play."""

    def seen(line: str) -> str | None:
        return None if re.match(r"[A-FNSW]: |stock |talon |foot |pot |up |\d+\. ", line) else line

    table = _rewritten(text, seen, iter(play_through(text)))
    return re.sub("(?m)^melds .*", lambda line: _from_one(line[0]), table)


def _from_one(melds: str) -> str:
    """Return a line of melds with the numbers of a final table: from 1, with none left out."""
    numbers: Counter[str] = Counter()

    def numbered(label: re.Match[str]) -> str:
        numbers[label[1]] += 1
        number = numbers[label[1]]
        return f" {label[1]}:" if number == 1 else f" {label[1]}/{number}:"

    return re.sub(r" (\S)(?:/\d)?:", numbered, melds)


def _rewritten(text: str, seen, deals: Iterator[Deal]) -> str:
    lines = []
    for line in text.split("\n"):
        shown = seen(line)
        if shown is None:
            continue
        if shown.startswith("end "):
            deal = next(deals)
            if shown.startswith("end out") and deal.concealed:
                shown += " concealed"
            # A foot that a line above shows is not shown again.
            table = [each for each in table_lines(deal) if each[:5] != "foot " or not seen(each)]
            lines += [shown, *table]
        else:
            lines.append(shown)
    return "\n".join(lines)


def table_lines(deal: Deal) -> Iterator[str]:
    """Yield the lines of the table at a deal's end."""
    for name, side in deal.sides.items():
        groups = [f"{rank}:{''.join(cards)}" for rank, cards in side.melds.items()]
        yield " ".join(["melds", name, *groups])
    for name, side in deal.sides.items():
        yield " ".join(["threes", name, *side.threes])
    for seat, cards in deal.feet.items():
        yield " ".join(["foot", seat, *cards])
    for seat in deal.seats:
        if not deal.special or deal.special[0] != seat:
            yield " ".join(["left", seat, *deal.hands[seat]])


def _drawn(words: str, black: bool, may_keep: bool) -> str:
    """Return a draw as everyone sees it: the threes that were tabled, and the rest unseen.

    `black` says whether black threes are tabled too, `may_keep` whether a three that is drawn last
    stays in the hand. The last card of the stock does not, because it ends the deal.
    """
    cards = cards_of(words.replace("+", ""))
    tabled = [card for card in cards if _tabled(card, black)]
    if may_keep and tabled and _tabled(cards[-1], black):
        tabled.pop()
    if len(tabled) == len(cards):
        return " ".join(f"+{card}" for card in tabled)
    return " ".join([*(f"+{card}" for card in tabled), "+"])


def _packet_seen(cards: str, deal: Deal) -> str:
    """Return a packet as everyone sees it: the threes that are tabled at once, no other card."""
    if not deal.profile.get("sevens"):
        return "_" * len(cards_of(cards))
    return "+".join(_hidden(part, black=False) for part in cards.split("+"))


def _hidden(cards: str, black: bool) -> str:
    return "".join(card if _tabled(card, black) else "_" for card in cards_of(cards))


def _tabled(card: str, black: bool) -> bool:
    return card[0] == "3" and (black or card in ("3h", "3d"))
