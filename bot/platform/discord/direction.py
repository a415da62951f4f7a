"""Turns the lines of a message that is written from right to left, and the order of its buttons.

Discord gives each line the direction of its first letter, and a mention or a command begins with a Latin one. Invisible
marks lead such lines.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bot.rules.direction import LEFT_TO_RIGHT, LETTER_TO_THE_LEFT, NAME, keep_signs, runs_left
from bot.rules.picture import NAME_START

if TYPE_CHECKING:
    from bot.platform.discord.content import Button

_MARK: Final = "\N{RIGHT-TO-LEFT MARK}"

_BEGINS_ON_THE_RIGHT: Final = re.compile(
    rf"{_MARK}|(?:{NAME}|[^\w<{NAME_START}{LEFT_TO_RIGHT}]|[\d_])*?{LETTER_TO_THE_LEFT}"
)
_MARKDOWN: Final = re.compile(r"(?:>{1,3} |#{1,3} |-# |[-*] |\d+\. )*")
"""What makes a line a heading, a list or small print, if nothing stands before it."""

_FENCE: Final = "```"

_LETTERS_IN_LINE, _LETTERS_OF_EDGES = 38, 4
"""The letters of buttons that stand beside each other on a phone, and as many as the edges of a button take."""


def turn_text(text: str) -> str:
    """Return a Markdown text in which each line has its direction."""
    return _turn(text) if runs_left(text) else text


def turn_label(face: dict[str, Any]) -> dict[str, Any]:
    """Return the face of a button or of a line of a menu, as JSON, with its label in the right direction."""
    return {**face, "label": turn_text(face["label"])} if "label" in face else face


def turn_embed(embed: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an embed in which each line has the direction of its texts."""
    fields = embed.get("fields") or ()
    parts = [embed.get("title"), embed.get("description"), *(field["value"] for field in fields)]
    if not any(runs_left(text) for text in parts if text):
        return embed
    turned: dict[str, Any] = {key: _turn(text) for key in ("title", "description") if (text := embed.get(key))}
    for part, key in (("author", "name"), ("footer", "text")):
        if text := (embed.get(part) or {}).get(key):
            turned[part] = {**embed[part], key: _turn(text)}
    if fields:
        turned["fields"] = [{**each, "name": _turn(each["name"]), "value": _turn(each["value"])} for each in fields]
    return {**embed, **turned}


def turn_row(buttons: "Sequence[Button]") -> "Sequence[Button]":
    """Return a row of buttons in the order of reading.

    Pieces, whose labels have no words, stay as they lie in the picture. Buttons that are too wide to stand beside each
    other on a phone stay below each other.
    """
    labels = [button.label for button in buttons]
    letters = sum(map(len, labels)) + _LETTERS_OF_EDGES * len(labels)
    return buttons[::-1] if letters <= _LETTERS_IN_LINE and any(map(runs_left, labels)) else buttons


def _turn(text: str) -> str:
    parts = text.split(_FENCE)
    # Every second part is a block of code, which shows no direction but its own.
    parts[::2] = ["\n".join(map(_turn_line, part.split("\n"))) for part in parts[::2]]
    return _FENCE.join(parts)


def _turn_line(line: str) -> str:
    beginning = _MARKDOWN.match(line)
    at = 0 if beginning is None else beginning.end()
    if not line[at:].strip():
        return line
    words = keep_signs(line[at:])
    mark = "" if _BEGINS_ON_THE_RIGHT.match(words) else _MARK
    return f"{line[:at]}{mark}{words}"
