"""What a server has chosen."""

from dataclasses import dataclass

from bot.rules.picture import Theme


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of a server, or of a direct message."""

    theme: Theme | None = Theme.STANDARD
    """The pictures' theme; None for text only."""
    reminds: bool = True
    """Whether players are reminded of their turn, if the bot sends reminders at all."""
    invites: bool = True
    """Whether people can be invited to tables."""
    tips: bool = True
    """Whether tables show tips to people who are new to a game."""
    hints: bool = True
    """Whether players can ask for hints, unless the host of a table turns them off."""
