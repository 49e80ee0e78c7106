"""The score pad."""

from canasta_notation.cli.record_talk import Talk


class ScorePad(Talk): ...
