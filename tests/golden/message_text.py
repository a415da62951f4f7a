"""A message of the sandbox as text: all that Discord is sent, but in lines that people can read."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bot.sandbox import Message
from bot.sandbox.model.messages import ButtonStyle, ComponentType
from bot.sandbox.model.world import World
from bot.sandbox.wire import Json, encode

_SNOWFLAKE: Final = re.compile(r"(?<!\d)1\d{18}(?!\d)")
_FILE_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+/cdn/attachments/\{[^}]*\}/\{[^}]*\}/")
_NOW: Final = re.compile(r"<t:(\d+)(:\w)?>")
_LONGEST_RUN_SECONDS: Final = 600
_SHOWN_EMBED_PARTS: Final = {"type", "title", "description", "color", "fields", "footer", "image", "author"}
_SHOWN_BUTTON_PARTS: Final = {"type", "style", "label", "emoji", "custom_id", "url", "disabled", "id"}
_SHOWN_OPTION_PARTS: Final = {"label", "description", "value", "emoji", "default"}
_SHOWN_MENU_PARTS: Final = {
    *("type", "custom_id", "placeholder", "options", "min_values", "max_values", "disabled", "id"),
}


class MessageWriter:
    """Writes messages; ids, which differ from run to run, are replaced by what they stand for."""

    def __init__(
        self, world: World, describe_picture: Callable[[bytes], str], clock: Callable[[], float] = time.time
    ) -> None:
        self._world = world
        self._clock = clock
        self._describe_picture = describe_picture

    def text_of(self, message: Message) -> str:
        """Return all that a message shows, and what its buttons and menus send."""
        return self.without_ids("\n".join(filter(None, self._lines_of(message))))

    def without_ids(self, text: str) -> str:
        """Return a text with names in place of ids."""
        named = _SNOWFLAKE.sub(lambda found: f"{{{self._names().get(found[0], 'id')}}}", text)
        return _NOW.sub(self._without_real_time, _FILE_ADDRESS.sub("attachment://", named))

    def _without_real_time(self, found: re.Match[str]) -> str:
        """Return a time as it is, unless it is the clock's."""
        return "<t:now>" if abs(self._clock() - int(found[1])) < _LONGEST_RUN_SECONDS else found[0]

    def _names(self) -> Mapping[str, str]:
        world = self._world
        people = {user.id: user.name for user in (*world.people, world.bot)}
        places = {channel.id: channel.name for server in world.servers.values() for channel in server.channels}
        direct = {
            channel.id: f"direct messages of {channel.recipient.name}" for channel in world.direct_channels.values()
        }
        threads = {thread.id: thread.name for thread in world.threads.values()}
        roles = {role.id: role.name for server in world.servers.values() for role in server.roles.values()}
        servers = {server.id: server.name for server in world.servers.values()}
        return {
            str(key): name for each in (people, places, direct, threads, roles, servers) for key, name in each.items()
        }

    def _lines_of(self, message: Message) -> Iterator[str]:
        reader = "" if message.ephemeral_to is None else f", for {message.ephemeral_to} only"
        yield f"in {message.channel.id}{reader}{', gone' * message.deleted}"
        yield message.content
        if mentioned := [user["id"] for user in message.payload()["mentions"]]:
            yield f"mentions {', '.join(mentioned)}"
        for embed in message.embeds:
            yield from _embed_lines(embed)
        for row in message.components:
            yield from _row_lines(row)
        for file in message.attachments:
            if file.filename.endswith(".png"):
                yield f"--- {self._describe_picture(file.content)}"
            else:
                yield f"--- file {file.filename}\n{file.content.decode().strip()}"
            yield file.description or ""


def _embed_lines(embed: Json) -> Iterator[str]:
    yield f"--- embed {embed.get('color', 'without colour')}"
    yield _heading(embed.get("title"))
    yield embed.get("author", {}).get("name", "")
    yield embed.get("description", "")
    for field in embed.get("fields", ()):
        yield f"[{field['name']}]{' beside' * field['inline']}"
        yield field["value"]
    yield _named("footer", embed.get("footer", {}).get("text"))
    yield _named("image", embed.get("image", {}).get("url"))
    yield rest_of(embed, _SHOWN_EMBED_PARTS)


def _row_lines(row: Json) -> Iterator[str]:
    yield "--- row"
    for part in row["components"]:
        yield from _button_lines(part) if part["type"] == ComponentType.BUTTON else _menu_lines(part)


def _button_lines(button: Json) -> Iterator[str]:
    style = ButtonStyle(button["style"]).name.lower()
    words = (_emoji_of(button), button.get("label"), button.get("custom_id"), button.get("url"))
    off = "off" if button.get("disabled") else ""
    yield " | ".join(filter(None, (style, *words, off, rest_of(button, _SHOWN_BUTTON_PARTS))))


def _menu_lines(menu: Json) -> Iterator[str]:
    kind = ComponentType(menu["type"]).name.lower().replace("_", " ")
    count = f"{menu.get('min_values', 1)} to {menu.get('max_values', 1)}"
    off = "off" if menu.get("disabled") else ""
    words = (kind, menu.get("placeholder"), menu["custom_id"], count, off, rest_of(menu, _SHOWN_MENU_PARTS))
    yield " | ".join(filter(None, words))
    for option in menu.get("options", ()):
        chosen = "chosen" if option.get("default") else ""
        parts = (_emoji_of(option), option["label"], option.get("description"), option["value"], chosen)
        yield f"  {' | '.join(filter(None, (*parts, rest_of(option, _SHOWN_OPTION_PARTS))))}"


def _heading(title: str | None) -> str:
    return f"# {title}" if title else ""


def _named(name: str, text: str | None) -> str:
    return f"{name}: {text}" if text else ""


def _emoji_of(part: Json) -> str:
    emoji: dict[str, Any] = part.get("emoji") or {}
    return str(emoji.get("name", ""))


def rest_of(part: Json, shown: set[str]) -> str:
    """Return what else there is, so that nothing is left out."""
    left = {key: value for key, value in part.items() if key not in shown and value not in (None, 0)}
    return encode(left) if left else ""
