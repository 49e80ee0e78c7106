"""The tags of a game that a replay needs: rules, target, first dealer, date, result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from canasta_notation.cards import SEATS, SIDES
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import Game, Tag
from canasta_notation.notation.tag_values import (
    is_date,
    is_date_form,
    likely_tag,
    note_player,
    read_result,
    read_target,
)
from canasta_notation.rules import Profile, entry, load_profile, parse_rules


@dataclass(frozen=True, slots=True)
class Header:
    """What the tags say, and what is wrong with them.

    `profile` is None if the Rules tag cannot be read; then no deal can be replayed. `result` maps
    sides to claimed totals; it is empty for `*`, and None if the tag is missing or wrong.
    """

    profile: Profile | None
    dealer: str | None
    result: dict[str, int] | None
    result_tag: Tag | None
    findings: tuple[Finding, ...]

    @property
    def rules_problem(self) -> Finding | None:
        """What is wrong with the Rules tag, None if a profile can be read."""
        if self.profile is not None:
            return None
        return next(each for each in self.findings if each.code.startswith("rules-"))


def read_header(game: Game, number: int, override: Profile | None = None) -> Header:
    """Interpret the tags; `override` replaces the record's own rules and target.

    Not checked: names, events and other free text.
    """
    findings: list[Finding] = []

    def report(tag: Tag, message: str, **facts: object) -> None:
        facts["value"] = tag.value
        findings.append(entry("tag-value").finding(message, facts, tag.value_span, game=number))

    profile = override or _profile(game, number, findings)
    date = game.tag("Date")
    if date and not is_date(date.value):
        report(date, "day" if is_date_form(date.value) else "date")
    profile = _with_target(game, profile, override is not None, report)
    dealer = _dealer(game, profile, report)
    tag = game.tag("Result")
    sides = [profile.side_names] if profile else [*SIDES.values()]
    results = [read_result(tag.value, each) for each in sides] if tag else []
    result = next((each for each in results if each is not None), None)
    if tag and result is None:
        report(tag, "result")
    findings += _likely_tags(game, number)
    findings.sort(key=lambda finding: finding.span)
    return Header(profile, dealer, result, tag, tuple(findings))


def _with_target(
    game: Game, profile: Profile | None, overridden: bool, report: Callable[..., None]
) -> Profile | None:
    """Return the rules with the target that a separate tag states."""
    target = game.tag("Target")
    if target is None:
        return profile
    points = read_target(target.value)
    if points is None:
        report(target, "target")
    elif profile and not overridden:
        if "target" not in profile.overridden or profile["target"] == points:
            return profile.with_values({"target": points})
        report(target, "targets", other=profile["target"])
    return profile


def _dealer(game: Game, profile: Profile | None, report: Callable[..., None]) -> str | None:
    """Return the seat that deals first, None if no tag names a seat of the game."""
    dealer = game.tag("Dealer")
    if dealer is None:
        return None
    # If the rules cannot be read, the game may have any number of players.
    seats = [profile.seats] if profile else [*SEATS.values()]
    if any(dealer.value in [*each] for each in seats):
        return dealer.value
    players: dict[str, str] = {}
    for tag in game.tags:
        note_player(players, tag)
    seat = players.get(dealer.value.lower())
    report(dealer, "player" if seat else "dealer", seat=seat or "")
    return None


def _likely_tags(game: Game, number: int) -> Iterator[Finding]:
    """Yield a warning for each unknown tag that is likely to be a known one, misspelled."""
    for tag in game.tags:
        known = likely_tag(tag.name)
        if known:
            facts = {"name": tag.name, "known": known}
            finding = entry("tag-value").finding("name", facts, tag.span, game=number)
            yield replace(finding, severity="warning")


def _profile(game: Game, number: int, findings: list[Finding]) -> Profile | None:
    """Return the profile that the record names, `classic` without a Rules tag."""
    tag = game.tag("Rules")
    if tag is None:
        return load_profile("classic")
    reading = parse_rules(tag.value)
    for problem in reading.problems:
        span = _inside(tag, problem.start, problem.end)
        findings.append(
            Finding(problem.code, "error", problem.message, span, number, help=problem.help)
        )
    return None if reading.problems else reading.profile


def _inside(tag: Tag, start: int, end: int) -> Span:
    """Return the place of a part of a tag's value, or of the whole value if it has escapes."""
    line, column, end_column = tag.value_span
    if end_column - column != len(tag.value) + 2:
        return tag.value_span
    return Span(line, column + 1 + start, column + 1 + max(end, start + 1))
