"""Who and where: accounts and the server."""

from dataclasses import dataclass

from bot.sandbox.permissions import MEMBER
from bot.sandbox.snowflakes import timestamp
from bot.sandbox.wire import Json


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with an account: a person or the bot."""

    id: int
    name: str
    color: str
    permissions: int = MEMBER
    bot: bool = False

    def payload(self) -> Json:
        """Return the account as Discord describes it."""
        return {
            "id": str(self.id),
            "username": self.name if self.bot else self.name.lower(),
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }

    def member(self) -> Json:
        """Return the membership in the server, without the account."""
        return {
            "nick": None,
            "avatar": None,
            "banner": None,
            "roles": [],
            "joined_at": timestamp(self.id),
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }


@dataclass(frozen=True, slots=True)
class Server:
    """What Discord calls a guild."""

    id: int
    name: str
    owner_id: int
