"""Consequences: a finding is marked as one if it would vanish without the earlier one."""

from __future__ import annotations

import re

import pytest

from canasta_notation.findings import Finding
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from tests.two_faults import misjudged

HANDS = """\
[CGN "1"]
[Rules "classic"]

deal 1 dealer N
E: 4s 4d 4d Td Tc Kh Kc As Ah Ac *
S: 4s 4h 4c 6h 7d 7c Js Jc Qh Ks 2c
W: 5c 6d 6c 7h 7d 9s Jc Qd Qc Kc As
N: 4h 6s 6c 8c 9s Th Js Qs Qd Kd Ah
"""
SHEET = """\
[CGN "1"]
[Rules "classic score.red3_minus=no-canasta"]
"""
TWO = """\
[CGN "1"]
[Rules "classic-2p"]

deal 1 dealer N
"""
UP = "up 9c\n"
DEAL = """\
[CGN "1"]

deal 1 dealer N
E: 3h 8s 8h 8d 9s 9h 9d Ks Kh Kd Ac +Kc
S: 4h 5h 5c 6h 7d 9d Td Js Qd Kc Ad
W: 4d 6s 6d 7h 8c Th Jc Qh Ks As 2s
N: 4s 4c 5s 5d 6h 7s 8h Tc Jd Qs Qc
up 9c
1. E +7c 8:8s8h8d K:KsKhKdKc -7c
2. S +6c -Kc
3. W ^Kc K:Ks2s 8:8c -4d
4. N +3d +Jh -5s
5. E +2h 9:9s9h9d2h -Ac
"""

FALSE_SCORE = """deal 1 dealer N
end out E
melds NS 5:5s5h5d
melds EW 6:6s6h6d6c6s6h6d
threes NS
threes EW
left N 4s 4h
left E
left S 4d
left W
score NS 80 ; score
score EW 635"""

#: A table at the end to which cases add a seat's hand and the scores.
TABLE = """\
[CGN "1"]

deal 1 dealer W
end stock
melds NS 7:7h7d7c
melds EW 9:9s9h9d
threes NS
threes EW
left E 4h
left S 4d
left W 4c
"""

#: The name of a case, the head of a record, and its lines. After `;` come the findings of a line;
#: after `<` comes the finding that a finding follows from.
CASES = [
    (
        "two seats swapped",
        HANDS + UP,
        "1. E +7s -4d\n2. W +Jd -9s ; wrong-seat\n3. S +Qh -4s ; wrong-seat<wrong-seat\n"
        "4. N +6d -4h ; wrong-seat<wrong-seat\n5. E +8s -8s",
    ),
    (
        "a turn missing, and the numbers with it",
        HANDS + UP,
        "1. E +7s -4d\n3. W +Jd -9s ; wrong-seat turn-number<wrong-seat\n4. N +6d -4h",
    ),
    (
        "a turn missing, and the numbers otherwise false",
        HANDS + UP,
        "1. E +7s -4d\n4. W +Jd -9s ; wrong-seat turn-number<wrong-seat\n5. N +6d -4h",
    ),
    (
        "a turn written twice",
        HANDS + UP,
        "1. E + -4d\n1. E + -4d ; wrong-seat turn-number<wrong-seat\n2. S + -4s",
    ),
    (
        "two turns in each other's place, with their numbers",
        HANDS + UP,
        "1. E +7s -4d\n3. W +Jd -9s ; wrong-seat turn-number<wrong-seat\n"
        "2. S +Qh -4s ; wrong-seat<wrong-seat turn-number<wrong-seat\n"
        "4. N +6d -4h ; wrong-seat<wrong-seat",
    ),
    (
        "a going out that is claimed twice",
        HANDS + UP,
        "1. E +7s -4d # ; out-claim\nend out E ; end-claim<out-claim",
    ),
    (
        "two mistakes of the seat apart",
        HANDS + UP,
        "1. E +7s -4d\n2. W +Jd -9s ; wrong-seat\n3. N +6d -4h\n4. S +Qh -4s ; wrong-seat",
    ),
    (
        "a turn of another seat, and a card that it does not hold",
        HANDS + UP,
        "1. E +7s -4d\n2. W +Qh -4c ; wrong-seat not-in-hand<wrong-seat",
    ),
    (
        "a seat that the table let play",
        HANDS + UP,
        "1. E +7s -4d\n2. W +Qh -4c ~wrong-seat ; wrong-seat not-in-hand",
    ),
    (
        "the cards turned up have no part in what an opening counts",
        HANDS,
        "up 2d ; up-cards\n1. E +7s -4d\n2. S +5d 4:4s4h4c -2c ; opening-low",
    ),
    (
        "the cards turned up have a part in what the pile holds",
        HANDS,
        "up 2d ; up-cards\n1. E +7s -4d\n2. S ^4d/3 4:4h4c Q:QhJs2c -6h ; meld-rank "
        "pile-count<up-cards",
    ),
    (
        "a card too many in the hand that lacks one",
        HANDS + UP,
        "1. E +7s8h -5c ; draw-count not-in-hand<draw-count",
    ),
    (
        "a card too many in another hand",
        HANDS + UP,
        "1. E +7s8h -4d ; draw-count\n2. S +Qh -5c ; not-in-hand",
    ),
    (
        "a short meld, and one of another rank",
        HANDS + UP,
        "1. E +7s A:AsAhAc T:TdTc -4d ; meld-short\n2. S +Qh -2c\n3. W +5h Q:QdQc -9s ; meld-short",
    ),
    (
        "no discard, and a card that another hand does not hold",
        HANDS + UP,
        "1. E +7s A:AsAhAc ; discard-missing\n2. S +Qh -5c ; not-in-hand",
    ),
    (
        "no discard, and a pile of fewer cards",
        HANDS + UP,
        "1. E +7s A:AsAhAc ; discard-missing\n2. S +Qh -4s\n3. W +5d -Qd\n"
        "4. N ^Qd/5 Q:QsQd -4h ; opening-low pile-count<discard-missing",
    ),
    (
        "a false score, and a total that agrees with the items",
        SHEET,
        "deal 1 dealer N\nscore NS -290 = red3 -200 cards 90 ; score-sum\ntotal NS -110\n"
        "deal 2 dealer E\nscore NS 410 = mixed 300 cards 110\ntotal NS 300",
    ),
    (
        "a false item, and a total that agrees with the score",
        SHEET,
        "deal 1 dealer N\nscore NS -110 = red3 -200 cards 80 ; score-sum\ntotal NS -110",
    ),
    (
        "an item whose penalty line cannot be read",
        SHEET,
        "deal 1 dealer N\npenalty NS fifty upcard ; syntax\n"
        "score NS 340 = mixed 300 cards 90 penalty -50",
    ),
    (
        "a total that agrees with neither",
        SHEET,
        "deal 1 dealer N\nscore NS -290 = red3 -200 cards 90 ; score-sum\ntotal NS -100 ; total",
    ),
    (
        "a false item, and a total that goes on from it",
        DEAL,
        "end out E\nscore NS -265 = red3 -100 hand -165 ; score-item score<score-item\n"
        "total NS -265 ; total<score",
    ),
    (
        "an end before its time, and what was scored later",
        HANDS + UP,
        "1. E +7s A:AsAhAc -4d\nend stock ; end-stock-left\n"
        "score EW 5 = melds 60 hand -55 ; score-item<end-stock-left score<score-item\n"
        "total EW 5 ; total<score",
    ),
    (
        "a going out without a canasta, and the play going on",
        HANDS.replace("N: 4h 6s 6c 8c 9s Th Js Qs Qd Kd Ah", "N: 5s 5h 5d 6s 6h 8s 8h 8d Th Td Tc"),
        "up 9c\n1. E +7s -4d\n2. S +Qh -4s\n3. W +Jd -9s\n"
        "4. N +6d 5:5s5h5d 6:6s6h6d 8:8s8h8d T:ThTdTc ; out-canasta\n"
        "5. E +8c -8c ; after-end<out-canasta",
    ),
    (
        "a pile begun with another card, and that card in the turn that takes it",
        HANDS,
        "up * ; up-cards\n1. E +7s -4d\n2. S ^4d 4:4h4c J:JsJc2c -9c ; not-in-hand<up-cards",
    ),
    (
        "a card laid under another label, and once more",
        HANDS + UP,
        "1. E +7s A:AsAhKh K:KhKc* -4d ; meld-rank not-in-hand<meld-rank",
    ),
    (
        "a card laid under another label, and one that the hand never held",
        HANDS + UP,
        "1. E +7s A:AsAhKh -Qd ; meld-rank not-in-hand",
    ),
    (
        "the first talon not written, and the second taken for it",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\nE: 4s 4h 4d 4c ...\n',
        "talon 5s 6d Ac ; packet\n1. E + T:TTTTTTT -4s talon:7s7cKdAc ; packet<packet",
    ),
    (
        "the first talon taken that was not seen before",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\nE: 4s 4h 4d 4c ...\n',
        "talon _ _ _ _\ntalon 5s 6d Ac\n1. E + T:TTTTTTT -4s talon:7s7cKdAc",
    ),
    (
        "a replacement missing, and the last card of the stock a red three",
        HANDS + UP,
        "1. E +3h -4d ; replacement\n2. S +3d + -4s\n3. W +3h + -9s\n"
        + "".join(f"{at}. {'NESW'[at % 4]} + -_\n" for at in range(4, 60))
        + "60. N +3d ; replacement<replacement discard-missing<replacement",
    ),
    (
        "two replacements missing",
        '[CGN "1"]\n\ndeal 1 dealer N\nup 9c\n',
        "1. E +3h -4s ; replacement\n2. S +3d -5s ; replacement",
    ),
    (
        "a turn missing of each of two players",
        TWO,
        "S +4h5h -4s\nS +6h7h -5s ; wrong-seat\nN +8h9h -6s\nS +ThJh -7s\nS +QhKh -8s ; wrong-seat",
    ),
    (
        "a card laid under another label, and a meld too short by it",
        HANDS + UP,
        "1. E +7s A:AsAhAc K:KhKc* -4d\n2. S +Qh -4s\n3. W +6h A:As 5:Kc -9s ; meld-rank "
        "meld-short<meld-rank",
    ),
    (
        "an opening with cards missing in one meld",
        HANDS + UP,
        "1. E +7s T:TdTc A:Ac -4d ; meld-short meld-short opening-low<meld-short",
    ),
    (
        "a pile taken and its top not laid, and another card of its rank",
        HANDS + UP,
        "1. E +7s A:AsAhAc K:KhKc* -4d\n2. S +5s -Qh\n3. W ^Qh -9s ; pile-unmeldable\n"
        "4. N +5h -4h\n5. E +5c -4s\n6. S +5d -4h\n"
        "7. W +6h Q:Qd -6d ; meld-short<pile-unmeldable",
    ),
    (
        "an item false, the score with it, and the total true",
        SHEET,
        "deal 1 dealer N\nscore NS 755 = melds 145 natural 500 red3 110 ; score-item\n"
        "score EW 0\ntotal NS 745 EW 0",
    ),
    (
        "a card too many on the table at the end, in a meld of another rank",
        SHEET,
        "deal 1 dealer N\nend out S\nmelds NS K:KsKsKhKhKdKdKc\n"
        "melds EW A:AsAhAcKs ; meld-rank deck-count<meld-rank",
    ),
    (
        "the pile's top laid under another label, and a card of its rest",
        HANDS,
        "up Jd\n1. E +7s -4d\n2. S ^4d 5:4h4c J:JsJcJd -6h ; "
        "meld-rank meld-short<meld-rank opening-low<meld-rank",
    ),
    (
        "a pile taken that was blocked, and a card that a draw would have brought",
        HANDS + UP,
        "1. E +7s -*\n2. S ^* -6h ; pile-blocked\n3. W +5s -5c\n4. N +5d -4h\n5. E +8d -8d\n"
        "6. S +5h -8c ; not-in-hand",
    ),
    (
        "a black three taken, and melded with two others",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nup 3b\n"
        "1. E ^3b 3:3b3b -5 ; pile-blocked meld-threes<pile-blocked opening-low<pile-blocked",
    ),
    (
        "a card missing in the last meld, and what the last turn claims",
        '[CGN "1"]\n[Rules "classic deal.hand=7"]\n\ndeal 1 dealer N\nE: Ks Ks Kh Kh Kd Kd Kc\n',
        "up 9c\n1. E +4c K:KsKsKhKhKdKd open=70 -4c ## ; out-claim opening-claim<out-claim\n"
        "end out E concealed ; end-claim<out-claim",
    ),
    (
        "a canasta that lacks a card, and the table at the end",
        '[CGN "1"]\n[Rules "classic deal.hand=6"]\n\ndeal 1 dealer N\nE: Ks Ks Kh Kh Kd Kd\n',
        "up 9c\n1. E +4c K:KsKsKhKhKdKd -4c ; out-canasta\n"
        "end out E\nmelds EW K:KsKsKhKhKdKdKc ; end-melds<out-canasta",
    ),
    (
        "an opening that counts too little, and a card for a group that it lacks",
        HANDS + UP,
        "1. E +7s 4:4s4d4d -7s ; opening-low\n2. S +5s -5s\n3. W +6s J:Jc -9s ; meld-short",
    ),
    (
        "an end that the play did not come to, and a meld that lies there",
        HANDS + UP,
        "1. E +7s K:KhKc* -7s\nend out E ; end-claim\n"
        "melds EW K:KhKc* A:AsAhAc ; end-melds<end-claim",
    ),
    (
        "the last turn written twice",
        '[CGN "1"]\n[Rules "classic deal.hand=7"]\n\ndeal 1 dealer N\nE: Ks Ks Kh Kh Kd Kd Kc\n',
        "up 9c\n1. E +4c K:KsKsKhKhKdKdKc -4c #\n"
        "1. E +4c K:KsKsKhKhKdKdKc -4c # ; after-end turn-number<after-end",
    ),
    (
        "a pile taken and no discard, and a pile that is not there",
        HANDS + UP,
        "1. E +7s -4d\n2. S ^4d 4:4h4c J:JsJc2c ; discard-missing\n"
        "3. W ^9c ; pile-empty<discard-missing",
    ),
    (
        "a card that the stock does not have there, and the next",
        DEAL[: DEAL.index("up")]
        .replace("+Kc", "+Kc ; stock-order")
        .replace("Qs Qc", "Qs 3d +Qc ; stock-order<stock-order"),
        "up 9c\nstock 9c Qc Kc" + " _" * 61 + "\n1. E +7c -7c",
    ),
    (
        "a deal missing",
        SHEET,
        "deal 1 dealer N\nscore NS 500\nscore EW 100\ntotal NS 500 EW 100\n"
        "deal 3 dealer S ; deal-number\nscore NS 300\nscore EW -50\n"
        "total NS 1200 EW 450\n"
        "deal 4 dealer W ; deal-number<deal-number\nscore NS 200\nscore EW 0\n"
        "total NS 1400 EW 455 ; total",
    ),
    (
        "a deal missing, and who deals not written",
        SHEET,
        "deal 1 dealer N\nscore NS 5\ndeal 3 ; deal-number\nup 9c\n1. W +7s -4d\n2. N + -5d",
    ),
    (
        "a game that goes on because of a false total",
        '[CGN "1"]\n[Rules "classic target=600"]\n[Result "*"] ; result<total\n',
        FALSE_SCORE + "\ntotal EW 535 ; total\ndeal 2 ; after-game\nscore NS 20\nscore EW 0",
    ),
    (
        "a card of a group missing in a turn that must go out",
        HANDS + UP,
        "1. E +7s ask=yes A:AsAhAc -7s # ; out-promised<out-claim out-claim",
    ),
    (
        "an up card that is not the first of the stock, without hands",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "up 9d ; stock-order\nstock 9c Qc Kc" + " _" * 61 + "\n1. E + -7c",
    ),
    (
        "a card too often in the stock, without hands",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "up 9c\nstock 9c As As As" + " _" * 60 + " ; deck-count\n1. E + -7c",
    ),
    (
        "cards dealt and an end line, but no turns",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nup 9c\nend out E\ndeal 2\nup 9c\nend stock",
    ),
    (
        "first seats that exclude each other, where no dealer is written",
        '[CGN "1"]\n',
        "deal 1\n"
        "up 9c\n"
        "1. E +4s 7:7s7h7d7c7s7h7d K:KsKhKdKc -4s\n"
        "end out E\n"
        "deal 2\n"
        "up 8c\n"
        "1. W +4s 7:7s7h7d7c7s7h7d K:KsKhKdKc -4s ; wrong-seat\n"
        "end out W",
    ),
    (
        "a deal of which nothing was written",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\ntotal NS 500 EW 100\ndeal 2 dealer E\npenalty NS 50 upcard\n"
        "deal 3 dealer S\ntotal NS 2000 EW 300",
    ),
    (
        "the last turns of a deal missing, and the totals after it",
        '[CGN "1"]\n[Result "NS 2000 EW 300"]\n',
        "deal 1 dealer N ; end-missing\nup 9c\n1. E + -5\n"
        "deal 2 dealer E\nscore NS 600\nscore EW 100\ntotal NS 2000 EW 300",
    ),
    (
        "a result that says that nobody has won, by a false score",
        '[CGN "1"]\n[Target "50"]\n[Result "*"] ; result<score\n',
        "deal 1 dealer N\nend stock\nmelds NS K:KsKhKdKc 5:5s5h5d5c\nmelds EW\n"
        "threes NS\nthrees EW\nleft N 4s\nleft S 4h\nleft E 4d\nleft W 4c\n"
        "score NS 45 = melds 60 hand -15 ; score-item score<score-item\nscore EW -10",
    ),
    (
        "a hand item that no deck allows, in a final table",
        '[CGN "1"]\n[Rules "american-2p"]\n',
        "deal 1 dealer S\n"
        "end stock\n"
        "melds N 4:4s4h4d\n"
        "melds S\n"
        "threes N\n"
        "threes S\n"
        "left N 5s\n"
        "left S Qs Qd Qc Qc Ad Ad 2s 2h 2d 2d 2c * *\n"
        "score N -1015 = melds -15 hand -1000 ; score-item score<score-item\n"
        "score S -280 = hand -280",
    ),
    (
        "an opening claimed without its groups, and a take with a wild card",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nup 9c\n1. E + open=90 -8c ; opening-claim\n2. S + -Td\n"
        "3. W ^Td T:Td2d -9d ; pile-frozen<opening-claim opening-low<opening-claim",
    ),
    (
        "an opening claimed without its groups does not show more cards than the deck has",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\n1. E + -4s open=50 ; opening-claim\n2. S + -5s\n3. W + -6s\n"
        "4. N +Ah -Ah\n5. E +Ah -Ah\n6. S +Ah -Ah ; deck-count\nend unfinished",
    ),
    (
        "a take written as a draw",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nup 9c\n1. E + -6d\n2. S +6d 6:6s6h K:KsKhKd -4c"
        " ; meld-short opening-low<meld-short",
    ),
    (
        "a discard with a wrong suit, taken, and its card laid later",
        '[CGN "1"]\n',
        "deal 1 dealer N\n"
        "E: 4d 4c 5h Ks Kh Kd As Ah Ad 7c 8c\n"
        "up 9c\n"
        "1. E +4h -4c\n"
        "2. S ^4d/2 4:4s4h A:AsAhAc -5d ; pile-top\n"
        "3. W + -5c\n"
        "4. N + -8d\n"
        "5. E +4s A:AsAhAd 4:4c4h4s -8c ; not-in-hand<pile-top",
    ),
    (
        "the group of a take lost, and the rest laid",
        '[CGN "1"]\n',
        "deal 1 dealer N\n"
        "E: 4d 4c 5h Ks Kh Kd As Ah Ad 7d 7c\n"
        "up 7s\n"
        "1. E +6c K:KsKhKd A:AsAhAd -6c\n"
        "2. S + -Qd\n"
        "3. W + -4s\n"
        "4. N + -4h\n"
        "5. E ^4h 7:7d7c7s 4:4s -5h ; not-in-hand meld-short<not-in-hand",
    ),
    (
        "the group of a partner lost, and no discard when the cards should be gone",
        '[CGN "1"]\n',
        "deal 1 dealer N\n"
        "E: 4d 4c 4h Ks Kh Kd As Ah Ad Qs Qh\n"
        "up 7s\n"
        "1. E +Qd A:AsAhAd K:KsKhKd -4h\n"
        "2. S + -8d\n"
        "3. W + -8s\n"
        "4. N + -8h\n"
        "5. E +8s -8s\n"
        "6. S + -9d\n"
        "7. W + J:JsJhJdJcJsJhJd Q:Qc -9s ; meld-short\n"
        "8. N + -9h\n"
        "9. E +2h 4:4d4c2h ; discard-missing<meld-short\n"
        "end out E ; end-claim<meld-short",
    ),
    (
        "a false count of an opening with a group that cannot come from the pile's rest",
        '[CGN "1"]\n',
        "deal 1 dealer N\nS: 4s 5s Qh Qd Jh Jd Jc Js Kd Ad ...\nup 9h\n1. E +9h -Qs\n"
        "2. S ^Qs Q:QhQd J:JhJdJc J:Js open=60 -Kd ; opening-claim\nend unfinished",
    ),
    (
        "the count of an opening after a card left the hand without its suit",
        '[CGN "1"]\n',
        "deal 1 dealer N\nE: 9h 9d 9 As Ah Ad Ks Kh 4h 5h 6h\nup 5s\n1. E +9s -9\n2. S + -4c\n"
        "3. W + -5c\n4. N + -Kd\n5. E ^Kd K:KsKh A:AsAhAd 9:9h9d9c open=120 -6h",
    ),
    (
        "the count of an opening with a card, without its suit, of the pile's rest",
        '[CGN "1"]\n',
        "deal 1 dealer N\nE: 6h 6d 6c * As Ah Ad Ks Kh 4h 5h\nup 5s\n1. E +7d -7d\n2. S + -6s\n"
        "3. W + -5c\n4. N + -Kd\n5. E ^Kd K:KsKh A:AsAhAd 6:6h6d* 6:6 open=150 -6c",
    ),
    (
        "a wrong dealer, and a false count of an opening",
        '[CGN "1"]\n[Dealer "N"]\n',
        "deal 1 dealer S ; dealer\nE: 4s 4h 5h Ks Kh Kd As Ah Ad 7d 7c\nup 9c\n"
        "1. E +6c K:KsKhKd A:AsAhAd open=80 -6c ; wrong-seat<dealer opening-claim",
    ),
    (
        "a wrong seat that was accepted, and a wrong dealer after it",
        '[CGN "1"]\n',
        "deal 1 dealer N\nup 9c\n"
        "1. S +4s 7:7s7h7d7c7s7h7d K:KsKhKdKc -4s ~wrong-seat ; wrong-seat\nend out S\n"
        "deal 2 dealer S ; dealer\nup 9c\n1. W + -5d",
    ),
    (
        "a wrong dealer on a score sheet",
        '[CGN "1"]\n',
        "deal 1 dealer N\nscore NS 5\nscore EW 5\ndeal 2 dealer N ; dealer\nscore NS 5\n"
        "score EW 5\ndeal 3\nup 9c\n1. W + -5d",
    ),
    (
        "a first turn of the wrong seat, where no dealer is written",
        '[CGN "1"]\n',
        "deal 1 ; end-missing<wrong-seat\nup 9c\n1. S + -4\n2. S + -5d ; wrong-seat\n"
        "deal 2\nup 9c\n1. S + -5d",
    ),
    (
        "an up card that must be covered, without hands and turns",
        '[CGN "1"]\n',
        "deal 1 dealer N\nup 2c ; up-cards\nend out E",
    ),
    (
        "a card left in the hand of the seat that went out, and a total without a score",
        '[CGN "1"]\n',
        FALSE_SCORE.split("score NS")[0].replace("left E", "left E 5h ; end-hand")
        + "total EW 5 ; total<end-hand",
    ),
    (
        "a group of an opening lost, and what it claimed to count",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "up 9c\n1. E + K:KsKhKd open=75 -8s ; opening-low opening-claim<opening-low",
    ),
    (
        "a draw written as the take of a blocked pile",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "E: 4s 4h 4d 5s 5h 5d 6s 6h 6d 7s 2c\nup 9c\n1. E +8s -2c\n2. S + -2s\n3. W + -4s\n"
        "4. N + -2h\n5. E ^2h -Kc ; pile-blocked not-in-hand",
    ),
    (
        "a total before the scores",
        '[CGN "1"]\n',
        "deal 1\ntotal NS 100 EW 50\nscore NS 100 ; syntax\nscore EW 50 ; syntax<syntax",
    ),
    (
        "melds and red threes false, each by itself",
        TABLE + "left N 4s\n",
        "score NS 145 = melds 55 red3 100 hand -10 ; score-item score-item score<score-item",
    ),
    (
        "melds and hand false, each by itself",
        TABLE + "left N 4s\n",
        "score NS 5 = melds 20 hand -15 ; score-item score-item",
    ),
    (
        "two independent false items on a score sheet",
        '[CGN "1"]\n',
        "deal 1 dealer N\nscore NS 790 = melds 400 mixed 290 out 100 ; score-item\n"
        "score EW 95 = hand -200 natural 295 ; score-item",
    ),
    (
        "a deal misnumbered, and its total false",
        SHEET,
        "deal 1 dealer N\nscore NS 500\ntotal NS 500\n"
        "deal 3 dealer E ; deal-number\nscore NS 300\ntotal NS 900\n"
        "deal 4 dealer S ; deal-number<deal-number\nscore NS 50\ntotal NS 960 ; total",
    ),
    (
        "deals misnumbered, and a turn in one of them",
        '[CGN "1"]\n',
        "deal 2 dealer N ; end-missing deal-number\nup 9c\n9. E + -9d ; turn-number\n"
        "end unfinished\ndeal 3 dealer E ; deal-number<deal-number\nup 9c\n1. S + -9d",
    ),
    (
        "two deals missing, each elsewhere",
        SHEET,
        "deal 1 dealer N\nscore NS 5\ndeal 3 dealer S ; deal-number\n"
        "score NS 5\ndeal 5 dealer N ; deal-number\nscore NS 5",
    ),
    (
        "a deal written twice",
        SHEET,
        "deal 1 dealer N\nscore NS 500\ntotal NS 500\n"
        "deal 1 dealer N ; deal-number\nscore NS 500\n"
        "total NS 500\ndeal 2 dealer E ; deal-number<deal-number",
    ),
    (
        "two deals in each other's place",
        SHEET,
        "deal 1 dealer N\nscore NS 500\ntotal NS 500\n"
        "deal 3 dealer S ; deal-number\nscore NS 50\n"
        "total NS 850\n"
        "deal 2 dealer E ; deal-number\nscore NS 300\n"
        "total NS 800\n"
        "deal 4 dealer W ; dealer\nscore NS 10\ntotal NS 860 ; total",
    ),
    (
        "two deals after the game",
        SHEET.replace("classic ", "classic target=500 "),
        "deal 1 dealer N\nscore NS 600\nscore EW 0\n"
        "deal 2 dealer E ; after-game\nscore NS 5\nscore EW 0\n"
        "deal 3 dealer S",
    ),
    (
        "an item that cannot be, and the sum false by more",
        SHEET,
        "deal 1 dealer N\nscore NS 490 = mixed 450 cards 90 ; score-item score-sum",
    ),
    (
        "a talon that was not due, with a card of which every copy has been seen",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\n',
        "E: 4s 4h 4d 5s 5h 5d 6s 6h 6d 7s 7h 8s 8h\nS: 4s 4c 4d 5c 5d 5h 6s 6c 6d 8s 8h 9s 9h\n"
        "1. E +9c -9c\n2. S +9d -9d talon:4s4h5s6s ; packet deck-count<packet",
    ),
    (
        "a wild card for the second natural one, in a take that would have made the clean triple",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer S\n',
        "E: 4d 4c 5c 6c 8s 8h 9s 9h 2c As Ah * *\nW + -T\nN + -8d\n"
        "E ^8d 8:8s2c A:AsAh** -4c ; pile-frozen opening-form<pile-frozen",
    ),
    (
        "a wild card too many, and the same card once more",
        HANDS.replace('"classic"', '"classic meld.max_wilds=1"') + UP,
        "1. E +2h A:AsAhAc*2h -4s ; meld-wilds\n2. S +Qh -Ks\n3. W +5h -5c\n4. N +6d -4h\n"
        "5. E +8s -2h ; not-in-hand",
    ),
    (
        "a claim that a card more was laid, and the card on the table at the end",
        HANDS + UP,
        "1. E +7s A:AsAhAc open=110 -4s ; opening-claim\nend unfinished\n"
        "melds EW A:AsAhAc* ; end-melds<opening-claim",
    ),
    (
        "a card of another rank for a canasta, in a final table",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end out S ; out-canasta<meld-rank\nmelds NS K:7 ; meld-rank meld-short<meld-rank",
    ),
    (
        "a card between two melds",
        HANDS + UP,
        "1. E +Th A:AsAh K:KhKc* -4s ; meld-short\nend unfinished\n"
        "melds EW A:AsAh* K:KhKc ; end-melds<meld-short end-melds<meld-short",
    ),
    (
        "the talon of another seat",
        '[CGN "1"]\n[Rules "american-2p"]\n\ndeal 1 dealer N\n',
        "S: 4s 4h As Ah Ad Ac Ks Kh Kd Qs Qh Qd 9c\n"
        "1. S +9d A:AsAhAdAc K:KsKhKd Q:QsQhQd -9d\n2. N + -9h talon:4c6c7c8c ; packet\n"
        "3. S +5d 4:4s4h4c -5d ; not-in-hand<packet",
    ),
    (
        "permission to go out, given twice",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\n',
        "1. E + ask=yes -4 ; out-promised\n2. S + -5\n3. W + ask=no -6 ; ask-when<out-promised",
    ),
    (
        "an opening of the groups of a later turn",
        '[CGN "1"]\n[Rules "american-2p"]\n\ndeal 1 dealer N\n',
        "1. S + K:KKK -4 ; opening-low\n2. N + -5\n3. S + A:AAAA Q:QQQ -6 talon:4c6c7c8c"
        " ; packet<opening-low",
    ),
    (
        "a false item beside which a true one of the other side could not be",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end stock\nmelds NS\nmelds EW\nthrees NS 3h\nthrees EW 3h 3d 3d\n"
        "left N\nleft E\nleft S\nleft W\nscore NS -200 = red3 -200 ; score-item score<score-item\n"
        "score EW -300 = red3 -300",
    ),
    (
        "another seat went out",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end out W\nmelds NS K:KsKsKhKhKdKdKc\nmelds EW 4:4s4s4h4h4d4d4c\nthrees NS\nthrees EW\n"
        "left N 5s\nleft E 5h\nleft S\nleft W 6d ; end-hand\nscore NS 665 ; score<end-hand\n"
        "score EW 525 ; score<end-hand",
    ),
    (
        "a frozen pile taken with a card of its own rest",
        HANDS + UP,
        "1. E +Kd K:KhKcKd* -4s\n2. S +Qc -2c\n3. W +Ad -Kc\n4. N +9d -Kd\n"
        "5. E ^Kd K:Kc -4d ; pile-frozen",
    ),
    (
        "a result that repeats the false total of one side",
        '[CGN "1"]\n[Result "NS 1000 EW 600"] ; result<total\n',
        "deal 1 dealer N\nscore NS 1100\nscore EW 600\ntotal NS 1000 ; total",
    ),
    (
        "a false total of one side, and a result that is false for both",
        '[CGN "1"]\n[Result "NS 1000 EW 650"] ; result\n',
        "deal 1 dealer N\nscore NS 1100\nscore EW 600\ntotal NS 1000 ; total",
    ),
    (
        "a result that repeats a false score",
        '[CGN "1"]\n[Result "NS 180 EW 735"] ; result<score\n',
        FALSE_SCORE + "\ndeal 2 dealer E\nscore NS 100\nscore EW 100",
    ),
    (
        "a total that repeats a false score before it",
        '[CGN "1"]\n[Result "NS 180 EW 735"] ; result<total\n',
        FALSE_SCORE + "\ndeal 2 dealer E\nscore NS 100\nscore EW 100\ntotal NS 180 ; total<score",
    ),
    (
        "a three too many in a hand, and its replacement missing; a replacement of another missing",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\n"
        "E: 3h 3d 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h +Kc ; deal-size replacement<deal-size\n"
        "S: 3h 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h ; replacement",
    ),
    (
        "a three left out of a hand with its replacement",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nE: 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h +Kc ; deal-size replacement<deal-size",
    ),
    (
        "a card of the pile's rest laid with the top card, and again after it",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nE: 7s 7h 5s 5h As Ah Ac Qh 8s 8h 9s\nup 7c\n"
        "1. E +4s A:AsAhAc -Qh\n2. S +Kd -4d\n3. W +Kc -Ks\n4. N +Js -7d\n"
        "5. E ^7d 7:7s7h7c 7:7c -9s ; not-in-hand not-in-hand<not-in-hand",
    ),
    (
        "a card of the pile's rest laid before the opening, and again after it",
        '[CGN "1"]\n\n',
        "deal 1 dealer N\nE: 7s 7h 5s 5h As Ah Ac Qh 8s 8h 9s\nup 7c\n"
        "1. E +4s -Qh\n2. S +Kd -4d\n3. W +Kc -Ks\n4. N +Js -7d\n"
        "5. E ^7d 7:7s7h7c 7:7c A:AsAhAc -9s ; opening-low not-in-hand<opening-low",
    ),
    (
        "a take missing, and the top card on its meld",
        '[CGN "1"]\n\ndeal 1 dealer N\nup Qc\n',
        "1. E Q:QsQd A:AsAhAd -4s ; draw-missing meld-short<draw-missing",
    ),
    (
        "a take missing, and a meld of another rank too small",
        '[CGN "1"]\n\ndeal 1 dealer N\nup Qc\n',
        "1. E K:KsKd A:AsAhAd -4s ; draw-missing meld-short",
    ),
    (
        "a draw missing where there is no pile to take, and a meld too small",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\n',
        "1. E K:KsKd A:AsAhAd -4s ; draw-missing meld-short opening-low<meld-short",
    ),
    (
        "a turn missing, and a last draw that is too short for a stock of more cards",
        '[CGN "1"]\n[Rules "classic-2p deal.hand=48"]\n\ndeal 1 dealer N\n'
        f"S: {' '.join('456789' * 8)}\n"
        f"N: {' '.join('TJQKA2' * 6)} 3b 3b 3b 3b T 2 2 A * * * *\nup T\n",
        "S +3r3r +3r3r +JJ -4\nS +KK -4 ; wrong-seat\nN +A -A ; draw-count<wrong-seat\n"
        "end stock ; end-stock-left<wrong-seat",
    ),
    (
        "a group missing in the opening turn of a seat that goes out",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "1. E + 4:4444444 -9 # ; opening-low out-claim<opening-low",
    ),
    (
        "a draw missing where only a turn with a draw may ask",
        '[CGN "1"]\n[Rules "bga"]\n\ndeal 1 dealer N\n',
        "1. E + -9\n2. S ask=no K:KKK A:AAA -4 ; draw-missing ask-when<draw-missing",
    ),
    (
        "a draw missing that was accepted, where only a turn with a draw may ask",
        '[CGN "1"]\n[Rules "bga"]\n\ndeal 1 dealer N\n',
        "1. E + -9\n2. S ask=no K:KKK A:AAA -4 ~draw-missing ; draw-missing ask-when",
    ),
    (
        "a take missing, and the meld at the end with the top card",
        '[CGN "1"]\n\ndeal 1 dealer N\nup Ks\n',
        "1. E + A:AsAhAd -4s\n2. S + -4d\n3. W + -4c\n4. N + -Ac\n5. E -4h ; draw-missing\n"
        "end unfinished\nmelds EW A:AsAhAdAc ; end-melds<draw-missing",
    ),
    (
        "a seat without a canasta that went out, in a final table",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end out E ; out-canasta<end-hand\nmelds NS K:KsKsKhKhKdKdKc\nmelds EW 4:4s4s4h\n"
        "left N 5s\nleft E 5h ; end-hand\nleft S\nleft W 6d",
    ),
    (
        "a card of another rank in a meld of the other side, in a final table",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end stock\nmelds NS\nmelds EW 7:7s7h7d8c ; meld-rank\nthrees NS\nthrees EW\n"
        "left N 4\nleft E 4\nleft S 4\nleft W 4\n"
        "score EW 10 = melds 20 hand -10 ; score-item<meld-rank score<score-item",
    ),
    (
        "cards of another rank among twos",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "end stock\nmelds EW 2:7772 ; meld-rank",
    ),
    (
        "a meld that is short, and another one with too many wild cards later",
        HANDS.replace('"classic"', '"classic meld.max_wilds=1"') + UP,
        "1. E +2h A:AsAhAc* K:KhKc -4s ; meld-short\n2. S +Qh -Ks\n3. W +5h -5c\n4. N +6d -4h\n"
        "5. E +8s A:2h -8s ; meld-wilds",
    ),
    (
        "an opening that counts too little, four wild cards on kings, and a card never held",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "E: 4s 4h 4d 5s Kh Kd Kc * * 2s 2h\nup 9c\n1. E +7s 4:4s4h4d -7s ; opening-low\n"
        "2. S + -5c\n3. W + -6s\n4. N + -8s\n5. E +8d K:KhKdKc**2s2h -5s ; meld-wilds\n"
        "6. S + -5d\n7. W + -6d\n8. N + -7d\n9. E +8h -Qd ; not-in-hand",
    ),
    (
        "a frozen pile taken, and another one",
        '[CGN "1"]\n\ndeal 1 dealer N\n',
        "up 9c\n1. E + -2c\n2. S + -Ks\n3. W ^Ks K:Kh2d A:AsAhAd -4s ; pile-frozen\n"
        "4. N + -2h\n5. E + -Qs\n6. S ^Qs Q:Qh2s A:AcAcAd -5s ; pile-frozen",
    ),
    (
        "two short turns of one opening",
        '[CGN "1"]\n\ndeal 1 dealer N\nup 9c\n',
        "1. E +4c A:AsAh K:KsKh2s2h2d* -4c ; meld-short meld-wilds",
    ),
    (
        "a top that is not the one restated, whose meld is named",
        '[CGN "1"]\n[Rules "samba"]\n\ndeal 1 dealer N\nup 8c\n',
        "1. E ^9c>9 9:9s9d A:AsAhAd -5c ; pile-top",
    ),
    (
        "a top restated truly, for a meld of another rank",
        '[CGN "1"]\n[Rules "samba"]\n\ndeal 1 dealer N\nup 8c\n',
        "1. E ^8c>9 9:9s9d A:AsAhAd -5c ; meld-rank",
    ),
    (
        "a sequence named by a side that has not opened",
        '[CGN "1"]\n[Rules "samba"]\n\ndeal 1 dealer N\nup 9c\n',
        "1. E +4c5c -Tc\n2. S ^Tc/2>c -5s ; pile-frozen opening-low<pile-frozen",
    ),
    (
        "asked three times, and the first answer is not kept",
        '[CGN "1"]\n\ndeal 1 dealer N\nup 9c\n',
        "1. E +4c ask=yes ask=no ask=yes A:AsAhAd -5c ; ask-when out-promised",
    ),
    (
        "the card that replaced a three apart from it",
        '[CGN "1"]\n[Rules "american-4p"]\n\ndeal 1 dealer N\n',
        "1. E + A:AsAhAd2s2h K:KsKhKd -9c talon:3h6s6dJd\n2. S + -_\n3. W + -_\n4. N + -_\n"
        "5. E threes:3h +9c +Qc -Qc ; replacement draw-count<replacement",
    ),
    (
        "a special hand under rules without any",
        '[CGN "1"]\n\ndeal 1 dealer N\nup 9c\n',
        "1. E + straight:As2s3s4s5s6s7s8s9sTsJsQsKs* ; special-hand not-in-hand<special-hand",
    ),
    (
        "a false amount for sequences, and a going out that needs one",
        '[CGN "1"]\n[Rules "bolivia"]\n\ndeal 1 dealer N\n',
        "score NS -300 = melds 400 mixed 600 sequence -1500 out 200 ; score-item",
    ),
]


def marks(findings: list[Finding], text: str) -> list[str]:
    """Return the lines with the findings of each, as the cases write them."""
    found: dict[int, list[str]] = {}
    for each in findings:
        if each.code != "unfinished":
            cause = f"<{each.follows.code}" if each.follows else ""
            found.setdefault(each.span.line, []).append(each.code + cause)
    return [
        " ; ".join((line, *([" ".join(found[at])] if at in found else ())))
        for at, line in enumerate(text.split("\n"), 1)
    ]


@pytest.mark.parametrize(("name", "head", "lines"), CASES, ids=[name for name, _, _ in CASES])
def test_consequences(name: str, head: str, lines: str) -> None:
    written = head + lines
    text = re.sub(r" ; .*", "", written)
    [reading] = read_text(text)
    assert marks(replay_game(reading.game).findings, text) == written.split("\n")


@pytest.mark.parametrize("seed", range(40))
def test_neither_of_two_faults_with_nothing_in_common_is_a_consequence(seed: int) -> None:
    assert misjudged(seed) == ""


@pytest.mark.parametrize("profile", ["hand-and-foot", "pennies"])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_with_feet(profile: str, seed: int) -> None:
    assert misjudged(seed, profile) == ""


def test_the_help_for_threes_names_one_that_is_not_written() -> None:
    lines = (
        "deal 1 dealer N\nend stock\nmelds NS\nmelds EW\nthrees NS\nthrees EW 3h\n"
        "left N 4\nleft E 4\nleft S 4\nleft W 4\n"
        "score NS 90 = red3 100 hand -10\nscore EW -110 = red3 -100 hand -10\n"
    )
    [reading] = read_text('[CGN "1"]\n\n' + lines)
    help_text = "correct the item, or write the three that the record does not show"
    assert replay_game(reading.game).findings[0].help == help_text
