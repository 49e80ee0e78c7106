"""Make the cases of the conformance suite: `python -m tests.conformance.generate`.

The cases come from `written.toml`, the examples of slips, the rulings, the samples and random
games. A case keeps its id and the suite's version that it first appeared in, and a random game its
text. README.md says what the fields of a case are.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

from canasta_notation import Game, Reading, format_game, load_profile, profile_names
from canasta_notation.cards import EXACT
from canasta_notation.conformance.cases import answer
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.notation.diagnose import slips
from canasta_notation.notation.document import Turn
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.header import read_header
from canasta_notation.rules import Key, keys
from tests.conformance.run import FOLDER, LEVELS, SUITE
from tests.naive_scorer import PROFILES as SCORED
from tests.naive_scorer import cards_of, play_through
from tests.slow_lister import count_turns, knows
from tests.test_rulings import cases, expected

Case = dict[str, Any]
ROOT = FOLDER.parent.parent
SPECIFICATION = ROOT / "grammar" / "SPECIFICATION.md"
AUTHORED, SECOND, COMPUTED = "authored", "second", "computed"
#: How many random games each profile has for the states after each turn, and for those at the end.
WHOLE, ENDS = 1, 4
#: How many turns each profile has whose legal continuations are counted.
TURNS = 8
#: The size of the hands before those draws, and the opening minimum of a total of 0.
SMALL = range(4, 7)
FIRST_MINIMUM = 50
WRITTEN = "tests/conformance/written.toml"
#: The expected values that `written.toml` writes as JSON.
AS_JSON = ("json", "states", "ends")
#: The kinds of values that have numbers between bounds.
BOUNDED = {"number", "numbers", "table", "threes", "points", "cards"}
TEXT_CODES = {"syntax", "version", "duplicate-tag"}
#: The levels whose records name every card.
WRITTEN_LEVELS = ("replay", "referee", "legal")
#: The start of a line that names cards, and a word of it that leaves no card open.
CARD_LINE = (
    r"\s*(?:(?:\d+\.)?\s*[A-FNSW](?::|\s)|(?:up|stock|talon)\s|(?:melds|threes|left)\s+[A-FNSW]+)"
)
EXACT_WORD = (
    r"[~@$#!?].*|(?:ask|open)=.*|[^:]+/?\d?>\d"
    r"|(?:[-^+]|[^:+]+:)?(?:(?:(?:10|[2-9TJQKA])[shdc]|\*)\+?)*(?<!\+)(?:[/>!?].*)?"
)


def case(level: str, id: str, text: str, source: str, **values: Any) -> Case:
    """Return a case. `must`, `should` and `info` are expected values by their names, and `origin`
    says where those of `must` and `should` come from.
    """
    origin = values.pop("origin")
    named = [name for part in ("must", "should") for name in values.get(part) or ()]
    if isinstance(origin, str):
        origin = dict.fromkeys(named, origin)
    parts = {part: values[part] for part in ("must", "should", "info") if values.get(part)}
    return {"id": id, "level": level, "source": source, "from": origin, "text": text, **parts}


def answered(level: str, text: str) -> dict[str, Any]:
    """Return what our own program answers."""
    return dict(answer({"id": "", "level": level, "text": text})["result"])


def slug(text: str) -> str:
    """Return a text as a part of an id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# --- cases written by hand ----------------------------------------------------------------------


def written() -> Iterator[Case]:
    """Yield the cases of `written.toml`, which says how it writes what TOML does not have."""
    for each in tomllib.loads((FOLDER / "written.toml").read_text("utf-8"))["case"]:
        must = {"text": None} if each.get("none") else dict(each.get("must", {}))
        must |= {name: json.loads(each[name]) for name in AS_JSON if name in each}
        if must.get("first_error") == 0:
            must["first_error"] = None
        text = each["text"]
        if long := each.get("long"):
            start, sign, end = text.partition(long["after"])
            text = start + sign + long["repeat"] * long["times"] + end
        section = each.get("section")
        source = f"grammar/SPECIFICATION.md, {section}" if section else WRITTEN
        yield case(
            each["level"], each["id"], text, source,
            must=must, should=each.get("should"), origin=AUTHORED,
        )  # fmt: skip


def slipped() -> Iterator[Case]:
    """Yield a case for each example of a slip: the line cannot be read."""
    seen: Counter[str] = Counter()
    for slip in slips():
        for example in slip.examples:
            line = re.sub("[⟦⟧]", "", example)
            if re.search(r"[\n\r]", line):
                continue
            head = '[CGN "1"]\n' if line.lstrip().startswith("[") else '[CGN "1"]\n\ndeal 1\n'
            name = slug(slip.message)[:40].strip("-")
            seen[name] += 1
            yield case(
                "reader", f"slip-{name}-{seen[name]}", f"{head}{line}\n", "grammar/slips.toml",
                must={"first_error": head.count("\n") + 1}, origin=AUTHORED,
            )  # fmt: skip


# --- samples ------------------------------------------------------------------------------------


def samples() -> Iterator[Case]:
    """Yield the cases of the samples: they are canonical, and an untidy copy says the same."""
    for path in sorted((ROOT / "samples").rglob("*.canasta")):
        text = path.read_text("utf-8")
        name = f"sample-{slug(path.stem)}"
        source = str(path.relative_to(ROOT))
        found = answered("reader", text)
        yield case(
            "reader", name, text, source, must={"first_error": found["first_error"]},
            should={"errors": found["errors"]}, origin=AUTHORED,
        )  # fmt: skip
        yield judged(name, text, source, expected(text))
        if found["errors"]:
            continue
        must = {"text": text}
        if path.parent.name == "samples":
            yield case("canonical", name, text, source, must=must, origin=AUTHORED)
            must_json = {"json": answered("json", text)["json"]}
            yield case("json", name, text, source, must=must_json, origin=COMPUTED)
            form = json.dumps(must_json["json"], ensure_ascii=False)
            yield case("json", f"{name}-back", form, source, must=must, origin=AUTHORED)
        untidy = untidied(text, random.Random(name))
        yield case("canonical", f"{name}-untidy", untidy, source, must=must, origin=AUTHORED)


def untidied(text: str, rng: random.Random) -> str:
    """Return a canonical text spelled in another way."""
    return "".join(_untidy_line(line, rng) + "\n" for line in text.splitlines())


def _untidy_line(line: str, rng: random.Random) -> str:
    """Return a line with different blanks, tens, orders and numbers."""
    body, sign, comment = line.partition(";")
    if line.startswith("[") or not body.strip():
        return line + " " * rng.randrange(2)
    listed = re.match(r"(?:[A-FNSW]:|up|stock|talon|left [A-Z]|threes [A-Z]+)(?= |$)", body)
    if listed:
        body = _untidy_list(listed[0], body[listed.end() :].split(), rng)
    elif re.match(r"\d+\. ", body) and rng.random() < 0.5:
        body = body.replace(". ", rng.choice([".", ".   "]), 1)
    if rng.random() < 0.5:
        body = re.sub(r"T(?=[shdc: +>]|$)", "10", body)
    if not listed:
        body = body.replace(" ", rng.choice([" ", "  ", "\t"]))
    return (
        " " * rng.randrange(3)
        + body.rstrip()
        + (rng.choice([" ", ""]) + sign + comment if sign else "")
    )


def _untidy_list(head: str, words: list[str], rng: random.Random) -> str:
    """Return a line with a list of cards, in another order if the order says nothing."""
    ordered = head in ("up", "stock")
    cards = [word for word in words if word[0] not in "+~." and len(word) <= 2]
    rest = words[len(cards) :]
    if not ordered:
        rng.shuffle(cards)
    apart = rng.choice(["", " "])
    return f"{head} " + " ".join([apart.join(cards), *rest] if cards else rest)


# --- rulings ------------------------------------------------------------------------------------


def rulings() -> Iterator[tuple[str, str, str]]:
    """Yield the id, the row and the text of each ruling under each of its profiles.

    The text has the comments with the expected findings.
    """
    seen: Counter[str] = Counter()
    for each in cases():
        ruling, profile = each.values
        name = f"{ruling['row']}-{profile}-{slug(ruling['name'])}"
        text = with_rules(ruling["record"], f"{profile} {ruling.get('overrides', '')}".strip())
        if text is not None:
            seen[name] += 1
            yield name if seen[name] == 1 else f"{name}-{seen[name]}", ruling["row"], text


def ruled() -> Iterator[Case]:
    """Yield the cases of the rulings."""
    for id, row, marked in rulings():
        places = expected(marked)
        text = unmarked(marked)
        source = f"grammar/RULES.md, {row}"
        errors = sorted(list(each) for each in places if each[1] in TEXT_CODES)
        if errors:
            must = {"first_error": answered("reader", text)["first_error"]}
            yield case(
                "reader", id, text, source, must=must, should={"errors": errors}, origin=AUTHORED
            )
        yield judged(id, text, source, places)


def unmarked(text: str) -> str:
    """Return a text without the comments that say what to expect."""
    return re.sub(r"[ \t]*;[ \t]*(expect|open):.*", "", text)


def with_rules(record: str, rules: str) -> str | None:
    """Return a record with a Rules tag in each game without one; None if it has no CGN tag."""
    if rules == "classic" or all(reading.game.tag("Rules") for reading in read_text(record)):
        return record
    games = re.split(r"(?m)^(?=\[CGN )", record)
    if len(games) == 1:
        return None
    tagged = [
        game if "[Rules " in game else game.replace("\n", f'\n[Rules "{rules}"]\n', 1)
        for game in games[1:]
    ]
    return "".join([games[0], *tagged])


def judged(id: str, text: str, source: str, places: set[tuple[int, str]] | None) -> Case:
    """Return a case for a referee; `places` are the lines and codes of its findings, if written."""
    found = answered("referee", text)
    readings = list(read_text(text))
    level = "referee" if all(is_written(reading.game) for reading in readings) else "unknown"
    if places is not None:
        assert {tuple(each) for each in found["findings"]} <= places, id
    origin = dict.fromkeys(("verdict", "first_error", "findings"), AUTHORED)
    must = {"verdict": found["verdict"], "first_error": found["first_error"]}
    points = confirmed(readings, found, level)
    if points:
        must["scores"] = found["scores"]
        origin["scores"] = points
    if places is None:
        assert (points, found["findings"]) == (SECOND, []), id
        origin = dict.fromkeys(origin, SECOND)
    info = {"consequences": found["consequences"]} if found["consequences"] else None
    should = {"findings": found["findings"]}
    return case(level, id, text, source, must=must, should=should, info=info, origin=origin)


def is_written(game: Game) -> bool:
    """Return whether every card that a referee has to know is written."""
    return all(deal.play for deal in game.deals) and names_every_card(game)


def names_every_card(game: Game) -> bool:
    """Return whether the hands and the up cards are written, and no card is left open."""
    profile = read_header(game, 1).profile
    if profile is None:
        return False
    for deal in game.deals:
        lines = [*deal.hands, deal.up, deal.stock, *deal.packets, *deal.threes, *deal.left]
        groups = [group for line in deal.melds for group in line.groups]
        actions = [act for turn in deal.play if isinstance(turn, Turn) for act in turn.actions]
        parts = [*filter(None, lines), *groups, *actions]
        if (
            len(deal.hands) < len(profile.seats)
            or (profile["up.turned"] and not deal.up)
            or (profile["packet.of"] == "seat" and len(deal.packets) < len(profile.packets))
            or any(
                getattr(part, mark, False) for part in parts for mark in ("rest_unknown", "bare")
            )
            or not all(EXACT[code] for part in parts for code in cards_in(part))
        ):
            return False
    return True


def cards_in(part: Any) -> Iterator[int]:
    """Yield the cards that a line, a group or an action names."""
    if hasattr(part, "card"):
        yield part.card
    for name in ("cards", "threes", "replacements"):
        yield from getattr(part, name, ())


def open_words(text: str) -> list[str]:
    """Return the words of a text that leave a card open, such as `K`, `_`, `...` and a bare `+`."""
    lines = (line.partition(";")[0] for line in text.split("\n"))
    marks = [(line, mark) for line in lines if (mark := re.match(CARD_LINE, line))]
    words = [word for line, mark in marks for word in line[mark.end() :].split()]
    # The cards of a foot stand on its line.
    known = {word for word in PACKET_WORDS if re.search(rf"(?m)^{word} ", text)}
    return [word for word in words if word not in known and not re.fullmatch(EXACT_WORD, word)]


def left_open(each: Case) -> list[str]:
    """Return what the record of a case leaves open although the level promises that it does not."""
    level, text = each["level"], each["text"]
    if level not in WRITTEN_LEVELS:
        return []
    games = [reading.game for reading in read_text(text)]
    found = open_words(text)
    if not all(map(is_written if level == "referee" else names_every_card, games)):
        found.append("a line is missing")
    return found


def confirmed(readings: list[Reading], found: dict[str, Any], level: str) -> str:
    """Return what else confirms the scores: the naive scorer, the record, or nothing ("")."""
    if found["verdict"] != "verified" or len(readings) != 1:
        return ""
    game = readings[0].game
    rules = game.tag("Rules")
    if level == "referee" and rules is not None and rules.value in SCORED:
        # The naive scorer knows neither comments nor acknowledgements.
        text = re.sub(r" +(;.*|~[a-z-]+)", "", format_game(game))
        try:
            naive = [deal.scores() for deal in play_through(text)]
        except ValueError:
            return ""  # a card is not where the naive scorer thinks it is
        shown = [
            {side: each["items"] for side, each in deal.items()} for deal in found["scores"][0]
        ]
        return SECOND if naive == shown else ""
    claims = [len(deal.scores) == len(found["scores"][0][0]) for deal in game.deals]
    claims += [line.items is not None for deal in game.deals for line in deal.scores]
    return AUTHORED if claims and all(claims) else ""


# --- random games -------------------------------------------------------------------------------


def random_games(old: dict[str, Case]) -> Iterator[Case]:
    """Yield the cases of random games: their states, their scores, and their other forms."""
    for profile in profile_names():
        for seed in range(1, WHOLE + ENDS + 1):
            id = f"random-{profile}-{seed}"
            kept = old.get(f"replay {id}")
            whole = seed <= WHOLE
            text = kept["text"] if kept else random_text(profile, seed)
            states = answered("replay", text)
            must = {"states": states["states"]} if whole else {"ends": states["ends"]}
            source = f"a random game of {profile}"
            origin = SECOND if naive_ends(text, profile, states["ends"]) else COMPUTED
            yield case(
                "replay", id, text, source,
                must=must, origin=COMPUTED if whole else origin,
            )  # fmt: skip
            if profile in SCORED:
                yield judged(id, text, source, None)
            if whole:
                form = answered("json", text)["json"]
                yield case("json", id, text, source, must={"json": form}, origin=COMPUTED)


def legal_turns(old: dict[str, Case]) -> Iterator[Case]:
    """Yield the cases with the number of legal turns after a draw, counted in two ways."""
    known = json.loads(profiles())
    for profile in profile_names():
        values = known[profile]["values"]
        if not knows(values):
            continue
        kept = [
            each["text"]
            for name, each in old.items()
            if re.fullmatch(rf"legal turns-{profile}-\d+", name)
        ]
        made = (cut_after_draw(random_text(profile, seed)) for seed in count(101))
        texts = kept or islice(filter(None, made), TURNS)
        for number, text in enumerate(texts, 1):
            yield case(
                "legal", f"turns-{profile}-{number}", text, f"a random game of {profile}",
                must={"turns": counted(values, text)}, origin=SECOND,
            )  # fmt: skip


def counted(values: dict[str, str], text: str) -> dict[str, int]:
    """Return what the slow lister counts after the draw at the end of a text."""
    before, _, line = text.rstrip("\n").rpartition("\n")
    ((table,),) = ([deal[-1]] for deal in answered("replay", before + "\n")["states"])
    seat, *drawn = line.split()[1:]
    side = next(name for name in table["melds"] if seat in name)
    hand = table["hands"][seat] + "".join(drawn).replace("+", "")
    return count_turns(values, hand, table["melds"][side], FIRST_MINIMUM)


def cut_after_draw(text: str) -> str | None:
    """Return the first deal of a record up to the last draw into a small hand; None without one."""
    head, deal = text.split("\n\n")[:2]
    head = re.sub(r"\[Result .*\n?", "", head).rstrip("\n")
    lines = deal.split("\n")
    for at in reversed(range(len(lines))):
        drawn = re.match(r"\d+\. (\w)(?: \+\S+)+", lines[at])
        if drawn is None or "+3h" in drawn[0] or "+3d" in drawn[0]:
            continue
        before = "\n".join([head, "", *lines[:at]]) + "\n"
        held = answered("replay", before)["ends"][0]["hands"][drawn[1]]
        if len(cards_of(held)) in SMALL:
            return f"{before}{drawn[0]}\n"
    return None


def random_text(profile: str, seed: int) -> str:
    """Return the record of a random game of two deals."""
    return format_game(play_game(load_profile(profile), seed, deals=2))


def naive_ends(text: str, profile: str, ends: list[Any]) -> bool:
    """Return whether the naive scorer leaves the same cards at the end of each deal."""
    if profile not in SCORED:
        return False
    for deal, state in zip(play_through(text), ends, strict=True):
        hands = {seat: sorted(cards) for seat, cards in deal.hands.items()}
        if deal.special or hands != {
            seat: sorted(cards_of(cards)) for seat, cards in state["hands"].items()
        }:
            return False
        for name, side in deal.sides.items():
            melds = {label: sorted(cards) for label, cards in side.melds.items()}
            shown = [meld.split(":") for meld in state["melds"][name].split()]
            if melds != {label: sorted(cards_of(cards)) for label, cards in shown}:
                return False
            if sorted(side.threes) != sorted(cards_of(state["threes"][name])):
                return False
        if deal.pile != cards_of(state["pile"]):
            return False
    return True


# --- files --------------------------------------------------------------------------------------


def all_cases(old: dict[str, Case]) -> Iterator[Case]:
    """Yield every case."""
    for each in (written(), slipped(), samples(), ruled(), random_games(old), legal_turns(old)):
        yield from each


def read_cases() -> dict[str, Case]:
    """Return the cases as they are in the files, by their levels and ids."""
    files = [path for level in LEVELS if (path := FOLDER / "cases" / f"{level}.jsonl").exists()]
    lines = (line for path in files for line in path.read_text("utf-8").split("\n") if line)
    return {f"{each['level']} {each['id']}": each for each in map(json.loads, lines)}


def files() -> dict[Path, str]:
    """Return the text of each file of the suite that is made here."""
    old = read_cases()
    texts: dict[Path, list[str]] = {FOLDER / "cases" / f"{level}.jsonl": [] for level in LEVELS}
    seen = set()
    for each in all_cases(old):
        name = f"{each['level']} {each['id']}"
        assert name not in seen, name
        assert not left_open(each), (name, left_open(each))
        seen.add(name)
        dated = {"id": each["id"], "since": old.get(name, {}).get("since", SUITE), **each}
        line = json.dumps(dated, separators=(",", ":"))
        texts[FOLDER / "cases" / f"{each['level']}.jsonl"].append(line + "\n")
    own = {
        FOLDER / "profiles.json": profiles(),
        FOLDER / "keys.json": key_forms(),
        SPECIFICATION: specification(),
    }
    return own | {path: "".join(lines) for path, lines in texts.items()}


def profiles() -> str:
    """Return every profile with the value of every key, as a Rules tag writes it.

    For keys that take only what the profile offers, also return the other values.
    """
    values = {}
    for name in profile_names():
        profile = load_profile(name)
        values[name] = {
            "seats": profile.seats,
            "sides": list(profile.side_names),
            "values": {key: profile.spelled(key) for key in keys()},
            "offers": {
                name: [str(offer) for offer in profile.values[name].offers]
                for name, key in keys().items()
                if key.offered_only and profile.values[name].offers
            },
        }
    return json.dumps(values, indent=1) + "\n"


def specification() -> str:
    """Return the specification with the table of the keys and of what their values say."""
    rows = ["| key | value | what it says | form |", "|---|---|---|---|"]
    for name, key in keys().items():
        for at, (value, sentence) in enumerate(key.sentences.items()):
            shown = "*value*" if value == "else" else f"`{value}`"
            said = re.sub(r"\{\w+\}", "*value*", sentence).replace("|", "\\|")
            first, last = ("", "") if at else (f"`{name}`", form(key))
            rows.append(f"| {first} | {shown} | {said} | {last} |".replace(" |  |", " | |"))
    table = "\n".join(rows)
    text = SPECIFICATION.read_text("utf-8")
    return re.sub(
        r"(?s)(<!-- keys -->\n).*(<!-- /keys -->)",
        lambda mark: f"{mark[1]}\n{table}\n\n{mark[2]}",
        text,
    )


def form(key: Key) -> str:
    """Return what values a Rules tag can give to a key."""
    words = ", ".join(f"`{choice}`" for choice in key.choices)
    perhaps = "".join(f", perhaps `{name}`" for name in key.optional)
    bounds = f"{key.least} to {key.most}"
    said = {
        "number": f"number: {words or bounds}",
        "truth": "`yes`, `no`",
        "choice": f"word: {words}",
        "list": f"list of {words}",
        "numbers": "list of numbers from 1",
        "table": f"table, its points {bounds}",
        "threes": f"points of threes: {bounds}",
        "points": f"points by name: {words}{perhaps}; {bounds}",
        "cards": f"points of cards: {words}; {bounds}",
        "special": "",
    }[key.kind]
    if key.offered_only:
        said = "what the profile offers"
    return "".join([said, *(f", or `{word}`" for word in (*key.words, *["none"] * key.none))])


def key_forms() -> str:
    """Return the form of each key's values, as JSON."""
    forms = {
        name: {
            "kind": key.kind,
            **({"choices": [str(choice) for choice in key.choices]} if key.choices else {}),
            **({"optional": [*key.optional]} if key.optional else {}),
            **({"least": key.least, "most": key.most} if key.kind in BOUNDED else {}),
            **({"none": True} if key.none else {}),
            **({"words": list(key.words)} if key.words else {}),
            **({"offered": True} if key.offered_only else {}),
        }
        for name, key in keys().items()
    }
    lines = (f" {json.dumps(name)}: {json.dumps(each)}" for name, each in forms.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the files."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        print(
            f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines, {len(text.encode()):,} bytes"
        )


if __name__ == "__main__":
    main()
