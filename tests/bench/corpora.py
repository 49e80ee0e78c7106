"""The records that are timed: random legal games of Canasta, chess and poker, from one seed."""

from __future__ import annotations

import io
import random
from pathlib import Path

SEED = 2026
#: How many distinct games are made; a corpus repeats them.
GAMES = 40
#: The outside games are repeated up to this many bytes.
OUTSIDE_SIZE = 2_000_000


def canasta(path: Path, games: int, rules: str = "classic") -> tuple[int, int]:
    """Write a corpus of games of a profile; return how many games and turns it has."""
    from canasta_notation import format_game, load_profile
    from canasta_notation.players.random_game import play_game

    made = [play_game(load_profile(rules), seed) for seed in range(SEED, SEED + GAMES)]
    turns = [sum(len(deal.play) for deal in game.deals) for game in made]
    texts = [format_game(game) for game in made]
    with path.open("w", encoding="utf-8") as file:
        for at in range(games):
            file.write(texts[at % GAMES] + "\n")
    return games, sum(turns[at % GAMES] for at in range(games))


def outside(folder: Path, path: Path) -> tuple[int, int]:
    """Write the records of a folder one after the other, repeated until they fill a few MB."""
    from canasta_notation import read_text

    texts = [each.read_text("utf-8") for each in sorted(folder.glob("*.canasta"))]
    if not texts:
        raise SystemExit(f"{folder}: holds no records")
    made = [reading.game for text in texts for reading in read_text(text)]
    times = max(1, OUTSIDE_SIZE // sum(map(len, texts)))
    path.write_text("\n".join(texts * times), "utf-8")
    turns = sum(len(deal.play) for game in made for deal in game.deals)
    return len(made) * times, turns * times


def chess(path: Path, games: int) -> tuple[int, int]:
    """Write a corpus of random legal games of chess as PGN; return games and plies."""
    import chess
    import chess.pgn

    chance = random.Random(SEED)
    texts, plies = [], []
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 160:
            board.push(chance.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
        plies.append(board.ply())
    with path.open("w", encoding="utf-8") as file:
        for at in range(games):
            file.write(texts[at % GAMES] + "\n\n")
    return games, sum(plies[at % GAMES] for at in range(games))


def poker(path: Path, games: int) -> tuple[int, int]:
    """Write a corpus of random hands of no-limit hold'em as PHH; return hands and actions."""
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    chance = random.Random(SEED)
    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    game = NoLimitTexasHoldem(automations, True, 0, (1, 2), 2)
    texts, actions = [], []
    for _ in range(GAMES):
        state = game((200, 200, 200, 200), 4)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                state.deal_board()
            elif chance.random() < 0.1 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to()
            elif chance.random() < 0.1 and state.can_fold():
                state.fold()
            else:
                state.check_or_call()
        history = HandHistory.from_game_state(game, state)
        text = io.BytesIO()
        history.dump(text)
        texts.append(text.getvalue().decode())
        actions.append(len(history.actions))
    # The format has one hand per file; here a form feed separates hands.
    path.write_text("\f".join(texts[at % GAMES] for at in range(games)), "utf-8")
    return games, sum(actions[at % GAMES] for at in range(games))
