"""The accounts of people and of the bot."""

from dataclasses import dataclass

from bot.sandbox.wire import Json


@dataclass(frozen=True, slots=True)
class User:
    """The account of a person or of the bot."""

    id: int
    name: str
    color: str
    bot: bool = False

    def payload(self) -> Json:
        """Return the account in Discord's format."""
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
