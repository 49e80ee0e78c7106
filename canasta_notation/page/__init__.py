"""Games as a web page, and a position as a picture: HTML and SVG. No rule is judged here.

The page is one file. For programs that read it, the document has these attributes:
`data-canasta-page` on the root; `data-turn`, `data-deal` and `data-game` on the position that is
shown, turn 0 being the table as dealt. In the position: `data-side` with `data-threes` and
`data-points`, in it `data-meld` (a rank's letter) with `data-cards` and, on a canasta,
`data-canasta`; `data-seat` with `data-hand` (the cards that are known) and `data-count`;
`data-pile` with `data-top`, `data-count` and `data-cards`; `data-stock`, a number or a range like
`38-41`; `data-finding` on the findings of that turn and, outside the position, on those that do not
belong to a turn. Cards are separated by spaces, as the notation spells them; a meld of unknown
suits is spelled by ranks. Buttons have `data-go`; `first` and `last` lead to the start and the end
of the game.

The address ends in `#d2t17` for a turn, `#s2` for the story of a deal, `#story`, `#scores` or
`#guess`. On a page of several games, `g3` precedes it; after a turn, `&seat=N` means what a seat
sees. `#game=3&deal=2&turn=17&seat=N` is read too. An address that names nothing leads to the cover.
A page is in one language or in several, between which the reader chooses; cards in attributes are
spelled as the notation does, whatever the language.
"""
