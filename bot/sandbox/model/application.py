"""What the bot's application has registered: its commands and its emoji."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from bot.sandbox.model.clock import SnowflakeGenerator
from bot.sandbox.model.servers import User
from bot.sandbox.wire import Json


class CommandType(IntEnum):
    """Types of commands."""

    SLASH = 1
    USER_MENU = 2
    MESSAGE_MENU = 3


class OptionType(IntEnum):
    """Types of options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


class InteractionContext(IntEnum):
    """Where commands can be used."""

    SERVER = 0
    DIRECT = 1
    AMONG_PEOPLE = 2
    """Direct messages without the bot."""


class InstallationType(IntEnum):
    """For whom the bot is installed."""

    SERVER = 0
    USER = 1


BRANCH_TYPES = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})


LOCALES = (
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
)  # fmt: skip
"""Discord's tags of the languages of people, servers and texts."""


class CommandRegistry:
    """The commands of the bot by scope: global (None) or one server."""

    def __init__(self, application_id: int, snowflakes: SnowflakeGenerator) -> None:
        self._application_id = application_id
        self._snowflakes = snowflakes
        self._scopes: defaultdict[int | None, dict[int, Json]] = defaultdict(dict)

    def list_scope(self, server_id: int | None) -> list[Json]:
        """Return the commands of a scope."""
        return list(self._scopes[server_id].values())

    def slash_commands(
        self,
        server_id: int | None,
        context: InteractionContext | None = None,
        installed: Collection[InstallationType] = (InstallationType.SERVER,),
    ) -> list[Json]:
        """Return the slash commands in a server, its own ones first, or in direct messages (None).

        Args:
            server_id: The server.
            context: The kind of place; by default, direct messages are those with the bot.
            installed: For whom the bot is installed there.
        """
        if context is None:
            context = InteractionContext.DIRECT if server_id is None else InteractionContext.SERVER
        local = (
            () if server_id is None or InstallationType.SERVER not in installed else self._scopes[server_id].values()
        )
        every = (*local, *self._scopes[None].values())
        return [
            command
            for command in every
            if command["type"] == CommandType.SLASH
            and _is_available_in(command, context)
            and not set(installed).isdisjoint(command["integration_types"])
        ]

    def replace(self, server_id: int | None, requests: Iterable[Json]) -> list[Json]:
        """Replace all commands of a scope; commands with a known name keep their id."""
        commands = [self._build(server_id, request) for request in requests]
        self._scopes[server_id] = {int(command["id"]): command for command in commands}
        return commands

    def _build(self, server_id: int | None, request: Json) -> Json:
        existing = next((each for each in self._scopes[server_id].values() if _key(each) == _key(request)), None)
        command: Json = {
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            **{key: value for key, value in request.items() if key in _KEPT_FIELDS},
        }
        if (permissions := command["default_member_permissions"]) is not None:
            # It may be sent as a number, but Discord returns permissions as strings.
            command["default_member_permissions"] = str(permissions)
        command["integration_types"] = request.get("integration_types") or [0]
        command["id"] = str(self._snowflakes.next_id()) if existing is None else existing["id"]
        command["application_id"] = str(self._application_id)
        command["version"] = str(self._snowflakes.next_id())
        command["type"] = request.get("type") or CommandType.SLASH
        command["description"] = request.get("description") or ""
        command["options"] = request.get("options") or []
        return command if server_id is None else {**command, "guild_id": str(server_id)}


def translate_command(part: Json, locale: str) -> Json:
    """Return a command or a part of one with the texts of a language, as Discord's clients show them.

    The names of commands and options stay, because the page finds them by these.
    """
    shown = {key: value for key, value in part.items() if not key.endswith("_localizations")}
    translations = part.get("description_localizations") or {}
    if "description" in part:
        shown["description"] = translations.get(locale, part["description"])
    if part.get("choices"):
        shown["choices"] = [_translate_choice(choice, locale) for choice in part["choices"]]
    if part.get("options"):
        shown["options"] = [translate_command(option, locale) for option in part["options"]]
    return shown


def _translate_choice(choice: Json, locale: str) -> Json:
    translations = choice.get("name_localizations") or {}
    return {"name": translations.get(locale, choice["name"]), "value": choice["value"]}


_KEPT_FIELDS = frozenset(
    {
        "name",
        "name_localizations",
        "description_localizations",
        "default_member_permissions",
        "nsfw",
        "contexts",
        "dm_permission",
    }
)


def _is_available_in(command: Json, context: InteractionContext) -> bool:
    contexts = command["contexts"]
    if contexts is not None:
        return context in contexts
    # The older field counts if there are no contexts.
    return context is InteractionContext.SERVER or command.get("dm_permission") is not False


def _key(command: Json) -> tuple[int, str]:
    return command.get("type") or CommandType.SLASH, command["name"]


def focused_type(data: Json) -> OptionType:
    """Return the type of the focused option."""
    options = data["options"]
    while options and options[0]["type"] in BRANCH_TYPES:
        options = options[0]["options"]
    return next(OptionType(option["type"]) for option in options if option.get("focused"))


MAX_EMOJIS = 2000


@dataclass(slots=True)
class ApplicationEmoji:
    """An emoji that belongs to an application."""

    id: int
    name: str
    content_type: str
    content: bytes = field(repr=False)
    creator: User = field(repr=False)

    def payload(self) -> Json:
        """Return it in Discord's format."""
        return {
            "id": str(self.id),
            "name": self.name,
            "user": self.creator.payload(),
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": self.content_type == "image/gif",
            "available": True,
        }


class EmojiRegistry:
    """The emoji of the bot's application."""

    def __init__(self, bot: User, snowflakes: SnowflakeGenerator) -> None:
        self._bot = bot
        self._snowflakes = snowflakes
        self._emojis: dict[int, ApplicationEmoji] = {}

    def list_all(self) -> list[ApplicationEmoji]:
        """Return all emoji, oldest first."""
        return list(self._emojis.values())

    def get(self, emoji_id: int) -> ApplicationEmoji | None:
        """Return an emoji by its id."""
        return self._emojis.get(emoji_id)

    def exists(self, emoji_id: int) -> bool:
        """Whether there is an emoji with an id."""
        return emoji_id in self._emojis

    def is_taken(self, name: str) -> bool:
        """Whether an emoji has a name."""
        return any(emoji.name == name for emoji in self._emojis.values())

    @property
    def is_full(self) -> bool:
        """Whether no more can be added."""
        return len(self._emojis) >= MAX_EMOJIS

    def add(self, name: str, content_type: str, content: bytes) -> ApplicationEmoji:
        """Add an emoji."""
        emoji = ApplicationEmoji(self._snowflakes.next_id(), name, content_type, content, self._bot)
        self._emojis[emoji.id] = emoji
        return emoji

    def remove(self, emoji: ApplicationEmoji) -> None:
        """Remove an emoji; messages keep referring to it."""
        del self._emojis[emoji.id]
