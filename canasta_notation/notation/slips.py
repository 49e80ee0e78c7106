"""Common slips: how each looks, what it is called, and the remedy.

The table is read from the top; the first row that fits names the error. Every row has examples, in
which ⟦ ⟧ enclose what the reader points at; a test runs them. The rows for tags, for the lines
around the play and for numbers are here; those for cards and turns are in `slips_turn`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ITEMS: Final = (
    *("melds", "natural", "mixed", "concealed-canasta", "red3", "out", "concealed", "hand"),
    *("penalty", "cards", "threes", "sevens", "aces", "wild", "unfinished", "held", "special"),
)
KEYWORDS: Final = (
    *("deal", "up", "stock", "talon", "penalty", "end"),
    *("melds", "threes", "left", "score", "total"),
)
SIDES: Final = ("NS", "EW", "ACE", "BDF", "AD", "BE", "CF", "N", "E", "S")
REASONS: Final = ("out", "special", "stock", "unfinished")

_CARD: Final = r"(?:(?:10|[AKQJT9876542])[shdc]?|3[shdcrb]|\*|_)(?![A-Za-z])"
#: The end of a word.
END: Final = r"(?![^\s;])"


@dataclass(frozen=True, slots=True)
class Slip:
    """A row: `pattern` fits the text from the error on; its groups fill message and help.

    `lines` are the kinds of line in which the slip occurs (all if empty), and `expects` is a
    terminal that would have been accepted. `before` must fit somewhere in the text before the
    error; its groups fill message and help too. `cards` says that the pattern may follow good cards
    in its word. `{near}` is the word of `near` that is most like the group `word`; if none is like
    it, the row does not fit. Nor does it if its group `player` is no player's name; `{seat}` is
    that player's seat. `{front}` and `{back}` are what surrounds the slip in its word, if
    `cards` is set. `{times}` is the group `card` as often as the group `count` says, and `_` if
    there is no such group; `{threes}` is that many red threes. Each group `x` is also available as
    `{x_upper}` and `{x_lower}`, as one word (`{x_dashed}`), as a known tag (`{x_tag}`), as cards
    side by side in the right case (`{x_cards}`; `{x_suited}` if each suit is before several ranks,
    `{x_spoken}` if the card is in words), and without the signs between them (`{x_joined}` without
    commas and the like, `{x_undashed}` without - and +).
    """

    name: str
    lines: str
    pattern: str
    message: str
    help: str
    examples: tuple[str, ...]
    expects: str = ""
    before: str = ""
    cards: bool = False
    near: tuple[str, ...] = ()


_NUMBERS: Final = "deal penalty score total"
_WORDS: Final = "|".join(KEYWORDS)
_SIDES: Final = "|".join(SIDES)
_TAG: Final = 'write [Name "value"]'
#: Words between a seat or a name and `out`, and what may follow.
_GONE: Final = (
    r"(?:(?i:is|went|goes|has[ \t]+gone)[ \t]+)?(?i:out)(?P<rest>(?:[ \t]+concealed)?)[.!]?"
)
HAND_HELP: Final = (
    "write `{seat}: {cards}` for the hand as dealt, `left {seat} {cards}` for what was left of it "
    "at the end"
)

POINTS_HELP: Final = (
    "write `score {side} {points}` for one deal, `total {side} {points}` for all deals so far"
)
_TEAM: Final = "(?P<side>(?i:NS|EW|ACE|BDF|AD|BE|CF))"
_PLAYER: Final = r"[^\W\d_][^\s:;,.]*"
_MORE_POINTS: Final = r"[ \t]*[:=]?[ \t]*(?P<{}>-?\d+)"

# fmt: off
ANY_LINE: Final = (
    Slip("old line end", "", r"\r", "an old Macintosh line ending (CR alone)",
         "save the file with ordinary line endings (LF or CRLF)", ("N: 4s 5d⟦\r⟧E: 4s",)),
    Slip("control character", "", r"[\x00-\x08\x0a-\x1f\x7f-\x9f]",
         "a control character in the text", "delete it", ("N: 4s ⟦\x07⟧5d", "[Site \"a⟦\x1b⟧\"]")),
    Slip("byte-order mark", "", "\ufeff", "a byte-order mark inside the text",
         "delete it; it is allowed only at the beginning of a file", ("⟦\ufeffdeal⟧ 1",)),
    Slip("brackets around a seat", "", r"\((?P<seat>[NESWABCDF])\)(?P<colon>:?)" + END,
         "brackets around the seat", "write `{seat}{colon}`",
         ("1. ⟦(E)⟧ +4c", "⟦(E)⟧ +4c", "⟦(N):⟧ 4s 5d", "end out ⟦(E)⟧"), expects="SEAT"),
    Slip("sign before a turn's number", "",
         r"(?P<sign>#|(?i:turn|t|no\.?|nr\.?))[ \t]*#?(?P<number>\d+)[.:,)]*[ \t]*"
         r"(?P<rest>[NESWABCDF][ \t]+[-+^].*)",
         "`{sign}` before the number of a turn", "write `{number}. {rest}`",
         ("⟦#2⟧ S +Qh -9c", "⟦turn⟧ 2: S +Qh -9c", "⟦T1.⟧ E +5c -Ah"), expects="DEAL"),
    Slip("reserved line", "", r"(?P<sign>[(%])", "a line that begins with `{sign}` is reserved",
         "begin a comment with `;`", ("⟦(a⟧ remark)", "⟦%⟧ x"), expects="DEAL"),
    Slip("sign before a line", "",
         r"(?P<sign>>|[-*+|\u2013\u2022\u25cf\u00b7](?=[ \t]*(?:\[|\d+\.|"
         rf"[NESWABCDF](?::|[ \t]+[-+^])|(?:{_WORDS})\b)))",
         "`{sign}` at the beginning of the line", "delete it, and the same sign before other lines",
         ("⟦>⟧ 1. E +5h -9s", "⟦-⟧ 1. E +5h -9s", "⟦>[Event⟧ \"x\"]", "⟦•⟧ score NS 5"),
         expects="DEAL"),
    Slip("line of signs", "", r"[`~=*_-](?:[ \t]*[`~=*_-]){2,}\w*$",
         "a line of signs", "delete the line", ("⟦```text⟧", "⟦-----⟧"), expects="DEAL"),
    Slip("remark", "", r"[{<\"\u201c\u201e]", "a comment without its `;`",
         "begin a comment with `;`", ("⟦<a⟧ remark>",), expects="DEAL"),
    Slip("comment sign", "", r"(?P<sign>//|#|--|/\*)", "`{sign}` does not begin a comment",
         "begin a comment with `;`", ("⟦//⟧ a remark", "⟦#⟧ a remark"), expects="DEAL"),
    Slip("comment sign", "hand up stock talon deal penalty end melds threes left score total",
         r"(?P<sign>//|#|--)",
         "`{sign}` does not begin a comment", "begin a comment with `;`",
         ("N: Ks Kd ⟦#⟧ x", "end stock ⟦//⟧ x"), expects="COMMENT"),
    Slip("comment sign", "turn", r"(?P<sign>//|--(?!\S)|/\*)", "`{sign}` does not begin a comment",
         "begin a comment with `;`", ("12. N +5h -9s ⟦//⟧ x", "12. N +5h -9s ⟦--⟧ x")),
    Slip("invisible character", "",
         "\\S*?[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064]",
         "an invisible character", "delete it, or type the word again",
         ("12. N +5h ⟦-9\u200bs⟧", "⟦\u200e12.⟧ N +5h -9s")),
    Slip("full-width sign", "", "\\S*?(?P<sign>[\uff01-\uff5e])",
         "`{sign}` is a full-width character", "type the ordinary character",
         ("12. N +5h ⟦9\uff1a9h9d⟧ -9s",)),
    Slip("odd space", "", "\\S*?[\u00a0\u2000-\u200a\u202f\u205f\u3000]",
         "a special space character", "use the space bar, or a tab",
         ("12. ⟦N\u00a0+5h⟧ -9s", "deal\t⟦2\u2009dealer⟧ N")),
)

TAGS: Final = (
    Slip("typographic quotes", "tag", "(?P<sign>[\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb'])",
         "{sign} in place of the quotation mark `\"`",
         'put the value between two `"`, as in [Event "Thursday"]',
         ("[Event ⟦“Thursday”]⟧", "[Event ⟦'Thursday']⟧"), expects="TAG_VALUE"),
    Slip("space after the bracket", "tag", r"\[[ \t]+", "a space between `[` and the tag's name",
         'write the name right after the bracket: [Event "Thursday"]', ('⟦[ Event "x"]⟧',)),
    Slip("tag without a name", "tag", r"\[[\"\]]", "a tag without a name", _TAG,
         ('⟦["x"]⟧', "⟦[]⟧")),
    Slip("tag without a value", "tag", r"\[(?i:CGN)[ \t]*(?:\]|$)", "a tag without a value",
         'write [CGN "1"]', ("⟦[CGN]⟧", "⟦[cgn⟧")),
    Slip("tag without a value", "tag", r"\[[\w-]+(?:\]|$)", "a tag without a value",
         _TAG + '; "" is an empty value', ("⟦[Event]⟧", "⟦[Event⟧")),
    Slip("tag without a value", "tag", r"\]", "a tag without a value",
         _TAG + '; "" is an empty value', ("[Event ⟦]⟧",), expects="TAG_VALUE"),
    *(
        Slip("sign after a tag's name", "tag",
             rf"{begin}[:=][ \t]*\"?(?P<value>[^\"\]]*)", "a sign after a tag's name",
             'write [{name_tag} "{value}"]', examples, before=before)
        for begin, before, examples in (
            (r"\[(?P<name>\w[\w-]*)", "", ("⟦[N: Rosa]⟧", '⟦[N="Rosa"]⟧')),
            ("", r"\[(?P<name>\w[\w-]*)[ \t]+$", ('[N ⟦= "Rosa"]⟧',)),
        )
    ),
    Slip("no space before the value", "tag", r"\[\w[\w-]*\"",
         "no space between a tag's name and its value", 'write [Event "Thursday"]',
         ('⟦[Event"x"]⟧',)),
    Slip("escape", "tag", r"\"(?:[^\"\\]|\\[\"\\])*(?P<sign>\\[^\"\\])", "`{sign}` in a value",
         'write \\\\ for a backslash and \\" for a quote', ('[Site ⟦"C:\\club"]⟧',),
         expects="TAG_VALUE"),
    Slip("unclosed quote", "tag", r"\"", "the value's closing quote is missing", _TAG,
         ('[Event ⟦"Thursday]⟧', '[Event ⟦"Thursday⟧'), expects="TAG_VALUE"),
    Slip("words before a tag's value", "tag",
         r"(?P<name>[A-Za-z][\w-]*)[ \t]+(?P<value>\"[^\"]*\")[ \t]*\]",
         "two words before a tag's value", "write [{name_tag} {value}]",
         ('[Player ⟦N "Ana"]⟧', '[First ⟦dealer "N"]⟧'), expects="TAG_VALUE"),
    Slip("missing quotes", "tag", r"(?P<value>[^\"\]]+)", "a tag's value without quotes",
         'write [{name_tag} "{value}"]', ("[Event ⟦Thursday club]⟧",), expects="TAG_VALUE",
         before=r"\[(?P<name>\S+)[ \t]+$"),
    Slip("unclosed tag", "tag", r"$|[;)}>]|\[", "the tag is not closed", "end the tag with `]`",
         ('[Event "x"⟦⟧', '[Event "x"⟦)⟧', '[Event "x" ⟦; c⟧'), expects="TAG_CLOSE"),
    Slip("quote in a value", "tag", r"(?!\]).*\"", "a quote inside the value",
         'write \\" for a quote in a value', ('[Event "the "⟦big" game"]⟧',), expects="TAG_CLOSE"),
    Slip("text after a tag", "tag", r".", "text after the tag on its line",
         "write one tag on each line; a comment begins with `;`",
         ('[Event "x"⟦][Site "y"]⟧', '[Event "x"] ⟦y⟧', '[Event "x" ⟦y]⟧'), before=r"\S"),
)

KEYWORD_LINES: Final = (
    Slip("items without their score", "",
         rf"(?!hand[ \t]+\d{{1,2}}(?:$|[ \t]+dealer))(?:{'|'.join(ITEMS)})"
         r"(?:[ \t]+(?:NS|EW|ACE|BDF|AD|BE|CF))?[ \t]+-?\d+" + END,
         "items without their score", "join them to the line of their `score`",
         ("⟦red3⟧ 100 out 100", "⟦out⟧ 100", "⟦red3⟧ NS 200"), expects="DEAL"),
    Slip("keyword in capitals", "", rf"(?P<word>(?!(?:{_WORDS})\b)(?i:{_WORDS}))\b",
         "the keyword `{word}` with a capital letter", "write `{word_lower}`",
         ("⟦Deal⟧ 1", "⟦SCORE⟧ NS 100"), expects="DEAL", before=r"^\s*$"),
    Slip("word before a deal's number", "deal",
         r"(?i:no|nr|num|number|\u2116)[.:]?[ \t]*(?P<number>\d+)[.:,)]*" + END,
         "a word before the number of the deal", "write `deal {number}`",
         ("deal ⟦no.⟧ 1", "deal ⟦Number⟧ 3 dealer E"), expects="COUNT"),
    Slip("sign after a word", "", rf"(?P<word>{_WORDS})(?P<sign>[:=.,])" + END,
         "`{sign}` after `{word}`", "write `{word}`", ("⟦up:⟧ 9s", "⟦end,⟧ out N"),
         expects="DEAL"),
    Slip("sign after a word", "deal penalty end threes left score total",
         r"(?P<word>[^\W\d]\w*|-?\d{1,9})(?P<sign>[.,;:])" + END,
         "`{sign}` after `{word}`", "write `{word}`",
         ("end ⟦out:⟧ E", "score ⟦NS:⟧ 120", "deal 2 ⟦dealer:⟧ E", "total NS ⟦120,⟧ EW 90",
          "left ⟦S:⟧ 4s 5d")),
    Slip("sign after a word", "melds", rf"(?P<word>{_SIDES})(?P<sign>[.,:])" + END,
         "`{sign}` after `{word}`", "write `{word}`", ("melds ⟦NS:⟧ K:KsKdKh",), expects="SIDE"),
    Slip("sign before the cards", "up stock talon", r"[=:-]" + END, "a sign before the cards",
         "write the cards right after the word: `up 9s`", ("up ⟦=⟧ 9c",), expects="CARDS"),
    Slip("up card by another word", "", r"(?i:up[-_]?cards?)[:=]?[ \t]+(?P<cards>.+)",
         "the word for the cards turned up is `up`", "write `up {cards}`",
         ("⟦up-card⟧ 9c", "⟦Upcard:⟧ 9c"), expects="DEAL"),
    Slip("threes by another word", "",
         rf"(?i:reds?(?:[ _-]?(?:3s?|threes?))?)[:=]?[ \t]+(?P<rest>(?:{_SIDES})[ \t]+3.*)",
         "the word for red threes is `threes`", "write `threes {rest}`",
         ("⟦red3⟧ EW 3h", "⟦red⟧ threes EW 3h"),
         expects="DEAL"),
    Slip("threes by another word", "",
         rf"(?i:red[ _-]?(?:3s?|threes?))[:=]?[ \t]+(?P<side>{_SIDES})[ \t]+(?P<count>[1-6])$",
         "the word for red threes is `threes`", "write `threes {side} {threes}`",
         ("⟦red⟧ threes NS 2", "⟦red3s⟧ EW 1"), expects="DEAL"),
    Slip("deal by another word", "", r"(?P<word>(?i:round|hand|game))[ \t]*#?(?P<number>\d+)\b",
         "`{word}` in place of `deal`", "write `deal {number}`",
         ("⟦round⟧ 2", "⟦Hand⟧ 2: dealer E", "⟦hand⟧ 1 dealer N"), expects="DEAL"),
    Slip("hand by a keyword", "",
         r"[Hh]ands?[ \t]+(?P<seat>[NESWABCDF])(?::|(?=[ \t]))[ \t]*(?P<cards>.*)",
         "a hand line begins with its seat", HAND_HELP, ("⟦hand⟧ N 4 4 J", "⟦hand⟧ N: 4s 5d"),
         expects="DEAL"),
    Slip("hand by a keyword", "", r"(?P<word>[Hh]ands?)\b", "a hand line begins with its seat",
         "write `N: 4s 5d`", ("⟦hands⟧ 4s 5d",), expects="DEAL"),
    Slip("glued keyword", "",
         rf"(?P<word>{_WORDS})(?P<sign>[:=.,-]?)(?![:=.,-][a-z])(?P<rest>[^\sa-z;]\S*)",
         "no space after `{word}`", "write `{word} {rest}`",
         ("⟦deal1⟧ dealer N", "⟦talon:4s⟧ 5d", "⟦up:9s⟧"), expects="DEAL"),
    Slip("end without its keyword", "",
         r"(?P<reason>(?i:out|special|unfinished)):?(?P<rest>\s.*|$)",
         "`{reason}` without `end` before it", "did you mean `end {reason_lower}{rest}`?",
         ("⟦out⟧ S", "⟦Out⟧ E concealed", "⟦unfinished⟧", "⟦out:⟧ N"), expects="DEAL"),
    *(
        Slip("end in other words", lines, begin + _GONE + END, message,
             "write `end out {seat}{rest}`", examples, expects=expects, before=before)
        for lines, begin, before, expects, message, examples in (
            ("turn", "", r"^[ \t]*(?P<seat>[NESWABCDF])[ \t]+$", "", "the end of a deal as a turn",
             ("N ⟦went⟧ out", "N ⟦is⟧ out", "E ⟦out⟧ concealed")),
            ("", r"(?P<player>[^\W\d_]+)[ \t]+", "", "DEAL", "`{player}` does not begin any line",
             ("⟦Ana⟧ is out",)),
            ("end", r"(?P<seat>[NESWABCDF])[ \t]+", "", "OUT_BY", "the seat before `out`",
             ("end ⟦N⟧ went out", "end ⟦N⟧ out")),
        )
    ),
    Slip("dealer without its deal", "", r"(?i:dealer):?[ \t]+(?P<seat>[NESWABCDF])" + END,
         "`dealer` without `deal` and its number", "write `deal 1 dealer {seat}`",
         ("⟦dealer⟧ W", "⟦Dealer:⟧ E"), expects="DEAL"),
    Slip("tag without brackets", "",
         r"(?P<word>(?i:CGN|Event|Site|Date|Rules|Target|Dealer|Result))\b"
         r"[ \t]*[:=]?[ \t]*\"?(?P<value>[^\"]*)\"?$",
         "`{word}` without the brackets of a tag",
         'write [{word_tag} "{value}"] above the first deal',
         ("⟦Rules⟧ classic", "⟦Date:⟧ 2026-11-19", "⟦result⟧ NS 910 EW 395"), expects="DEAL"),
    Slip("prose", "",
         r"(?P<word>[^\W\d_]+)[,.:]?(?:[ \t]+(?:a|[a-z\u00df-\u00ff']{2,})[,.:!?]?){2}",
         "`{word}` does not begin any line", "begin a comment with `;`, or delete the line",
         ("⟦who⟧ had waited for it", "⟦Ana⟧ won again, but only just"), expects="DEAL"),
    *(
        Slip("player in place of a seat", "", rf"(?P<player>{_PLAYER})(?P<colon>:?){after}",
             "`{player}` is not a seat", "write `{seat}{colon}` for {player}", examples,
             expects="SEAT", before=before)
        for after, before, examples in (
            (rf"(?=[ \t]*[-+^]|{END}[ \t]+{_CARD})", r"^[ \t]*$", ("⟦Ana⟧ +5h", "⟦Ana:⟧ 4s")),
            (END, r"\S", ("12. ⟦Ana⟧ +5h", "left ⟦Ana⟧ 4s", "end out ⟦Ana⟧")),
        )
    ),
    Slip("player in place of a side", "",
         r"(?P<player>[^\W\d_][^\s:;,./&+]*)(?:(?:[/&+]|[ \t]+(?:and|[&+])[ \t]+)\S+)?" + END,
         "`{player}` is not a side", "write the side of {player}, whose seat is `{seat}`",
         ("score ⟦Ana⟧ 500", "score ⟦Ana/Carla⟧ 500"), expects="SIDE"),
    Slip("side before its keyword", "",
         rf"{_TEAM}[:=,]?[ \t]+(?P<word>melds|threes|score|total|penalty)"
         r"(?:[ \t]*[:=][ \t]*|[ \t]+)(?P<rest>.+)", "the side before its keyword",
         "write `{word} {side_upper} {rest}`",
         ("⟦NS⟧ melds K:KKK", "⟦NS:⟧ score 500", "⟦NS:⟧ score = 500"), expects="DEAL"),
    Slip("points without a keyword", "",
         _TEAM + _MORE_POINTS.format("points") + r"[ \t,/|-]+" + _TEAM.replace("side", "other")
         + _MORE_POINTS.format("more") + "$", "points without `score` or `total`",
         "write `total {side_upper} {points} {other_upper} {more}` for all deals so far; for one "
         "deal, write `score {side_upper} {points}` and, on another line, `score {other_upper} "
         "{more}`",
         ("⟦NS⟧ 500 EW 300", "⟦NS:⟧ 500 EW: 300"), expects="DEAL"),
    Slip("points without a keyword", "", _TEAM + _MORE_POINTS.format("points") + "$",
         "points without `score` or `total`", POINTS_HELP.replace("side", "side_upper"),
         ("⟦NS⟧ 500", "⟦NS=500⟧", "⟦NS:⟧ 500"), expects="DEAL"),
    Slip("side without a keyword", "",
         r"(?P<side>NS|EW|ACE|BDF|AD|BE|CF)(?:[:=]|[ \t]+(?:[-+(=\d]|\S+:))",
         "a line that begins with a side",
         "write the keyword first: `score {side} 500`, `total {side} 500`, "
         "`melds {side} K:KsKdKh`", ("⟦NS:⟧ K:KKK", "⟦NS⟧ K:KKK", "⟦EW⟧ 1,200"), expects="DEAL"),
    Slip("unknown keyword", "", r"(?P<word>(?!(?i:red)\b)[A-Za-z]{2,})(?![A-Za-z\d])",
         "`{word}` does not begin any line", "did you mean `{near}`?",
         ("⟦scores⟧ NS 120", "⟦stok⟧ 4s", "⟦tottal⟧ NS 1"),
         expects="DEAL", near=KEYWORDS),
    Slip("lower-case seat", "deal end left", r"(?P<seat>[neswabcdf])" + END,
         "the seat `{seat}` in lower case", "write `{seat_upper}`",
         ("deal 2 dealer ⟦e⟧", "end out ⟦s⟧", "left ⟦s⟧ 4d"), expects="SEAT"),
    Slip("hand without its seat", "left", END + r"|(?=\.\.\.)|" + _CARD, "a seat is missing",
         "write the seat before its cards: `left S 4s 5d`", ("left⟦⟧", "left ⟦4s⟧ 5d"),
         expects="SEAT"),
    Slip("end without its seat", "end", END, "`end` without the seat that went out",
         "write `end out S` or `end special S`", ("end out⟦⟧", "end special⟦⟧"), expects="SEAT"),
    Slip("end without a reason", "end", END + r"|[NESWABCDF]" + END, "`end` without a reason",
         "write `end out S`, `end special S`, `end stock` or `end unfinished`",
         ("end⟦⟧", "end ⟦N⟧"), expects="OUT_BY"),
    Slip("unknown end", "end", r"(?P<word>\w+)", "`{word}` is not a way for a deal to end",
         "did you mean `{near}`?", ("end ⟦stok⟧", "end ⟦Out⟧ N"), expects="OUT_BY", near=REASONS),
    Slip("unknown end", "end", r"(?P<word>\w+)", "`{word}` is not a way for a deal to end",
         "write `end out S`, `end special S`, `end stock` or `end unfinished`", ("end ⟦of⟧ stock",),
         expects="OUT_BY"),
    Slip("seat of no one", "end", r"[NESWABCDF]" + END, "a seat after `end {reason}`",
         "write `end {reason}`", ("end unfinished ⟦E⟧", "end stock ⟦N⟧"), expects="COMMENT",
         before=r"end[ \t]+(?P<reason>stock|unfinished)[ \t]"),
    Slip("concealed by another word", "end",
         r"(?P<word>(?:-[ \t]*)?(?P<open>[(\[])?(?i:conc\w*|hidden|closed)(?(open)[)\]][.,]?))"
         + END,
         "`{word}` in place of `concealed`", "write `concealed`",
         ("end out S ⟦Concealed⟧", "end out S ⟦hidden⟧", "end out S ⟦(concealed)⟧",
          "end out S ⟦-⟧ concealed"),
         expects="CONCEALED"),
    Slip("side in place of a seat", "end deal left turn",
         r"(?:NS|EW|ACE|BDF|AD|BE|CF|[NS][-/&+][NS]|[EW][-/&+][EW])" + END,
         "a side in place of a seat", "write the seat: N E S W, or A to F with six players",
         ("end out ⟦NS⟧", "left ⟦NS⟧ 4s", "1. ⟦N-S⟧ +5c -Ah"), expects="SEAT"),
    Slip("end by the word deal", "deal", r"(?P<word>(?i:over|ended|ends?|finished))[.!]?" + END,
         "`deal {word}` does not end a deal",
         "write `end stock` if the stock ran out, `end out N` if N went out",
         ("deal ⟦over⟧",), expects="COUNT"),
    Slip("deal without its number", "deal", END + r"|[A-Za-z]", "a deal without its number",
         "write `deal 2` or `deal 2 dealer E`", ("deal⟦⟧", "deal ⟦dealer⟧ N", "deal ⟦one⟧"),
         expects="COUNT"),
    Slip("sign at the dealer", "deal",
         r"(?:dealer[=:]|\((?:dealer[ \t]+)?)(?P<seat>[NESWABCDF])\)?" + END,
         "a sign next to the dealer", "write `dealer {seat}`",
         ("deal 1 ⟦dealer=N⟧", "deal 1 ⟦(dealer⟧ N)", "deal 1 ⟦(N)⟧"), expects="DEALER"),
    Slip("missing word dealer", "deal",
         r"(?:(?i:dealt|deals|dealing|dealer|is|by|from|-)[ \t]+)*(?P<seat>[NESWABCDF])" + END,
         "the dealer without the word `dealer`", "write `dealer {seat}`",
         ("deal 2 ⟦E⟧", "deal 1 ⟦dealt⟧ by N"),
         expects="DEALER"),
    Slip("unknown word", "deal", r"(?P<word>[a-z]{4,})(?P<rest>(?:[ \t]+[NESWABCDF])?)" + END,
         "`{word}` is not part of this line", "did you mean `{near}{rest}`?",
         ("deal 1 ⟦delaer⟧ N",), expects="DEALER", near=("dealer",)),
    Slip("sign at a deal's number", "deal", r"[#(]?(?:[Nn][or]\.)?(?P<number>\d+)[.:,)]*" + END,
         "a sign next to the number of the deal", "write `deal {number}`",
         ("deal ⟦2)⟧ dealer E", "deal ⟦#2⟧"), expects="COUNT"),
    Slip("no cards", "up stock talon", r"\.\.\." + END, "a list without cards",
         "leave the line out", ("stock ⟦...⟧",), expects="CARDS"),
    Slip("no cards", "up stock talon", END, "a list without cards",
         "write the cards, or leave the line out", ("up⟦⟧", "stock⟦⟧", "talon⟦⟧ ; c"),
         expects="CARDS"),
)

NUMBERS: Final = (
    Slip("thousands separator", _NUMBERS, r"[-+]?\d{1,3}(?:[.,'_\u2019]\d{3})+" + END,
         "a thousands separator in a number", "write only digits: 1245",
         ("score NS ⟦1,245⟧", "total NS ⟦1.245⟧ EW 0", "score NS 1245 = melds ⟦1'245⟧")),
    Slip("dash after the points", _NUMBERS, r"(?P<points>-?\d+)[.,]-+" + END,
         "a dash after the points", "write `{points}`", ("penalty NS ⟦100,-⟧ late",)),
    Slip("space after a minus", "score total", r"-[ \t]+(?P<points>\d+)" + END,
         "a space between `-` and its number", "write `-{points}`",
         ("score NS -15 = hand ⟦-⟧ 15", "total NS ⟦-⟧ 15"), expects="NUMBER"),
    Slip("number in brackets", "score total", r"\((?P<points>\d+)\)" + END, "a number in brackets",
         "write a negative number with a minus sign: `-{points}`",
         ("score NS -15 = hand ⟦(15)⟧", "score NS ⟦(15)⟧"), expects="NUMBER"),
    Slip("sign between totals", "total", r"(?P<sign>[-+/&|]|and)" + END, "`{sign}` between totals",
         "put only spaces between totals: `total NS 1245 EW -85`",
         ("total NS 910 ⟦/⟧ EW 395", "total NS 910 ⟦and⟧ EW 395"), expects="SIDE"),
    Slip("word for nothing", "melds threes left", r"(?P<word>(?i:none|no|nothing|nil)|0|-)" + END,
         "`{word}` for no cards", "write nothing after the side or seat",
         ("threes NS ⟦none⟧", "left S ⟦-⟧"), before=r"\S[ \t]+\S+[ \t]+$"),
    Slip("letter in a number", _NUMBERS, r"-?(?=\S*\d)\d*[OolI][\dOolI]*" + END,
         "a letter in a number", "write zero and one as digits: `0`, `1`",
         ("score NS ⟦1O0⟧", "total NS 5 EW ⟦l20⟧", "score NS 5 = melds ⟦2oo⟧")),
    Slip("space in a number", "score total", r"\d{3}" + END, "a space inside a number",
         "write only digits: 1245", ("score NS 1 ⟦245⟧", "total NS 1 ⟦245⟧ EW 5"),
         before=r"[ \t]-?\d{1,3}[ \t]+$"),
    Slip("plus sign", _NUMBERS, r"\+\d", "a plus sign before a number",
         "write a positive number without a sign", ("score NS ⟦+120⟧",)),
    Slip("negative points", "penalty", r"-(?P<points>\d+)", "a penalty with negative points",
         "write {points}: the points that are taken away", ("penalty EW ⟦-50⟧ upcard",)),
    Slip("no whole number", _NUMBERS, r"-?\d+[.,]\d*" + END, "a number that is not whole",
         "points are whole numbers", ("score NS ⟦12.5⟧",)),
    Slip("long number", "", r"\S*?\d{10,}", "a number of more than nine digits",
         "write at most nine digits", ("score NS ⟦12345678901⟧", "⟦1234567890.⟧ N +5h -9s")),
    Slip("glued equals sign", "score", r"-?\d+=", "no space before `=`",
         "write `=` with a space on both sides", ("score NS ⟦1245=⟧ melds 5",)),
    Slip("glued equals sign", "score", r"=\S", "no space after `=`",
         "write `=` with a space on both sides", ("score NS 1245 ⟦=melds⟧ 5",), expects="EQUALS"),
    Slip("word after the points", "score total penalty", r"(?P<word>(?i:points?|pts?)\.?)" + END,
         "`{word}` after a number", "leave out `{word}`",
         ("score NS 500 ⟦points⟧", "total NS 500 ⟦pts⟧ EW 300", "score NS 5 = melds 5 ⟦points⟧"),
         before=r"\d[ \t]+$"),
    Slip("missing equals sign", "score", r"(?:[-+][ \t]*)?[a-z]", "items without `=` before them",
         "write `score NS 1245 = melds 365`",
         ("score NS 1245 ⟦melds⟧ 365", "score NS 5 ⟦-⟧ hand 20"),
         expects="EQUALS"),
    Slip("no items", "score", END, "`=` without items", "write the items, or leave `=` out",
         ("score NS 5 =⟦⟧",), expects="ITEM", before=r"=[ \t]*$"),
    Slip("glued item", "score", rf"(?P<item>{'|'.join(ITEMS)})[=:]?(?P<points>-?\d+)",
         "no space between an item and its points", "write `{item} {points}`",
         ("score NS 5 = ⟦melds:365⟧", "score NS 5 = ⟦natural500⟧"), expects="ITEM"),
    Slip("minus before an item", "score",
         rf"-[ \t]*(?P<item>{'|'.join(ITEMS)})[ \t]+(?P<points>\d+)" + END,
         "`-` before an item", "write `{item} -{points}`",
         ("score NS 280 = melds 300 ⟦-⟧ hand 20", "score NS 280 = melds 300 ⟦-hand⟧ 20"),
         expects="ITEM"),
    Slip("sign between items", "score", r"(?P<sign>[+/&|]|and)" + END, "`{sign}` between items",
         "put only spaces between items: `melds 365 out 100`",
         ("score NS 945 = melds 845 ⟦+⟧ out 100",), expects="ITEM"),
    Slip("unknown item", "score", r"(?P<word>[A-Za-z][\w-]*)", "`{word}` is not an item of a score",
         "did you mean `{near}`?", ("score NS 5 = ⟦meld⟧ 365", "score NS 5 = ⟦Natural⟧ 500"),
         expects="ITEM", near=ITEMS),
    Slip("unknown item", "score", r"(?P<word>[^\W\d][\w-]*)", "`{word}` is not an item of a score",
         "the items are " + " ".join(ITEMS), ("score NS 5 = ⟦jackpot⟧ 300",), expects="ITEM"),
    Slip("points before the item", "score", r"-?\d+[ \t]+(?P<item>[a-z]\S*)",
         "the points before their item", "write the item first: `melds 365`",
         ("score NS 5 = ⟦275⟧ melds",), expects="ITEM"),
    Slip("points without an item", "score", r"-?\d+" + END, "points without their item",
         "write the item first: `melds 365`", ("score NS 5 = ⟦5⟧", "score NS 5 = melds 5 ⟦50⟧"),
         expects="ITEM"),
    Slip("two sides", "score", rf"(?P<side>{_SIDES})" + END,
         "two sides on one `score` line", "write a line for each side", ("score NS 5 ⟦EW⟧ 90",),
         expects="EQUALS"),
    Slip("glued side", "penalty score total", rf"(?P<side>{_SIDES})[=:]?(?P<points>-?\d+)",
         "no space after the side", "write `{side} {points}`",
         ("total ⟦NS=120⟧", "score ⟦NS120⟧"), expects="SIDE"),
    Slip("number times a number", "score total", r"\d+[xX\u00d7*]\d+" + END,
         "a number times a number", "write the result: `red3 200` for 2x100",
         ("score NS 100 = red3 ⟦1x100⟧",), expects="NUMBER"),
    Slip("sign before a number", "score total", r"(?P<sign>[=:])[ \t]*(?P<points>-?\d+)" + END,
         "`{sign}` before a number", "write `{side} {points}`",
         ("score EW ⟦=⟧ 100", "total NS ⟦:5⟧ EW 3"), expects="NUMBER",
         before=rf"[ \t](?P<side>{_SIDES})[ \t]+$"),
    Slip("glued number", "score total", r"(?P<points>-?\d+)(?P<rest>[^\d\s;]\S*)",
         "`{rest}` after a number", "write `{points}`, then a space", ("total NS ⟦120/EW⟧ 90",),
         expects="NUMBER"),
    Slip("word before the points", "penalty", r"[A-Za-z?]|$", "the points are missing",
         "write them before the word: `penalty EW 50 upcard`",
         ("penalty EW ⟦upcard⟧ 50", "penalty EW ⟦?⟧ upcard", "penalty EW⟦⟧"),
         expects="COUNT"),
    Slip("two words", "penalty", r"(?P<rest>[A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*)*)",
         "a second word after the points",
         "write one word, `{word}-{rest_dashed}`, or a comment after `;`",
         ("penalty EW 50 up ⟦card⟧", "penalty EW 50 talked ⟦too⟧ much"), expects="COMMENT",
         before=r"(?P<word>\S+)[ \t]+$"),
    Slip("unknown number", "score total", r"[?_xX]+" + END, "an unknown number",
         "leave out what is not known: the item, the side or the whole line",
         ("score NS ⟦?⟧", "total NS ⟦?⟧ EW 300", "score NS 5 = melds ⟦?⟧"), expects="NUMBER"),
    Slip("missing number", _NUMBERS, END + r"|[A-Za-z=]|-" + END, "a number is missing",
         "write the points after the side or item",
         ("score NS 5 = melds ⟦natural⟧ 5", "score NS⟦⟧", "total NS 5 EW⟦⟧", "score NS ⟦=⟧ out 5"),
         expects="NUMBER"),
    Slip("missing side", "melds threes", r"$|\.\.\.|[^\s:]+:|" + _CARD, "a side is missing",
         "write the side first: `melds NS K:KsKdKh`, `threes NS 3h`",
         ("melds ⟦K:KsKdKh⟧", "threes ⟦3h⟧", "threes⟦⟧"), expects="SIDE"),
    Slip("missing side", "penalty", r"[-+]?\d|$", "a side is missing",
         "write the side first: `penalty EW 50 upcard`", ("penalty ⟦50⟧ ask",), expects="SIDE"),
    Slip("missing side", "score", r"[-+]?\d|$", "a side is missing",
         "write the side first: `score NS 1245`", ("score ⟦1245⟧",), expects="SIDE"),
    Slip("missing side", "total", r"[-+]?\d|$", "a side is missing",
         "write each side before its total: `total NS 1245 EW -85`", ("total⟦⟧", "total ⟦5⟧"),
         expects="SIDE"),
    Slip("lower-case side", "penalty melds threes score total",
         rf"(?P<side>(?i:{_SIDES}))" + END, "the side `{side}` in lower case",
         "write `{side_upper}`", ("score ⟦ns⟧ 120", "threes ⟦Ew⟧ 3h", "total NS 5 ⟦ew⟧ 3"),
         expects="SIDE"),
    Slip("side in parts", "penalty melds threes score total",
         r"(?P<one>[NnEe])(?i:orth|ast)?[-/&+. \t](?P<other>(?<=[Nn].|[Hh].)[Ss]|(?<=[EeTt].)[Ww])"
         r"(?i:outh|est)?" + END, "a side in two parts", "write `{one_upper}{other_upper}`",
         ("score ⟦N/S⟧ 500", "score ⟦east-west⟧ 500", "total ⟦N-S⟧ 5 EW 3"), expects="SIDE"),
    Slip("unknown side", "penalty melds threes score total", r"(?P<word>[A-Za-z]\w*)",
         "`{word}` is not a side",
         "the sides are NS and EW; with six players ACE and BDF, or AD, BE and CF; with two or "
         "three players each seat is a side",
         ("score ⟦we⟧ 120", "total NS 5 ⟦WE⟧ 3", "penalty ⟦W⟧ 50 ask"), expects="SIDE"),
    Slip("penalty without a word", "penalty", END, "a penalty without the word that says why",
         "write a word after the points: `penalty EW 50 upcard`", ("penalty EW 50⟦⟧",),
         expects="WORD"),
)

#: What no other row explains.
LEFTOVERS: Final = (
    Slip("text after a line", "deal penalty end score total", r"\S+", "not part of this line",
         "write `{line}`; a comment goes after `;`",
         ("end stock ⟦empty⟧", "end out N ⟦with⟧ a canasta", "deal 1 dealer N ⟦first⟧"),
         expects="COMMENT", before=r"^[ \t]*(?P<line>.*\S)[ \t]+$"),
)
# fmt: on
