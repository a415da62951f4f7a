"""People, and the places where they do something."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user, under the name they had when they acted."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Location:
    """Where a table is. A channel has one shared table, and one solo game for each person."""

    guild_id: int | None
    """None in a direct message."""
    channel_id: int
    solo_id: int = 0
    """The user whose solo game it is; 0 for the channel's shared table."""

    @property
    def scope_id(self) -> int:
        """The id under which preferences are stored: the server's, or the direct message channel's."""
        # Channel ids and server ids never collide.
        return self.guild_id or self.channel_id
