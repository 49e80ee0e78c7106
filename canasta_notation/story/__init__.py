"""The story of a game in sentences: who won and why, how each deal went, what a turn missed.

`sentences.toml` has every sentence as one whole template, under a key. `sentences` fills them in.
`story_game` is the game that they describe. `deals`, `cover` and `notes` choose the sentences for a
deal, for the game and for a turn. The page and `canasta analyze` show them.
"""
