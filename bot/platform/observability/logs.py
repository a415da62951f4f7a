"""The log: text or JSON lines with traces, without secrets and ids of people, written without blocking the bot."""

import json
import logging
import os
import re
import select
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final

from bot.platform.observability.trace import current_trace

REDACTED: Final = "***"
STDERR: Final = 2
"""The file descriptor of standard error."""

_PATIENCE_SECONDS: Final = 0.2
"""How long a line waits for room while the event loop stands still."""
_IMPATIENT_SECONDS: Final = 10.0
"""How long after a dropped line no further line waits."""

_MIN_SECRET_LENGTH = 4
"""The shortest redacted secret; shorter ones would match parts of ordinary words."""

_SECRET_KEYS: Final = "(?:token|authorization|password|seed|salt)"  # noqa: S105 - a pattern of names
_SECRET_PATTERNS: Final = (
    # The token of an interaction or webhook lets anyone post as the bot.
    (re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/\s'\"?]+"), rf"\1{REDACTED}"),
    (re.compile(r"\b[\w-]{23,}\.[\w-]{6}\.[\w-]{27,}"), REDACTED),
    (re.compile(rf"(?i)(\b{_SECRET_KEYS}['\"]?\s*[:=]\s*b?(['\"])).*?(?=\2)"), rf"\1{REDACTED}"),
    (re.compile(r"(\w://[^\s:/@]*:)[^\s@]+(?=@)"), rf"\1{REDACTED}"),
    # PostgreSQL quotes a refused row, which may contain a seed, and a key, which may contain somebody's id.
    (re.compile(r"(Failing row contains ).*"), rf"\1{REDACTED}"),
    (re.compile(r"(Key \([^)]*\)=\()[^)]*"), rf"\1{REDACTED}"),
    # discord.py logs the path of a request delayed by a rate limit.
    (re.compile(r"(/(?:users|members|thread-members)/)\d+"), rf"\1{REDACTED}"),
)


class Redactor:
    """Redacts known secrets and everything that looks like a secret."""

    def __init__(self, secrets: Iterable[str]) -> None:
        words = sorted({secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH}, key=len, reverse=True)
        self._known_secrets = re.compile("|".join(map(re.escape, words))) if words else None

    def __call__(self, text: str) -> str:
        """Return a text without secrets."""
        if self._known_secrets is not None:
            text = self._known_secrets.sub(REDACTED, text)
        for pattern, replacement in _SECRET_PATTERNS:
            text = pattern.sub(replacement, text)
        return text


class TextFormatter(logging.Formatter):
    """Formats a record as a line of text with its traceback below."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__("{asctime} {levelname:7} {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")
        self._redact = redact

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is the library's
        """Return the message as a single line, so that user input can't forge another line."""
        line = super().formatMessage(record).replace("\r", r"\r").replace("\n", r"\n")
        context = " ".join(f"{key}={value}" for key, value in _trace_context().items())
        return f"{line} [{context}]" if context else line

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record without secrets."""
        return self._redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record without secrets."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self._redact(record.getMessage()),
            **_trace_context(),
        }
        if record.exc_info:
            fields["exception"] = self._redact(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


class OutputHandler(logging.Handler):
    """Writes records to a file descriptor, and drops them while nobody reads it.

    Otherwise a pipe that nobody empties would block the event loop for good, even against signals. Once there is room
    again, a line tells the number of dropped lines.
    """

    def __init__(self, descriptor: int = STDERR) -> None:
        super().__init__()
        self._descriptor = _open_terminal(descriptor)
        self._room = select.poll()
        self._room.register(self._descriptor, select.POLLOUT)
        self._missing = 0
        self._patient_from = 0.0
        self._is_cut = False
        """Whether the last line is incomplete."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        try:
            lines = [record]
            if self._missing:
                words = "%d lines are missing here: nobody read the log, or it could not be written"
                missing = (self._missing,)
                lines.insert(0, logging.LogRecord(__name__, logging.WARNING, __file__, 0, words, missing, None))
            text = "".join(f"{self.format(line)}\n" for line in lines)
        except Exception:  # noqa: BLE001 - a record's arguments may be anything
            self.handleError(record)
            return
        if self._write(f"\n{text}" if self._is_cut else text):
            self._missing = 0
        else:
            self._missing += 1
            self._patient_from = monotonic() + _IMPATIENT_SECONDS

    def _write(self, text: str) -> bool:
        """Write a text, or as much as fits; return whether all of it was written."""
        left = text.encode("utf-8", "backslashreplace")
        begun = monotonic()
        deadline = begun if self._missing or begun < self._patient_from else begun + _PATIENCE_SECONDS
        # A pipe with room accepts this many bytes at once.
        while left and self._room.poll(max(0.0, deadline - monotonic()) * 1000):
            try:
                written = os.write(self._descriptor, left[: select.PIPE_BUF])
            except OSError:
                # The reader has ended, the disk is full or a terminal lacks room, and there is nowhere to report it.
                break
            self._is_cut = written < len(left)
            left = left[written:]
        return not left


def _open_terminal(descriptor: int) -> int:
    """Return a new, non-blocking descriptor of a terminal, or the same one if it is no terminal.

    A terminal with room for one byte counts as writable, but blocks a process that writes a line. O_NONBLOCK can't be
    set on the descriptor itself, because other processes share it.
    """
    try:
        return os.open(os.ttyname(descriptor), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return descriptor


class ErrorHandler(logging.Handler):
    """Calls a function with each logged error."""

    def __init__(self, callback: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(logging.ERROR)
        self._callback = callback

    def emit(self, record: logging.LogRecord) -> None:
        """Call the function with a record."""
        self._callback(record)


def _trace_context() -> dict[str, str | int]:
    trace = current_trace()
    if trace is None:
        return {}
    context = {"trace": trace.id, "table": trace.table, "game": trace.game}
    return {key: value for key, value in context.items() if value is not None}
