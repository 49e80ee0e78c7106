"""The slips of cards and turns: the rest of the table that `slips` begins."""

from __future__ import annotations

from typing import Final

from canasta_notation.notation.slips import ANY_LINE, END, KEYWORD_LINES, NUMBERS, TAGS, Slip

CARD: Final = r"(?:(?:10|[AKQJT9876542])[shdc]?|3[shdcrb]|\*|_)"
#: What may stand before the first bad piece of a word: a sign or a label, then good cards.
CARDS_BEFORE: Final = (
    r"(?:[-+^]|[^\s:]{1,8}:)?(?:(?:10|[AKQJT9876542])(?:[shdc]|(?![shdc]))|3[shdcrb]|\*|_)*?"
)

_CARDS: Final = "hand up stock talon turn"
_RANK: Final = "(?P<rank>10|[AKQJT2-9])"
_SUIT: Final = "(?P<suit>[shdcSHDC])"
_LAST: Final = r"[ \t](?:-|talon:)\S"
_FIRST: Final = "write the draw or the take right after the seat: `12. N +5h K:KsKd2c -9s`"

# fmt: off
_SIGNS: Final = (
    Slip("dash", "", "(?P<head>\\S*?)(?P<sign>[\u2010-\u2015\u2212])",
         "`{sign}` is a dash that is not `-`", "write the minus of the keyboard: `-`",
         ("12. N +5h ⟦\u20139s⟧", "score NS ⟦\u2212120⟧", "12. N +5h ⟦\u20149s⟧")),
    Slip("suit sign", _CARDS, "\\S*?(?P<sign>[\u2660-\u2667])", "`{sign}` for a suit",
         "write the suits as s h d c: `Kh`",
         ("12. N +5h ⟦-K♥⟧", "N: 4s ⟦5♠⟧", "up ⟦K♦⟧", "12. N ⟦+5♣⟧ -9s")),
    Slip("picture of a card", _CARDS, "\\S*?[\U0001f0a0-\U0001f0ff]", "a picture of a card",
         "write its rank and suit: `Kh`; a joker is `*`", ("up ⟦🂡⟧",)),
    Slip("ellipsis sign", "hand", "\\S*?\u2026", "`…` for the rest of a hand",
         "write three dots: `...`", ("N: 4s 5d ⟦…⟧",)),
)

_SEATS: Final = (
    Slip("lower-case seat", "hand turn", r"(?P<seat>[neswabcdf])(?![\w=])",
         "the seat `{seat}` in lower case", "write `{seat_upper}`",
         ("12. ⟦n⟧ +5h -9s", "⟦n:⟧ 4s 5d", "⟦s⟧ +5h"), expects="SEAT"),
    Slip("turn number without its dot", "turn", r"(?P<number>\d+)(?:[ \t):,]|$)",
         "the turn number {number} without its dot", "write `{number}.`",
         ("⟦12⟧ N +5h -9s", "⟦12)⟧ N +5h -9s"), expects="SEAT", before=r"^\s*$"),
    Slip("colon in a turn", "turn", r"(?P<seat>[NESWABCDF]):" + END, "a colon after a turn's seat",
         "write `{seat}` without the colon; a hand line has no number", ("12. ⟦N:⟧ +5h -9s",),
         expects="SEAT", before=r"\d"),
    Slip("missing seat", "turn", rf"[-+^]|(?:10|[3-9TJKQA2*]|straight|pairs|garbage):|ask|{END}",
         "a turn without its seat",
         "write the seat before the draw: `12. N +5h -9s`",
         ("12. ⟦+5h⟧ -9s", "⟦+5h⟧ -9s", "12.⟦⟧", "12. ⟦K:KsKd⟧"), expects="SEAT"),
    Slip("blank before the colon", "hand turn", r"(?P<seat>[A-F NSW])?[ \t]*:",
         "a blank before the colon", "write the colon right after the seat: `N: 4s 5d`",
         ("N ⟦:⟧ 4s 5d",), before=r"^\s*[NESWABCDF][ \t]+$"),
    Slip("glued seat", "turn", r"(?P<seat>[NESWABCDF])(?P<rest>[-+^]\S*)",
         "no blank after the seat", "write `{seat} {rest}`", ("12. ⟦N+5h⟧ -9s",), expects="SEAT"),
    Slip("unknown seat", "hand turn deal end", r"(?P<seat>[A-Za-z]\w*):?(?![^\s;:])",
         "`{seat}` is no seat",
         "the seats are N E S W, of six players A B C D E F",
         ("12. ⟦G⟧ +5h -9s", "12. ⟦North⟧ +5h", "⟦Ana⟧ +5h", "⟦G:⟧ 4s"), expects="SEAT"),
)

_ORDER: Final = (
    Slip("hand without its colon", "turn", rf"{CARD}+(?:[ \t]+{CARD}+)*{END}",
         "a list of cards after a seat without a colon",
         "write a hand with a colon, `N: 4s 5d`, a turn with a draw, `N +5h -9s`",
         ("N ⟦4s⟧ 4d 5h",), before=r"^\s*[NESWABCDF]\s*$"),
    Slip("two discards", "turn", rf"-{CARD}{END}", "a second discard in one turn",
         "keep one discard", ("12. N +5h -9s ⟦-8s⟧",), before=r"[ \t]-\S"),
    Slip("discard after the talon", "turn", rf"-{CARD}{END}", "a discard after the talon",
         "the talon is taken after the discard", ("12. N +5h talon:4s5d ⟦-9s⟧",),
         before=r"[ \t]talon:"),
    Slip("two talons", "turn", r"talon:", "a second talon in one turn", "keep one talon",
         ("12. N +5h -9s talon:4s ⟦talon:5s⟧",), before=r"[ \t]talon:"),
    Slip("asking after the discard", "turn", r"ask=(?:yes|no)" + END, "asking after the discard",
         "ask before the discard", ("12. N +5h -9s ⟦ask=yes⟧",), before=_LAST),
    Slip("group after the discard", "turn", rf"[^\s:]+:{CARD}+{END}", "a group after the discard",
         "write groups before the discard", ("12. N +5h -9s ⟦K:KsKd2c⟧",), before=_LAST),
    Slip("draw and take", "turn", rf"\^{CARD}(?:/\d+)?{END}", "a take in a turn that has a draw",
         "keep one of the two", ("12. N +5h ⟦^9h⟧",), before=r"[ \t]\+"),
    Slip("draw and take", "turn", rf"\+{CARD}*{END}", "a draw in a turn that has a take",
         "keep one of the two", ("12. N ^9h ⟦+5h⟧", "12. N ^9h K:Ks ⟦+⟧"), before=r"[ \t]\^"),
    Slip("two takes", "turn", rf"\^{CARD}(?:/\d+)?{END}", "a second take in one turn",
         "keep one take", ("12. N ^9h ⟦^8h⟧",), before=r"[ \t]\^"),
    Slip("draw in two places", "turn", rf"\+{CARD}*{END}", "a draw apart from the first one",
         "write all cards drawn together: `+3h +9c`", ("12. N +3h K:KsKd ⟦+9c⟧", "12. N + ⟦+9c⟧"),
         before=r"[ \t]\+"),
    Slip("draw not first", "turn", rf"(?:\+{CARD}*|\^{CARD}(?:/\d+)?){END}",
         "a draw or take that is not first", _FIRST,
         ("12. N K:KsKd ⟦+5h⟧ -9s", "12. N open=50 ⟦^9h⟧ -9s"), before=r"^[^+^]*$"),
)

_GROUPS: Final = (
    Slip("glued annotation", "turn",
         rf"(?P<good>(?:[-+]|\^|[^\s:]+:)?{CARD}+(?:/\d+)?)(?P<mark>[!?#$@~]\S*)",
         "`{mark}` glued to another word", "write `{good} {mark}`, with a blank between",
         ("12. N +5h ⟦-9s!⟧", "12. N +5h ⟦K:KsKdKh?⟧ -9s", "12. N +5h ⟦-9s#⟧", "12. N ⟦+5h@3⟧")),
    Slip("discard of several cards", "turn", rf"-{CARD}{{2,}}{END}",
         "a discard of more than one card", "one card is discarded: `-9s`",
         ("12. N +5h ⟦-9s9h⟧",), expects="DISCARD"),
    Slip("take of several cards", "turn", rf"\^{CARD}{{2,}}{END}", "a take with more than the top",
         "write the top card alone, and how many there were: `^9h/14`", ("12. N ⟦^9h8h⟧ -9s",),
         expects="TAKE"),
    Slip("count of the pile", "turn", rf"\^{CARD}(?P<rest>/[^\d\s]\S*|/|[:(x]?\d\S*){END}",
         "`{rest}` behind the top card", "write the number of cards as `^9h/14`",
         ("12. N ⟦^9h(14)⟧ -9s", "12. N ⟦^9h/x⟧ -9s"), expects="TAKE"),
    Slip("blank inside a group", "turn",
         rf"(?P<label>10|[3-9TJQKA2*]|straight|pairs|garbage|talon):{END}",
         "nothing after `{label}:`", "write the cards right after the colon: `{label}:KsKd`",
         ("12. N +5h ⟦K:⟧ KsKd -9s", "12. N +5h -9s ⟦talon:⟧ 4s")),
    Slip("blank inside a group", "turn", rf"{CARD}+{END}",
         "a blank inside a group, or cards without a label",
         "write groups without blanks: `K:KsKdKh`", ("12. N +5h K:Ks ⟦Kd⟧ -9s",),
         before=r":\S+[ \t]+$"),
    Slip("cards without a label", "turn", rf"{CARD}+{END}", "cards without a label or a sign",
         "write `K:KsKd` for a group, `+5h9c` for cards drawn, `-9s` for a discard",
         ("12. N +5h ⟦KsKd⟧ -9s", "12. N +3h ⟦9c⟧ -9s")),
    Slip("missing colon", "turn", rf"(?P<label>10|[3-9TJQKA2*])[=.;/-](?P<cards>{CARD}+){END}",
         "no colon after the label of a group", "write `{label}:{cards}`",
         ("12. N +5h ⟦K=KsKd⟧ -9s", "12. N +5h ⟦K-KsKd⟧")),
    Slip("sign without its card", "turn hand", rf"(?P<sign>[-+^]){END}",
         "`{sign}` without its card", "write the card right after the sign, an unknown one as `_`",
         ("12. N +5h ⟦-⟧ 9s", "12. N ⟦^⟧ 9h", "N: 4s ⟦+⟧ 6c")),
    Slip("ask without its answer", "turn", r"ask\b\S*", "asking without a plain answer",
         "write `ask=yes` or `ask=no`", ("12. N +5h ⟦ask⟧ -9s", "12. N +5h ⟦ask=maybe⟧")),
    Slip("count of an opening", "turn", r"open\b\S*", "an opening without its count",
         "write the count as `open=95`", ("12. N +5h ⟦open⟧ 95", "12. N +5h ⟦open:95⟧")),
    Slip("talon without its colon", "turn", r"talon\b(?!:)\S*", "`talon` without its cards",
         "write `talon:4s5d6h7c`, without blanks", ("12. N +5h -9s ⟦talon⟧ 4s",)),
    Slip("clock", "turn", r"@\S*", "a clock that is no number of seconds",
         "write seconds, with a dot before their parts: `@12.5`",
         ("12. N +5h -9s ⟦@1:30⟧", "12. N +5h -9s ⟦@12s⟧")),
    Slip("acknowledgement", "turn hand up", r"~\S*", "an acknowledgement that names no code",
         "write the code of a finding, such as `~opening-low`",
         ("12. N +5h -9s ⟦~⟧", "12. N +5h -9s ⟦~Opening⟧")),
    Slip("annotation", "turn", rf"(?:[!?]{{3,}}|\$\S*){END}", "an unknown annotation",
         "annotations are ! ? !! ?? !? ?! and $0 to $999", ("12. N +5h -9s ⟦!!!⟧", "12. N + ⟦$x⟧")),
    Slip("out mark", "turn", r"#\S+", "an unknown mark for going out",
         "write `#`, or `##` for going out concealed", ("12. N +5h ⟦###⟧",)),
    Slip("prose in a turn", "turn", r"(?P<word>(?:draw|take|discard|pass|lay|meld|out)\w*)" + END,
         "the word `{word}` in a turn",
         "write `+` for a draw, `^` for taking the pile, `-` for a discard, `#` for going out",
         ("12. N ⟦takes⟧ 9h", "12. N +5h ⟦discards⟧ 9s")),
)

_BAD_CARDS: Final = (
    Slip("glued replacement", "hand up", rf"(?P<cards>{CARD}+)(?P<rest>\+\S*|~\S*)",
         "no blank before `{rest}`", "write `{cards} {rest}`, with a blank between",
         ("N: ⟦4s+5d⟧", "up ⟦4s~up-cards⟧")),
    Slip("cards after the dots", "hand", rf"{CARD}", "cards after `...`",
         "`...` ends the cards dealt; a replacement is written `+8s`", ("N: 4s ... ⟦5d⟧",),
         before=r"\.\.\."),
    Slip("number of dots", "hand", r"\.+", "not three dots, or dots that stand twice",
         "write `...` once, for the rest of the hand", ("N: 4s ⟦..⟧", "N: ... ⟦...⟧")),
    Slip("joker", _CARDS, r"(?P<joker>[Jj][Oo][Kk][Ee][Rr]|J[kK][rR]?|jk)",
         "`{joker}` for a joker", "write a joker as `*`",
         ("12. N +5h ⟦-Jk⟧", "up ⟦joker⟧", "12. N ⟦+JK5hx⟧", "N: ⟦Joker⟧ 4s"),
         cards=True),
    Slip("lower-case label", "turn", r"(?P<label>[akqjt]):", "the label `{label}` in lower case",
         "write `{label_upper}:`", ("12. N +5h ⟦k:KsKdKh⟧",)),
    Slip("unknown label", "turn", r"(?P<label>(?!(?:10|[3-9TJQKA2*]|straight|pairs|garbage|talon):)"
         r"[^\s:]+):", "`{label}` is no label of a group",
         "a label is a rank (A K Q J T 9 to 4), `3`, `*`, straight, pairs or garbage",
         ("12. N +5h ⟦Ks:KsKd⟧", "12. N +5h ⟦kings:KsKd⟧", "12. N +5h ⟦1:KsKd⟧")),
    Slip("lower-case rank", _CARDS, r"(?P<rank>[akqjt])(?P<suit>[shdcSHDC]?)(?![a-z]{2})",
         "the rank `{rank}` in lower case", "write `{rank_upper}{suit_lower}`",
         ("12. N +5h ⟦-ks⟧", "N: 4s ⟦th⟧", "12. N +5h ⟦K:KsjdKh⟧"), cards=True),
    Slip("upper-case suit", _CARDS, rf"{_RANK}(?P<suit>[SHDC])", "the suit `{suit}` in a capital",
         "write `{rank}{suit_lower}`", ("12. N +5h ⟦-9S⟧", "N: ⟦KS⟧ 4d", "up ⟦3H⟧"), cards=True),
    Slip("colour of a three", _CARDS, r"3(?P<colour>[RB])", "the colour `{colour}` in a capital",
         "write `3{colour_lower}`", ("12. N +5h ⟦-3B⟧",), cards=True),
    Slip("ten written short", _CARDS, r"(?P<ten>0|1(?!0))(?P<suit>[shdcSHDC]?)",
         "`{ten}` for a ten", "write `T{suit_lower}` or `10{suit_lower}`",
         ("12. N +5h ⟦-0s⟧", "N: 4s ⟦1h⟧"), cards=True),
    Slip("three without its colour", _CARDS, r"3(?![shdcrb:])", "a three without its colour",
         "write its suit, or `3r` for a red and `3b` for a black one",
         ("12. N +5h ⟦-3⟧", "N: ⟦3⟧ 4s", "12. N ⟦+39c⟧"), cards=True),
    Slip("colour of another rank", _CARDS, rf"{_RANK}(?P<colour>[rb])", "a colour for a suit",
         "only threes are written by colour; write `{rank}` where the suit is not known",
         ("12. N +5h ⟦-9b⟧",), cards=True),
    Slip("unknown card", _CARDS, r"(?P<sign>[xX?])", "`{sign}` for an unknown card",
         "write an unknown card as `_`", ("12. N ⟦+X⟧ -9s", "N: 4s ⟦x⟧ 5d", "12. N +5h ⟦-?⟧"),
         cards=True),
    Slip("suit before the rank", _CARDS, rf"{_SUIT}{_RANK}", "the suit before the rank",
         "write `{rank}{suit_lower}`", ("N: ⟦s9⟧ 4d", "12. N +5h ⟦-HK⟧"), cards=True),
    Slip("suit without a rank", _CARDS, _SUIT + r"(?![a-z]{2})", "a suit without its rank",
         "write rank and suit together: `9s`", ("N: 9 ⟦s⟧ 4d",), cards=True),
    Slip("sign between cards", _CARDS, r"(?P<sign>[,./|&])(?!\.\.)", "`{sign}` between cards",
         "write cards side by side, in a list also with blanks between",
         ("N: ⟦4s,5d⟧", "12. N +5h ⟦K:Ks,Kd⟧"), cards=True),
)
# fmt: on

#: All rows, in the order in which they are tried.
SLIPS: Final[tuple[Slip, ...]] = (
    *ANY_LINE,
    *_SIGNS,
    *TAGS,
    *KEYWORD_LINES,
    *NUMBERS,
    *_SEATS,
    *_ORDER,
    *_GROUPS,
    *_BAD_CARDS,
)
