"""A deal as it is typed at the table, with slips, and the resulting record."""

from __future__ import annotations

from typing import Final

#: The answers to the questions at the start of a game.
OPENING: Final = ("classic", "Ana", "Bruno", "Carla", "Dario", "N", "Thursday club", "2026-11-19")

#: The entries of a deal. A slip and its correction are separate lines.
ENTRIES: Final = (
    "E: 3h 5d 7c Ts Td Js Jc Qs Ah 2s * +5h",
    "S: 5s 5c 6s 6d Jh Jd Qc Ad Ad 2d 2d",
    "W: 3h 3s 4c 5d 6h Td Jh Qh Qd Ks Kd +Qc",
    "N: 3c 6c 7s 8h 8c 9d 9c Jd Jc Qs Ac",
    "6s",
    "+8h 5:5h5d2s -Qs",  # too low an opening: kept
    "k",
    "^ Q:Qc2d -5s",  # the pile is frozen for a side that has not opened: corrected
    "+7h A:AdAd2d open=60 -7h",
    "+* Q:QhQdQc K:KsKd* -6h",
    "+9c A:Ac 9:9d9c9c -Kh",  # a card not held: corrected
    "+9c A:Ac 9:9d9c9c -3c",
    "+Ks -ks",  # lower case: reported, and left
    "+Ks -7c",
    "+2s A:2s 5:5s5c2d -Qc",
    "+5c 5:5d5c -3s",
    "note Dario thinks for a minute",
    "+7c -6c",
    "+Kc -8h",  # a slip that breaks no rule: taken back
    "undo",
    "+Kc K:KsKc -8h",
    "+2h -6d",
    "+Th -4c",
    "+* 7:7s7c* -8h",
    "+8c -8c",
    "+9s 9:9s -6s",
    "+3d +As -Jh",
    "^ J:JdJc 7:7h7c 6:6s6s6h6d6c 8:8h8h8c8c Q:QsQsQc -4c !",
    "+9h -Ts",
    "+3c J:Jh -3c",
    "+4h -4h",
    "+6d 6:6d -3s",
    "edit 14 +9s 9:9s -6s @31",
    "+8d -Td",
    "+Qh J:Jd -Qh",
    "^/7 T:TsThTdTd -3s",
    "+4s -4s",
    "+Tc T:Tc -9h",
    "^ 6:2h -4s",
    "+* 5:* -4c",
    "+Kh -3c",
    "+7s -7s",
    "^ -4c",
    "+3d +2c -4h",
    "+7d 7:7d -Kh #",
    "",
    "1300",  # what East-West say at first
    "",
    "",
)

NAMES: Final = ("Ana", "Bruno", "Carla", "Dario")

#: A recording of final tables: the house rules, how deals ended, melds, threes, hands, scores.
TABLES: Final = (
    *("classic", "no", "yes", "no", *NAMES, "N", "", "2026-11-19"),
    *("X", "n", "KKKK22* 777 44*", "QQQQ 888 5555", "2", "none", "4 5 T", "6", "K K", "", "900"),
    *("w", "undo", "", "stock", "AAA2 333", "", "AAA2 666", "none", "1", "3d", "", "3b _ 4"),
    *("none", "J ...", "", "-"),
)

#: A score sheet with scores on paper: one is too low, and its row is typed again; one is kept as
#: it was; earlier rows are changed.
ROWS: Final = (
    *("classic", "?", "maybe", "yes", "no", "n", *NAMES, "N", "", "2026-11-19"),
    *("0 1 2 275 out", "815", "?", "", "0 1 2 215 out", "", "1 1 0 90", "1000", "x", "p"),
    *("", "?", "1", "", "1", "50", "maybe", "no", "", "", "0 0 1 -30", "-130"),
    *("edit 1 EW", "1 0 0 90", "", "edit 1 NS 0 1 2 300 out N", "", "edit 9 NS", "undo"),
)
