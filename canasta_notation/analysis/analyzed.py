"""The analysis of a game, and the players' figures over many games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import groupby
from math import hypot
from typing import Any, TypeVar

from canasta_notation.analysis.chances import CHANCES, Chances, Missed
from canasta_notation.analysis.facts import DealFacts, FactsWatch, SeatFacts
from canasta_notation.analysis.limits import Limits, limits_of
from canasta_notation.analysis.practice import Practice, practice_of
from canasta_notation.analysis.risk import Risk, Risks
from canasta_notation.analysis.values import DealValues, Judged, Loss, SeatValues, SideValues
from canasta_notation.cards import LABELS, TEXT
from canasta_notation.english import count
from canasta_notation.names import distinct_name, name_at
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notebook import table_html
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile, load_profile


@dataclass(frozen=True, slots=True)
class Chance:
    """A turn that could legally have done something and did not.

    `kind` is "take", "open", "out" or "canasta". `cards` is how many cards the pile had, only for
    "take"; None if that is not known. `rank`, a place, and `canasta` say which canasta it would
    have been.
    """

    turn: int
    seat: str
    kind: str
    cards: int | None = None
    rank: int | None = None
    canasta: str | None = None


@dataclass(frozen=True, slots=True)
class AnalyzedDeal:
    """A deal: its facts, the missed chances, and the risks of the discards, by turn.

    `known` are the seats whose hands were known at each of their turns; for the others, chances may
    be missing. `values` is None without play-outs.
    """

    facts: DealFacts
    chances: tuple[Chance, ...]
    known: frozenset[str]
    risks: tuple[Risk, ...]
    values: DealValues | None = None

    def missed(self, seat: str) -> dict[str, int | None]:
        """Return how many chances of each kind a seat missed, None if its hand was not known."""
        own = [each.kind for each in self.chances if each.seat == seat]
        return {kind: own.count(kind) if seat in self.known else None for kind in CHANCES}


@dataclass(frozen=True, slots=True, repr=False)
class GameAnalysis:
    """The analysis of a game. `players` has the names by seat; a seat without a name is left out.

    `rules` is the profile's name, None if the rules cannot be read: then there are no deals.
    `winner` is the side that won. `errors` is how many errors the record has. `limits` say how
    large a loss is a mistake or a blunder, None without rules. `turn` is the only turn whose
    decisions were judged, None for all. `file` is the path of the game's file, or "".
    """

    game: int
    rules: str | None
    seats: str
    sides: tuple[str, ...]
    players: Mapping[str, str]
    deals: tuple[AnalyzedDeal, ...]
    winner: str | None
    errors: int
    limits: Limits | None
    turn: int | None = None
    file: str = field(default="", compare=False)

    @property
    def played(self) -> tuple[int, ...]:
        """The numbers of the deals with recorded play."""
        return tuple(each.facts.deal for each in self.deals if each.facts.replayed)

    def with_values(
        self, values: Mapping[int, DealValues], turn: int | None = None
    ) -> GameAnalysis:
        """Return the analysis with the values of deals, by their numbers, or only of `turn`."""
        deals = [replace(each, values=values.get(each.facts.deal)) for each in self.deals]
        return replace(self, deals=tuple(deals), turn=turn)

    def name(self, seat: str) -> str:
        """Return the name of the player at a seat, or the seat without one.

        Players of one name get their seat, because they are different people.
        """
        return distinct_name(seat, {each: name_at(each, self.players) for each in self.seats})

    def __repr__(self) -> str:
        return f"<GameAnalysis {self.rules}, {count(len(self.deals), 'deal')}>"

    def _repr_html_(self) -> str:
        """Return the figures of the players, summed over the deals, for a notebook."""
        players = Players()
        players.add(self)
        return _players_html(players.figures())

    def to_json(self, *, decisions: bool = False) -> dict[str, Any]:
        """Return the analysis for JSON, `#/$defs/game` of schemas/analysis.schema.json.

        With `decisions`, or if only one turn was judged, each deal has all decisions that were
        judged.
        """
        return game_json(self, decisions=decisions)


def analyze_game(
    game: Game,
    number: int,
    override: Profile | None = None,
    deal: int | None = None,
    *,
    seed: int | None = 0,
) -> GameAnalysis:
    """Return the facts, chances and risks of a game, which is game `number` of its file.

    `override` replaces the rules that the record names. With `deal`, only this deal (from 1) is
    analyzed. `seed` decides the samples of risks that are estimated; None leaves out all risks. Not
    checked: that the game has the deal.
    """
    profile = read_header(game, number, override).profile
    watch = GameWatch(game, profile, deal, seed=seed)
    return watch.analysis(replay_game(game, number, rules=override, observer=watch.observe))


class GameWatch:
    """Observes a replay and makes the analysis of the game.

    `profile` has the rules by which the game is replayed, None if they cannot be read. With `deal`,
    only this deal (from 1) is analyzed. `seed` decides the samples of risks; None leaves them out.
    """

    def __init__(
        self, game: Game, profile: Profile | None, deal: int | None = None, *, seed: int | None
    ) -> None:
        self._game = game
        self._profile = profile
        self._deal = deal
        self._facts, self.chances = FactsWatch(game), Chances(game)
        rules = profile or load_profile("classic")
        self._risks = Risks(rules, seed) if seed is not None else None

    def observe(self, moment: Moment) -> None:
        """Look at a moment of the replay."""
        if self._deal in (None, moment.deal):
            self._facts.observe(moment)
            self.chances.observe(moment)
            if self._risks is not None:
                self._risks.observe(moment)

    def analysis(self, report: GameReport) -> GameAnalysis:
        """Return the analysis of the game, once the replay is over."""
        profile = self._profile
        seats, sides = (profile.seats, profile.side_names) if profile else ("", ())
        deals = [each for each in report.deals if profile and self._deal in (None, each.deal)]
        return GameAnalysis(
            report.game,
            report.rules,
            seats,
            sides,
            self._game.names((profile or load_profile("classic")).seats),
            tuple(self._analyzed(each, seats, sides) for each in deals),
            report.winner,
            sum(each.severity == "error" for each in report.findings),
            limits_of(profile) if profile else None,
            file=self._game.file,
        )

    def _analyzed(self, report: DealReport, seats: str, sides: tuple[str, ...]) -> AnalyzedDeal:
        facts = self._facts.of(report, seats, sides)
        return _deal(self._game, report, facts, self.chances, self._risks)


def _deal(
    game: Game, report: DealReport, facts: DealFacts, chances: Chances, risks: Risks | None
) -> AnalyzedDeal:
    turns = [line for line in game.deals[report.deal - 1].play if isinstance(line, Turn)]
    found: list[Chance] = []
    unknown: set[str] = set()
    for number, turn in enumerate(turns[: facts.replayed], 1):
        missed = chances.of(report.deal, number)
        found += _chances(number, turn.seat, missed)
        if not missed.known:
            unknown.add(turn.seat)
    seats = () if facts.sheet or facts.final else facts.seats
    discards = risks.of(report.deal) if risks is not None else ()
    return AnalyzedDeal(facts, tuple(found), frozenset(seats) - unknown, discards)


def _chances(turn: int, seat: str, missed: Missed) -> Iterable[Chance]:
    if missed.out is not None:
        yield Chance(turn, seat, "out")
    for group in missed.canastas:
        yield Chance(turn, seat, "canasta", rank=group.rank, canasta=group.canasta)
    if missed.opening is not None:
        yield Chance(turn, seat, "open")
    if missed.take is not None:
        yield Chance(turn, seat, "take", cards=missed.pile)


# --- players --------------------------------------------------------------------------------------

#: The figures of a seat that are summed over deals.
SUMMED = ("turns", "drawn", "takes", "taken", "gifts", "given", "froze", "laid", "wilds", "held")


#: The values of a seat that are summed over deals.
VALUED = ("decisions", "loss", "mistakes", "blunders", "luck")
#: The errors of values, whose squares are summed.
ERRORS = ("loss_error", "luck_error")


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's figures over deals, by name; a seat without a name counts as a player.

    `deals` are the deals in which the player sat, `games` the games and `won` those that the
    player's side won. Each figure is the sum over the deals that show it, None if none does.
    `values` has `decisions`, `loss`, `mistakes`, `blunders`, `luck` and the errors of loss and
    luck, None without play-outs, as is `practice`.
    """

    name: str
    games: int
    deals: int
    won: int
    figures: Mapping[str, int | None]
    chances: Mapping[str, int | None]
    values: Mapping[str, float | None]
    practice: tuple[Practice, ...] | None

    @property
    def loss_per_decision(self) -> float | None:
        """The points that a decision with a choice cost on average; None if there was none."""
        loss, decisions = self.values["loss"], self.values["decisions"]
        return None if loss is None or not decisions else round(loss / decisions, 1)

    @property
    def loss_per_decision_error(self) -> float | None:
        """The standard error of `loss_per_decision`."""
        error, decisions = self.values["loss_error"], self.values["decisions"]
        return None if error is None or not decisions else round(error / decisions, 1)


class Players:
    """The players of many games, in the order of their first appearance."""

    def __init__(self) -> None:
        self._games: dict[str, int] = {}
        self._won: dict[str, int] = {}
        self._deals: dict[
            str, list[tuple[SeatFacts, dict[str, int | None], SeatValues | None]]
        ] = {}
        self._judged: dict[str, list[tuple[Judged, ...]]] = {}

    def add(self, game: GameAnalysis, seat: str | None = None) -> None:
        """Add a game; with `seat`, only the player there."""
        for each in game.seats:
            if seat not in (None, each):
                continue
            name = game.name(each)
            self._games[name] = self._games.get(name, 0) + 1
            won = game.winner is not None and each in game.winner
            self._won[name] = self._won.get(name, 0) + won
            self._deals.setdefault(name, []).extend(
                (
                    deal.facts.seats[each],
                    deal.missed(each),
                    deal.values.seats[each] if deal.values else None,
                )
                for deal in game.deals
            )
            self._judged.setdefault(name, []).extend(
                deal.values.judged_of(each) for deal in game.deals if deal.values
            )

    def figures(self) -> tuple[PlayerFigures, ...]:
        """Return the figures of all players."""
        return tuple(
            PlayerFigures(
                name,
                self._games[name],
                len(deals),
                self._won[name],
                {key: _sum(getattr(facts, key) for facts, _, _ in deals) for key in SUMMED},
                {kind: _sum(missed[kind] for _, missed, _ in deals) for kind in CHANCES},
                {key: _sum(getattr(each, key, None) for *_, each in deals) for key in VALUED}
                | {key: _hypot(getattr(each, key, None) for *_, each in deals) for key in ERRORS},
                practice_of(self._judged[name]) if self._judged[name] else None,
            )
            for name, deals in self._deals.items()
        )


_Number = TypeVar("_Number", int, float)


def _sum(figures: Iterable[_Number | None]) -> _Number | None:
    """Return the sum of the figures that are known, None if none is."""
    known = [each for each in figures if each is not None]
    return sum(known) if known else None


def _hypot(errors: Iterable[float | None]) -> float | None:
    """Return the error of the sum of figures with these errors, None if none is known."""
    known = [each for each in errors if each is not None]
    return round(hypot(*known), 1) if known else None


@dataclass(frozen=True, slots=True, repr=False)
class Analyses:
    """The analyses of several games, and the figures of their players over all of them."""

    games: tuple[GameAnalysis, ...]
    players: tuple[PlayerFigures, ...]

    def __repr__(self) -> str:
        return f"<Analyses {count(len(self.games), 'game')}, {count(len(self.players), 'player')}>"

    def _repr_html_(self) -> str:
        """Return the figures of the players over all games, for a notebook."""
        return _players_html(self.players)

    def to_json(self, *, decisions: bool = False) -> dict[str, Any]:
        """Return the document of schemas/analysis.schema.json, as `canasta analyze --json` does.

        With `decisions`, each deal has all decisions that were judged.
        """
        files = [
            {"file": file, "games": [game_json(game, decisions=decisions) for game in games]}
            for file, games in groupby(self.games, lambda game: game.file)
        ]
        return {"files": files, "players": [*map(player_json, self.players)]}


def _players_html(players: Iterable[PlayerFigures]) -> str:
    rows = [(each.name, *each.figures.values()) for each in players]
    return table_html(("player", *SUMMED), rows)


def analyses_of(games: Iterable[GameAnalysis]) -> Analyses:
    """Return the analyses of several games, with the figures of the players over all of them."""
    found, players = tuple(games), Players()
    for game in found:
        players.add(game)
    return Analyses(found, players.figures())


# --- the analysis for programs, as schemas/analysis.schema.json describes it ----------------------


def game_json(
    game: GameAnalysis, seat: str | None = None, *, decisions: bool = False
) -> dict[str, Any]:
    """Return a game; with `seat`, only the figures and chances of that seat.

    With `decisions`, or if only one turn was judged, each deal has the decisions.
    """
    decisions = decisions or game.turn is not None
    return {
        "game": game.game,
        "rules": game.rules,
        "players": dict(game.players),
        "errors": game.errors,
        "limits": game.limits and game.limits._asdict(),
        "deals": [_deal_json(deal, seat, decisions=decisions) for deal in game.deals],
    }


def player_json(player: PlayerFigures) -> dict[str, Any]:
    """Return the figures of a player."""
    return {
        "name": player.name,
        "games": player.games,
        "deals": player.deals,
        "won": player.won,
        **player.figures,
        "chances": dict(player.chances),
        **player.values,
        "loss_per_decision": player.loss_per_decision,
        "loss_per_decision_error": player.loss_per_decision_error,
        "practice": _practice(player.practice),
    }


def _practice(practice: tuple[Practice, ...] | None) -> list[dict[str, Any]] | None:
    return None if practice is None else [asdict(each) for each in practice]


def _deal_json(deal: AnalyzedDeal, seat: str | None, *, decisions: bool) -> dict[str, Any]:
    facts, values = deal.facts, deal.values
    return {
        "deal": facts.deal,
        "ended": facts.ended,
        "by": facts.by,
        "turns": facts.turns,
        "replayed": facts.replayed,
        "sheet": facts.sheet,
        "final": facts.final,
        "largest_pile": facts.largest_pile,
        "piles": [
            asdict(pile) | _swing(_shown(values, seat), pile.seat, pile.turn)
            for pile in facts.piles
            if seat in (None, pile.seat)
        ],
        "seats": {each: _seat_json(deal, each) for each in facts.seats if seat in (None, each)},
        "sides": {
            side: asdict(figures) | _fields(SideValues, _shown(values, seat).get(side))
            for side, figures in facts.sides.items()
        },
        "discards": [_discard(each) for each in deal.risks if seat in (None, each.seat)],
        "moments": _moments(deal, seat),
        **_curve(_shown(values, seat)),
        "turning_point": values.turning_point if values and seat is None else None,
        "judged": _judged(values, seat) if decisions else None,
        "playouts": _playouts(values),
    }


def _seat_json(deal: AnalyzedDeal, seat: str) -> dict[str, Any]:
    values = deal.values
    return {
        **asdict(deal.facts.seats[seat]),
        "chances": deal.missed(seat),
        **_fields(SeatValues, values and values.seats.get(seat)),
        "practice": _practice(practice_of([values.judged_of(seat)]) if values else None),
    }


def _judged(values: DealValues | None, seat: str | None) -> list[dict[str, Any]] | None:
    """Return the decisions that were judged, None without play-outs."""
    if values is None:
        return None
    judged = [each for each in values.judged if seat in (None, each.seat)]
    return [asdict(each, dict_factory=_with_lists) for each in judged]


def _playouts(values: DealValues | None) -> dict[str, Any] | None:
    """Return the number of play-outs of each position, and of the leading plays by decision."""
    if values is None:
        return None
    most = [2 * max(each.samples for each in judged.candidates) for judged in values.judged]
    return {"position": values.position, "decisions": most}


def _swing(sides: Mapping[str, SideValues], seat: str, turn: int) -> dict[str, Any]:
    """Return how much a discard and the take after it changed the value for the taker's side."""
    side = next((side for name, side in sides.items() if seat in name), None)
    return {
        "swing": side and side.swing[turn - 1],
        "swing_error": side and side.swing_error[turn - 1],
        "stands": side and side.swing_stands[turn - 1],
    }


def _fields(kind: type[SeatValues] | type[SideValues], values: Any) -> dict[str, Any]:
    """Return the values of a seat or a side, None for each field if there are none."""
    if values is None:
        return {field.name: None for field in fields(kind)}
    return asdict(values, dict_factory=_with_lists)


def _with_lists(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a value as JSON has them."""
    return {name: list(held) if isinstance(held, tuple) else held for name, held in pairs}


def _shown(values: DealValues | None, seat: str | None) -> Mapping[str, SideValues]:
    """Return the values by side, nothing if only those of a seat are shown."""
    return values.sides if values and seat is None else {}


def _curve(sides: Mapping[str, SideValues]) -> dict[str, Any]:
    """Return the curve of the first side, None without one."""
    first = next(iter(sides.values()), None)
    return {
        "curve": list(first.curve) if first else None,
        "curve_error": list(first.curve_error) if first else None,
        "curve_change": list(first.change) if first else None,
        "curve_change_error": list(first.change_error) if first else None,
        "stands": list(first.stands) if first else None,
    }


def _moments(deal: AnalyzedDeal, seat: str | None) -> list[dict[str, Any]]:
    """Return the chances that were not used, and the mistakes, in the order of the turns."""
    moments = [_moment(each) for each in deal.chances if seat in (None, each.seat)]
    losses = deal.values.losses if deal.values else ()
    moments += [_loss(each) for each in losses if seat in (None, each.seat)]
    return sorted(moments, key=lambda each: int(each["turn"]))


def _loss(loss: Loss) -> dict[str, Any]:
    shown = ("turn", "seat", "kind", "decision", "played", "better", "loss", "error")
    others = sum(loss.others.values())
    return {
        **{key: getattr(loss, key) for key in shown},
        "why": {
            "items": {**loss.items, "others": round(-others, 1)},
            "items_error": dict(loss.items_error),
            "others_items": dict(loss.others),
            "others_items_error": dict(loss.others_error),
            "risk": loss.risk,
            "risk_error": loss.risk_error,
            "risk_better": loss.risk_better,
            "risk_better_error": loss.risk_better_error,
        },
        "candidates": [asdict(each) for each in loss.candidates],
    }


def _discard(risk: Risk) -> dict[str, Any]:
    return {
        "turn": risk.turn,
        "seat": risk.seat,
        "card": TEXT[risk.card],
        "risk": risk.risk,
        "risk_error": risk.error,
        "safest": None if risk.safest is None else TEXT[risk.safest],
        "safest_risk": risk.safest_risk,
        "safest_error": risk.safest_error,
        "takeable": risk.takeable,
    }


def _moment(chance: Chance) -> dict[str, Any]:
    moment: dict[str, Any] = {
        "turn": chance.turn,
        "seat": chance.seat,
        "kind": "chance",
        "chance": chance.kind,
    }
    if chance.kind == "take":
        moment["cards"] = chance.cards
    if chance.kind == "canasta":
        moment["rank"] = LABELS[chance.rank or 0]
        moment["canasta"] = chance.canasta
    return moment
