"""How the log is written: as text or as JSON lines, each with what it belongs to, none with a secret."""

import json
import logging
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

from bot.observability.trace import current_trace

REDACTED: Final = "***"
_MIN_SECRET_LENGTH = 4
"""A shorter word is found in many that are none, and protects nothing."""

_SECRET_KEYS: Final = "(?:token|authorization|password|seed|salt)"  # noqa: S105 - a pattern of names
_SECRET_PATTERNS: Final = (
    # Whoever knows the token of an interaction or of a webhook can speak as the bot.
    (re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/\s'\"?]+"), rf"\1{REDACTED}"),
    (re.compile(r"\b[\w-]{23,}\.[\w-]{6}\.[\w-]{27,}"), REDACTED),
    (re.compile(rf"(?i)(\b{_SECRET_KEYS}['\"]?\s*[:=]\s*b?(['\"])).*?(?=\2)"), rf"\1{REDACTED}"),
    (re.compile(r"(\w://[^\s:/@]*:)[^\s@]+(?=@)"), rf"\1{REDACTED}"),
    # PostgreSQL quotes the row that it refuses, seeds and all.
    (re.compile(r"(Failing row contains ).*"), rf"\1{REDACTED}"),
)


class Redactor:
    """Takes secrets out of a text: those it is told of, and whatever looks like one."""

    def __init__(self, secrets: Iterable[str]) -> None:
        words = sorted({secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH}, key=len, reverse=True)
        self._known_secrets = re.compile("|".join(map(re.escape, words))) if words else None

    def __call__(self, text: str) -> str:
        """Return the text without secrets."""
        if self._known_secrets is not None:
            text = self._known_secrets.sub(REDACTED, text)
        for pattern, replacement in _SECRET_PATTERNS:
            text = pattern.sub(replacement, text)
        return text


class TextFormatter(logging.Formatter):
    """Writes a record as a line for people, with the traceback below it."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__("{asctime} {levelname:7} {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")
        self._redact = redact

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is the library's
        """Write the line itself: what people typed must not begin another."""
        line = super().formatMessage(record).replace("\r", r"\r").replace("\n", r"\n")
        about = " ".join(f"{key}={value}" for key, value in _trace_context().items())
        return f"{line} [{about}]" if about else line

    def format(self, record: logging.LogRecord) -> str:
        """Write the record without secrets."""
        return self._redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """Writes a record as one JSON object in a line."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Write the record without secrets."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self._redact(record.getMessage()),
            **_trace_context(),
        }
        if record.exc_info:
            told["exception"] = self._redact(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


class ErrorHandler(logging.Handler):
    """Hands errors in the log on."""

    def __init__(self, hear: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(logging.ERROR)
        self._callback = hear

    def emit(self, record: logging.LogRecord) -> None:
        """Hand a record on."""
        self._callback(record)


def _trace_context() -> dict[str, str | int]:
    trace = current_trace()
    if trace is None:
        return {}
    found = {"trace": trace.id, "table": trace.table, "game": trace.game}
    return {key: value for key, value in found.items() if value is not None}
