"""What a table is: a header and an append-only list of moves."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from bot.rules.game import Seat
from bot.rules.picture import Theme

TableId: TypeAlias = int


class Status(StrEnum):
    """How far a table has come."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """It was never started, and nobody did anything about it for long."""
    HELD = "held"
    """Its moves no longer replay to the recorded positions; it is never played on."""
    ASIDE = "aside"
    """It was put aside while it was played, to make room for another table; it may be resumed."""
    HELD_ASIDE = "held_aside"
    """It was put aside while it was held; it is held again when it is resumed."""
    ABANDONED = "abandoned"
    """It was begun, and closed after a long silence."""

    @property
    def is_open(self) -> bool:
        """Whether the table occupies its channel."""
        return self in (Status.LOBBY, Status.PLAYING, Status.HELD)

    @property
    def is_aside(self) -> bool:
        """Whether the table was put aside."""
        return self in (Status.ASIDE, Status.HELD_ASIDE)

    @property
    def is_unfinished(self) -> bool:
        """Whether the table was begun and is neither over nor closed."""
        return self.is_aside or self in (Status.PLAYING, Status.HELD)

    @property
    def is_seed_secret(self) -> bool:
        """Whether chance may still be asked, so that the seed has to stay secret."""
        return self in (Status.LOBBY, Status.PLAYING, Status.ASIDE)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, as they are called when they act."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table stands: a channel holds one table of its own, and one solo game of every person."""

    guild_id: int | None
    """None in a direct message."""
    channel_id: int
    solo_id: int = 0
    """Whose solo game it is; 0 for the channel's own table."""

    @property
    def scope_id(self) -> int:
        """Where preferences hold that hold here: in the whole server, or in this direct message."""
        # A direct message never has the id of a server.
        return self.guild_id or self.channel_id


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits in a seat: a person, or a computer player of a level."""

    name: str
    user_id: int | None = None
    level: str | None = None
    contribution: str = ""
    """What this seat adds to the table's chance: the id of a click, or the word `computer` with the level.

    It is printable ASCII without spaces, and stays with the seat whoever plays on in it.
    """

    @property
    def is_computer(self) -> bool:
        """Whether a computer player sits here."""
        return self.user_id is None


class SeriesLinkKind(StrEnum):
    """Why a table follows another."""

    TOURNAMENT = "tournament"
    TIE_BREAK = "tie_break"


@dataclass(frozen=True, slots=True)
class SeriesLink:
    """What makes a table the next one of a series, whose first table has none."""

    first_id: TableId
    kind: SeriesLinkKind
    part: int
    """Which table of the series it is; the first is 1."""
    carried: tuple[int, ...] = ()
    """What each seat has scored in the games of a tournament before this one."""


@dataclass(frozen=True, slots=True)
class Header:
    """All of a table but its moves.

    What changes, from `status` on, is written in the transaction of the change that led to it, so that lists of tables
    and the sweep at start need no replay; what is shown alone (`published`, `message_id`) is written later.
    """

    id: TableId
    game: str
    version: int
    """The version of the rules the table was opened with."""
    options: str
    """The game's options as JSON."""
    place: Place
    opener_id: int
    seed: bytes = field(repr=False)
    """32 secret bytes until the table is over; left out where a table is written to a log."""
    salt: str
    """Frozen at the start from what every seat contributed; empty before."""
    created_at: datetime
    status: Status
    step: int
    """The number of entries so far."""
    to_move: Seat | None
    awaits_computer: bool
    """Whether a computer player is to move: in a seat of its own, or in somebody's place."""
    revision: int
    """Counts every change, in the lobby too; a writer that expected another revision loses."""
    published: int
    """The newest revision that is shown, or that could not be because the channel is out of reach."""
    message_id: int | None
    updated_at: datetime
    """When the table was changed; being put aside leaves it as silent as it was."""
    awaited_since: datetime
    """Since when nothing is heard of whoever is to move, or in the lobby of the opener."""
    lobby_click_id: int | None = None
    """The opener's newest command about who sits in the lobby, which leaves no entry to be known by."""
    link: SeriesLink | None = None
    """None for a table that follows no other."""


def build_lobby_header(
    game: str, version: int, options: str, *, place: Place, opener_id: int, seed: bytes, at: datetime
) -> Header:
    """Return the header of a table that is opened at a moment, and has no number yet."""
    return Header(
        id=0,
        game=game,
        version=version,
        options=options,
        place=place,
        opener_id=opener_id,
        seed=seed,
        salt="",
        created_at=at,
        status=Status.LOBBY,
        step=0,
        to_move=None,
        awaits_computer=False,
        revision=1,
        published=0,
        message_id=None,
        updated_at=at,
        awaited_since=at,
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of a table, or one control entry, as it is kept."""

    step: int
    """Counted from 1."""
    seat: Seat
    text: str
    """The move in the game's notation; a control entry begins with `!`."""
    digest: str
    """A short digest of the position after the entry."""
    click_id: int | None
    """The interaction that made the move; None for a computer player's."""
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored: the header, who sits where, and every entry."""

    header: Header
    seats: tuple[Occupant, ...]
    entries: tuple[Entry, ...]


class Company(StrEnum):
    """Whom a game was played with; results are compared only with those of the same company."""

    PEOPLE = "people"
    """Two people at least, whoever else sat there."""
    COMPUTERS = "computers"
    """One person, and nobody else but computer players."""
    ALONE = "alone"
    """A game for one."""


class Departure(StrEnum):
    """Why a computer player held somebody's seat when a game ended."""

    RESIGNED = "resigned"
    SUBSTITUTED = "substituted"


@dataclass(frozen=True, slots=True)
class Result:
    """What a seat got out of a finished table."""

    table_id: TableId
    seat: Seat
    game: str
    company: Company
    guild_id: int | None
    channel_id: int
    user_id: int | None
    name: str
    level: str | None
    place: int
    """The place in the ranking; 1 is best."""
    is_shared: bool
    """Whether somebody else is in first place too."""
    score: int
    seats: int
    """How many seats the table had."""
    steps: int
    opened_at: datetime
    finished_at: datetime
    reason: str
    """Why the game ended, in the game's own word."""
    departure: Departure | None = None
    """None for whoever played to the end, and for what was finished before this was noted."""


@dataclass(frozen=True, slots=True)
class AsideTable:
    """A table that was put aside, as it is suggested to those who may resume it."""

    table_id: TableId
    game: str
    names: tuple[str, ...]
    user_ids: frozenset[int]
    """Who has a seat."""
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class PublishedRevision:
    """What is shown of a table."""

    table_id: TableId
    revision: int
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Preferences:
    """What is chosen for the tables of a server, or of a direct message."""

    theme: Theme | None = Theme.STANDARD
    """What pictures look like; None shows tables in words alone."""
    reminds: bool = True
    """Whether people whose turn it is are reminded, where the host reminds anybody."""
    invites: bool = True
    """Whether anybody may be invited to a table here."""
