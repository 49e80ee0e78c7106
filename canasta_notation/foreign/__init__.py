"""The formats of other people: their score sheets, and what score apps export, read into games.

A sheet goes through one pipeline, a module for each step (`spreadsheet_` left out):

    file     the cells of a file: CSV in any usual spelling, `.xlsx`, `.ods`
    shape    the tables among the cells: where each begins and ends, turned or side by side
    columns  what each column may hold: a place such as the deal, or a figure of a side
    rows     the deals in the rows, and by `order` the games that they belong to
    choice   the readings that fit: points of a deal or running totals, as the sheet's own sums say
    form     the games, with every figure as a claim

`words` and its table are the vocabulary in several languages; `players` says whose a side is;
`counts` turns numbers of things into points; `map` is what a person says about a sheet, and `guess`
proposes it. `score_export` reads exports of apps, each described by a file in `score_apps`.

One rule decides: a reading is taken if it is the only one that the sheet's own sums agree with;
otherwise the person is asked. Nothing is judged here: what a sheet says becomes claims of a record.
"""
