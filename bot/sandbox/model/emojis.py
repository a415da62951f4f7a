"""The bot's own emoji."""

from dataclasses import dataclass, field

from bot.sandbox.model.accounts import User
from bot.sandbox.model.snowflakes import SnowflakeGenerator
from bot.sandbox.wire import Json

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
            "animated": False,
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
