"""Shows the symbols of texts and labels as the bot's own emoji once they exist; until then they are Unicode.

Games and screens write Unicode. Only the JSON of messages differs, so this is the one place that replaces symbols.
Names with symbols are isolated (`bot.tables.shown.links`), and stay as they are typed.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bot.rules.picture import NAME_END, NAME_START

_MAX_DESCRIPTION, _MAX_FIELD, _MAX_EMBED = 4096, 1024, 6000
"""Discord's limits in characters. An emoji counts as it is written."""

_CACHE_SIZE: Final = 1024
"""Lines, runs and labels kept, at most 2 kB each."""

_VARIATION: Final = "\ufe0f"
"""May follow a symbol, or be missing."""

_NAME: Final = f"{NAME_START}[^{NAME_END}]*"
"""A name that people have typed, without its end: its symbols are theirs."""

_RUN: Final = re.compile(rf"{_NAME}|`(?<!\\`)[^`]*`|[^\0-\u21ff]+")
"""A name, code, which shows no emoji, or a run of characters that may contain symbols; searching it takes longer."""

_KEPT: Final = (NAME_START, "`")
"""How runs begin that stay as they are."""

_CODE_FENCE: Final = "```"


class Emoji(NamedTuple):
    """An emoji of the bot."""

    name: str
    """Its name for people, such as `die_6`."""
    id: int


class OwnEmoji:
    """Replaces symbols by the bot's own emoji."""

    def __init__(self) -> None:
        self._emoji: dict[str, Emoji] = {}
        self.use({})

    def use(self, emoji: Mapping[str, Emoji]) -> None:
        """Use emoji from now on instead of the symbols that are their keys."""
        self._emoji = {_plain(symbol): each for symbol, each in emoji.items()}
        longest_first = sorted(self._emoji, key=len, reverse=True)
        either = "|".join(re.escape(symbol) for symbol in longest_first) or "(?!)"
        self._symbol = re.compile(f"(?:{either}){_VARIATION}?")
        # A mark before a symbol, as of a chosen die, stays a part of the label.
        sign = rf"(?:[^\w\s{NAME_START}]{_VARIATION}? )?"
        self._leading = re.compile(rf"({sign})((?:{either}){_VARIATION}?) ?(.*)", re.DOTALL)
        # 13 to 47 us of a click, and 8 us for its labels: most of a table is the same as before.
        self._replace_in_line = lru_cache(_CACHE_SIZE)(self._replace_in_new_line)
        # 8 us of a click: lines that differ have runs in common.
        self._replace_in_run = lru_cache(_CACHE_SIZE)(self._replace_in_new_run)
        self._face_of = lru_cache(_CACHE_SIZE)(self._face_of_new_label)

    def forget(self) -> bool:
        """Show Unicode from now on. Return whether there were any emoji."""
        had_any = bool(self._emoji)
        self.use({})
        return had_any

    def forget_texts(self) -> None:
        """Forget the texts in which symbols were replaced."""
        for cached in (self._replace_in_line, self._replace_in_run, self._face_of):
            cached.cache_clear()

    def replaces(self, symbol: str) -> bool:
        """Return whether texts show an emoji instead of a symbol."""
        return _plain(symbol) in self._emoji

    def in_label(self, label: str) -> dict[str, Any]:
        """Return the label of a button or an option as JSON, its leading symbol as the emoji.

        Nothing is left of a label that is only a symbol. One with more symbols stays as it is: there is room for one
        emoji only, so the games put others into words.
        """
        return self._face_of(label) if self._emoji else {"label": label}

    def in_text(self, text: str) -> str:
        """Return a text of Discord's Markdown with emoji; it may become many times as long."""
        if not self._emoji or text.isascii() or _CODE_FENCE in text:
            return text
        return "\n".join(map(self._replace_in_line, text.split("\n")))

    def in_embed(self, embed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an embed with emoji in its description and in the texts of its fields, unless it gets too long.

        Titles, names of fields and footers stay as they are: not every client shows emoji there.
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
        return f"<:{emoji.name}:{emoji.id}>"

    def _face_of_new_label(self, label: str) -> dict[str, Any]:
        match = self._leading.fullmatch(label)
        if match is None or self._symbol.search(re.sub(_NAME, "", match[3])):
            return {"label": label}
        emoji = self._emoji[_plain(match[2])]
        face = {"emoji": {"id": str(emoji.id), "name": emoji.name}}
        words = f"{match[1]}{match[3]}".strip()
        return {"label": words, **face} if words else face


OWN_EMOJI: Final = OwnEmoji()
"""The emoji of this process's bot."""


def _plain(symbol: str) -> str:
    return symbol.removesuffix(_VARIATION)


def _is_within_limits(embed: Mapping[str, Any]) -> bool:
    description, fields = embed.get("description") or "", embed.get("fields") or ()
    texts = [len(field["value"]) for field in fields]
    names = sum(len(field["name"]) for field in fields)
    parts = len(embed.get("title") or "") + len((embed.get("footer") or {}).get("text", ""))
    total = len(description) + sum(texts) + names + parts
    return len(description) <= _MAX_DESCRIPTION and max(texts, default=0) <= _MAX_FIELD and total <= _MAX_EMBED
