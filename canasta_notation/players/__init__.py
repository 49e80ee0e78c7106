"""Players: functions from what a seat can see to a play.

The modules:

* `seat_turn` plays a turn on the engine's table, without texts and, unless a log is asked for,
  without actions: `play_turn` for a whole turn, or its two decisions, `take_pile` before the draw
  and `play_on` after it. `play_deal` plays whole deals.
* `player` is the form of a player for all other packages: its turns are a table and its actions.
* `seated` has players by name, for records and live games.
* `random_game` plays random legal games. Its seats choose at random (`random_seat`, `random_turn`,
  and under some rules `random_placed`), and some of its packs favour what is rare (`random_packs`).
* `figures.toml` has the numbers that define a player; `Figures` are those under one set of rules.

The engine and the search decide the shape of a meld, whether a pile must be taken and whether the
stock has ended the deal. If counting is not enough, a turn is tried on a copy; if it proves
illegal, the search finds another (`searching`).
"""
