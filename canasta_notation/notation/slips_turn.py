"""The slips of cards and turns: the rest of the table that `slips` begins."""

from __future__ import annotations

from typing import Final

from canasta_notation.notation.slips import (
    ANY_LINE,
    END,
    HAND_HELP,
    KEYWORD_LINES,
    KEYWORDS,
    LEFTOVERS,
    NUMBERS,
    POINTS_HELP,
    TAGS,
    Slip,
)

CARD: Final = r"(?:(?:10|[AKQJT9876542])[shdc]?|3[shdcrb]|\*|_)"
#: What may precede the first bad part of a word: a sign or a label, then good cards.
CARDS_BEFORE: Final = (
    r"(?:[-+^]|[^\s:]{1,8}:)?(?:(?:10|[AKQJT9876542])(?:[shdc]|(?![shdc]))|3[shdcrb]|\*|_)*?"
)

#: From the ace to the two.
RANK_WORDS: Final = (
    *("ace", "king", "queen", "jack", "ten", "nine", "eight"),
    *("seven", "six", "five", "four", "three", "two"),
)
_CARDS: Final = "hand up stock talon turn melds threes left"
_RANKS: Final = "10|[AKQJT2-9]"
_RANK: Final = f"(?P<rank>{_RANKS})"
_SUIT: Final = "(?P<suit>[shdcSHDC])"
_LAST: Final = r"[ \t](?:-|talon:)\S"
_LABEL: Final = "(?P<label>10|[3-9TJQKA2*]|straight|pairs|garbage|talon)"
_LABELLED: Final = rf"(?:10|[3-9TJQKA2*]):{CARD}+"
#: A suit sign before the first of its cards, and a card without a suit of its own.
_RUN_CARD: Final = r"(?:10|[AKQJT2-9])(?![shdc]|[\u2660-\u2667](?![AKQJT1-9]))"
_RUN: Final = rf"[\u2660-\u2667][ \t:]*{_RUN_CARD}"
_PLAY: Final = rf"(?:[-+^]{CARD}+|{_LABELLED})"
#: What precedes the first word after the seat of a turn.
_BEGINS: Final = r"^\s*(?:\d+\.[ \t]*)?[NESWABCDF][ \t]+$"
_SIGNS_HELP: Final = (
    "write `+` for a draw, `^` for taking the pile, `-` for a discard, `#` for going out; a "
    "comment goes after `;`"
)
_FIRST: Final = "write the draw or the take right after the seat: `12. N +5h K:KsKd2c -9s`"

# fmt: off
_SIGNS: Final = (
    Slip("dash", "", "(?P<head>\\S*?)(?P<sign>[\u2010-\u2015\u2212])",
         "`{sign}` looks like `-` but is another character", "type the hyphen of the keyboard: `-`",
         ("12. N +5h ⟦\u20139s⟧", "score NS ⟦\u2212120⟧", "12. N +5h ⟦\u20149s⟧")),
    Slip("unknown rank", _CARDS,
         r"(?=(?:[^\W\d_]|[\u2660-\u2667]){2})[\u2660-\u2667]?(?P<rank>[B-IL-PRSU-Z])"
         r"(?:[shdc](?![^\W\d_])|[\u2660-\u2667]|(?<=[\u2660-\u2667].))",
         "`{rank}` is not a rank", "write the ranks as A K Q J T 9 to 2 in every language",
         ("12. N ⟦+Bd⟧ -7s", "N: ⟦Dh⟧ 4s", "12. N +5h ⟦-D♠⟧", "12. N +5h ⟦-♣B⟧"), cards=True),
    Slip("suit before several cards", "hand up stock talon left",
         rf"(?=.*{_RUN}[ \t]*{_RUN_CARD})"
         rf"(?P<cards>{_RUN}(?:[ \t]*(?:{_RUN}|{_RUN_CARD}))*)(?P<rest>.*)",
         "a suit before several cards",
         "write a suit after each card: `{head}{cards_suited}{rest}`",
         ("N: ⟦♠45⟧ ♥67 ♦8", "N: ⟦♠4⟧ 5 ♥6 *"), before="^(?P<head>.*)$"),
    Slip("suit without a rank", _CARDS, r"\S*?[\u2660-\u2667]{2}", "a suit without its rank",
         "write every card with its rank: `5d5c`", ("12. N + ⟦5:♦♣2♠⟧", "N: ⟦K♠♥⟧")),
    *(
        Slip("suit sign", _CARDS,
             rf"(?P<front>[^\s\u2660-\u2667]*?)(?P<rank>{_RANKS}|[akqjt])?(?P<sign>[{signs}])"
             rf"(?P<after>(?(rank)|(?:{_RANKS}|[akqjt])?))(?P<back>\S*)",
             "`{sign}` for a suit",
             f"write `{{front}}{{rank_upper}}{{after_upper}}{suit}{{back_cards}}`",
             (f"12. N +5h ⟦-K{signs[0]}⟧", f"N: 4s ⟦5{signs[1]}⟧", f"up ⟦{signs[0]}9⟧",
              f"12. N +5h ⟦K:K{signs[0]}K♥K♦⟧"))
        for suit, signs in (("s", "♠♤"), ("h", "♥♡"), ("d", "♦♢"), ("c", "♣♧"))
    ),
    Slip("arrow after a card", "turn", rf"(?P<cards>{CARD}+)[ \t]*(?:[-=]?>|[\u2190-\u21ff])",
         "an arrow after a card",
         "write `+{cards}` for a draw, and a discard with a minus sign, such as `-Ah`",
         ("1. E ⟦5c→⟧ Ah", "1. E ⟦5c⟧ -> Ah"), before=_BEGINS),
    Slip("arrow", "turn", rf"[\u2190-\u21ff\u2b06](?P<card>{CARD}?)", "an arrow",
         "write `^{card}` for taking the pile", ("12. N ⟦↑Qc⟧ Q:QsQd",)),
    Slip("picture of a card", _CARDS, "\\S*?[\U0001f0a0-\U0001f0ff]", "a picture of a card",
         "write its rank and suit: `Kh`; a joker is `*`", ("up ⟦🂡⟧",)),
    Slip("ellipsis sign", "hand left", "\\S*?\u2026", "`…` for the rest of a hand",
         "write three dots: `...`", ("N: 4s 5d ⟦…⟧",)),
)

#: The names of a player.
_NAME: Final = (
    r"(?P<name>(?!(?i:joker|king|queen|jack|ace))[A-Z\u00c0-\u00de][^\W\d_]+(?:[ .'-]+[^\W\d_]+)*)"
)

_SEATS: Final = (
    *(
        Slip("seat's tag without brackets", "turn hand", pattern,
             "a player's name without the brackets of a tag", 'write [{seat} "{name}"]', examples,
             before=rf"^\s*(?P<seat>[NESWABCDF]){sign}[ \t]*$")
        for sign, pattern, examples in (
            ("[ \t]*[:=]?", r"\"(?P<name>[^\"]*)\"?$", ('N ⟦"Ana"⟧', 'N: ⟦"Ana⟧ Ruiz"')),
            (":", _NAME + "$", ("N: ⟦Ana⟧", "N: ⟦Ana⟧ Ruiz")),
            ("[ \t]*", rf'=[ \t]*"?{_NAME}"?$', ("N ⟦=⟧ Ana", 'N ⟦=⟧ "Ana"')),
        )
    ),
    Slip("name in brackets", "turn", rf"\({_NAME}\)(?P<colon>:?)" + END,
         "a name in brackets after the seat",
         'write `{seat}{colon}`, and the name in a tag: [{seat} "{name}"]',
         ("E ⟦(Bruno):⟧ 4s", "1. E ⟦(Bruno)⟧ +5h"),
         before=r"^\s*(?:\d+\.[ \t]*)?(?P<seat>[NESWABCDF])[ \t]+$"),
    Slip("comma after the seat", "", r"[NESWABCDF],(?=[-+^])", "a comma after the seat",
         "put only spaces between the words of a turn: `N +5h -9s`",
         ("⟦E,+6c,-6c⟧", "1. ⟦E,+6c,-6c⟧"), expects="SEAT"),
    Slip("play without its turn", "",
         rf"(?:{_LABELLED}|-{CARD}|(?:10|[4-9]):[^\s;]*[\u2660-\u2667][^\s;]*){END}",
         "play without its turn",
         "join it to the line of its turn or its melds; a turn begins with its seat: `12. N +5h`",
         ("⟦K:KsKd⟧ -9s", "⟦-9s⟧", "⟦5:5s⟧ 7:7s7d", "⟦5:♦♣2♠⟧"), expects="DEAL"),
    Slip("lower-case seat", "hand turn", r"(?P<seat>[neswabcdf])(?P<rest>:\S*|(?![\w=]))",
         "the seat `{seat}` in lower case", "write `{seat_upper}{rest}`",
         ("12. ⟦n⟧ +5h -9s", "⟦n:⟧ 4s 5d", "⟦s⟧ +5h"), expects="SEAT"),
    Slip("turn number without its dot", "turn",
         r"(?P<number>\d+)(?:[):,]|[^\d\s.shdc]?(?=[ \t])|$)",
         "the turn number {number} without its dot", "write `{number}.`",
         ("⟦12⟧ N +5h -9s", "⟦12)⟧ N +5h -9s", "⟦12-⟧ N +5h", "⟦6v⟧ S +6h"), expects="SEAT",
         before=r"^\s*$"),
    Slip("two numbers", "turn", r"\d+\." + END, "a second turn number", "keep one number",
         ("15. ⟦15.⟧ N +3c -Td",), expects="SEAT", before=r"\d\.[ \t]*$"),
    Slip("dots after the number", "turn", r"\.+", "more than one dot after the turn number",
         "write `{number}.`, then the seat", ("12.⟦..⟧ N +5h",), expects="SEAT",
         before=r"(?P<number>\d+)\.$"),
    Slip("two seats", "turn", r"[NESWABCDF]" + END, "a second seat in one turn", "keep one seat",
         ("30. E ⟦E⟧ +5c -Ah",), before=_BEGINS),
    Slip("sign after the seat", "turn", r"(?P<seat>[NESWABCDF])(?P<sign>[.,;)])" + END,
         "`{sign}` after the seat", "write `{seat}`, then a space", ("12. ⟦N.⟧ +5h -9s",),
         expects="SEAT", before=r"\d"),
    *(
        Slip("seat in words", lines,
             r"(?P<seat>[NESWnesw])(?i:orth|ord|orte|ast|ste|outh|\u00fcd|ud|ur|est)"
             rf"{colon}{END}", "the seat as a word", "write `{seat_upper}" + f"{colon}`", examples,
             expects="SEAT")
        for lines, colon, examples in (
            ("hand", ":", ("⟦North:⟧ 4s 5d",)),
            ("turn deal end left", "",
             ("12. ⟦North⟧ +5h", "end out ⟦west⟧", "deal 2 dealer ⟦Süd⟧")),
        )
    ),
    Slip("number after the seat", "turn", r"(?P<number>\d+)(?:[.)]\S*|(?=[ \t]+[+^]))",
         "the turn number is after the seat, not before it", "write `{number}. {seat}`",
         ("W ⟦3.⟧ +Jd", "W ⟦10.⟧ ^A", "E ⟦5⟧ +Kd -7s"), before=r"^\s*(?P<seat>[NESWABCDF])[ \t]+$"),
    Slip("number after the seat", "turn", r"(?P<seat>[NESWABCDF])(?P<number>\d+)[.):]*" + END,
         "the turn number is after the seat, not before it", "write `{number}. {seat}`",
         ("⟦E5.⟧ +Kd -7s", "⟦E5⟧ +Kd"), expects="SEAT"),
    Slip("mark before the seat", "turn", r"(?P<mark>##?|[~@!?$]\S*)" + END,
         "the mark `{mark}` before the seat", "write marks after the play: `12. N +5h -9s #`",
         ("5. ⟦#⟧ E +Kd -7s", "5. ⟦!⟧ E +Kd"), expects="SEAT", before=r"\d"),
    Slip("number before a hand", "turn",
         rf"(?P<seat>[NESWABCDF]):[ \t]*(?P<cards>{CARD}+(?!\S).*)", "a number before a hand line",
         "write `{seat}: {cards}`, without the number", ("12. ⟦N:4s5d⟧ 6c", "1. ⟦E:⟧ 4s 5d +6c"),
         expects="SEAT", before=r"\d"),
    *(
        Slip("colon in a turn", "turn", r"(?P<seat>[NESWABCDF]):" + rest,
             "a colon after a turn's seat", help_text, examples, expects="SEAT", before=r"\d")
        for rest, help_text, examples in (
            (rf"(?P<rest>(?:[-+^]|{_LABELLED})\S*)", "write `{seat} {rest}`",
             ("1.⟦E:+4c⟧ -4s", "2. ⟦S:^4c⟧")),
            ("", "write `{seat}` without the colon", ("12. ⟦N:⟧ +5h -9s",)),
        )
    ),
    Slip("missing seat", "turn", rf"[-+^]|(?:10|[3-9TJKQA2*]|straight|pairs|garbage):|ask|{END}",
         "a turn without its seat",
         "write the seat before the draw: `12. N +5h -9s`",
         ("12. ⟦+5h⟧ -9s", "⟦+5h⟧ -9s", "12.⟦⟧", "12. ⟦K:KsKd⟧"), expects="SEAT"),
    Slip("space before the colon", "hand turn", r"(?P<seat>[A-F NSW])?[ \t]*:",
         "a space before the colon", "write the colon right after the seat: `N: 4s 5d`",
         ("N ⟦:⟧ 4s 5d",), before=r"^\s*[NESWABCDF][ \t]+$"),
    Slip("equals sign in a hand line", "turn", r"=[ \t]*(?P<cards>.*)",
         "`=` in place of a colon", HAND_HELP, ("N ⟦=⟧ 6c",),
         before=r"^\s*(?P<seat>[NESWABCDF])[ \t]+$"),
    Slip("glued seat", "turn", r"(?P<seat>[NESWABCDF])(?P<rest>[-+^]\S*)",
         "no space after the seat", "write `{seat} {rest}`", ("12. ⟦N+5h⟧ -9s",), expects="SEAT"),
    Slip("unknown seat", "hand turn deal end left", r"(?P<seat>[A-Za-z]\w*):?(?![^\s;:])",
         "`{seat}` is not a seat",
         "the seats are N E S W, or A B C D E F with six players",
         ("12. ⟦G⟧ +5h -9s", "12. ⟦Ost⟧ +5h", "⟦Ana⟧ +5h", "⟦G:⟧ 4s"), expects="SEAT"),
)

_ORDER: Final = (
    Slip("points without a keyword", "hand turn", r"(?P<points>-?\d{3,5})$",
         "points without `score` or `total`", POINTS_HELP.replace("side", "seat"),
         ("N: ⟦550⟧", "N ⟦500⟧"), before=r"^[ \t]*(?P<seat>[NES])[ \t]*:?[ \t]*$"),
    Slip("draw in words", "turn", rf"(?P<word>(?i:stock|deck)){END}",
         "`{word}` for a draw", "write `+`, and the card right after it if it was seen: `+5h`",
         ("1. E ⟦stock⟧ -Ah",), before=_BEGINS),
    Slip("take in words", "turn", rf"(?P<word>P|(?i:pile|pack)){END}",
         "`{word}` for taking the pile", "write `^` and the top card: `^9h`",
         ("1. E ⟦P⟧ A:AhAd -Ah", "1. E ⟦pile⟧ -Ah"),
         before=_BEGINS),
    Slip("word before a group", "turn",
         rf"(?P<word>(?i:meld(?:s|ed)?|lays?|laid|puts?|plays|and|with)):?[ \t]+{_LABELLED}{END}",
         "`{word}` before a group", "leave out `{word}`",
         ("12. N +5h ⟦melds⟧ K:KKK -9s", "12. N + ⟦lays⟧ K:KKK"), before=r"[ \t][+^]"),
    Slip("hand without its colon", "turn", rf"{CARD}+(?:[ \t]+{CARD}+)*{END}",
         "a list of cards after a seat without a colon",
         "write a hand with a colon (`N: 4s 5d`), or a turn with a draw (`N +5h -9s`)",
         ("N ⟦4s⟧ 4d 5h",), before=r"^\s*[NESWABCDF]\s*$"),
    Slip("play in a hand line", "hand",
         rf"(?P<rest>(?:-{CARD}|\^{CARD}|{_LABELLED}|\+(?=[ \t]*(?:[-^]|{_LABELLED})|$)).*)",
         "play in a hand line", "a turn has no colon after its seat: write `{seat} {head}{rest}`",
         ("E: +Kd ⟦-7s⟧", "E: ⟦^9c⟧ 9:9s9d", "E: ⟦+⟧ -4c", "E: ⟦+⟧ K:KKK -4c", "E: ⟦+⟧",
          "E:⟦+-4c⟧"),
         before=r"^[ \t]*(?P<seat>[NESWABCDF]):[ \t]*(?P<head>(?:\+\S*[ \t]+)?)$"),
    Slip("play in a hand line", "hand", rf"(?:-{CARD}|\^\S*|{_LABELLED}){END}",
         "play in a hand line", "write a turn without a colon after its seat: `N +5h -9s`",
         ("E: 4s 5d ⟦-7s⟧",), before=":"),
    Slip("two lines", f"{_CARDS} deal penalty end score total",
         r"\d+\.(?![^ \tNESWABCDF])|(?P<seat>[NESWABCDF])(?::(?!(?P=seat))|[ \t]+[-+^])|"
         rf"(?!talon)(?:{'|'.join(KEYWORDS)}){END}",
         "this begins a second line", "write it and what follows on the next line",
         ("12. N +5h -9s ⟦13.⟧ E +", "12. N +5h -9s ⟦13.E⟧ +", "12. N +5h -9s ⟦E⟧ +4s",
          "up As ⟦1.⟧ E +", "N: 4s 5d ⟦E:⟧ 4s", "12. N +5h -9s ⟦end⟧ out N", "deal 1 ⟦up⟧ As"),
         expects="COMMENT", before=r"\S[ \t]+\S+[ \t]+$"),
    Slip("two discards", "turn", rf"-{CARD}{END}", "a second discard in one turn",
         "keep one discard", ("12. N +5h -9s ⟦-8s⟧",), before=r"[ \t]-\S"),
    Slip("discard after the talon", "turn", rf"-{CARD}{END}", "a discard after the talon",
         "the talon is taken after the discard", ("12. N +5h talon:4s5d ⟦-9s⟧",),
         before=r"[ \t]talon:"),
    Slip("two talons", "turn", r"talon:", "a second talon in one turn", "keep one talon",
         ("12. N +5h -9s talon:4s ⟦talon:5s⟧",), before=r"[ \t]talon:"),
    Slip("asking after the discard", "turn", r"ask=(?:yes|no)" + END, "asking after the discard",
         "write `ask` before the discard", ("12. N +5h -9s ⟦ask=yes⟧",), before=_LAST),
    Slip("group after the discard", "turn", rf"[^\s:([{{]+:{CARD}+{END}",
         "a group after the discard", "write groups before the discard",
         ("12. N +5h -9s ⟦K:KsKd2c⟧",), before=_LAST),
    Slip("draw and take", "turn", rf"\^{CARD}(?:/\d+)?{END}", "a take in a turn that has a draw",
         "keep one of the two", ("12. N +5h ⟦^9h⟧",), before=r"[ \t]\+"),
    Slip("draw and take", "turn", rf"\+{CARD}*{END}", "a draw in a turn that has a take",
         "keep one of the two", ("12. N ^9h ⟦+5h⟧", "12. N ^9h K:Ks ⟦+⟧"), before=r"[ \t]\^"),
    Slip("two takes", "turn", rf"\^{CARD}(?:/\d+)?{END}", "a second take in one turn",
         "keep one take", ("12. N ^9h ⟦^8h⟧",), before=r"[ \t]\^"),
    Slip("draw in two places", "turn", rf"\+{CARD}*{END}", "a draw in two places",
         "write all cards drawn together: `+3h +9c`", ("12. N +3h K:KsKd ⟦+9c⟧", "12. N + ⟦+9c⟧"),
         before=r"[ \t]\+"),
    Slip("draw not first", "turn", rf"(?:\+{CARD}*|\^{CARD}(?:/\d+)?){END}",
         "a draw or take that is not first", _FIRST,
         ("12. N K:KsKd ⟦+5h⟧ -9s", "12. N open=50 ⟦^9h⟧ -9s"), before=r"^[^+^]*$"),
)

#: A card of the rank that a group's label `named` names; without a label, of any natural rank.
_OF_LABEL: Final = (
    "(?:(?P<named>10|[4-9TJQKA*]):)?{}"
    "(?P<card>(?P<label>(?(named)(?P=named)|(?:10|[4-9TJQKA])))[shdc]?){}"
    rf"(?P<rest>(?:[,+]?{CARD})*){END}"
)
_TIMES: Final = "[xX\u00d7]"

_GROUPS: Final = (
    *(
        Slip("number of cards", "turn melds", _OF_LABEL.format(*count), "a number of cards",
             "write every card: `{label}:{times}{rest_joined}`", examples)
        for count, examples in (
            ((rf"(?P<count>1?\d(?={_TIMES})|[3-8](?=[AKQJT]{END})){_TIMES}?", ""),
             ("melds NS ⟦4x7⟧", "12. N +5h ⟦2xK,2⟧ -9s", "12. N + ⟦3K⟧", "12. N +5h ⟦4Q⟧ -9s",
              "12. N +5h ⟦K:3xK⟧ -9s")),
            (("", rf"(?:{_TIMES}|(?<=[AKQJT])(?=3))(?P<count>1?\d)"),
             ("12. N +5h ⟦K\u00d73⟧ -9s", "12. N +5h ⟦Q:Qx4⟧", "melds NS ⟦7:7x3⟧",
              "12. N + ⟦K3⟧")),
        )
    ),
    Slip("number of cards", "turn melds",
         rf"(?P<label>(?P<card>10|[4-9TJQKA])):(?P<count>[1-9]|1\d){END}",
         "a number of cards", "write every card: `{label}:{times}`", ("12. N + ⟦K:3⟧ -9s",)),
    *(
        Slip("number of cards", "left", count, "a number of cards",
             "write each card, an unknown one as `_`: `left {seat} {times}`", examples,
             before=rf"left[ \t]+(?P<seat>[NESWABCDF])[ \t]+{before}$")
        for count, before, examples in (
            (r"(?P<count>(?!3$)1?\d)(?:[ \t]+cards?\b.*|$)", "",
             ("left E ⟦3⟧ cards", "left E ⟦11⟧")),
            (r"cards?\b", r"(?P<count>1?\d)[ \t]+", ("left E 5 ⟦cards⟧",)),
        )
    ),
    *(
        Slip("hand not seen", lines, unseen + "$", "a hand that was not seen",
             "leave out the line, or write `{head} ...`", examples,
             before=rf"^[ \t]*(?P<head>{head})[ \t]*$")
        for lines, head, unseen, examples in (
            ("hand", "[NESWABCDF]:", r"(?:[?xX-]+(?:[ \t]+[?xX-]+)*|1\d|\d+[ \t]+cards?\b.*)",
             ("E: ⟦?⟧", "E: ⟦?⟧ ? ?", "E: ⟦11⟧ cards", "E: ⟦11⟧")),
            ("hand", "[NESWABCDF]:", r"(?i:unknown|unseen|not[ \t]+seen)", ("E: ⟦not⟧ seen",)),
            ("left", r"left[ \t]+[NESWABCDF]", r"\?+", ("left E ⟦?⟧",)),
        )
    ),
    *(
        Slip("cards in brackets", "turn melds", pattern, "cards in brackets",
             "write `{label_upper}:{cards_cards}`", examples)
        for pattern, examples in (
            (rf"[(\[{{](?P<label>10|[3-9TJQKA*]):(?P<cards>{CARD}+)[)\]}}]{END}",
             ("12. N +5h ⟦(K:KsKd)⟧ -9s",)),
            (rf"(?P<label>10|[3-9TJQKA*]):?[(\[{{](?P<cards>{CARD}+)[)\]}}]{END}",
             ("12. N +5h ⟦K(KsKhKd)⟧ -9s", "12. N +5h ⟦K:(KKK)⟧ -9s")),
            (r"[(\[{](?P<cards>(?P<label>(?i:10|[4-9TJQKA]))[shdc]?"
             rf"(?:[ \t,]*(?:(?P=label)|[2*_])[shdc]?)+)[)\]}}]{END}",
             ("12. N +5h ⟦(KKK)⟧ -9s", "12. N +5h ⟦[KKK]⟧", "melds NS ⟦(Ks⟧ Kh 2)")),
        )
    ),
    Slip("brackets around cards", "hand up stock talon threes left",
         rf"[(\[{{]{CARD}+(?:[ \t,]+{CARD}+)*[)\]}}]", "brackets around cards",
         "delete the brackets", ("N: ⟦[4s⟧ 5d 6h]", "up ⟦(9c)⟧")),
    Slip("brackets around cards", "turn",
         rf"[(\[{{](?P<cards>{CARD}+(?:[ \t,]+{CARD}+)*)[)\]}}]$",
         "a list of cards after a seat without a colon", HAND_HELP, ("E ⟦(4s⟧ 5d)",),
         before=r"^\s*(?P<seat>[NESWABCDF])[ \t]+$"),
    Slip("brackets around the play", "turn melds",
         rf"[(\[{{]{_PLAY}(?:[ \t,]+{_PLAY})*[)\]}}]{END}", "brackets around the play",
         "delete the brackets", ("12. N +5h ⟦(K:KsKhKd⟧ A:AsAhAd) -6c", "12. N +5h ⟦(-6c)⟧"),
         before=r"^(?!.*[ \t]-)"),
    Slip("number after a group", "turn",
         rf"(?P<group>{_LABELLED})[(\[](?P<count>\d{{2,3}})[)\]]{END}", "a number after a group",
         "write `{group}`, and an opening's count after the groups: `open={count}`",
         ("12. N +5h ⟦K:KKK(90)⟧ -6c",)),
    Slip("glued annotation", "turn",
         rf"(?P<good>(?:[-+]|\^|[^\s:]+:)?{CARD}+(?:/\d+)?)(?P<mark>[!?#$@~]\S*)",
         "no space before `{mark}`", "write `{good} {mark}`, with a space between",
         ("12. N +5h ⟦-9s!⟧", "12. N +5h ⟦K:KsKdKh?⟧ -9s", "12. N +5h ⟦-9s#⟧", "12. N ⟦+5h@3⟧")),
    Slip("count of the pile apart", "turn",
         r"(?:/[ \t]*|[x(\[])?(?P<count>(?!([4-9])\2)\d+)[)\]]?" + END,
         "a space between the top card and the pile's count", "write `{take}/{count}`",
         ("12. N ^9c ⟦14⟧ -7s", "12. N ^9c ⟦/⟧ 14 -7s", "12. N ^9c ⟦x2⟧"),
         before=r"[ \t](?P<take>\^\w+)[ \t]+$"),
    Slip("number in a turn", "turn",
         rf"(?!(?:10|(?P<same>[2-9])(?P=same)+){END})(?P<count>\d{{2,}})(?![shdc]{END})[a-z]*{END}",
         "a number without a sign that says what it counts",
         "write an opening's count as `open=95`, the pile's as `^9h/14`, seconds as `@12`",
         ("12. N +5h -9s ⟦95⟧", "12. N +5h K:KsKhKd ⟦90⟧ -9s", "12. N +5h ⟦90⟧ K:KsKhKd"),
         before=r"[ \t](?:[-+]\S|[^\s:]+:\S)"),
    Slip("number in a turn", "turn", rf"[(\[](?P<count>(?!([2-9])\2)\d{{2,3}})[)\]]{END}",
         "a number without a sign that says what it counts", "write an opening's count as "
         "`open={count}`, another number after `;` at the end of the line",
         ("12. N +5h K:KKK ⟦(90)⟧ -6c",)),
    Slip("dashes in a group", "turn melds",
         rf"(?P<label>10|[3-9TJQKA2*]):(?P<cards>{CARD}+(?:-{CARD}+){{2,}}){END}",
         "`-` between cards", "write `{label}:{cards_undashed}`",
         ("12. N +5h ⟦K:Ks-Kh-Kd⟧", "melds NS ⟦K:Ks-Kh-Kd⟧")),
    Slip("sign between melds", "melds", rf"{_LABELLED}(?P<sign>[,./|&])(?:{END}|(?={_LABELLED}))",
         "`{sign}` after a meld", "put a space between melds: `K:KsKdKh 6:6s6h6d`",
         ("melds NS ⟦K:KKKKKKK,⟧", "melds NS ⟦K:KsKdKh,6:6s6h6d⟧", "melds NS ⟦K:KsKdKh,⟧ 6:666")),
    Slip("glued words", "turn melds",
         rf"(?P<head>\+|[+^]{CARD}+(?:/\d+)?|{_LABELLED}|open=\d+)(?P<sign>[,;|/]?)"
         rf"(?P<rest>(?:[-^]{CARD}|{_LABELLED})+){END}",
         "no space before `{rest}`", "write `{head} {rest}`",
         ("12. N ⟦+-4c⟧", "12. N ⟦+Kd-7s⟧", "12. N ⟦+Kd,-7s⟧", "12. N +5h ⟦K:KsKdKh-7s⟧",
          "12. N ⟦^9h9:9s9d⟧", "melds NS ⟦K:KsKdKh6:6s6h6d⟧")),
    Slip("glued words", "turn", rf"(?P<head>\+{CARD}+)(?P<rest>(?:\+{CARD}+)+){END}",
         "no space before `{rest}`", "write `{head} {rest}`", ("12. N ⟦+3r+Kd⟧ -7s",)),
    Slip("sign after a word", "turn", rf"(?P<word>\+|[-+^]{CARD}+|{_LABELLED})(?P<sign>[.,:]){END}",
         "`{sign}` after a word", "write `{word}`",
         ("12. N +5h ⟦-7s.⟧", "12. N ⟦+5h,⟧ -7s", "12. N ⟦+,⟧ 5:5s5d5c")),
    Slip("space after a sign", "turn hand",
         rf"(?P<sign>[-+^])[ \t]+(?P<card>(?:10|[AKQJT2-9])[ \t]+[shdc]|{CARD}){END}",
         "a space between `{sign}` and its card", "write `{sign}{card_cards}`",
         ("12. N +5h ⟦-⟧ 9s", "12. N ⟦^⟧ 9h", "N: 4s ⟦+⟧ 6c", "12. N +5h ⟦-⟧ A h")),
    Slip("sign after its card", "turn hand", rf"(?P<cards>{CARD}+)(?P<sign>[-+^]){END}",
         "`{sign}` after its card", "write `{sign}{cards}`",
         ("1. E ⟦5c+⟧ Ah-", "1. E +5c ⟦Ah-⟧", "N: 4s ⟦6c+⟧")),
    Slip("space after a sign", "turn", rf"(?P<cards>{CARD}+){END}",
         "`{cards}` stands alone after `+`",
         "write `+{cards}` for a draw; put the rank before cards that are laid: `K:Kd`",
         ("12. N + ⟦Kd⟧ -7s",),
         before=r"[ \t]\+[ \t]+$"),
    Slip("card without its sign", "turn", rf"(?P<card>{CARD}){END}",
         "no sign before `{card}`", "write `+{card}` for a draw, `^{card}` for taking the pile",
         ("12. N ⟦Kd⟧ -7s",), before=_BEGINS),
    Slip("card without its sign", "turn", rf"(?P<card>{CARD})(?:{END}[ \t]*$)",
         "no sign before `{card}`",
         "write `-{card}` for a discard, groups without spaces: `K:KsKdKh`",
         ("12. N +5h ⟦9s⟧", "12. N +5h K:KsKdKh ⟦9s⟧", "12. N + 5:* ⟦Ah⟧"),
         before=r"[ \t](?:[+^]\S*|[^\s:]+:\S+)[ \t]+$"),
    Slip("discard of several cards", "turn", rf"-{CARD}{{2,}}{END}",
         "a discard of more than one card", "discard one card: `-9s`",
         ("12. N +5h ⟦-9s9h⟧",), expects="DISCARD"),
    Slip("take of several cards", "turn", rf"\^{CARD}{{2,}}{END}",
         "a take that names more than the top card",
         "write the top card alone, then the size of the pile: `^9h/14`", ("12. N ⟦^9h8h⟧ -9s",),
         expects="TAKE"),
    Slip("count of the pile", "turn", rf"(?P<take>\^{CARD}/\d+)(?P<rest>[a-z]+|[.,:]){END}",
         "`{rest}` after the count of the pile", "write `{take}`",
         ("12. N ⟦^9c/2cards⟧ -7s", "12. N ⟦^9c/2,⟧ -7s")),
    Slip("count of the pile", "turn", rf"\^{CARD}(?P<rest>/\S*|[:(x]?\d\S*){END}",
         "`{rest}` after the top card", "write the number of cards as `^9h/14`",
         ("12. N ⟦^9h(14)⟧ -9s", "12. N ⟦^9h/x⟧ -9s"), expects="TAKE"),
    Slip("space inside a group", "turn melds",
         rf"{_LABEL}:[ \t]+(?P<cards>{CARD}+(?:[ \t]+(?:(?P=label)|[2*_])[shdc]?{END})*),?{END}",
         "a space after `{label}:`", "write `{label}:{cards_cards}`",
         ("12. N +5h ⟦K:⟧ KsKd -9s", "12. N +5h -9s ⟦talon:⟧ 4s", "melds NS ⟦K:⟧ KKK, 6: 666",
          "melds NS ⟦5:⟧ 5 5 5 2c 7:777")),
    Slip("group without cards", "turn melds",
         rf"{_LABEL}:{END}",
         "nothing after `{label}:`", "write the cards right after the colon: `{label}:KsKd`",
         ("12. N +5h ⟦K:⟧ -9s",)),
    Slip("space inside a group", "turn melds", rf"{CARD}+{END}",
         "a space inside a group, or cards without a label",
         "write groups without spaces: `K:KsKdKh`; a card on its own needs its label too: `K:Kd`",
         ("12. N +5h K:Ks ⟦Kd⟧ -9s", "melds NS K:KsKd ⟦Kh⟧"),
         before=r":\S+[ \t]+$"),
    Slip("cards without a label", "melds", rf"{CARD}+{END}", "cards without a label",
         "write each meld as its rank and its cards, without spaces: `K:KsKdKh`",
         ("melds NS ⟦KsKdKh⟧",)),
    Slip("cards without a label", "turn", rf"{CARD}+{END}", "cards without a label or a sign",
         "write `K:KsKd` for a group, `+5h9c` for cards drawn, `-9s` for a discard",
         ("12. N +5h ⟦KsKd⟧ -9s", "12. N +3h ⟦9c⟧ -9s")),
    Slip("missing colon", "turn melds",
         rf"(?P<label>10|[3-9TJQKA2*])[=.;/-](?P<cards>{CARD}+){END}",
         "no colon after the label of a group", "write `{label}:{cards}`",
         ("12. N +5h ⟦K=KsKd⟧ -9s", "12. N +5h ⟦K-KsKd⟧")),
    Slip("sign without its card", "turn hand", rf"(?P<sign>[-+^]){END}",
         "`{sign}` without its card", "write the card right after the sign, an unknown one as `_`",
         ("12. N +5h ⟦-⟧", "12. N ⟦^⟧ K:Ks", "N: 4s ⟦+⟧")),
    Slip("ask without its answer", "turn", r"ask\S*", "`ask` must be followed by `=yes` or `=no`",
         "write `ask=yes` or `ask=no`", ("12. N +5h ⟦ask⟧ -9s", "12. N ⟦asks=yes⟧")),
    Slip("count of an opening", "turn", r"(?:open\b:?[ \t]*|=)(?P<count>\d+)" + END,
         "an opening's count without `open=`", "write `open={count}`",
         ("12. N +5h ⟦open⟧ 95", "12. N +5h ⟦open:95⟧", "12. N +5h A:AsAhAd ⟦=85⟧ -Ah")),
    Slip("count of an opening", "turn",
         rf"(?P<open>open=\d+)(?P<rest>(?i:pts?|points?)\.?|[.,:]){END}",
         "`{rest}` after an opening's count", "write `{open}`",
         ("12. N +5h ⟦open=90,⟧ K:KKK", "12. N +5h ⟦open=90pts⟧")),
    Slip("count of an opening", "turn", r"open\b(?!=\d)\S*", "an opening without its count",
         "write the count as `open=95`", ("12. N +5h ⟦open⟧ -9s",)),
    Slip("talon without its colon", "turn", r"talon\b(?!:)\S*", "`talon` without its cards",
         "write `talon:4s5d6h7c`, without spaces", ("12. N +5h -9s ⟦talon⟧ 4s",)),
    Slip("clock", "turn", r"@\S*", "a clock that is not a number of seconds",
         "write seconds, with a decimal point for fractions: `@12.5`",
         ("12. N +5h -9s ⟦@1:30⟧", "12. N +5h -9s ⟦@12s⟧")),
    Slip("acknowledgement", "turn hand up", r"~\S*", "a `~` without the code of a finding",
         "write the code of a finding, such as `~opening-low`",
         ("12. N +5h -9s ⟦~⟧", "12. N +5h -9s ⟦~Opening⟧")),
    Slip("space in a code", "turn hand up", r"(?P<rest>[a-z]+)" + END, "a space inside a code",
         "write `~{head}-{rest}`", ("12. N +5h -9s ~pile ⟦frozen⟧",),
         before=r"~(?P<head>pile|meld|opening|out|discard|draw|stock|up|deal|wrong|ask)[ \t]+$"),
    Slip("remark", f"{_CARDS} deal penalty end score total", r"[(\[{\"\u201c\u201e<]",
         "a comment without its `;`", "put a comment at the end of the line, after `;`",
         ("12. N +5h -9s ⟦(misplay)⟧", '12. N +5h ⟦"x"⟧', "end out N ⟦[well⟧ done]")),
    Slip("annotation", "turn", rf"(?:[!?]{{3,}}|\$\S*){END}", "an unknown annotation",
         "the annotations are ! ? !! ?? !? ?! and $0 to $999",
         ("12. N +5h -9s ⟦!!!⟧", "12. N + ⟦$x⟧")),
    Slip("glued mark", "turn", rf"(?P<mark>##?)(?P<rest>(?:[-~@]|{_LABELLED})\S*)",
         "no space after `{mark}`", "write `{mark} {rest}`", ("12. N +5h ⟦#-4s⟧",)),
    Slip("out mark", "turn", r"#\S+", "an unknown mark for going out",
         "write `#`, or `##` for going out concealed", ("12. N +5h ⟦###⟧",)),
    Slip("foreign sign", "turn", r"(?!\.\.\.)(?P<sign>[,./|&]+)", "`{sign}` is not part of a turn",
         "write only spaces between the words of a turn: `12. N +5h K:KsKd2c -9s`",
         ("12. N +5h -9s ⟦,7d⟧", "12. N +5h ⟦,⟧ -9s", "12. N ⟦./c⟧ -9s")),
    Slip("prose in a turn", "turn",
         rf"(?P<word>(?!(?i:jok|jkr|jck)|{CARD}+[.,:])[^\W\d_]{{3,}})[.,:]?{END}",
         "`{word}` is not part of a turn", _SIGNS_HELP,
         ("12. N ⟦takes⟧ 9h", "S ⟦draws,⟧ discards 5h", "12. N +5h ⟦discards⟧ 9s",
          "12. N +5h -9s ⟦goes⟧ out")),
)

_BAD_CARDS: Final = (
    Slip("card in words", _CARDS,
         rf"(?P<sign>[-+^]?)(?P<card>(?i:(?:{'|'.join(RANK_WORDS)})[ \t]+(?:of[ \t]+)?"
         rf"(?:spades?|hearts?|diamonds?|clubs?)))(?![^\s;,])",
         "a card in words", "write `{sign}{card_spoken}`",
         ("1. E +5c ⟦-ace⟧ of hearts", "up ⟦King⟧ of Spades")),
    *(
        Slip("replacement by an arrow", lines,
             rf"(?P<card>{CARD})[-=]?[>\u2192](?P<new>{CARD}){END}",
             "an arrow between a card and the next one", help_text, (example,))
        for lines, help_text, example in (
            ("hand", "write `{card}`, and the replacement after all cards dealt: `+{new}`",
             "E: ⟦3h->6c⟧ 4s"),
            ("up", "write `{card} {new}`", "up ⟦2d->9c⟧"),
        )
    ),
    Slip("glued replacement", "hand up", rf"(?P<cards>\+?{CARD}+|\.\.\.)(?P<rest>\+\S*|~\S*)",
         "no space before `{rest}`", "write `{cards} {rest}`, with a space between",
         ("N: ⟦4s+5d⟧", "up ⟦4s~up-cards⟧", "N: 4s ⟦+5d+6c⟧", "N: 4s ⟦...+5d⟧")),
    Slip("cards after the dots", "left", rf"{CARD}", "cards after `...`",
         "write `...` after the last card", ("left S 4s ... ⟦5d⟧",), before=r"\.\.\."),
    Slip("cards after the dots", "hand", rf"{CARD}", "cards after `...`",
         "`...` ends the cards dealt; a replacement is written `+8s`", ("N: 4s ... ⟦5d⟧",),
         before=r"\.\.\."),
    Slip("number of dots", "hand left", r"\.+", "not three dots, or a second `...`",
         "write `...` once, for the rest of the hand", ("N: 4s ⟦..⟧", "N: ... ⟦...⟧",
         "left S 4s ⟦..⟧")),
    *(
        Slip("number of cards", _CARDS, cards + END, "a number of cards",
             "write every card: `{front}{times}`", examples, cards=True)
        for cards, examples in (
            (rf"(?P<count>1?\d){_TIMES}(?P<card>{CARD})",
             ("left S ⟦3xK⟧ 4s", "N: ⟦2x4s⟧", "12. N ⟦+2xK⟧ -9s")),
            (rf"(?P<card>{CARD}){_TIMES}(?P<count>1?\d)", ("N: ⟦10x3⟧", "N: ⟦4sKdx2⟧ 5h")),
        )
    ),
    Slip("number of cards", _CARDS,
         rf"(?:\d{{1,2}}{_TIMES}(?:{_RANKS})[shdcrb]?|{_TIMES}\d{{1,2}}){END}",
         "a number of cards", "write every card: `KKK`", ("N: ⟦3x3⟧", "N: ⟦22xK⟧"), cards=True),
    Slip("joker", _CARDS, "(?P<joker>[Jj][Oo][Kk][Ee][Rr]|J[kK][rR]?|jk|[Jj]o(?![a-z])|[•●★☆·])",
         "`{joker}` for a joker", "write a joker as `*`",
         ("12. N +5h ⟦-Jk⟧", "up ⟦joker⟧", "12. N ⟦+JK5hx⟧", "N: ⟦Joker⟧ 4s",
          "melds NS ⟦9:999Jo⟧", "12. N +5h ⟦7:7s7h•⟧ -9s"),
         cards=True),
    Slip("lower-case label", "turn melds",
         rf"(?P<label>[akqjt]):(?P<cards>[\w*]*(?:[ \t]+(?:(?P=label)|[2*_])[shdc]?{END})*)",
         "the label `{label}` in lower case", "write `{label_upper}:{cards_cards}`",
         ("12. N +5h ⟦k:KsKdKh⟧", "melds NS ⟦k:kkk2⟧")),
    Slip("special hand among the melds", "melds", r"(?P<word>straight|pairs|garbage):\S*",
         "`{word}:` is not a meld", "leave out a special hand: it is not a meld",
         ("melds NS ⟦pairs:4s4d5s5d⟧",)),
    Slip("unknown label", "turn melds",
         r"(?P<label>(?!(?:10|[3-9TJQKA2*]|straight|pairs|garbage|talon):)"
         r"[^\s:]+):", "`{label}` is not a label of a group",
         "a label is a rank (A K Q J T 9 to 4), `3`, `*`, straight, pairs or garbage",
         ("12. N +5h ⟦Ks:KsKd⟧", "12. N +5h ⟦kings:KsKd⟧", "12. N +5h ⟦1:KsKd⟧")),
    Slip("lower-case ranks", _CARDS, rf"(?P<cards>(?P<rank>[akqjt])(?:(?P=rank)|[2*_])+){END}",
         "ranks in lower case", "write `{front}{cards_cards}`",
         ("melds NS ⟦K:kkk2⟧", "left S ⟦qq⟧ 4s"), cards=True),
    Slip("unknown suit", "turn", rf"{_RANK}(?P<suit>t)(?!\S)", "`{suit}` is not a suit",
         "the suits are s h d c: spades, hearts, diamonds, clubs", ("12. N +5h ⟦-Kt⟧",),
         cards=True),
    Slip("lower-case rank", _CARDS, r"(?P<rank>[akqjt])(?P<suit>[shdcSHDC]?)(?![a-z]{2})",
         "the rank `{rank}` in lower case",
         "write `{front}{rank_upper}{suit_lower}{back_cards}`",
         ("12. N +5h ⟦-ks⟧", "N: 4s ⟦th⟧", "12. N +5h ⟦K:KsjdKh⟧"), cards=True),
    Slip("upper-case suit", _CARDS, rf"{_RANK}(?P<suit>[SHDC])",
         "the suit `{suit}` as a capital letter",
         "write `{front}{rank}{suit_lower}{back_cards}`",
         ("12. N +5h ⟦-9S⟧", "N: ⟦KS⟧ 4d", "up ⟦3H⟧"), cards=True),
    Slip("colour of a three", _CARDS, r"3(?P<colour>[RB])",
         "the colour `{colour}` as a capital letter",
         "write `{front}3{colour_lower}{back}`", ("12. N +5h ⟦-3B⟧",), cards=True),
    Slip("no three", "threes", r"(?P<word>1$|[^\W\d_]{3,})", "`{word}` is not a three",
         "write each three: `3h`, or `3r` for a red one whose suit is not known",
         ("threes NS ⟦1⟧", "threes EW ⟦red⟧", "threes EW 3h ⟦hearts⟧"), cards=True),
    Slip("ten written short", _CARDS, r"(?P<ten>0|1(?!0))(?P<suit>[shdcSHDC]?)(?!\d)",
         "`{ten}` for a ten",
         "write `{front}T{suit_lower}{back}` or `{front}10{suit_lower}{back}`",
         ("12. N +5h ⟦-0s⟧", "N: 4s ⟦1h⟧"), cards=True),
    Slip("three without its colour", _CARDS, r"3(?![shdcrb:])", "a three without its colour",
         "write its suit, or `3r` for a red and `3b` for a black one",
         ("12. N +5h ⟦-3⟧", "N: ⟦3⟧ 4s", "12. N ⟦+39c⟧"), cards=True),
    Slip("colour of another rank", _CARDS, r"(?P<rank>10|[AKQJT24-9])(?P<colour>[rb])(?![^\W\d_])",
         "a colour in place of a suit",
         "only threes are written by colour; write `{front}{rank}{back}` if the suit is not known",
         ("12. N +5h ⟦-9b⟧",), cards=True),
    Slip("unknown card", _CARDS, r"(?P<sign>[xX?])", "`{sign}` for an unknown card",
         "write an unknown card as `_`", ("12. N ⟦+X⟧ -9s", "N: 4s ⟦x⟧ 5d", "12. N +5h ⟦-?⟧"),
         cards=True),
    Slip("suit before the rank", _CARDS, rf"{_SUIT}{_RANK}", "the suit before the rank",
         "write `{front}{rank}{suit_lower}{back_cards}`", ("N: ⟦s9⟧ 4d", "12. N +5h ⟦-HK⟧"),
         cards=True),
    Slip("colour before the three", _CARDS, r"(?P<colour>[RrBb])3", "the colour before the three",
         "write `{front}3{colour_lower}{back}`", ("12. N ⟦+R3⟧ -7s",), cards=True),
    Slip("unknown suit", _CARDS, rf"{_RANK}(?P<suit>[ae-gi-qt-zBE-GIL-PRU-Z])(?![^\W\d_])",
         "`{suit}` is not a suit", "the suits are s h d c: spades, hearts, diamonds, clubs",
         ("12. N ⟦+Kp⟧ -7s", "left S ⟦9P⟧", "melds NS ⟦9:9P9P⟧"), cards=True),
    Slip("suit without a rank", _CARDS, _SUIT + r"(?![a-z]{2})", "a suit without its rank",
         "write rank and suit together: `9s`", ("N: 9 ⟦s⟧ 4d",), cards=True),
    Slip("word for a card", _CARDS, rf"(?P<word>(?!{CARD}+(?![^\W\d_]))[^\W\d_]{{3,}})",
         "`{word}` is not a card",
         "a card is its rank (A K Q J T 9 to 2) and suit (s h d c): `Kh`; a joker is `*`",
         ("5. E ⟦+King⟧ -7s", "N: ⟦König⟧ 4s", "5. E +5h ⟦K:KsQueen⟧"), cards=True),
    Slip("sign after a card", "hand up stock talon threes left",
         rf"(?<=[\w*])(?P<sign>[,./|&]){END}", "`{sign}` after a card",
         "write `{front}`; put only spaces between cards", ("up ⟦9c.⟧", "N: ⟦4s,⟧ 5d"), cards=True),
    Slip("sign between cards", _CARDS, rf"(?P<sign>[,./|&]){END}", "`{sign}` between cards",
         "put only spaces between cards", ("N: 4s ⟦,⟧ 5d",)),
    Slip("sign between cards", "turn melds",
         rf"(?P<label>[4-9JQKA]):{CARD}+(?P<sign>[-+,./|&])"
         r"(?:(?:(?P=label)|[2*_])[shdc]?[-+,./|&]?)*(?!(?P=label))(?:10|[AKQJT3-9])",
         "`{sign}` between cards", "put a space between groups: `K:KsKdKh 6:6s6h6d`",
         ("12. N +5h ⟦K:KsKhKd+AsAhAd⟧ -6c",)),
    *(
        Slip("sign between cards", _CARDS, f"(?P<sign>{signs})(?!\\.\\.)", "`{sign}` between cards",
             f"write `{{front}}{{back_{form}}}`", examples, cards=True)
        for signs, form, examples in (
            ("[,./|&]", "joined", ("N: ⟦4s,5d⟧", "12. N +5h ⟦K:Ks,Kd,Kh⟧")),
            (r"(?<=\w)[+-](?!>)", "undashed", ("12. N +5h ⟦K:Kh+Kc⟧",)),
        )
    ),
    Slip("no card", "hand up stock talon threes left", r"(?P<word>[^~.,]\S*)",
         "`{word}` is not a card",
         "a card is its rank (A K Q J T 9 to 2) and suit (s h d c): `Kh`; a joker is `*`",
         ("N: Ks ⟦:d⟧ 4s", "N: 4s ⟦+bc⟧")),
    Slip("no card", "turn", r"[-+^](?P<word>\S+)", "`{word}` is not a card",
         "a card is its rank (A K Q J T 9 to 2) and suit (s h d c): `Kh`; a joker is `*`",
         ("N ⟦+bc⟧ -4s", "N +5h ⟦-=⟧")),
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
    *LEFTOVERS,
)
