"""Score sheets as spreadsheets write them: each is read as described, or refused with its place.

Five files in tests/sheets were written by LibreOffice 7.4; the others are sheets as people keep
them, and `truth.json` says what each means: the points of each side in each deal of each game, the
days of the games and some tags, or why it is refused.
"""

from __future__ import annotations

import io
import json
import random
import re
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import pytest
from typer.testing import Result

from canasta_notation.foreign.spreadsheet_words import FIGURES, plain, points_of, side_names, words
from canasta_notation.notation.document import Game
from canasta_notation.notation.reader import read_text
from tests.drawn_sheets import draw_sheet, outcome
from tests.programs import canasta, contents

SHEETS = Path(__file__).parent / "sheets"
ROOT = Path(__file__).parent.parent

SCORES = """\
[CGN "1"]

deal 1
score NS 1245
score EW -35

deal 2
score NS 30
score EW 710
"""
SUMMED = SCORES + "total NS 1275 EW 675\n"
TOTALS = """\
[CGN "1"]

deal 1
total NS 1245 EW -35

deal 2
total NS 1275 EW 675
"""
ITEMS = """\
[CGN "1"]

deal 1
score NS 1245 = melds 445 natural 500 red3 200 out 100
score EW -35 = hand -35
"""

#: A sheet, the record that it becomes, and how its columns are understood.
READ: dict[str, tuple[bytes, str, str]] = {
    "English, commas": (
        b"Round,We score,They score\n1,1245,-35\n2,30,710\n",
        SCORES,
        "1 game, columns Round = deal, We score = NS score, They score = EW score",
    ),
    "German Excel: a mark, semicolons, a title, empty columns, a sum row": (
        "\ufeffCanasta am Freitag;;;;\r\n;;;;\r\nRunde;Wir;Ihr;;\r\n"
        "1;1.245;-35;;\r\n2;30;710;;\r\nSumme;1.275;675;;\r\n".encode(),
        SUMMED,
        "1 game, columns Runde = deal, Wir = NS, Ihr = EW (scores); scores, because the sums "
        "agree; header in row 3; sums in row 6",
    ),
    "Spanish, tabs": (
        b"Ronda\tTotal Nosotros\tTotal Ellos\n1\t1245\t-35\n2\t1275\t675\n",
        TOTALS,
        "columns Ronda = deal, Total Nosotros = NS total, Total Ellos = EW total",
    ),
    "French Excel, Windows-1252, blanks that do not break": (
        "Manche;Points Nous;Points Eux;Remarque\r\n1;1\u00a0245;-35;à Noël\r\n2;30;710;\r\n".encode(
            "cp1252"
        ),
        SCORES,
        "Points Nous = NS score, Points Eux = EW score; columns left out: Remarque",
    ),
    "Portuguese, UTF-16 with a mark": (
        "Acumulado\r\nRodada\tNós\tEles\r\n1\t1245\t\u221235\r\n2\t1275\t675\r\n".encode("utf-16"),
        TOTALS,
        "columns Rodada = deal, Nós = NS, Eles = EW (totals); header in row 2",
    ),
    "Italian, UTF-16 without a mark": (
        "Mano;Punti noi;Punti voi\n1;1245;-35\n2;30;710\n".encode("utf-16-le"),
        SCORES,
        "columns Mano = deal, Punti noi = NS score, Punti voi = EW score",
    ),
    "Italian, UTF-32": (
        "Mano;Punti noi;Punti voi\n1;1245;-35\n2;30;710\n".encode("utf-32"),
        SCORES,
        "columns Mano = deal, Punti noi = NS score, Punti voi = EW score",
    ),
    "a line that names the separator": (
        b"sep=;\nRunde;Stand Wir;Stand Ihr\n1;1,245;(35)\n2;1,275;675\n",
        TOTALS,
        "header in row 2",
    ),
    "bars, and signs around the words for sides": (
        "#|Nous \U0001f0cf|Eux !\n1|1245,-|-35\n2|30|710\nTotal|1275|675\n".encode(),
        SUMMED,
        "columns # = deal, Nous \U0001f0cf = NS, Eux ! = EW (scores)",
    ),
    "players beside the words for their sides, in either order": (
        b"Deal,Us (Ana + Carla),Bruno & Dario: Them\n1,1245,-35\n2,30,710\nTotal,1275,675\n",
        SUMMED.replace('"1"]\n', '"1"]\n[N "Ana"]\n[E "Bruno"]\n[S "Carla"]\n[W "Dario"]\n', 1),
        "Us (Ana + Carla) = NS, Bruno & Dario: Them = EW (scores); players Ana = N, Carla = S",
    ),
    "players beside the words for their sides, a row for each side": (
        b"Deal,Team,Score\n1,We - Ana/Carla,1245\n1,They (red),-35\n"
        b"2,We - Ana/Carla,30\n2,They (red),710\n",
        SCORES.replace('"1"]\n', '"1"]\n[N "Ana"]\n[S "Carla"]\n', 1),
        "players Ana = N, Carla = S",
    ),
    "what is taken off, without signs": (
        b"Deal,Side,Melds,Clean,Penalty,Hand,Score\n1,NS,300,1,50,120,630\n1,EW,90,0,0,45,45\n",
        """\
[CGN "1"]

deal 1
penalty NS 50 house
score NS 630 = melds 300 natural 500 penalty -50 hand -120
score EW 45 = melds 90 hand -45
""",
        "Clean = natural (a number), Penalty = penalty (taken off), Hand = hand (taken off)",
    ),
    "a row that carries sums forward": (
        "Runde;Wir;Ihr\n1;1245;-35\nÜbertrag;1245;-35\n2;30;710\nSumme;1275;675\n".encode(),
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "sums in row 3, 5",
    ),
    "a deal with its items below each other": (
        b",Us,Them\nMelds,445,0\nNatural canastas,1,0\nRed threes,2,0\nWent out,yes,no\n"
        b"Left in hand,0,35\nTotal,1245,-35\n",
        ITEMS + "total NS 1245 EW -35\n",
        "columns deal, side, Melds, Natural canastas = natural (a number), Red threes = red3 (a "
        "number), Went out = out, Left in hand = hand (taken off), total; sides are columns",
    ),
    "sides above their columns, beside the name of the deal": (
        b"Deal,We,,They,\n,Points,Total,Points,Total\n1,1245,1245,-35,-35\n2,30,1275,710,675\n",
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "columns Deal, We Points = NS score, We Total = NS total, They Points = EW score",
    ),
    "numbers of red threes beside points": (
        b"Deal,We,They,Red 3 We,Red 3 They,Diff\n1,1245,-35,1,0,1280\n2,30,710,2,1,-680\n"
        b"Sum,1275,675,,,\n",
        SUMMED,
        "columns left out: Diff, Red 3 We, Red 3 They",
    ),
    "three pairs": (
        b"Deal,Ana & Bea,Cyd & Dan,Eve & Fay\n1,500,-35,5\n2,30,700,5\nSum,530,665,10\n",
        """\
[CGN "1"]
[Rules "classic-6p sides=3 target=7500"]
[E "Dan"]
[A "Ana"]
[B "Cyd"]
[C "Eve"]
[D "Bea"]
[F "Fay"]

deal 1
score AD 500
score BE -35
score CF 5

deal 2
score AD 30
score BE 700
score CF 5
total AD 530 BE 665 CF 10
""",
        "rules classic-6p sides=3 target=7500",
    ),
    "a game that goes on below another header": (
        b"Deal,We,They\n1,1245,-35\nCarried forward,1245,-35\n\nDeal,We,They\n2,30,710\n"
        b"Sum,1275,675\n",
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "1 game, columns Deal, We = NS, They = EW (scores)",
    ),
    "marks of quotations": (
        "\u201cRunde\u201d;\u201eWir\u201c;\u00abIhr\u00bb\n1;1245;-35\n2;30;710\n\u201cSumme\u201d;1275;675\n".encode(),
        SUMMED,
        "Wir = NS",
    ),
    "a game merged with the rows below it": (
        b"Game,Deal,We score,They score\nMay,1,1245,-35\n,2,30,710\nJune,1,1245,-35\n,2,30,710\n",
        SCORES + "\n" + SCORES,
        "2 games",
    ),
    "a deal merged with the rows below it": (
        b"Deal,Team,Score\n1,We,1245\n,They,-35\n2,We,30\n,They,710\nSum,We,1275\n,They,675\n",
        SUMMED,
        "1 game",
    ),
    "a side merged with the rows below it": (
        b"Deal,Team,Item,Points\n1,We,melds,445\n,,natural,500\n,,red3,200\n,,out,100\n"
        b",They,hand,-35\n",
        ITEMS,
        "1 game",
    ),
    "the last deal first": (
        b"Deal,We,They\nTotal,1275,675\n2,30,710\n1,1245,-35\n",
        SUMMED,
        "because the sums agree; the last deal is above the first",
    ),
    "sums above the names of columns": (
        b"Sum,1275,675\nDeal,We,They\n1,1245,-35\n2,30,710\n",
        SUMMED,
        "because the sums agree; header in row 2; sums in row 1",
    ),
    "sums below deals that are not played yet": (
        b"Deal,We,They\n1,1245,-35\n2,30,710\n3,,\n4,-,-\nSum,1275,675\n",
        SUMMED,
        "because the sums agree; sums in row 6",
    ),
    "sums beside the points, as columns": (
        b"We,Sum,They,Sum,Deal\n1245,1245,-35,-35,1\n30,1275,710,675,2\n",
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "We = NS, Sum = NS total",
    ),
    "games below each other, each with the last deal first": (
        b"Deal,We score,They score\n2,30,710\n1,1245,-35\n2,30,710\n1,1245,-35\n",
        SCORES + "\n" + SCORES,
        "2 games",
    ),
    "sums below the points of each deal, as on paper": (
        b"We,They\n1245,-35\n30,710\n1275,675\n5,10\n1280,685\n",
        SUMMED + "\ndeal 3\nscore NS 5\nscore EW 10\ntotal NS 1280 EW 685\n",
        "sums in row 4, 6",
    ),
    "a row before the first deal, and numbers with zeros": (
        b"Deal,We total,They total\n00,0,-\n01,1245,-35\n02,1275,675\n",
        TOTALS,
        "rows left out: row 2 (00)",
    ),
    "two words for a row of sums": (
        b"Deal,We,They\n1,1245,-35\n2,30,710\nTotal points =>,1275,675\nPlace,1,2\n",
        SUMMED,
        "sums in row 4; rows left out: row 5 (Place)",
    ),
    "sums at the end of a page and again on the next": (
        b"Deal,We,They\n1,1245,-35\nCarried forward,1245,-35\nTotal,1245,-35\n2,30,710\n"
        b"Sum,1275,675\n",
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "sums in row 3, 4, 6",
    ),
    "dealers by the first letters of their names": (
        b"Deal,Dealer,Ana + Edo,Sam + Will\n1,S,1245,-35\n2,E,30,710\nSum,,1275,675\n",
        SUMMED.replace('"1"]\n', '"1"]\n[N "Ana"]\n[E "Sam"]\n[S "Edo"]\n[W "Will"]\n', 1)
        .replace("deal 1", "deal 1 dealer S")
        .replace("deal 2", "deal 2 dealer E"),
        "Dealer",
    ),
    "dealers by first letters that are no seats": (
        b"Deal,Dealer,Ana + Cyd,Bert + Dora\n1,A,1245,-35\n2,Be,30,710\nSum,,1275,675\n",
        SUMMED.replace('"1"]\n', '"1"]\n[N "Ana"]\n[E "Bert"]\n[S "Cyd"]\n[W "Dora"]\n', 1)
        .replace("deal 1", "deal 1 dealer N")
        .replace("deal 2", "deal 2 dealer E"),
        "Dealer",
    ),
    "a dash for no hundredths": (
        "Deal;We score;They score\n1;1'245.\u2013;-35.\u2013\n2;30.\u2013;710.\u2014\n".encode(),
        SCORES,
        "1 game",
    ),
    "a table of the results": (
        b"Deal,We,They\n1,1245,-35\n2,30,710\nSum,1275,675\n\nGame,We,They\n1,1275,675\n",
        SUMMED,
        "results of these games left out: row 6",
    ),
    "players in rows": (
        b"Runde;Spieler;Punkte\n1;Uta;1245\n1;Kai;-35\n2;Uta;30\n2;Kai;710\n",
        """\
[CGN "1"]
[Rules "classic-2p"]
[N "Uta"]
[S "Kai"]

deal 1
score N 1245
score S -35

deal 2
score N 30
score S 710
""",
        "Spieler = side",
    ),
    "players beside the points of sides": (
        b"Deal,We score,They score,Player\n1,1245,-35,Ana\n2,30,710,Bert\n",
        SCORES,
        "columns left out: Player",
    ),
    "a sign for the totals": (
        "Deal,We,\u03a3,They,\u03a3\n1,1245,1245,-35,-35\n2,30,1275,710,675\n".encode(),
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "\u03a3 = NS total",
    ),
    "numbers of canastas beside scores by a house rule": (
        b"Deal,Side,Cards,Naturals,Mixed,Red threes,Out,Score\n1,We,340,1,0,1,yes,1040\n"
        b"1,They,-90,0,1,1,no,10\n2,We,120,0,2,0,no,520\n",
        """\
[CGN "1"]

deal 1
score NS 1040 = cards 340 natural 500 red3 100 out 100
score EW 10 = cards -90 mixed 200 red3 -100

deal 2
score NS 520 = cards 120 mixed 400
""",
        "mixed counts 200 points, because the scores agree",
    ),
    "who went out beside scores by a house rule": (
        b"Deal,Side,Cards,Out,Score\n1,We,340,yes,540\n1,They,90,no,90\n2,We,120,yes,320\n",
        """\
[CGN "1"]

deal 1
score NS 540 = cards 340 out 200
score EW 90 = cards 90

deal 2
score NS 320 = cards 120 out 200
""",
        "out counts 200 points, because the scores agree",
    ),
    "one score that does not add up shows no house rule": (
        b"Deal,Side,Cards,Mixed,Score\n1,We,340,1,640\n1,They,90,1,290\n",
        '[CGN "1"]\n\ndeal 1\nscore NS 640 = cards 340 mixed 300\n'
        "score EW 290 = cards 90 mixed 300\n",
        "Mixed = mixed (a number)",
    ),
    "another separator": (
        b"sep=|\r\ndeal|NS total|EW total\r\n1|1245|-35\r\n2|1275|675\r\n",
        TOTALS,
        "deal",
    ),
    "commas in titles above a header with semicolons": (
        b"Club, Thursday, 2026\nRound;We total;They total\n1;1245;-35\n2;1275;675\n",
        TOTALS,
        "header in row 2",
    ),
    "figures of many kinds": (
        "deal;NS score;EW score\n1;1'245;(35,00)\n2;+30;710,00\n".replace(
            "7 1 0", "710,00"
        ).encode(),
        SCORES,
        "",
    ),
    "nothing": (
        "deal;NS score;EW score;NS total\n1;1245;-35;-\n2;30;710;\u2013\n".encode(),
        SCORES,
        "",
    ),
    "the last totals again": (
        b"Round,We,They\n1,1245,-35\n2,1275,675\nTotal,1275,675\n",
        TOTALS,
        "(totals); totals, because the sums agree; sums in row 4",
    ),
    "sums of two games": (
        b"game,deal,side,score\n1,1,NS,500\n1,Total,NS,500\n2,1,NS,300\n2,Total,NS,310\n,Total,,810\n",
        '[CGN "1"]\n\ndeal 1\nscore NS 500\ntotal NS 500\n\n'
        '[CGN "1"]\n\ndeal 1\nscore NS 300\ntotal NS 310\n',
        "2 games, columns game, deal, side, score; sums in row 3, 5, 6",
    ),
    "a sum without a header above it": (
        b";We;They\n;1245;-35\n;30;710\nSum;1275;675\n",
        SUMMED,
        "(scores); scores, because the sums agree; sums in row 4",
    ),
    "rows that wait for the next deals": (
        b"deal,NS total,EW total\n1,1245,-35\n2,1275,675\n3,,\n4,,\n",
        TOTALS,
        "",
    ),
    "wide, German, a deal and side a row, yes and no": (
        b"Runde;Seite;Meldungen;Echte;Rote Dreier;Ausgemacht;Handkarten;Punkte\n"
        b"1;Wir;445;500;200;ja;;1.245\n1;Ihr;;;;nein;-35;-35\n",
        ITEMS,
        "Rote Dreier = red3, Ausgemacht = out, Handkarten = hand, Punkte = score",
    ),
    "yes and no beside a score": (
        b"deal,side,score,out\n1,NS,1245,yes\n1,EW,-35,no\n2,NS,30,no\n2,EW,710,yes\n",
        SCORES,
        "columns left out: out",
    ),
    "long, Spanish": (
        b"Partida;Ronda;Pareja;Concepto;Puntos\nmayo;1;Nosotros;puntos;1245\n"
        b"mayo;1;Ellos;Puntos;-35\nmayo;2;Nosotros;puntos;30\nmayo;2;Ellos;puntos;710\n",
        SCORES,
        "Partida = game, Ronda = deal, Pareja = side, Concepto = item, Puntos = claimed",
    ),
    "dealers by name": (
        b"Manche;Donneur;Nous;Eux\n1;Nord;5;10\n",
        '[CGN "1"]\n\ndeal 1 dealer N\ntotal NS 5 EW 10\n',
        "Donneur = dealer",
    ),
    "Dutch, with a row and a column of sums": (
        b"Ronde;Wij;Zij;Totaal\n1e;1.245;-35;1.210\n2e ronde;30;710;740\nTotaal;1.275;675;1.950\n",
        SUMMED,
        "Ronde = deal, Wij = NS, Zij = EW (scores); scores, because the sums agree; "
        "sums in row 4; columns left out: Totaal",
    ),
    "Dutch, an apostrophe as phones write it": (
        "Ronde,Kant,Kaarten,Zuivere canasta\u2019s,Rode drie\u00ebn,Uit,Handkaarten,Punten\n"
        "1,Wij,445,1,2,ja,0,1245\n1,Zij,0,0,0,nee,35,-35\n".encode(),
        ITEMS.replace("melds", "cards"),
        "canasta\u2019s = natural (a number)",
    ),
    "names of columns as programs write them": (
        b"RoundNumber,TeamName,MeldPoints,NaturalCanastaCount,redThreeCount,WentOut,Left_in_hand,"
        b"Score\n1,We,445,1,2,true,0,1245\n1,They,0,0,0,false,35,-35\n",
        ITEMS,
        "RoundNumber = deal, TeamName = side, MeldPoints = melds, "
        "NaturalCanastaCount = natural (a number), redThreeCount = red3 (a number)",
    ),
    "names of columns as programs write them, with their sides": (
        b"DealNo,Team1Score,EWScore\n1,1245,-35\n2,30,710\n",
        SCORES,
        "Team1Score = NS score, EWScore = EW score",
    ),
    "words for numbers": (
        b"Ronde;Kant;Gemeld;Aantal zuivere canasta's;Anzahl rote Dreier;Number of went out;Hand;"
        b"Punten\n1;Wij;445;1;2;1;0;1245\n1;Zij;0;0;0;0;35;-35\n",
        ITEMS,
        "Number of went out = out (a number)",
    ),
    "deals in any order, and their sums": (
        b",We,They\nIII,5,10\nI,1245,-35\nII,30,710\n,1280,685\n",
        SUMMED.replace("total NS 1275 EW 675", "\ndeal 3\nscore NS 5\nscore EW 10\n")
        .replace("\n\n\n", "\n\n")
        .rstrip("\n")
        + "\ntotal NS 1280 EW 685\n",
        "because the sums agree; the deals stand in the order 3, 1, 2; sums in row 5",
    ),
    "deals in any order as columns": (
        b",2,1\nWe total,1275,1245\nThey total,675,-35\n",
        TOTALS,
        "deals are columns; the last deal is above the first",
    ),
    "deals in any order, of two games": (
        b"Game,Deal,We score,They score\nA,1,1245,-35\n,2,30,710\nB,2,30,710\n,1,1245,-35\n",
        SCORES + "\n" + SCORES,
        "2 games",
    ),
    "deals in any order, with a row for each side": (
        b"Deal,Team,Score,Total\n2,We,30,1275\n,They,710,675\n1,We,1245,1245\n,They,-35,-35\n",
        SUMMED.replace("EW -35\n", "EW -35\ntotal NS 1245 EW -35\n", 1),
        "the last deal is above the first",
    ),
    "a row for each side, without numbers of deals": (
        b"Team,Points\nWe,1245\nThey,-35\nThey,710\nWe,30\n",
        SCORES,
        "columns Team = side, Points = score",
    ),
    "items of a single deal": (
        b"Team,Item,Points\nWe,melds,445\nWe,natural,500\nWe,red3,200\nWe,out,100\nThey,hand,-35\n",
        ITEMS,
        "Item, Points = claimed",
    ),
    "empty cells that a row of sums shows to be no points": (
        b"Deal,We,They\n1,1245,\n2,-,710\nSum,1245,710\n",
        SUMMED.replace("EW -35", "EW 0")
        .replace("NS 30", "NS 0")
        .replace("NS 1275 EW 675", "NS 1245 EW 710"),
        "empty cells are 0, because the totals agree: NS in deal 2, EW in deal 1",
    ),
    "empty cells that totals show to be no points": (
        b"Team,Score,Total\nWe,1245,1245\nThey,,0\nWe,30,1275\nThey,710,710\n",
        SUMMED.replace("EW -35\n", "EW 0\ntotal NS 1245 EW 0\n", 1).replace("EW 675", "EW 710"),
        "empty cells are 0, because the totals agree: EW in deal 1",
    ),
    "empty cells of unknown points": (
        b"Deal,We score,They score\n1,1245,\n2,30,710\n",
        SCORES.replace("score EW -35\n", ""),
        "empty cells claim nothing; write 0 for no points: EW in deal 1",
    ),
    "empty cells whose points the sum hides": (
        b"Deal,We score,They score\n1,1245,\n2,30,710\nSum,1275,675\n",
        SUMMED.replace("score EW -35\n", ""),
        "empty cells claim nothing; write 0 for no points: EW in deal 1",
    ),
    "pairs of unknown players, and an unknown dealer": (
        b"Deal,Dealer,? + ?,? + Bo\n1,?,1245,-35\n2,Bo,30,710\nSum,,1275,675\n",
        SUMMED.replace('"1"]\n', '"1"]\n[N "?"]\n[E "?"]\n[S "?"]\n[W "Bo"]\n', 1).replace(
            "deal 2", "deal 2 dealer W"
        ),
        "? + ? = NS, ? + Bo = EW",
    ),
    "four unknown players": (
        b"Deal,? + ? score,? + ? score\n1,1245,-35\n2,30,710\n",
        SCORES.replace('"1"]\n', '"1"]\n[N "?"]\n[E "?"]\n[S "?"]\n[W "?"]\n', 1),
        "players ? = N, ? = S, ? = E, ? = W",
    ),
    "last names first": (
        b'Deal,Dealer,"Smith, Ann + Jones, Cy","Brown, Bob and White, Di"\n'
        b"1,Ann,1245,-35\n2,Bob,30,710\nSum,,1275,675\n",
        SUMMED.replace(
            '"1"]\n',
            '"1"]\n[N "Smith, Ann"]\n[E "Brown, Bob"]\n[S "Jones, Cy"]\n[W "White, Di"]\n',
            1,
        )
        .replace("deal 1", "deal 1 dealer N")
        .replace("deal 2", "deal 2 dealer E"),
        "players Smith, Ann = N, Jones, Cy = S, Brown, Bob = E, White, Di = W",
    ),
    "a last name first, beside a name that is certainly of one player": (
        b'Deal,"Smith, Ann",Bob\n1,1245,-35\n2,30,710\nSum,1275,675\n',
        SUMMED.replace("NS", "N")
        .replace("EW", "S")
        .replace('"1"]\n', '"1"]\n[Rules "classic-2p"]\n[N "Smith, Ann"]\n[S "Bob"]\n', 1),
        "rules classic-2p",
    ),
    "Roman numerals": (
        b"Round,We score,They score\nI,1245,-35\nII,30,710\nIII,,\n",
        SCORES,
        "columns Round = deal",
    ),
    "Roman numerals with words, and a deal without figures": (
        "Runde;Wir Punkte;Ihr Punkte\nRunde \u2160;1245;-35\nii.;;\nIII. Runde;30;710\n".encode(),
        SCORES.replace("deal 2", "deal 2\n\ndeal 3"),
        "Runde = deal",
    ),
    "deals with Roman numerals as columns": (
        b",I,II\nWe score,1245,30\nThey score,-35,710\n",
        SCORES,
        "deals are columns",
    ),
    "seats in capitals, with marks between": (
        "RUNDE;Nord/Süd;OST-WEST (PUNKTE)\n1;5;10\n".encode(),
        '[CGN "1"]\n\ndeal 1\nscore NS 5\nscore EW 10\n',
        "Nord/Süd = NS, OST-WEST (PUNKTE) = EW score",
    ),
}

#: A sheet, and why it is refused.
REFUSED: dict[str, tuple[bytes, str]] = {
    "places of the sides": (
        b"Place,Team,Points\n1,Ana & Carla,5120\n2,Bert & Dora,3385\n",
        "there is no column `deal`",
    ),
    "places of the sides under an unknown name": (
        b"Winners,Team,Points\n1,Ana & Carla,5120\n2,Bert & Dora,3385\n",
        "not a column of a score sheet: 'Winners'",
    ),
    "points in a column of numbers": (
        b"Deal,Side,Melds,NaturalCanastaCount\n1,NS,90,500\n",
        "'NaturalCanastaCount' is a number of natural by its name, but 500 cannot be",
    ),
    "a number of what has no points of its own": (
        b"Deal,Side,MeldCount,Score\n1,NS,3,500\n",
        "not a column of a score sheet: 'MeldCount'",
    ),
    "an unknown name among items below each other": (
        b"Round 1,We,They\nClean books,1,1\nDirty books,7,6\nCard count,980,915\n"
        b"Hand and foot,160,150\nTotal,3420,3065\n",
        "row 1: not a column of a score sheet: 'Card count' (use --columns",
    ),
    "a row without a name among items below each other": (
        b"Round 1,We,They\nClean books,1,1\nDirty books,7,6\nMelds,980,915\n,3420,3065\n",
        "row 1: not a column of a score sheet: 'row 5' (use --columns",
    ),
    "red alone": (
        b"Deal,Side,Melds,Red,Score\n1,NS,90,1,590\n1,EW,90,1,590\n",
        "not a column of a score sheet: 'Red'",
    ),
    "a total of no side": (
        b"Deal,We,They,Total\n1,500,300,700\n",
        "row 1: 'Total' names no side, such as `NS total`",
    ),
    "the end of a game above another": (
        b"Deal,We score,They score\n3,5,5\n4,5,5\n1,5,5\n2,5,5\n",
        "row 1: the deals stand in the order 3, 4, 1, 2: are they of one game?",
    ),
    "a deal of another day above a game": (
        b"Date,Deal,We score,They score\n2026-05-01,3,5,5\n2026-05-08,1,5,5\n2026-05-08,2,5,5\n",
        "in the order 3, 1, 2: are they of one game?",
    ),
    "deals that are missing, in any order": (
        b"Deal,We score,They score\n4,5,5\n1,5,5\n2,5,5\n",
        "in the order 4, 1, 2: are they of one game?",
    ),
    "games with deals in the same strange order": (
        b"Deal,We score,They score\n3,5,5\n1,5,5\n2,5,5\n3,5,5\n1,5,5\n2,5,5\n",
        "in the order 3, 1, 2, 3, 1, 2: are they of one game?",
    ),
    "totals in the order of the rows": (
        b"Deal,We score,We total\n3,5,5\n1,10,15\n2,20,35\n",
        "in the order 3, 1, 2; if they are of one game, the total of NS after deal 1 is not 10",
    ),
    "totals that fall too far in the order of the numbers": (
        b"Deal,We total\n1,5\n3,9000\n2,5000\n",
        "in the order 1, 3, 2; if they are of one game, deal 3 came after a side had 5000",
    ),
    "sums between deals in any order": (
        b"Deal,We,They\n3,400,900\nSum,400,900\n1,500,300\n2,5,5\n",
        "row 4, column 2 (We): '500' is of deal 1, below the sums of deal 3",
    ),
    "sums above several games": (
        b"Sum,15,15\nDeal,We score,They score\n2,5,5\n1,10,10\nSum,7,7\n2,3,3\n1,4,4\n",
        "row 1: these sums stand above several games",
    ),
    "numbers of deals that are no names": (
        b",Deal 4,Deal 5\nWe,400,500\nThey,900,300\nSum,1300,800\n",
        "not a column of a score sheet: 'Deal 4', 'Deal 5'",
    ),
    "a comma that joins two partners or two names of a player": (
        b'Deal,"Smith, Ann","Brown, Bob"\n1,1245,-35\n2,30,710\nSum,1275,675\n',
        "row 1: how many players are 'Smith, Ann'? Write `+` between partners, or add "
        "--rules 'classic' for sides of 2 or --rules 'classic-2p' for sides of 1",
    ),
    "two or three players": (
        b'Deal,Team,Score\n1,"Smith, Ann + Cy",1245\n1,"Brown, Bob + Di",-35\n',
        "or --rules 'classic-6p' for sides of 3",
    ),
    "results of a game": (
        b"Team,Points\nWe,5200\nThey,3900\n",
        "row 1: there is no column `deal`, and these may be results of games, which are not deals",
    ),
    "results of two games": (
        b"Team,Points\nWe,5200\nThey,3900\nWe,100\nThey,5000\n",
        "may be results of games",
    ),
    "results below a title": (
        b"Final score,\nTeam,Points\nWe,1200\nThey,900\n",
        "row 2: there is no column `deal`, and these may be results of games",
    ),
    "totals of a game": (b"Team,Total\nWe,1200\nThey,900\n", "may be results of games"),
    "results by date": (
        b"Date,Team,Points\n2026-05-01,We,5\n2026-05-01,They,9\n2026-05-08,We,5\n2026-05-08,They,3\n",
        "each row has a date of its own (Date)",
    ),
    "deals of one side, then of the other, without numbers": (
        b"Team,Points\nWe,5\nWe,10\nThey,15\nThey,20\n",
        "so each deal needs a row of each side (NS, EW), one deal after the other",
    ),
    "a row of a side that is missing": (
        b"Team,Points\nWe,5\nThey,10\nThey,15\nWe,20\nThey,25\n",
        "so each deal needs a row of each side (NS, EW)",
    ),
    "unknown players in rows": (
        b"Deal,Team,Points\n1,?,500\n1,?,300\n",
        "row 2, column 2 (Team): '?' is not a side",
    ),
    "a fraction with a comma": (
        b"Runde;Wir;Ihr\n1;1,5;20\n",
        "row 2, column 2 (Wir): '1,5' is not a whole number",
    ),
    "a fraction with zeros to spare": (b"deal;NS;EW\n1;12,50;20\n", "'12,50' is not a whole"),
    "two marks of one kind": (b"deal;NS;EW\n1;1.245.00;20\n", "'1.245.00' is not a whole"),
    "groups of another size": (b"deal;NS;EW\n1;12,45;20\n", "'12,45' is not a whole"),
    "thousands that begin with 0": (b"deal;NS;EW\n1;0,245;20\n", "'0,245' is not a whole"),
    "two signs": (b"deal;NS;EW\n1;(-35);20\n", "'(-35)' is not a whole"),
    "an error of the spreadsheet": (b"deal;NS;EW\n1;#REF!;20\n", "'#REF!' is not a whole"),
    "yes for a score": (b"deal;NS;EW\n1;ja;20\n", "'ja' is not a whole"),
    "a word with two meanings": (b"Spiel;Wir;Ihr\n1;5;10\n", "not a column of a score sheet: 'S"),
    "a figure below no header": (b"deal;NS;EW;\n1;5;10;7\n", "row 2, column 4: '7' has no header"),
    "a false sum": (b"deal;NS score\n1;5\nSum;five\n", "row 3, column 2 (NS score): 'five' is not"),
    "another encoding": (
        "deal;NS\n1;5\n\x81\x8d\x8f".encode("latin-1"),
        "nor text in a known encoding",
    ),
    "a cell without an end": (
        b"deal;NS\n1;5" + b"5" * 200_000,
        "row 2: a cell has more than 131,072",
    ),
    "a workbook cut short": (b"PK\x03\x04 and no more", "this workbook cannot be read"),
}


def convert(data: bytes, folder: Path, *more: str) -> Result:
    (folder / "sheet.csv").write_bytes(data)
    return canasta("convert", folder / "sheet.csv", *more)


@pytest.mark.parametrize("name", READ)
def test_sheets_that_are_read(name: str, tmp_path: Path) -> None:
    data, record, understood = READ[name]
    result = convert(data, tmp_path)
    assert result.stdout == record, result.stderr
    assert result.exit_code == 0
    assert understood in result.stderr
    assert result.stderr.startswith(f"{tmp_path / 'sheet.csv'}: ")


@pytest.mark.parametrize("name", REFUSED)
def test_sheets_that_are_refused(name: str, tmp_path: Path) -> None:
    data, why = REFUSED[name]
    result = convert(data, tmp_path, "-o", str(tmp_path / "out.canasta"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr
    assert not (tmp_path / "out.canasta").exists()


# --- sheets of clubs for Hand and Foot ------------------------------------------------------------

#: Two deals: clean books, dirty books, going out, cards on the table and left, score and total of
#: each side.
BOOKS = [
    [(1, 7, 0, 980, -160, 3420, 3420), (1, 6, 100, 915, -150, 3165, 3165)],
    [(2, 6, 0, 925, -265, 3460, 6880), (3, 6, 100, 900, -10, 4290, 7455)],
]
BOOKED = """\
[CGN "1"]
[Rules "hand-and-foot"]

deal 1
score NS 3420 = natural 500 mixed 2100 melds 980 hand -160
score EW 3165 = natural 500 mixed 1800 out 100 melds 915 hand -150
total NS 3420 EW 3165

deal 2
score NS 3460 = natural 1000 mixed 1800 melds 925 hand -265
score EW 4290 = natural 1500 mixed 1800 out 100 melds 900 hand -10
total NS 6880 EW 7455
"""
#: The words of such sheets: a deal, two sides, and the names of the figures.
CLUBS = {
    "clean": "Round,We,They,Clean books (500),Dirty books (300),Going out 100,Cards on table,"
    "Hand and foot,Round total,Running total",
    "red": "Round,We,They,Red books x 500,Black books x 300,Went out,Points on table,Foot,"
    "Round score,Total",
    "colours": "Round,We,They,Red,Black,Went out,Laid down,Cards in hand,Deal total,Total",
    "sauber": "Runde,Wir,Ihr,Saubere Bücher,Schmutzige Bücher,Ausgemacht,Auf dem Tisch,"
    "Hand und Fuß,Rundenpunkte,Gesamt",
    "rot": "Runde,Wir,Ihr,Rot,Schwarz,Ausgemacht,Ausgelegt,Fuß,Rundensumme,Gesamt",
    "limpio": "Ronda,Nosotros,Ellos,Libros limpios,Libros sucios,Cierre,En la mesa,Mano y pie,"
    "Total de la ronda,Total acumulado",
    "rojo": "Ronda,Nosotros,Ellos,Rojas,Negras,Salida,Bajado,Pie,Puntos de la ronda,Acumulado",
}


def _below(deal: str, sides: list[str], figures: list[str]) -> list[list[object]]:
    """Return a sheet with a block for each deal, one below the other."""
    rows: list[list[object]] = [["Hand & Foot"]]
    for number, scores in enumerate(BOOKS, 1):
        rows.append([f"{deal} {number}", *sides])
        rows += [[name, *held] for name, *held in zip(figures, *scores, strict=True)]
    return rows


def _beside(deal: str, sides: list[str], figures: list[str]) -> list[list[object]]:
    """Return a sheet with the deals beside each other, and the sides below each of them."""
    rows: list[list[object]] = [["", f"{deal} 1", "", f"{deal} 2", ""], ["", *sides, *sides]]
    held = zip(figures, *(each for scores in BOOKS for each in scores), strict=True)
    return [*rows, *map(list, held)]


def _across(deal: str, sides: list[str], figures: list[str]) -> list[list[object]]:
    """Return a sheet with a row for each deal."""
    names = [f"{side} {name}" for side in sides for name in figures]
    rows = [[number, *first, *second] for number, (first, second) in enumerate(BOOKS, 1)]
    return [[deal, *names], *rows]


@pytest.mark.parametrize("layout", [_below, _beside, _across], ids=lambda each: each.__name__)
@pytest.mark.parametrize("words_of", CLUBS)
def test_sheets_of_clubs_count_books(
    layout: Callable[[str, list[str], list[str]], list[list[object]]],
    words_of: str,
    tmp_path: Path,
) -> None:
    deal, we, they, *figures = CLUBS[words_of].split(",")
    lines = [",".join(map(str, row)) for row in layout(deal, [we, they], figures)]
    result = convert("\n".join(lines).encode(), tmp_path, "--rules", "hand-and-foot")
    assert result.stdout == BOOKED, result.stderr


@pytest.mark.parametrize(
    "names",
    [
        "Deal,Side,Natural,Mixed,Sevens,Wild,Red threes,Melds,Hand,Score",
        "Deal,Side,Clean,Dirty,Sevens (1500),Wild canastas (1000),Red threes,Melds,Foot,Score",
        "Runde,Seite,Echte,Gemischte,Siebenen,Wilde Canastas,Rote Dreier,Auslage,Fuß,Punkte",
        "Mano,Bando,Limpias,Sucias,Sietes,Comodines,Tres rojos,Bajado,Pie,Puntos",
    ],
)
def test_sheets_of_pennies_count_canastas_of_each_kind(names: str, tmp_path: Path) -> None:
    rows = f"{names}\n1,ACE,4,4,1,0,4,795,-130,5765\n1,BDF,6,1,1,2,4,1025,-150,8075\n"
    result = convert(rows.encode(), tmp_path, "--rules", "pennies")
    assert (
        "score ACE 5765 = natural 2000 mixed 1200 sevens 1500 red3 400 melds 795 hand -130\n"
        "score BDF 8075 = natural 3000 mixed 300 sevens 1500 wild 2000 red3 400 melds 1025 "
        "hand -150\n"
    ) in result.stdout, result.stderr


# --- files of LibreOffice -----------------------------------------------------------------------

EVENING = """\
[CGN "1"]

deal 1
score NS 1245
score EW -85

deal 2
score NS 30
score EW 710
total NS 1275 EW 625
"""
JUNE = '\n[CGN "1"]\n\ndeal 1\nscore NS 500\nscore EW 300\n'


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("abend-windows-1252.csv", EVENING),
        ("evening-utf16.csv", EVENING),
        ("evening.ods", EVENING + JUNE),
        ("evening.xlsx", EVENING + JUNE),
    ],
)
def test_files_of_a_spreadsheet_program(name: str, record: str) -> None:
    pytest.importorskip("python_calamine")
    result = canasta("convert", SHEETS / name)
    assert (result.exit_code, result.stdout) == (0, record)
    if record != EVENING:
        assert "evening" in result.stderr
        assert (
            "2 games, columns Round = deal, We = NS, They = EW (scores); scores, because the su"
            in result.stderr
        )
        assert "sheets left out, because their columns are not known: Notes" in result.stderr


def test_a_number_with_a_fraction_is_not_taken_for_thousands() -> None:
    pytest.importorskip("python_calamine")
    result = canasta("convert", SHEETS / "fraction.xlsx")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "sheet 'May': row 4, column 3 (They): '1.245000' is not a whole" in result.stderr


def test_a_workbook_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    for command in ("convert", "audit"):
        result = canasta(command, SHEETS / "evening.ods")
        assert result.exit_code == 2
        assert "this needs python-calamine; run " in result.stderr
        assert "[sheets]" in result.stderr


@pytest.mark.parametrize("name", ["evening.ods", "evening.xlsx"])
def test_any_workbook_is_read_or_refused(name: str, tmp_path: Path) -> None:
    """Workbooks with bytes changed at random, packed and unpacked, are read or refused in words."""
    pytest.importorskip("python_calamine")
    rng = random.Random(5)
    with zipfile.ZipFile(SHEETS / name) as whole:
        parts = {each: whole.read(each) for each in whole.namelist()}
    for at in range(60):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as changed:
            for part, content in parts.items():
                changed.writestr(part, shuffled(content, rng) if at % 2 else content)
        result = convert(
            packed.getvalue() if at % 2 else shuffled(packed.getvalue(), rng), tmp_path
        )
        assert result.exit_code in (0, 2), result.output
        assert "internal error" not in result.stderr


#: A cell of a workbook, and the same far away from all others.
FAR = {
    "evening.xlsx": (rb'r="A1"', rb'r="XFD1048576"'),
    "evening.ods": (
        rb"<table:table-row ([^>]*><table:table-cell)( office:value)",
        rb'<table:table-row table:number-rows-repeated="1000000" '
        rb'\1 table:number-columns-repeated="16000"\2',
    ),
}


@pytest.mark.parametrize("name", FAR)
def test_cells_far_apart_are_refused(name: str, tmp_path: Path) -> None:
    """The library would end the process because there is not enough memory."""
    pytest.importorskip("python_calamine")
    path = tmp_path / name
    with zipfile.ZipFile(SHEETS / name) as whole, zipfile.ZipFile(path, "w") as changed:
        for part in whole.namelist():
            changed.writestr(part, re.sub(*FAR[name], whole.read(part), count=1))
    result = canasta("convert", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a sheet of this workbook has cells too far apart" in result.stderr


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/_rels/workbook.xml.rels"])
@pytest.mark.parametrize("encoding", [b"none-such", b"rot13", b"utf-32"])
def test_a_workbook_in_an_unknown_encoding(part: str, encoding: bytes, tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(SHEETS / "evening.xlsx") as whole, zipfile.ZipFile(path, "w") as changed:
        for each in whole.namelist():
            wanted = encoding if each == part else b"UTF-8"
            changed.writestr(each, whole.read(each).replace(b"UTF-8", wanted, 1))
    result = canasta("convert", path)
    assert result.exit_code in (0, 2), result.output
    assert "internal error" not in result.stderr


def shuffled(content: bytes, rng: random.Random) -> bytes:
    """Return bytes, after the first four, with a few of them changed or cut out."""
    some = bytearray(content)
    for _ in range(rng.randint(0, 4)):
        if len(some) > 50:
            at = rng.randrange(4, len(some) - 40)
            some[at : at + rng.choice([1, 1, 30])] = rng.choice([b"", b"7", b"<", b"\xff"])
    return bytes(some)


# --- sheets as people keep them -----------------------------------------------------------------

TRUTH = json.loads((SHEETS / "truth.json").read_text("utf-8"))
#: What to change in the map that `--guess` writes for a sheet that is refused.
EDITS = {
    "a-column-of-chips.csv": [],
    "ambos-pueden-ser.csv": [('"?"', '"total"')],
    "counts-that-no-rule-has.csv": [],
    "no-header.csv": [],
    "points-without-a-last-row.csv": [('"?"', '"deal"')],
}


def points_of_games(games: list[Game]) -> list[list[list[int]]]:
    """Return the points of each side in each deal, from scores, or else from totals."""
    found = []
    for game in games:
        deals, before = [], {}
        for deal in game.deals:
            totals = dict(deal.total.totals) if deal.total else {}
            scores = {line.side: line.score for line in deal.scores}
            of_totals = {side: total - before.get(side, 0) for side, total in totals.items()}
            deals.append([*(scores or of_totals).values()])
            before = totals or before
        found.append(deals)
    return found


@pytest.mark.parametrize("name", TRUTH)
def test_sheets_as_people_keep_them(name: str) -> None:
    if name.endswith(".xlsx"):
        pytest.importorskip("python_calamine")
    truth = TRUTH[name]
    result = canasta("convert", SHEETS / name)
    if "refused" in truth:
        assert (result.exit_code, result.stdout) == (2, "")
        assert truth["refused"] in result.stderr
        return
    assert result.exit_code == 0, result.stderr
    games = [reading.game for reading in read_text(result.stdout)]
    assert points_of_games(games) == truth["games"]
    for at, day in enumerate(truth.get("dates", [])):
        assert (tag := games[at].tag("Date")) and tag.value == day
    for seat, player in truth.get("tags", {}).items():
        assert (tag := games[0].tag(seat)) and tag.value == player


def test_most_sheets_are_read_at_once() -> None:
    assert len(TRUTH) >= 40
    assert sum("games" in each for each in TRUTH.values()) >= 30


@pytest.mark.parametrize("name", EDITS)
def test_a_guessed_map_needs_two_edits_at_most(name: str, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    refused = canasta("convert", SHEETS / name)
    assert f"canasta convert {quote(str(SHEETS / name))} --guess MAP.toml" in refused.stderr
    assert canasta("convert", SHEETS / name, "--guess", path).exit_code == 0
    text = path.read_text()
    if EDITS[name]:
        assert (
            'write "deal" for the points'
            in canasta("audit", SHEETS / name, "--columns", path).stderr
        )
    for old, new in EDITS[name]:
        text = text.replace(old, new, 1)
    path.write_text(text)
    assert canasta("convert", SHEETS / name, "--columns", path).exit_code == 0
    assert canasta("validate", SHEETS / name, "--columns", path).exit_code in (0, 1)
    again = canasta("convert", SHEETS / name, "--guess", path)
    assert (again.exit_code, path.read_text()) == (2, text)


def test_the_map_of_the_real_score_sheets_needs_no_edit(tmp_path: Path) -> None:
    sheet, path = ROOT / "tests" / "recorded" / "score-sheets.csv", tmp_path / "map.toml"
    assert "not a column of a score sheet" in canasta("convert", sheet).stderr
    assert canasta("convert", sheet, "--guess", path).exit_code == 0
    with (ROOT / "tests" / "recorded" / "score-sheets.toml").open("rb") as stream:
        wanted = tomllib.load(stream)
    assert tomllib.loads(path.read_text()) == {key: wanted[key] for key in wanted if key != "tags"}


def test_a_guessed_map_has_the_players(tmp_path: Path) -> None:
    sheet, path = b"Deal,Ana + Cyd points,Bert + Dora points\n1,5,10\n", tmp_path / "map.toml"
    record = convert(sheet, tmp_path).stdout
    assert canasta("convert", tmp_path / "sheet.csv", "--guess", path).exit_code == 0
    assert convert(sheet, tmp_path, "--columns", str(path)).stdout == record


def test_the_rules_say_how_many_players_a_comma_joins(tmp_path: Path) -> None:
    sheet = b'Deal,"Smith, Ann","Brown, Bob"\n1,5,10\n'
    pairs = convert(sheet, tmp_path, "--rules", "classic").stdout
    assert '[N "Smith"]' in pairs and '[S "Ann"]' in pairs
    alone = convert(sheet, tmp_path, "--rules", "classic-2p").stdout
    assert '[N "Smith, Ann"]' in alone and '[S "Brown, Bob"]' in alone
    path = tmp_path / "map.toml"
    assert canasta("convert", tmp_path / "sheet.csv", "--guess", path).exit_code == 0
    assert '"Ann"' not in path.read_text()


def test_a_person_can_say_that_the_deals_are_of_one_game(tmp_path: Path) -> None:
    sheet, path = b"Deal,We score\n3,5\n4,10\n1,15\n2,20\n", tmp_path / "map.toml"
    assert convert(sheet, tmp_path).exit_code == 2
    assert canasta("convert", tmp_path / "sheet.csv", "--guess", path).exit_code == 0
    path.write_text(path.read_text().replace('rows = "?"', 'rows = "deal"'))
    result = convert(sheet, tmp_path, "--columns", str(path))
    assert points_of_games([each.game for each in read_text(result.stdout)]) == [
        [[15], [20], [5], [10]]
    ]


def test_an_unclear_sheet_is_read_as_the_person_says(tmp_path: Path) -> None:
    sheet = b"Round,We,They\n1,300,450\n2,700,800\n"
    asked = convert(sheet, tmp_path)
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert (
        "as points of a deal, the result is NS 1000 EW 1250; as running totals, the re"
        in asked.stderr
    )
    assert "score NS 700" in convert(sheet, tmp_path, "--points", "deal").stdout
    assert "total NS 700 EW 800" in convert(sheet, tmp_path, "--points", "total").stdout


@pytest.mark.parametrize(
    ("sheet", "reading"),
    [
        ("Round,We,They\n1,300,450\n2,700,800\nTotal,700,800\n", "total"),
        ("Round,We,They\n1,300,450\n2,700,800\nTotal,1000,1250\n", "deal"),
        ("Round,We,They\n1,300,450\n2,700,800\nTotal,1000,1200\n", "deal"),
        ("Round,We,They\n1,300,450\n2,700,800\nTotal,900,900\n", None),
        ("Round,We,They\n1,300,450\n2,700,800\n,1000,1250\n", "deal"),
        ("Round,We pts,They pts,Difference\n1,300,450,150\n2,700,800,100\n", "deal"),
        ("Round,We pts,They pts\n1,300,450\n2,700,800\n", "deal"),
        (",Points,,Total,\nRound,We,They,We,They\n1,9,5,9,5\n2,6,5,15,10\n", "deal"),
        ("Round,We,They,,Round,We,They\n1,9,5,,1,9,5\n2,5,5,,2,14,10\n", None),
        ("Running totals\nRound,We,They\n1,300,450\n2,700,800\n", "total"),
        ("Points\nRound,We,They\n1,300,450\n2,700,800\n", None),
        ("Points per deal\nRound,We,They\n1,300,450\n2,700,800\n", "deal"),
        ("Round,We total,They total\n1,300,450\n2,700,800\nSum,1000,1250\n", None),
        ("Round,We score,They score\n1,900,0\n2,2900,5\n3,4000,10\n4,5500,10\n", None),
        ("Round,We,They\n1,300,4500\n2,700,450\n", "deal"),
        ("Round,We,They\n1,300,4500\n2,700,600\n", None),
        ("Round,We,They\n1,3,4\n2,7,8\n", None),
        ("Round,We,They\n1,3000,4\n2,2500,8\n3,2600,8\n4,2000,8\n", None),
    ],
)
def test_witnesses_for_points_and_totals(sheet: str, reading: str | None, tmp_path: Path) -> None:
    result = convert(sheet.encode(), tmp_path)
    assert result.exit_code == (2 if reading is None else 0), result.output
    if reading:
        assert ("score" in result.stdout) == (reading == "deal")


@pytest.mark.parametrize(
    ("sheet", "better"),
    [
        (
            "Round,We,They\n1,5000,5\n2,-700,9000\n3,400,900\n",
            "the figures fit better as points of a deal: as points of a deal, 3 things are wrong "
            "(deal 2 came after a side had 5000, and the target is 5000) and as running totals, 5 "
            "things are wrong (deal 2 came after",
        ),
        (
            "Round,We,They\n1,3000,5\n2,2500,10\n3,2600,11\n4,2000,15\n",
            "the figures fit better as running totals: as points of a deal, ",
        ),
        (
            "Round,We,They\n1,300,450\n2,700,800\nTotal,990,1240\n",
            "the figures fit better as points of a deal, because the sums are nearer: as points of "
            "a deal, 2 things are wrong (the sum of NS below deal 2 is 990, not 1000) and as "
            "running totals, 2 things are wrong (the sum of NS below deal 2 is 990, not 700)",
        ),
        (
            "Round,We total,They total\n1,300,450\n2,700,800\nSum,1000,1250\n",
            "as points of a deal, 1 thing is wrong (the words of the sheet name the other reading)",
        ),
        (
            "Round,We score,They score\n1,900,0\n2,2900,5\n3,4000,10\n4,5500,10\n",
            "neither reading fits better: as points of a deal, 1 thing is wrong (deal 4 came",
        ),
        ("Round,We,They\n1,300,450\n2,700,800\n", None),
    ],
)
def test_if_something_contradicts_both_readings_the_better_one_is_named(
    sheet: str, better: str | None, tmp_path: Path
) -> None:
    result = convert(sheet.encode(), tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert (better or "say which with") in result.stderr
    assert ("better" in result.stderr) == (better is not None)


def test_a_total_of_items_is_no_running_total(tmp_path: Path) -> None:
    sheet = "deal,side,melds,out,total\n1,We,90,100,190\n2,We,60,0,"
    asked = convert(f"{sheet}60\n".encode(), tmp_path)
    assert (asked.exit_code, "the sheet contradicts itself" in asked.stderr) == (2, True)
    assert "total NS 250" in convert(f"{sheet}250\n".encode(), tmp_path).stdout


def test_counted_red_threes_count_against_a_side_if_only_so_they_add_up(tmp_path: Path) -> None:
    sheet = b"deal,side,melds,red threes,hand,score\n1,We,90,2,-5,285\n1,They,,1,-40,-140\n"
    shown = convert(sheet, tmp_path).stdout
    assert "score NS 285 = melds 90 red3 200 hand -5" in shown
    assert "score EW -140 = red3 -100 hand -40" in shown
    asked = convert(b"deal,side,melds,red threes,hand\n1,They,,1,-40\n", tmp_path)
    assert (asked.exit_code, "for it or against it?" in asked.stderr) == (2, True)


def test_the_target_of_the_map_counts(tmp_path: Path) -> None:
    sheet = b"Round,We,They\n1,2600,5\n2,3100,5\n3,4000,5\n4,4800,5\n"
    assert "total NS 4800" in convert(sheet, tmp_path).stdout
    (tmp_path / "map.toml").write_text('[tags]\nTarget = "15000"\n')
    assert convert(sheet, tmp_path, "--columns", str(tmp_path / "map.toml")).exit_code == 2


def test_sheets_drawn_at_random_are_never_read_falsely() -> None:
    """`python -m tests.drawn_sheets` draws more."""
    sheets = [draw_sheet(random.Random(f"suite {at}")) for at in range(150)]
    found = [(sheet.decided, outcome(sheet)) for sheet in sheets]
    assert {read for _, read in found} <= {"right", "asked"}
    decided = [read for one, read in found if one]
    assert decided.count("right") >= 0.95 * len(decided) > 50


# --- figures and words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("1245", 1245), ("1.245", 1245), ("1,245", 1245), ("1 245", 1245), ("1'245", 1245),
        ("1\u2019245", 1245), ("1\u202f245", 1245), ("1245,00", 1245), ("1.245,00", 1245),
        ("1,245.0", 1245), ("1.234.567", 1234567), ("(35)", -35), ("( 1.245 )", -1245),
        ("\u221235", -35), ("- 35", -35), ("+35", 35), ("0", 0), ("0,00", 0), ("10,00", 10),
        ("-", None), ("", None), (" \u2013 ", None),
    ],
)  # fmt: skip
def test_figures(said: str, points: int | None) -> None:
    assert points_of(said) == points


@pytest.mark.parametrize(
    "said", ["1,5", "1.5", "1,24", "1.2345", "1,245.5", "1.245,678", "1.245.00", "1,,245", "--5",
             "5-", "1e3", "12345678", "1.000.00,00", "½", "٣", "(5", "1245,000", "1 2 3"],
)  # fmt: skip
def test_what_is_no_figure(said: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number"):
        points_of(said)


def listed() -> list[tuple[str, str, str]]:
    """Return (language, meaning, word) of everything in the table."""
    text = (ROOT / "canasta_notation" / "foreign" / "spreadsheet_words.toml").read_text("utf-8")
    return [
        (language, meaning, word)
        for language, table in tomllib.loads(text).items()
        for meaning, named in table.items()
        for word in named
    ]


def test_no_word_has_two_meanings() -> None:
    """A cell and a column may share a word: `total` is a figure, and begins a row of sums."""
    cells = {"yes": "mark", "no": "mark", "sum": "sum", "count": "count"}
    seen: dict[tuple[str, str], str] = {}
    for _, meaning, word in listed():
        kind = cells.get(meaning, "column")
        assert seen.setdefault((kind, plain(word)), meaning) == meaning, word


def test_every_language_has_the_words_of_a_sheet() -> None:
    needed = {"game", "deal", "dealer", "side", "item", "melds", "natural", "mixed", "red3", "out"}
    needed |= {"concealed", "hand", "penalty", "cards", "score", "total", "we", "they", "sum"}
    needed |= {"yes", "no", "N", "E", "S", "W", "NS", "EW", "other"}
    for language in ("en", "de", "es", "fr", "pt", "it", "nl"):
        held = {meaning for each, meaning, _ in listed() if each == language}
        assert needed - held == set(), language


def test_every_name_of_the_notation_is_known() -> None:
    assert {words().columns[name] for name in FIGURES} == set(FIGURES)
    assert side_names(("N", "S"))["we"] == "N"
    assert "we" not in side_names(("N", "E", "S"))


def test_the_reference_lists_words_that_are_known() -> None:
    text = (ROOT / "grammar" / "README.md").read_text("utf-8")
    table = text.split("| column | English |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split("|") for line in table.splitlines()[2:]]
    assert len(rows) > 10
    known = {**words().columns, **words().sides}
    for name, *cells in rows:
        for cell in cells:
            meant = {known[plain(word)] for word in re.split(", ", cell.strip())}
            assert meant == {name.strip(" `")}, cell


# --- several at once ----------------------------------------------------------------------------


def test_audit_and_validate_read_sheets_directly(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.tsv"
    good.write_bytes(b"Runde;Wir Punkte;Wir Summe\n1;500;500\n2;30;540\n")
    bad.write_bytes(b"deal\tNS\n1\t1,5\n")
    for command in ("audit", "validate"):
        result = canasta(command, good, bad, ROOT / "samples" / "score-sheet-1.canasta")
        assert result.exit_code == 2
        assert f"{good}: 1 game, columns Runde = deal, Wir Punkte = NS score" in result.stderr
        assert f"canasta: {bad}: row 2, column 2 (NS): '1,5' is not a whole" in result.stderr
        assert "540" in result.stdout and "score-sheet-1" in result.stdout
        alone = canasta(command, good)
        assert (alone.exit_code, "540" in alone.stdout) == (1, True)
    both = canasta("validate", good, good, "--jobs", "2")
    assert "2 files, 2 games" in both.stdout
    by_two = canasta("validate", good, "--rules", "classic-2p")
    assert "Wir Punkte = N score" in by_two.stderr
    marked = canasta("validate", bad, "--format", "github").stdout
    assert "row 2, column 2 (NS)" in marked and "file=" in marked


def test_a_folder_of_sheets(tmp_path: Path) -> None:
    folder, out = tmp_path / "sheets", tmp_path / "out"
    (folder / "2026").mkdir(parents=True)
    (folder / "a.csv").write_bytes(b"deal,NS\n1,5\n")
    (folder / "2026" / "b.TSV").write_bytes(b"Runde\tWir\n1\t10\n")
    (folder / "~$b.xlsx").write_bytes(b"open in another program")
    result = canasta("convert", "--from", "csv", folder, "-o", out)
    assert result.exit_code == 0, result.stderr
    assert contents(out) == {
        "a.canasta": b'[CGN "1"]\n\ndeal 1\ntotal NS 5\n',
        "2026/b.canasta": b'[CGN "1"]\n\ndeal 1\ntotal NS 10\n',
    }
    assert "no records" in canasta("convert", folder, "-o", out).stderr


def test_a_folder_of_sheets_of_which_some_cannot_be_read(tmp_path: Path) -> None:
    folder, bad = tmp_path / "sheets", tmp_path / "sheets" / "b.csv"
    folder.mkdir()
    for name, cell in (("a.csv", "5"), ("b.csv", "1.5"), ("c.csv", "10")):
        (folder / name).write_text(f"deal,NS\n1,{cell}\n")
    call = ("convert", "--from", "csv", folder, "-o", tmp_path / "out")
    named = canasta(*call, "--anonymous")
    assert (named.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert "nothing is written, because --anonymous" in named.stderr
    result = canasta(*call)
    assert (result.exit_code, {*contents(tmp_path / "out")}) == (2, {"a.canasta", "c.canasta"})
    assert f"canasta: {bad}: row 2, column 2 (NS): '1.5' is not" in result.stderr
    assert result.stderr.endswith(f"\nnot written (1 of 3 files): {bad}\n")
    (folder / "d.xlsx").write_bytes(b"PK\x03\x04 and no more")
    assert "(2 of 4 files)" in canasta(*call).stderr
    assert canasta("convert", "--from", "csv", bad).stderr.count("written") == 0
