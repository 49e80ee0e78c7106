"""Exercises as values: a decision that was a mistake, as its seat saw it, with answers.

The front of an exercise is what the seat could see when it decided. The back has the values of the
answers and how the game went on, as the seat saw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import Final

from canasta_notation.analysis.analyzed import GameAnalysis
from canasta_notation.analysis.scenes import Scene, replayed
from canasta_notation.analysis.values import ABOUT, ERRORS, DealValues, Loss, PlayValue
from canasta_notation.engine.state import State
from canasta_notation.language.languages import figure
from canasta_notation.language.sentences import Sentence, label, say
from canasta_notation.notation.document import Game, Tags
from canasta_notation.notation.format import format_games
from canasta_notation.notation.reader import Reading
from canasta_notation.render.diagram import position_svg
from canasta_notation.replay.steps import Step
from canasta_notation.report.played import Played, play_back
from canasta_notation.rules import Profile
from canasta_notation.story.losses import reason_sentence, stated_losses
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import Part, parts_text, play_parts, turn_parts

#: The most answers of an exercise.
ANSWERS: Final = 4
#: How many hexadecimal digits an id has.
_ID: Final = 16


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """An answer: a play as a record spells it, and what it is worth in points.

    `value` is how much better it is than what was played, with its standard error. `right` says
    that the play-outs call no other answer better: it is the better play, or too close to it to
    call.
    """

    play: str
    value: float
    error: float
    right: bool
    was_played: bool

    @property
    def text(self) -> str:
        """The play in words, in the current language."""
        return parts_text(play_parts(self.play))


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise: a mistake or a blunder (`mark`) of a player in a turn.

    `id` is the same for the same position in a copied file. `kind` is one of `ABOUT`. `file`,
    `game`, `deal` and `turn` say where it is from. `state` is the table as the seat saw it when it
    decided, and `names` are the players by their seats, without seats that have no name. `answers`
    are in an order that says nothing about their values. `loss` is what the mistake cost in points,
    with its standard error, and `reason` says why. `followed` has the turn itself and the turns
    after it, as the seat saw them: each a player's name and the parts of the turn.
    """

    id: str
    kind: str
    mark: str
    player: str
    seat: str
    file: str
    game: int
    deal: int
    turn: int
    seats: str
    sides: tuple[str, ...]
    names: Mapping[str, str]
    state: State
    answers: tuple[ExerciseAnswer, ...]
    loss: float
    error: float
    reason: Sentence
    followed: tuple[tuple[str, tuple[Part, ...]], ...]

    @property
    def question(self) -> str:
        """What is asked, in the current language."""
        return label(f"ask_{self.kind}")

    @property
    def scores(self) -> tuple[str, ...]:
        """The total of each side, and what it needs to open, in the current language."""
        return tuple(map(self._score, range(len(self.sides))))

    def _score(self, at: int) -> str:
        side = self.state.sides[at]
        total = f"{self.sides[at]}: {'?' if side.total is None else figure(side.total)}"
        if side.opened or side.minimum is None:
            return total
        return f"{total}, {label('pic_needs').format(x=figure(side.minimum))}"

    @property
    def went_on(self) -> tuple[str, ...]:
        """How the game went on, a line for each turn, in the current language."""
        return tuple(f"{name}: {parts_text(parts)}" for name, parts in self.followed)


def picture(exercise: Exercise) -> str:
    """Return the table of an exercise as SVG; its words are in English."""
    heading = say("seen_by", n=exercise.names.get(exercise.seat, exercise.seat)).text
    return position_svg(
        exercise.state,
        exercise.seats,
        exercise.sides,
        names=exercise.names,
        heading=heading[:1].upper() + heading[1:],
    )


def by_cost(exercises: Iterable[Exercise]) -> list[Exercise]:
    """Return exercises in the order to practise: the costliest kind first, and in it by cost."""
    ordered = sorted(exercises, key=lambda each: (ABOUT.index(each.kind), -each.loss, each.id))
    kinds = [list(group) for _, group in groupby(ordered, key=lambda each: each.kind)]
    kinds.sort(key=lambda group: -sum(each.loss for each in group))
    return [each for group in kinds for each in group]


def game_exercises(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    analysis: GameAnalysis,
    override: Profile | None = None,
) -> Iterator[Exercise]:
    """Yield the exercises of a game, by deal and seat.

    `analysis` has the values of its deals; a deal without values has no exercise. `number` is the
    game's place in its file, and `profile` is the rules that it is judged by. Raises Unwritable if
    the game cannot be spelled. Not checked: that the record has no errors.
    """
    played: dict[str, StoryGame] = {}
    for deal in analysis.deals:
        if deal.values is None:
            continue
        for loss in stated_losses(deal):
            if loss.seat not in played:
                play = play_back(file, reading, number, profile, seat=loss.seat, override=override)
                played[loss.seat] = StoryGame(play, analysis)
            story = played[loss.seat].at(deal.facts.deal)
            scene = _scene(reading.game, number, override, deal.facts.deal, loss.turn)
            yield _exercise(story, deal.facts.deal, deal.values, loss, scene)


def _scene(game: Game, number: int, override: Profile | None, deal: int, turn: int) -> Scene:
    watches, _, _ = replayed(game, number, override)
    return watches[deal - 1].scenes[turn - 1]


def _exercise(
    story: StoryGame, deal: int, values: DealValues, loss: Loss, scene: Scene
) -> Exercise:
    play = story.play
    judged = next(
        each
        for each in values.judged
        if (each.turn, each.seat, each.decision) == (loss.turn, loss.seat, loss.decision)
    )
    return Exercise(
        id=_id(play.game, deal, loss),
        kind=judged.about,
        mark=loss.kind,
        player=story.analysis.name(loss.seat),
        seat=loss.seat,
        file=play.file,
        game=play.report.game,
        deal=deal,
        turn=loss.turn,
        seats=play.seats,
        sides=play.sides,
        names={seat: name for seat in play.seats if (name := story.player(seat)) != seat},
        state=_state(play, deal, loss, scene),
        answers=_answers(loss, deal),
        loss=loss.loss,
        error=loss.error,
        reason=reason_sentence(story, loss),
        followed=tuple(_followed(story, deal, loss.turn)),
    )


def _id(game: Game, deal: int, loss: Loss) -> str:
    """Return the id of a decision: a digest of the play up to its deal, and its place there.

    Names, other tags and comments do not change it.
    """
    tags = Tags(tag for tag in game.tags if tag.name == "Rules")
    part = replace(game, tags=tags, comments=(), deals=game.deals[:deal])
    lines = "\n".join(format_games([(part, 1)])).split("\n")
    said = [line.partition(";")[0].rstrip() for line in lines]
    return _digest("\n".join([*filter(None, said), _place(loss, deal)]))


def _place(loss: Loss, deal: int) -> str:
    return f"{deal} {loss.turn} {loss.seat} {loss.decision}"


def _state(play: Played, deal: int, loss: Loss, scene: Scene) -> State:
    """Return the table as the seat saw it when it decided."""
    if loss.decision == "draw":
        return play.deals[deal - 1].states[loss.turn - 1]
    assert scene.begun is not None, "the rest of a turn that was judged has begun"
    action = len(scene.row.actions) - len(scene.steps) + scene.begun - 1
    return next(step.state for step in play.steps if _at(step) == (deal, loss.turn, action))


def _at(step: Step) -> tuple[int, int, int | None]:
    return step.deal, step.turn, step.action


def _answers(loss: Loss, deal: int) -> tuple[ExerciseAnswer, ...]:
    """Return the answers: the two plays of a mistake, and others, first those that are worse.

    Their order depends on nothing that the seat could not see.
    """
    better = next(each for each in loss.candidates if each.play == loss.better)
    found = [_answer(each, better, loss.played) for each in loss.candidates]
    two = [each for each in found if each.play in (loss.played, loss.better)]
    others = [each for each in found if each not in two]
    others.sort(key=lambda each: (each.right, -each.value, each.play))
    place = _place(loss, deal)
    return tuple(sorted([*two, *others][:ANSWERS], key=lambda each: _digest(place + each.play)))


def _answer(each: PlayValue, better: PlayValue, played: str) -> ExerciseAnswer:
    close = each.behind <= ERRORS * each.behind_error and each.play != played
    right = each.play == better.play or close
    return ExerciseAnswer(each.play, each.value, each.error, right, each.play == played)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID]


def _followed(story: StoryGame, deal: int, turn: int) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """Yield the turn and those after it, up to the next one of its seat."""
    turns = story.play.deals[deal - 1].turns[turn - 1 :][: len(story.play.seats)]
    for each in turns:
        seat = each.line.seat
        yield story.player(seat), tuple(turn_parts(each, story.side_of(seat)))
