"""The language that is spoken now.

An interaction, a job or a publisher says once which language it speaks, and every text below it follows. Whatever asks
a worker process for texts also names their language.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from gettext import NullTranslations
from typing import Final

from babel import Locale

END_OF_CONTEXT: Final = "\x04"
"""What stands between the context of a message and its text, as in every catalogue of gettext."""


class EnglishTexts(NullTranslations):
    """The texts as they stand in the code, without their contexts."""

    def gettext(self, message: str) -> str:
        """Return a message's text."""
        return message[message.find(END_OF_CONTEXT) + 1 :]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the text for a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@dataclass(slots=True, eq=False)
class Language:
    """A language with its texts and its habits of writing."""

    code: str
    """In gettext's form, such as `pt_BR`."""
    locale: Locale
    catalogue: NullTranslations

    @property
    def name(self) -> str:
        """The language's name in itself."""
        return name_of(self.locale)

    @property
    def runs_left(self) -> bool:
        """Whether it is written from right to left."""
        return self.locale.text_direction == "rtl"


def name_of(locale: Locale) -> str:
    """Return the name of a language in itself, with a capital letter at the beginning."""
    name = locale.get_display_name() or str(locale)
    return name[:1].upper() + name[1:]


ENGLISH: Final = Language("en", Locale("en"), EnglishTexts())

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)

current_language = _spoken.get


def speak(language: Language) -> None:
    """Speak a language in the rest of this task, and in the tasks that it starts."""
    _spoken.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak a language within the block, and in the tasks that are started there."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)
