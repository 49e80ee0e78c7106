"""Records that the tests of the commands and of their output share."""

from __future__ import annotations

from typing import Final

#: A deal played to its end, with every claim true.
VERIFIED: Final = """\
[CGN "1"]
[Event "Thursday club"]
[Site "Montevideo"]
[Date "2026-11-19"]
[N "Ana"]
[E "[red]Bruno[/red]"]
[S "Carla"]
[W "Dario"]
[Result "NS 460 EW 225"]

deal 1 dealer W
N: 4c 8s 8h 8d 8c Qs Qd Kh Kh Kd Kd
E: 3h 3h 3s 3s 3c 3c 5h Tc Js Jc 2c +7h +8c
S: Ks Ks Kc 2s 2s 2h 2h * * * *
W: 3d 3d 9s 9d Qh As Ad Ac 2d 2d 2c +4c +8h
up Js
; Ana opens at once
1. N +7d K:KhKhKdKd 8:8s8h8d8c open=80 -7d @12.5 !? ; a bold start
2. E +Ah -Ah
3. S +6h K:KsKsKc -6h
4. W +Jh -Jh
5. N +4d -4d
6. E +5d -5d
7. S +5h -5h
8. W +7c -7c
9. N +6s -6s
10. E +4h -4h
11. S +4d -4d
12. W +Ac -Ac
13. N +Ts -Ts
14. E +7s -7s
15. S +6c -6c
16. W +4s -4s
17. N +5s -5s
18. E +Th -Th
19. S +6h -6h
20. W +Jd -Jd
21. N +6d -6d
22. E +Tc -Tc
23. S +7s -7s
24. W +7d -7d
25. N +8d -8d
26. E +8s -8s
27. S +7c -7c
28. W +Td -Td
29. N +5c -5c
30. E +Jd -Jd
31. S +Jc -Jc
32. W +Kc -Kc
33. N +Ad -Ad
34. E +6d -6d
35. S +6c -6c
36. W +4h -4h
37. N +Ah -Ah
38. E +5s -5s
39. S +Th -Th
40. W +Td -Td
41. N +4s -4s
42. E +Jh -Jh
43. S +5d -5d
44. W +7h -7h
45. N +5c -5c
46. E +As -As
47. S +6s -6s
48. W +Ts -Ts
49. N +9s -9s
50. E +Qc -Qc
51. S +9d -9d
52. W +Qd -Qd
53. N +9c -9c
54. E +Qs -Qs
55. S +9c -9c
56. W +Qh -Qh
57. N +Qc -Qc
58. E +9h -9h
59. S +9h -9h
60. W ^9h 9:9s9d A:AsAdAc -Qh
61. N ^Qh Q:QsQd -4c #
end out N
score NS 460 = melds 140 natural 500 out 100 hand -280
score EW 225 = melds 90 red3 800 hand -665
total NS 460 EW 225
"""

#: The same with a false bonus, which makes score and total false, and with a wild card too many.
FALSE: Final = (
    VERIFIED.replace("red3 800", "red3 700")
    .replace("score EW 225", "score EW 125")
    .replace("EW 225\n", "EW 125\n")
)

#: Four wild cards in a meld, a discard that is not in the hand, and a line that cannot be read.
BROKEN: Final = """\
[CGN "1"]
[Rules "classic"]

deal 1 dealer W
N: 4c 8s 8h 8d 8c Qs Qd Kh Kh Kd Kd
E: 3h 3h 3s 3s 3c 3c 5h Tc Js Jc 2c +7h +8c
S: Ks Ks Kc 2s 2s 2h 2h * * * *
W: 3d 3d 9s 9d Qh As Ad Ac 2d 2d 2c +4c +8h
up Js
1. N +7d K:KhKhKdKd 8:8s8h8d8c -7d
2. E +Ah -Ah
3. S +6h K:KsKs2s2s2h2h -6h
4. W +Jh -5h
5. N draws a card
"""

#: A record that does not say what the hands were.
UNSEEN: Final = """\
[CGN "1"]
deal 1 dealer W
up 9c
1. N + -4d
2. E +7s -7s
end unfinished
"""

#: A score sheet of two deals.
SHEET: Final = """\
[CGN "1"]
deal 1 dealer N
end out E
score NS 245 = melds 365 red3 100 hand -220
score EW 900
total NS 245 EW 900
"""

#: A record of each kind, by a name for its file.
KINDS: Final = {
    "broken": BROKEN,
    "false": FALSE,
    "sheet": SHEET,
    "true": VERIFIED,
    "unseen": UNSEEN,
}
