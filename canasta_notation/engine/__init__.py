"""The engine: the table of a deal, the actions, the checks, the scores. No words, no files.

A `Table` (`table`) is plain state; functions change it and note violations. A broken rule goes into
`table.violations`; a check that the record cannot decide goes into `table.doubts`. Nothing raises
an exception. The catalogue of findings names every check; `ruleset` says when some are skipped. To
play a deal, call in this order:

1. `table.Table(rules, dealer, totals, has_stock)`: an empty table. `rules` come from
   `ruleset.rules_of(profile)`, `dealer` is a seat or -1, `totals` are the sides' before the deal.
2. `deal.deal_hand` or `deal.deal_unseen` for each seat; `deal.turn_up` or `deal.turn_unseen`;
   `deal.set_stock`, `deal.match_stock` and `deal.set_packet` for what is written;
   `deal.begin_play`.
3. For each turn: `turn.begin_turn(table, seat)`; `turn.perform(table, action)` for each action, or
   the function of that action (`stock.draw`, `take.take`, `turn.ask`, `lay.lay`,
   `lay.lay_special`, `discard.discard`, `discard.take_packet`); `turn.end_turn(table, mark)`
   and, for a claimed count, `turn.judge_open_claim`. Between turns, `deal.penalize`
   and `deal.award`.
4. `deal.end_deal` for an end line, else `deal.end_unclaimed`. Both are given the answer of
   `search.able.stock_over(table)`, because the engine does not search for legal plays.
5. `scoring.score_side(table, side)`: the entries of a side's score.

`state.snapshot(table)` is a frozen picture of the table for everyone else, and
`table.copy_table(table)` a copy to try plays on. Do not continue to play on a table whose
`knowable` is False; `ended` is "" while the deal is open.
"""
