"""A game told in sentences: who won and why, how each deal went, what a turn did and missed.

`sentences.toml` has every sentence as one whole template, under a key. `sentences` fills them in,
`told_game` is the game that is told, and `deals`, `cover` and `notes` choose what is said of a
deal, of the game and of a turn. The page is made of them; `canasta analyze` has its own sentences.
"""
