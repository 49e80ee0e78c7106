"""A game as a page shows it: the play, or what one seat sees of it, its story and its scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final, NamedTuple

from canasta_notation.analysis.analyzed import AnalyzedDeal, GameWatch
from canasta_notation.analysis.values import DealValues
from canasta_notation.engine.table import Table
from canasta_notation.findings import Finding
from canasta_notation.language.sentences import Card, Melds, Names, Sentence, say
from canasta_notation.notation.reader import Reading
from canasta_notation.page.coloured_headline import ColouredHeadline
from canasta_notation.render.wording import tag_text
from canasta_notation.replay.moment import Moment
from canasta_notation.report.ledger import (
    CLAIMED_SCORE,
    FROM_TOTALS,
    SUM_OF_ITEMS,
    UNSEEN_CARDS,
    UNSEEN_THREES,
    Earned,
    GameLedger,
    ItemRow,
    SideLedger,
    explain_game,
)
from canasta_notation.report.played import Played, PlayedDeal, PlayedTurn, play_back
from canasta_notation.rules import Profile
from canasta_notation.story.cover import Cover, cover
from canasta_notation.story.deals import DealStory, end_sentence, every_story
from canasta_notation.story.estimates import ERRORS
from canasta_notation.story.losses import stated_losses
from canasta_notation.story.notes import Note, turn_notes
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import Part, play_parts, turn_parts

_NO_VALUES: Final[Mapping[int, DealValues]] = {}
_VERDICTS: Final = {"verified": "K1", "contradicted": "K2", "undetermined": "K3"}
#: The keys of the words for items without a player, a meld or a card; rulings have the words of the
#: record.
_EARNED: Final = {
    UNSEEN_THREES: "unseen_threes",
    UNSEEN_CARDS: "unseen_cards",
    FROM_TOTALS: "from_totals",
    SUM_OF_ITEMS: "sum_of_items",
    CLAIMED_SCORE: "claimed_score",
}


class DealRow(NamedTuple):
    """A deal on a cover and in the table of scores.

    `winner` is the index of the side that scored most, None if none did or it is not known;
    `margin` is by how much, and `part` is the margin in hundredths of the largest. `leader` and
    `lead` are the same for the totals. `scores` are in the order of the sides.
    """

    number: int
    scores: list[int] | None
    winner: int | None
    margin: int
    part: int
    leader: int | None
    lead: int


class Cost(NamedTuple):
    """What the clear mistakes of a player cost: how many there are, points, and three errors."""

    seat: str
    mistakes: int
    points: int
    error: int


@dataclass(frozen=True)
class ShownGame:
    """A game with its story, and the ledger of its scores.

    The scores are those of the whole record. In a seat's view, the reasons for them and the chances
    are only what the seat can know. The templates take all texts from here; nothing here is
    escaped.
    """

    story: StoryGame
    ledger: GameLedger

    @property
    def play(self) -> Played:
        """The game as played."""
        return self.story.play

    def tag(self, name: str) -> str:
        """Return the value of a tag, "" without one."""
        return tag_text(self.play.game, name)

    # --- the game -------------------------------------------------------------------------------

    @property
    def title(self) -> Sentence | str:
        """The title of the game: its event and round, its file, or who plays if it has none."""
        event, at = self.tag("Event"), self.tag("Round")
        if event:
            return say("title_round", e=event, r=at) if at else event
        if not self.play.file:
            w, *others = (self.story.side(at) for at in range(len(self.play.sides)))
            return say("B6", w=w, l=Names(tuple(others)))
        return say("title_file", e=self.play.file, n=self.play.report.game)

    @property
    def about(self) -> list[Sentence | str]:
        """Where and when the game was played, its rules, and the view."""
        play = self.play
        words: list[Sentence | str] = [self.tag("Site"), day(self.tag("Date"))]
        words.append(say("rules", r=play.report.rules_text or "?"))
        if play.seat:
            words.append(say("seen_by", n=self.story.player(play.seat)))
        return [each for each in words if each]

    @property
    def house_rules(self) -> list[str]:
        """The house rules, in English whatever the language of the page."""
        return [*map(self.play.profile.sentence, self.play.profile.overridden)]

    @cached_property
    def cover(self) -> Cover:
        """The cover: who won and why, and the moments that decided the game."""
        return cover(self.story)

    @property
    def verdict(self) -> list[Sentence]:
        """Whether the record is right, and a false claim of the result; none in a seat's view."""
        if self.play.seat:
            return []
        report = self.play.report
        said = [say(_VERDICTS[report.verdict], n=self.play.errors)]
        return said if report.result.agrees else [*said, say("K4", x=str(report.result.claimed))]

    @cached_property
    def first_error(self) -> tuple[int, int] | None:
        """The deal and the turn of the first error, None without one."""
        return first_error(self.play)

    @property
    def errors_text(self) -> str:
        """The first error, as it is reported."""
        found = self.play.report.findings
        if self.play.seat:
            found = tuple(each for turn in self.play.turns for each in turn.findings)
        first = next((each for each in found if each.severity == "error"), None)
        return f"{first.code}: {first.message}" if first else ""

    @property
    def headline(self) -> ColouredHeadline:
        """The headline of the cover, in which each side has its colour."""
        return ColouredHeadline(self.cover.headline, tuple(self.story.sides))

    @property
    def has_tables(self) -> bool:
        """Whether there is a table to look at."""
        return any(map(self.has_table, self.play.deals))

    def has_table(self, deal: PlayedDeal) -> bool:
        """Return whether there is a table to look at in a deal."""
        return kind_of(deal) in ("play", "end")

    @property
    def asks(self) -> bool:
        """Whether there are mistakes at which a reader can guess."""
        return any(stated_losses(deal, self.play.seat) for _, deal in self.story.deals())

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments that do not belong to a deal."""
        play = self.play
        return play.said(*play.game.tags) + (() if play.seat else play.game.comments)

    @property
    def has_turns(self) -> bool:
        """Whether the turns of any deal were recorded."""
        return any(deal.turns for deal in self.play.deals)

    def side_name(self, side: str) -> Names:
        """Return a side by the names of its players, or by its seats."""
        return self.story.side(self.play.sides.index(side))

    def source(self, finding: Finding) -> str:
        """Return the line of the record in which a finding is, "" without one."""
        return self.play.lines.get(finding.span.line, "").strip()

    # --- scores ---------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[DealRow]:
        """The deals, one a row."""
        reports = self.play.report.deals
        scores = [self.story.scores(each) for each in reports]
        firsts = [_first(each) for each in scores]
        largest = max([margin for _, margin in firsts], default=0) or 1
        return [
            DealRow(report.deal, points, winner, margin, round(100 * margin / largest), *_first(
                self.story.totals(report)
            ))
            for report, points, (winner, margin) in zip(reports, scores, firsts, strict=True)
        ]  # fmt: skip

    def scores(self, deal: PlayedDeal) -> tuple[SideLedger, ...]:
        """Return the scores of each side of a deal."""
        return self.ledger.deals[deal.number - 1].sides

    @property
    def costs(self) -> list[Cost]:
        """What the clear mistakes of each player cost."""
        losses = [loss for deal in self.story.analysis.deals for loss in stated_losses(deal)]
        costs = []
        for seat in self.play.seats if self.story.valued and not self.play.seat else "":
            own = [loss for loss in losses if loss.seat == seat]
            error = ERRORS * sum(loss.error**2 for loss in own) ** 0.5
            points = 10 * round(sum(loss.loss for loss in own) / 10)
            costs.append(Cost(seat, len(own), points, 10 * -(-round(error) // 10)))
        return costs

    # --- deals and turns ------------------------------------------------------------------------

    @cached_property
    def stories(self) -> list[DealStory]:
        """The story of each deal."""
        return every_story(self.story)

    @cached_property
    def notes(self) -> list[list[Note]]:
        """The note on each turn, by deal."""
        return [
            turn_notes(self.story, played, deal, story)
            for (played, deal), story in zip(self.story.deals(), self.stories, strict=True)
        ]

    def analyzed(self, deal: PlayedDeal) -> AnalyzedDeal:
        """Return the analysis of a deal."""
        return self.story.analysis.deals[deal.number - 1]

    def deal_words(self, deal: PlayedDeal) -> list[Sentence]:
        """Return what follows the number of a deal: how it ended, its turns, and its dealer."""
        report, dealer, story = deal.report, deal.written.dealer, self.story.at(deal.number)
        words = [say("G8") if report.sheet else end_sentence(story, deal) or say("S7")]
        words += [say("turns", n=report.turns)] if report.turns else []
        words += [say("dealer", n=story.player(dealer))] if dealer else []
        return words

    def earned(self, deal: PlayedDeal, item: ItemRow) -> Iterator[tuple[list[object], int | None]]:
        """Yield each thing that earns points, in words; if there are several, with the points."""
        for each in item.earned:
            words = [*self._earner(deal, item, each), *map(Card, each.cards)]
            yield words, each.points if len(item.earned) > 1 else None

    def _earner(self, deal: PlayedDeal, item: ItemRow, each: Earned) -> Iterator[object]:
        if item.item == "hand" and each.whose:
            yield from self._hands(deal, each)
        elif each.seat:
            yield self.story.at(deal.number).player(each.seat)
        if each.rank >= 0:
            yield Melds(each.rank)
        if not each.whose and each.rank < 0 and not each.cards:
            yield say(_EARNED[each.words]) if each.words in _EARNED else each.words

    def _hands(self, deal: PlayedDeal, each: Earned) -> Iterator[object]:
        """Yield whose hands or packets these are, and how many of their cards are not seen."""
        names = Names(tuple(map(self.story.at(deal.number).player, each.whose)))
        unseen = each.size - len(each.cards)
        yield say("unseen_hand", s=names, n=each.size, u=unseen) if unseen else names
        if each.packet:
            yield say(f"{each.packet}_lies", n=each.size)

    def said_before(self, deal: PlayedDeal) -> tuple[str, ...]:
        """Return the comments before the first turn of a deal; those on a hand name its seat."""
        written, said = deal.written, self.play.said
        early = said(written)
        for line in written.hands:
            early += said(line)[: len(line.before)]
            early += tuple(f"{line.seat}: {each}" for each in said(line)[len(line.before) :])
        return early + said(written.up, *deal.rulings)

    def said_at(self, turn: PlayedTurn) -> tuple[str, ...]:
        """Return the comments on a turn."""
        return self.play.said(turn.line, *turn.rulings)

    def said_after(self, deal: PlayedDeal) -> tuple[str, ...]:
        """Return the comments after the last turn of a deal."""
        written = deal.written
        return self.play.said(written.end, *written.end_lines, *written.scores, written.total)

    def parts(self, turn: PlayedTurn) -> list[Part]:
        """Return what a turn did. In a seat's view, no card is the seat's own."""
        return turn_parts(turn, self.story.side_of(turn.line.seat))

    def better(self, note: Note) -> list[Part]:
        """Return the better play of a turn with a mistake."""
        return play_parts(note.loss.better) if note.loss else []


def kind_of(deal: PlayedDeal) -> str:
    """Return what a deal shows: its play, the table at its end, scores or nothing."""
    if deal.setup is None:
        return "none"
    if deal.report.final:
        return "end"
    return "play" if deal.turns or not deal.report.sheet else "scores"


def first_error(play: Played) -> tuple[int, int] | None:
    """Return the deal and the turn of the first error, None without one.

    The turn is 0 for an error outside turns; the deal is 1 for an error outside deals.
    """
    if any(each.severity == "error" for each in play.early):
        return 1, 0
    for deal in play.deals:
        if any(each.severity == "error" for each in deal.early):
            return deal.number, 0
        for turn in deal.turns:
            if any(each.severity == "error" for each in turn.findings):
                return deal.number, turn.turn
        if any(each.severity == "error" for each in deal.late):
            return deal.number, 0
    return (1, 0) if any(each.severity == "error" for each in play.late) else None


def _first(points: Sequence[int] | None) -> tuple[int | None, int]:
    """Return the index of the largest of some points, None if several are, and its margin."""
    if points is None:
        return None, 0
    best, second = sorted(points, reverse=True)[:2]
    return (points.index(best) if best > second else None), best - second


def day(text: str) -> Sentence | str:
    """Return a date in words; a date with unknown digits stays as it is written."""
    try:
        known = date.fromisoformat(text)
    except ValueError:
        return text
    return say("date", d=known.day, m=say(f"month_{known.month}"), y=str(known.year))


def setting(value: object) -> str:
    """Return the value of a rule as a record writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)


def item_points(item: ItemRow) -> Sentence | int | None:
    """Return the points of an item of a score, or the range in which they lie."""
    if item.at_least is not None and item.at_most is not None:
        return say("range", p=item.at_least, q=item.at_most)
    return item.computed if item.summed is None else item.summed


def page_game(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    seat: str = "",
    values: Mapping[int, DealValues] = _NO_VALUES,
) -> ShownGame:
    """Replay a game by the rules of `profile` and return what a page shows of it.

    `values` are those of deals that were played out, by their numbers.
    """
    watch = GameWatch(reading.game, profile, seed=None)
    tables: dict[int, Table] = {}

    def observe(moment: Moment) -> None:
        tables[moment.deal] = moment.table
        watch.observe(moment)

    play = play_back(file, reading, number, profile, seat=seat, override=profile, observer=observe)
    analysis = watch.analysis(play.report).with_values(values)
    return ShownGame(StoryGame(play, analysis), explain_game(reading.game, play.report, tables))
