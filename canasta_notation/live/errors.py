"""What a live game refuses, and why. After each of these errors, the game is as it was before."""

from __future__ import annotations

from canasta_notation.findings import RuleRef


class PlayError(ValueError):
    """A play that is refused; `str()` is one line for the player.

    `code` is the code of the finding that a record of the play would have, `key` and `rule` are the
    profile's key and the rule that it rests on, and `remedy` is what to do instead; a broken rule
    always has one. What there is none of is empty or None.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        key: str = "",
        rule: RuleRef | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message, code, key, rule, remedy)
        self.message = message
        self.code = code
        self.key = key
        self.rule = rule
        self.remedy = remedy

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r})"


class NotYourTurn(PlayError):
    """Another seat is due."""


class WrongPhase(PlayError):
    """The play does not belong to this moment: a meld before the draw, a play between deals."""


class IllegalPlay(PlayError):
    """The play breaks a rule, or no legal end of the turn is left after it."""


class Unreadable(PlayError):
    """The text is not an action."""


class GameOver(PlayError):
    """A side has won, so nothing more can be dealt or played."""
