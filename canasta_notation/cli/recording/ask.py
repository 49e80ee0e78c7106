"""Asking on a terminal, with completion and a toolbar if it can show them, else line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from canasta_notation.cli.session import Session
from canasta_notation.dialogue.asking import Prompt
from canasta_notation.render.paint import wrap

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.completion import Completer as PromptCompleter
    from prompt_toolkit.document import Document


class Asker(Protocol):
    """Shows one prompt and returns the line typed. Raises EOFError at the end of the input."""

    def ask(self, prompt: Prompt) -> str:
        """Return the line typed, without its end."""
        ...


def asker(session: Session, tell_leaving: Callable[[], None]) -> Asker:
    """Return the best way to ask on this terminal: prompt_toolkit, readline, or plain lines.

    `tell_leaving` is called for Ctrl-C on an empty line of a terminal.
    """
    if sys.stdin.isatty() and session.out.isatty():
        try:
            import prompt_toolkit  # noqa: F401
        except ImportError:
            from canasta_notation.cli.installing import how_to_install

            advice = f"for completion and a toolbar, {how_to_install('record')}"
            for line in wrap(advice, session.look.width):
                session.say(line)
            return ReadlineAsker(session, tell_leaving)
        return TerminalAsker(tell_leaving)
    return LineAsker(session)


class LineAsker:
    """Reads lines from standard input.

    Prompts go to standard output, and so do the lines unless a terminal shows them.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._echo = not sys.stdin.isatty()

    def ask(self, prompt: Prompt) -> str:
        """Return the next line."""
        from canasta_notation.render.paint import escape

        session = self._session
        session.write(prompt.text)
        session.out.flush()
        line = session.read_line()
        if not line:
            session.write("\n")
            raise EOFError
        line = line.removesuffix("\n").removesuffix("\r")
        if self._echo:
            session.write(escape(line) + "\n")
        return line


class ReadlineAsker:
    """Asks on a terminal without prompt_toolkit: Python's own line editing and history."""

    def __init__(self, session: Session, tell_leaving: Callable[[], None]) -> None:
        self._session = session
        self._tell_leaving = tell_leaving
        try:
            import readline
        except ImportError:  # not on every system; lines are then typed without editing
            self._start_from: Callable[[str], None] = lambda text: None
            self._typed: Callable[[], str] = str
        else:
            self._typed = readline.get_line_buffer
            self._start_from = lambda text: readline.set_startup_hook(
                lambda: readline.insert_text(text)
            )

    def ask(self, prompt: Prompt) -> str:
        """Return the line typed; Ctrl-C clears it and asks again."""
        self._start_from(prompt.start)
        while True:
            try:
                return input(prompt.text)
            except KeyboardInterrupt:
                self._start_from("")
                self._session.write("\n")
                if not self._typed():
                    self._tell_leaving()


class TerminalAsker:
    """Asks on a terminal: with history, completion while typing, and a toolbar below."""

    def __init__(self, tell_leaving: Callable[[], None]) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.styles import Style

        style = Style.from_dict({"bottom-toolbar": "noreverse"})
        self._prompt: PromptSession[str] = PromptSession(style=style)
        self._tell_leaving = tell_leaving

    def ask(self, prompt: Prompt) -> str:
        """Return the line typed; Ctrl-C clears it and asks again."""
        from prompt_toolkit.formatted_text import ANSI

        start = prompt.start
        while True:
            try:
                return self._prompt.prompt(
                    prompt.text,
                    default=start,
                    completer=_prompted(prompt),
                    complete_while_typing=prompt.completer is not None,
                    complete_in_thread=True,
                    bottom_toolbar=ANSI(prompt.toolbar) if prompt.toolbar else None,
                    reserve_space_for_menu=4,
                )
            except KeyboardInterrupt:
                start = ""
                if not self._prompt.default_buffer.text:
                    self._tell_leaving()


def _prompted(prompt: Prompt) -> PromptCompleter:
    """Return the prompt's completer in the form that prompt_toolkit needs."""
    from prompt_toolkit.completion import Completer as Base
    from prompt_toolkit.completion import Completion as Offer

    class Offering(Base):
        """Offers the completions of a prompt, and commands at the beginning of a line."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Offer]:
            """Yield what can follow the text before the cursor."""
            text = document.text_before_cursor
            part = text.rpartition(" ")[2]
            for each in prompt.completer(text) if prompt.completer else ():
                yield Offer(each.text, -len(part), display_meta=each.about)
            if " " not in text and text:
                for word in prompt.words:
                    if word.startswith(text):
                        yield Offer(word, -len(text))

    return Offering()
