"""The questions about a deal: turn by turn, or only how it ended and what was then on the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from canasta_notation.cards import TEXT
from canasta_notation.dealing import held_threes
from canasta_notation.dialogue.asking import Detail, Unclear, sentence
from canasta_notation.dialogue.loop import accept
from canasta_notation.dialogue.questions import (
    AskDetail,
    Course,
    Dialogue,
    Lines,
    Pass,
    Question,
    Recording,
    Reply,
    Say,
    TypedEntry,
    begins_line,
    not_understood,
)
from canasta_notation.dialogue.view import (
    ALWAYS,
    CARD,
    CARDS,
    HELP,
    SCORES,
    card_rows,
    deal_rows,
    named,
    outcome,
    toolbar_rows,
    totals_rows,
)
from canasta_notation.engine.stock import late_threes
from canasta_notation.english import count
from canasta_notation.notation.document import KEYWORDS, Turn
from canasta_notation.notation.format import format_line
from canasta_notation.recorder.closing import (
    END_WORDS,
    NONE,
    DueLine,
    Kind,
    claim_text,
    claims_due,
    computed_line,
    end_text,
    hand_at_end,
    is_start_threes,
    propose_score,
    start_threes,
    with_next_deal,
)
from canasta_notation.recorder.known import held
from canasta_notation.recorder.left_packet import (
    earns_packet,
    packet_left,
    pick_up_place,
    propose_packet,
    propose_picked_up,
)
from canasta_notation.recorder.mode import TABLE
from canasta_notation.recorder.proposal import Proposal, propose
from canasta_notation.recorder.shorthand import recased_cards, seats_for_names
from canasta_notation.recorder.standing import BROKEN_OFF
from canasta_notation.recorder.taken import doubtful_group
from canasta_notation.render.score_card import deal_title

#: Typed to leave out a score, or anything that is not known.
LEFT_OUT: Final = "-"
#: What may come before the draw or take of a turn that tables no threes.
_BEGUN_TURN: Final = re.compile(r"(?:\d+\.\s*)?(?:[A-Za-z]\s+)?(?=[+^])")
#: An answer about red threes at the start of a deal, and one that came too late.
_THREES: Final = re.compile(rf"(?!(?:{'|'.join(KEYWORDS)})\b)[\w ,]*$", re.IGNORECASE)
#: Words for how a deal ended, which begin no turn.
_NOT_PLAYED: Final = ("special", *BROKEN_OFF)
#: A card, and the cards that replaced threes, as they are typed.
_CARD: Final = r"(?:10|[akqjtAKQJT2-9])[shdc]?|3[rb]|[*_]"
_TAKEN_PACKET: Final = re.compile(rf"(?:{_CARD})+(?:\+(?:{_CARD})+)?")
_REPLACED: Final = re.compile(rf"\+?((?:{_CARD})*)")
_TABLED: Final = re.compile(r"[A-Z](?:[ ,]+3[hdr]?)+")


# --- what is due ----------------------------------------------------------------------------------


def _asks_up(course: Course) -> bool:
    standing, deal = course.standing, course.standing.deal
    if course.has_passed("up") or not standing.rules.up_turned:
        return False
    return standing.phase == "deal" or (
        deal is not None and deal.up is None and not deal.play and standing.phase == "play"
    )


def _asks_threes(course: Course) -> bool:
    """Return whether to ask for red threes tabled at the start of a deal with unseen hands."""
    standing, deal = course.standing, course.standing.deal
    if deal is None or standing.phase != "play" or deal.play:
        return False
    rules = standing.rules
    if rules.black_tabled or rules.threes_wait or rules.threes_held:
        return False
    if course.has_passed("red threes") or any(map(is_start_threes, deal.hands)):
        return False
    return {hand.seat for hand in deal.hands} < set(standing.rules.seats)


def _late_threes(course: Course) -> list[int]:
    """Return the threes that the hand of the seat due is known to hold, and that it must table."""
    play = course.standing.play
    if course.standing.phase != "play" or play is None or play.due < 0:
        return []
    return held_threes(play, play.due)[: int(late_threes(play, play.due))]


def _tabling_said(course: Course) -> str | None:
    """Return the answer about them for the turn that is due, "" if they stay, None without one."""
    turn = f"{course.standing.turn_due}. "
    said = [mark for deal, mark in course.passed if deal == course.standing.deal_due]
    marks = (mark for mark in said if isinstance(mark, str) and mark.startswith(turn))
    return next((mark.removeprefix(turn) for mark in marks), None)


def _claim_due(course: Course, *, whole: bool) -> DueLine | None:
    """Return the next line of the table at the end to ask for, or None.

    `whole` asks for the whole table, not only for what the play leaves open.
    """
    due = claims_due(course.standing, whole=whole)
    return next((claim for claim in due if not course.has_passed(claim)), None)


def _side_due(course: Course) -> str | None:
    """Return the side whose score is due."""
    side, sides = course.standing.side_due, course.standing.rules.sides
    while side is not None and course.has_passed(side):
        after = sides.index(side) + 1
        side = sides[after] if after < len(sides) else None
    return side


def _is_over(course: Course) -> bool:
    """Return whether the game is over: nothing is due, or only scores that were left out."""
    standing = course.standing
    won = standing.phase == "scores" and standing.report.result.winner is not None
    return standing.phase == "over" or (won and _side_due(course) is None)


def _is_phase(phase: str) -> Callable[[Course], bool]:
    return lambda course: course.standing.phase == phase


# --- prompts and hints ----------------------------------------------------------------------------


def _asks_for(what: str) -> Callable[[Course], str]:
    """Return the prompt for something about the current deal."""
    return lambda course: f"deal {course.standing.deal_due} {what}> "


def _turn_prompt(course: Course) -> str:
    return f"{course.standing.turn_due}. {course.standing.seat_due or '?'}> "


def _score_prompt(course: Course) -> str:
    side = _side_due(course)
    line = computed_line(course.standing, side) if side else None
    points = f" [{line.split()[2]}]" if line else ""
    return f"deal {course.standing.deal_due} {side}{points}> "


def _hint(text: str) -> Callable[[Course], str]:
    """Return a hint that names the seat or side asked about, and the first and the last seat."""

    def hint(course: Course) -> str:
        standing, seats = course.standing, course.standing.rules.seats
        who = named(standing, _side_due(course) or standing.seat_due or "the seat")
        return text.format(who=who, seat=seats[0], other=seats[-1])

    return hint


def _late_prompt(course: Course) -> str:
    threes = " ".join(TEXT[code] for code in _late_threes(course))
    seat = course.standing.seat_due
    return f"{course.standing.turn_due}. {threes} still in {seat}'s hand: replaced by?> "


def _packet_mark(course: Course) -> str:
    return f"packet {course.standing.turn_due}"


def _packet_prompt(course: Course) -> str:
    standing = course.standing
    turn, size = standing.turns[-1], len(packet_left(standing))
    source = " from the stock" if standing.rules.packet_drawn else ""
    cards = f"{standing.rules.packet_word} of {count(size, 'card')}"
    return f"{standing.turn_due - 1}. {turn.seat}'s {cards}{source}: which?> "


# --- answers --------------------------------------------------------------------------------------


def _line(course: Course, text: str) -> Reply:
    """Return what a line of the notation does, in full or in short; an empty one does nothing."""
    seats = seats_for_names(course.standing, text)
    if course.standing.phase == "play" and _TABLED.fullmatch(seats):
        deal = course.standing.deal
        hand = next((each for each in deal.hands if each.seat == seats[0]), None) if deal else None
        if hand is not None and is_start_threes(hand):
            return Say(sentence(f"already written: {format_line(hand)}"), text)
        tabled = (
            f"for a red three that {seats[0]} tabled at the start, type {seats[0]}: 3h ...; "
            "write one that was drawn in its turn: +3h +"
        )
        return Say(sentence(tabled), text)
    unplayed = course.standing.phase in ("deal", "play")
    if unplayed and text.partition(" ")[0].lower() in _NOT_PLAYED:
        line = end_text(seats, course.standing.rules.seats)
        return TypedEntry(propose(course.standing, line or text), text)
    line = seats if text.startswith("deal ") else text
    said = _tabling_said(course)
    if said and (begun := _BEGUN_TURN.match(text)):
        line = f"{begun[0]}{said} {text[begun.end() :]}"
    return _entered(course, propose(course.standing, line), text) if text else None


def _entered(course: Course, proposal: Proposal, text: str) -> Reply:
    """Return a line as an entry; after a turn, it is too late to ask for red threes."""
    late = isinstance(proposal.line, Turn) and _asks_threes(course)
    entry = TypedEntry(proposal, text, passed="red threes" if late else "")
    return _picked_up(course, entry) or _from_pile(course, entry)


def _picked_up(course: Course, entry: TypedEntry) -> Reply:
    """Ask for the packet that a turn gets and does not name; None if there is none."""
    at = pick_up_place(entry.proposal)
    turn, rules = entry.proposal.line, course.standing.rules
    if at < 0 or not isinstance(turn, Turn):
        return None
    word, seat = rules.packet_word, turn.seat

    def read(said: str) -> Proposal:
        if said == LEFT_OUT:
            return entry.proposal
        try:
            cards = "" if said.lower() == word else said.replace(" ", "")
            return propose_picked_up(entry.proposal, at, cards)
        except ValueError as error:
            raise Unclear(sentence(f"{error} (? explains)", "error")) from error

    def then(proposal: Proposal) -> Reply:
        if proposal is not entry.proposal and isinstance(proposal.line, Turn):
            text = format_line(proposal.line, rules.draw_count)
            return _from_pile(course, replace(entry, proposal=proposal, text=text))
        return _from_pile(course, entry)

    why = "has completed a canasta" if earns_packet(entry.proposal) else "has an empty hand"
    more = ", and after + what replaced its red threes" if rules.packet_threes == "at-once" else ""
    meaning = (
        f"{named(course.standing, seat)} {why}, so the {word} is picked up. Press Enter if its "
        f"cards are written or were not seen, or type them, for example 4s 5d 6h{more}. Type - if "
        "it was not picked up."
    )
    prompt = f"  {seat} {why} and picks up the {word}: which cards?> "
    return AskDetail(Detail(prompt, read, sentence(meaning), back=True), then)


def _from_pile(course: Course, entry: TypedEntry, settled: tuple[int, ...] = ()) -> Reply:
    """Ask which cards of a turn came from the rest of the pile that it took, if any may have."""
    found = doubtful_group(entry.proposal, settled)
    if found is None:
        return entry
    most, default = len(found.cards), len(found.cards) if found.sure else 0

    def read(said: str) -> int:
        if not re.fullmatch(r"\d?", said) or int(said or default) > most:
            raise Unclear(sentence(f"type a number from 0 to {most}", "error"))
        return int(said or default)

    def then(number: int) -> Reply:
        text = format_line(found.moved(number)) if number else entry.text
        moved = replace(entry, proposal=propose(course.standing, text), text=text)
        return _from_pile(course, moved, (*settled, found.group.rank))

    cards = " ".join(TEXT[card] for card in found.cards)
    meaning = (
        f"{cards} may have been in the hand or in the pile below its top card. "
        "Type how many came from the pile: they are then laid after the top card has been melded."
    )
    prompt = (
        f"  how many of the {found.named} ({cards}) were in the pile below its top? [{default}]> "
    )
    return AskDetail(Detail(prompt, read, sentence(meaning), back=True), then)


def _packet(course: Course, text: str) -> Reply:
    """Read the talon that the last turn earned; an empty answer means that nobody saw it."""
    standing = course.standing
    if text == LEFT_OUT:
        return Pass(_packet_mark(course))
    typed = text.replace(" ", "")
    if typed and not _TAKEN_PACKET.fullmatch(typed):
        return _line(course, text)
    try:
        return TypedEntry(propose_packet(standing, typed), text)
    except ValueError as error:
        return Say(sentence(f"{error} (? explains)", "error"), text)


def _late(course: Course, text: str) -> Reply:
    """Read what replaced threes that must be tabled; an empty answer means that it was not seen."""
    turn = f"{course.standing.turn_due}. "
    if text == LEFT_OUT:
        return Pass(turn)
    cards = _REPLACED.fullmatch(text.replace(" ", ""))
    if cards is None:
        return _line(course, text)
    late = _late_threes(course)
    if len(re.findall(_CARD, cards[1])) > len(late) + cards[1].count("3"):
        return Say(sentence("one card replaces each three (? explains)", "error"), text)
    threes = "".join(TEXT[code] for code in late)
    return Pass(f"{turn}threes:{threes}+{recased_cards(cards[1])}")


def _up(course: Course, text: str) -> Reply:
    text = "" if text == LEFT_OUT else text
    reply = _line(course, text)
    if reply is None:
        return Pass("up")
    if not isinstance(reply, TypedEntry) or reply.proposal.after is not None:
        return reply
    if reply.proposal.recased:
        reply = TypedEntry(propose(course.standing, reply.proposal.recased), text)
    if reply.proposal.after is None and text[0] not in "+^":
        return Say(sentence(f"`{text}` is not a card: {CARD}", "error"), text)
    return reply


def _red_threes(course: Course, text: str) -> Reply:
    """Read the red threes tabled at the start; an empty answer means that they are unknown."""
    text = "" if text == LEFT_OUT else text
    seats = seats_for_names(course.standing, text)
    if not _THREES.match(seats):
        return _line(course, text)
    try:
        lines = start_threes(seats, course.standing.rules.seats) if text else []
    except ValueError as error:
        return Say(sentence(f"{error} (? explains)", "error"), seats)
    return Lines(tuple(lines), "red threes")


def _claim(course: Course, text: str, *, whole: bool) -> Reply:
    """Read what is on the table at the end; an empty answer means that it is not known."""
    claim = _claim_due(course, whole=whole)
    assert claim is not None
    if text in ("", LEFT_OUT) or (claim.kind == "foot" and text.lower() in NONE):
        return Pass(claim)
    if begins_line(text):
        return _line(course, text)
    standing = course.standing
    hand = hand_at_end(standing, claim)
    try:
        line = claim_text(claim, text, standing.rules, hand.cards if hand else ())
    except ValueError as error:
        return Say(sentence(f"{error} (? explains)", "error"), text)
    return TypedEntry(propose(standing, line), text)


def _score(course: Course, text: str) -> Reply:
    if begins_line(text):
        return _line(course, text)
    side = _side_due(course)
    if side is None or text == LEFT_OUT:
        return Pass(side or "")
    try:
        proposal = propose_score(course.standing, side, text)
    except ValueError as error:
        return Say(sentence(f"{error}: type another score, or - to leave it out", "error"), text)
    if proposal is None:
        unknown = f"{side}'s score does not follow from the record: type it, or - to leave it out"
        return Say(sentence(unknown))
    if proposal.after is None:
        wrong = f"`{text}` is not a score: type a number, for example 945"
        return Say(sentence(wrong, "error"), text)
    return TypedEntry(proposal, text)


def _end(course: Course, text: str) -> Reply:
    """Read how a deal ended."""
    standing = course.standing
    line = end_text(seats_for_names(standing, text), standing.rules.seats)
    if line is None and begins_line(text) and not text.startswith("end"):
        return _line(course, text)
    if line is None:
        said = "" if text == LEFT_OUT else text
        return Say(sentence(not_understood(said, END.hint(course))), said)
    return TypedEntry(propose(standing, line), text)


def _end_hint(course: Course) -> str:
    """Return how to say how a deal ended; special hands are named if the rules have them."""
    rules = course.standing.rules
    seat = rules.seats[0]
    special = f"special {seat} if that player laid a special hand; " if rules.special else ""
    return (
        "How did the deal end? Type the seat of the player who went out, for example "
        f"{seat}; {seat} concealed if that player had melded nothing before; {special}stock if the "
        "stock ran out; unfinished if the deal was broken off; void if it was dealt again; or time "
        "if time ran out, and the deal counts nothing. If points were taken from a "
        f"side, type that first: penalty {rules.sides[-1]} 50 upcard. This question cannot be "
        "skipped; quit ends the recording."
    )


def _over(course: Course, text: str) -> Reply:
    if begins_line(text):
        return _line(course, text)
    return Say(sentence("the game is over: you can still type undo, edit, note or quit"), text)


# --- the questions --------------------------------------------------------------------------------

UP: Final = Question(
    "up",
    _asks_up,
    _asks_for("up"),
    _hint(
        "Which card was turned up to start the pile? For example 9h, the nine of hearts. If hands "
        "are known, type them first: {seat}: 4s 5d ... Press Enter if the card is not known."
    ),
    _up,
    (CARDS,),
    HELP,
    instead=f"{CARD}; ",
)
RED_THREES: Final = Question(
    "red threes",
    _asks_threes,
    _asks_for("red threes"),
    _hint(
        "Who tabled red threes at the start? For example {seat} 3h, or {seat} 3h, {other} 2 for "
        "two red threes. Type none if there were none. Press Enter if you do not know."
    ),
    _red_threes,
    instead="type a seat and its red threes, for example N 3h, or none; ",
    none=True,
)
LATE_THREES: Final = Question(
    "late threes",
    lambda course: bool(_late_threes(course)) and _tabling_said(course) is None,
    _late_prompt,
    _hint(
        "{who} must table a three that the hand still holds, and takes a card from the stock for "
        "it before the draw or take. Type the replacement, for example 9c. Press Enter if it was "
        "not seen. Type - if the three stayed in the hand."
    ),
    _late,
    instead="type the card that replaced the three, or the whole turn; ",
)
PACKET: Final = Question(
    "packet",
    lambda course: (
        bool(packet_left(course.standing)) and not course.has_passed(_packet_mark(course))
    ),
    _packet_prompt,
    _hint(
        "The side has opened, and a talon is due. Type its cards, for example 4s 5d 6h 7c. Press "
        "Enter if they were not seen. Type - if the talon was not taken, or type the next turn."
    ),
    _packet,
    instead="type the cards of the talon, or the next turn; ",
)
FIRST_TURN: Final = Question(
    "deal",
    _is_phase("deal"),
    _turn_prompt,
    _hint(
        "The first turn of a deal comes next. For example + -4s: drew an unseen card, discarded "
        "the four of spades."
    ),
    _line,
    (CARDS,),
    HELP,
    instead="type a turn in signs, for example + 7:777 -4s, or ",
    words=_NOT_PLAYED,
)
TURN: Final = replace(
    FIRST_TURN,
    name="play",
    due=_is_phase("play"),
    hint=_hint(
        "What did {who} do? Type the draw or the take, then the melds, then the discard. For "
        "example + -4s: drew an unseen card, discarded the four of spades."
    ),
)
SCORE: Final = Question(
    "scores",
    _is_phase("scores"),
    _score_prompt,
    _hint(
        "What score did {who} write down? For example 945. Enter accepts the figure in brackets, "
        "if there is one; - leaves the score out."
    ),
    _score,
    (SCORES, ALWAYS),
)
END: Final = Question(
    "end",
    lambda course: course.standing.phase in ("deal", "play"),
    _asks_for("end"),
    _end_hint,
    _end,
    instead="type the seat of the player who went out, or stock; ",
    words=END_WORDS,
)
OVER: Final = Question(
    "over",
    _is_over,
    lambda course: "over> ",
    lambda course: "The game is over. You can still type undo, edit, note or quit.",
    _over,
)
#: How to type a sequence.
_SEQUENCES: Final = "A sequence needs the suit of each card: 4s5s6s7s. "
#: How each line of the table at the end is asked for.
_CLAIMS: Final[dict[Kind, str]] = {
    "melds": "Which melds does {who} have on the table? Type the cards of a meld together and a "
    "space between melds: KKKK2 777 44* is three melds. {sequences}Type none if there are none. "
    "Press Enter if you do not know.",
    "threes": "Which threes has {who} tabled? For example 3h 3d, or 2 for two red threes. "
    "Type none if there are none. Press Enter if you do not know.",
    "left": "Which cards are left in the hand of {who}? For example 4 5 T K (suits are not "
    "needed; a black three is 3b). Type none for an empty hand. Press Enter if it was not seen.",
    "foot": "Which cards are in the foot that {who} did not pick up? For example 4 5 T K (suits "
    "are not needed; a black three is 3b). Type none if it was picked up. Press Enter if it was "
    "not seen.",
}


def _claim_question(kind: Kind, *, whole: bool) -> Question:
    """Return the question for a kind of line of the table at the end."""

    def due(course: Course) -> DueLine | None:
        claim = _claim_due(course, whole=whole)
        return claim if claim and claim.kind == kind else None

    def prompt(course: Course) -> str:
        claim = due(course)
        assert claim is not None
        return _claim_prompt(course, claim)

    def hint(course: Course) -> str:
        claim = due(course)
        assert claim is not None
        runs = kind == "melds" and course.standing.rules.sequences
        return _CLAIMS[kind].format(
            who=named(course.standing, claim.whose), sequences=_SEQUENCES if runs else ""
        )

    def remark(course: Course) -> str:
        claim = due(course) if kind == "left" else None
        return "" if claim is None else _claim_remark(course, claim)

    return Question(
        kind,
        lambda course: due(course) is not None,
        prompt,
        hint,
        partial(_claim, whole=whole),
        instead="type cards like 4s, K, T, * or 3r; ",
        remark=remark,
        none=True,
    )


def _claim_prompt(course: Course, claim: DueLine) -> str:
    hand = hand_at_end(course.standing, claim)
    size = f" ({count(hand.size, 'card')})" if hand and not hand.loose else ""
    return f"deal {course.standing.deal_due} {claim.kind} {claim.whose}{size}> "


def _claim_remark(course: Course, claim: DueLine) -> str:
    """Return what the play says about a hand at the end, "" if it is not known."""
    hand = hand_at_end(course.standing, claim)
    if hand is None or not hand.cards:
        return ""
    return (
        f"According to the play, {claim.whose} holds {held(hand)}. To add the others, type "
        "them after a +, for example + 5 K."
    )


# --- what has changed since the last prompt -------------------------------------------------------


def _announce(rec: Recording, *, whole: bool = False) -> None:
    """Say that a deal or the game is over, or the stock empty; begin a deal without its scores."""
    over = _is_over(rec.course)
    if rec.course.standing.phase == "scores" and _side_due(rec.course) is None and not over:
        accept(rec, with_next_deal(rec.course.standing))
    standing, face = rec.course.standing, rec.face
    if standing.phase == "scores" and _claim_due(rec.course, whole=whole) is not None:
        report = standing.deal_report
        if report is not None and report.turns and rec.end_shown != report.deal:
            rec.end_shown = report.deal
            face.tell(deal_title(report, standing.names))
        return
    stock_over = standing.phase == "play" and standing.may_end
    mark = f"{standing.phase} {standing.deal_due} {over or stock_over}"
    if mark == rec.phase_shown:
        return
    rec.phase_shown = mark
    if over:
        face.tell(outcome(standing))
    elif standing.phase == "scores":
        face.show(card_rows(standing, face.look))
    elif standing.phase == "deal":
        face.show(toolbar_rows(standing, face.look))
    elif standing.seat_due is None:
        face.tell("it is not known whose turn it is: type the seat too, as in `N + -4s`")
    elif stock_over:
        face.tell(
            f"the stock is empty: if {standing.seat_due} took the pile, type the turn; "
            "if not, type `end`"
        )


def _announce_table(rec: Recording) -> None:
    """Say what is wrong with a final table when it is complete, and what has changed."""
    standing = rec.course.standing
    complete = standing.phase == "scores" and _claim_due(rec.course, whole=True) is None
    if complete and rec.judged != standing.lines:
        rec.judged = standing.lines
        rec.face.show(deal_rows(standing, rec.face.look))
    _announce(rec, whole=True)


# --- the dialogues --------------------------------------------------------------------------------

#: A recording of turns. Only what the play leaves open is asked for at the end.
TURNS: Final = Dialogue(
    (
        *(_claim_question(kind, whole=False) for kind in _CLAIMS),
        *(OVER, SCORE, UP, RED_THREES, PACKET, LATE_THREES, TURN, FIRST_TURN),
    ),
    toolbar_rows,
    _announce,
)
#: A recording of final tables: how each deal ended, with melds, threes and hands left.
TABLES: Final = Dialogue(
    (*(_claim_question(kind, whole=True) for kind in _CLAIMS), OVER, SCORE, END),
    totals_rows,
    _announce_table,
    mode=TABLE,
    excluded=("play",),
)
