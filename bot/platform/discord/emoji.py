"""Shows symbols in texts and labels as the bot's own emoji once those exist, and as Unicode until then.

Games and screens write Unicode. Symbols are replaced only here, in the JSON of messages. Names are isolated
(`bot.tables.shown.links`), so that symbols in them stay as typed.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bot.platform.discord.direction import turn_text
from bot.platform.discord.limits import MAX_DESCRIPTION, MAX_EMBED, MAX_FIELD, MAX_LABEL
from bot.rules.picture import NAME_END, NAME_START

_CACHE_SIZE: Final = 1024
"""The most lines, runs and labels cached, each at most 2 kB."""

_VARIATION: Final = "\ufe0f"
"""The variation selector, which may follow a symbol."""

_NAME: Final = f"{NAME_START}[^{NAME_END}]*"
"""A name typed by a person, without its end mark; symbols in it stay."""

_RUN: Final = re.compile(rf"{_NAME}|`(?<!\\`)[^`]*`|[^\0-\u21ff]+")
"""A name, code (which shows no emoji), or a run of characters that may contain symbols and is slow to search."""

_KEPT: Final = (NAME_START, "`")
"""The beginnings of runs that stay unchanged."""

_CODE_FENCE: Final = "```"


class Emoji(NamedTuple):
    """An emoji of the bot."""

    name: str
    """The name that people see, such as `die_6`."""
    id: int
    is_animated: bool = False


class OwnEmoji:
    """Replaces symbols with the bot's own emoji."""

    def __init__(self) -> None:
        self._emoji: dict[str, Emoji] = {}
        self.use({})

    def use(self, emoji: Mapping[str, Emoji]) -> None:
        """Replace symbols, the keys, with emoji from now on."""
        self._emoji = {_plain(symbol): each for symbol, each in emoji.items()}
        longest_first = sorted(self._emoji, key=len, reverse=True)
        either = "|".join(re.escape(symbol) for symbol in longest_first) or "(?!)"
        self._symbol = re.compile(f"(?:{either}){_VARIATION}?")
        # A mark before a symbol, such as that of a chosen die, stays in the label.
        sign = rf"(?:[^\w\s{NAME_START}]{_VARIATION}? )?"
        self._leading = re.compile(rf"({sign})((?:{either}){_VARIATION}?) ?(.*)", re.DOTALL)
        # Saves 13 to 47 us per click, and 8 us for its labels, because most of a table stays the same.
        self._replace_in_line = lru_cache(_CACHE_SIZE)(self._replace_in_new_line)
        # Saves 8 us per click, because changed lines share runs with earlier ones.
        self._replace_in_run = lru_cache(_CACHE_SIZE)(self._replace_in_new_run)
        self._face_of = lru_cache(_CACHE_SIZE)(self._face_of_new_label)

    def forget(self) -> bool:
        """Show Unicode from now on; return whether any emoji were in use."""
        had_any = bool(self._emoji)
        self.use({})
        return had_any

    def clear_texts(self) -> None:
        """Forget the cached texts."""
        for cached in (self._replace_in_line, self._replace_in_run, self._face_of):
            cached.cache_clear()

    def replaces(self, symbol: str) -> bool:
        """Return whether texts show an emoji instead of a symbol."""
        return _plain(symbol) in self._emoji

    def in_label(self, label: str, limit: int = MAX_LABEL) -> dict[str, Any]:
        """Return the label of a button or option as JSON, in its direction, with its leading symbol as the emoji.

        A label that is only a symbol becomes empty. A label with several symbols keeps them, because there is room for
        only one emoji; games put further symbols into words.
        """
        return self._face_of(label, limit)

    def in_text(self, text: str) -> str:
        """Return a Markdown text with emoji, which may be many times as long."""
        if not self._emoji or text.isascii() or _CODE_FENCE in text:
            return text
        return "\n".join(map(self._replace_in_line, text.split("\n")))

    def in_embed(self, embed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an embed with emoji in its description and field texts, unless it becomes too long.

        Titles, names of fields and footers stay unchanged, because not every client shows emoji there.
        """
        if not self._emoji:
            return embed
        shown = dict(embed)
        if description := embed.get("description"):
            shown["description"] = self.in_text(description)
        if fields := embed.get("fields"):
            shown["fields"] = [{**field, "value": self.in_text(field["value"])} for field in fields]
        return shown if _is_within_limits(shown) else embed

    def _replace_in_new_line(self, line: str) -> str:
        return _RUN.sub(lambda run: self._replace_in_run(run[0]), line)

    def _replace_in_new_run(self, run: str) -> str:
        return run if run.startswith(_KEPT) else self._symbol.sub(self._format, run)

    def _format(self, found: re.Match[str]) -> str:
        emoji = self._emoji[_plain(found[0])]
        return f"<{'a' if emoji.is_animated else ''}:{emoji.name}:{emoji.id}>"

    def _face_of_new_label(self, label: str, limit: int) -> dict[str, Any]:
        match = self._leading.fullmatch(label)
        if match is None or self._symbol.search(re.sub(_NAME, "", match[3])):
            return {"label": turn_text(label, limit)}
        emoji = self._emoji[_plain(match[2])]
        face = {"emoji": {"id": str(emoji.id), "name": emoji.name}}
        words = f"{match[1]}{match[3]}".strip()
        return {"label": turn_text(words, limit), **face} if words else face


OWN_EMOJI: Final = OwnEmoji()
"""The emoji of the process's bot."""


def _plain(symbol: str) -> str:
    return symbol.removesuffix(_VARIATION)


def _is_within_limits(embed: Mapping[str, Any]) -> bool:
    # An emoji counts in its full notation.
    description, fields = embed.get("description") or "", embed.get("fields") or ()
    texts = [len(field["value"]) for field in fields]
    names = sum(len(field["name"]) for field in fields)
    parts = len(embed.get("title") or "") + len((embed.get("footer") or {}).get("text", ""))
    total = len(description) + sum(texts) + names + parts
    return len(description) <= MAX_DESCRIPTION and max(texts, default=0) <= MAX_FIELD and total <= MAX_EMBED
