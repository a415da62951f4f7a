"""The data of a table: a header, its seats, and an append-only list of entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeAlias

from bot.platform.places import Location
from bot.rules.game import Seat

HALF_TIME: Final = "half time"
TIME_UP: Final = "time up"
"""The kinds of the jobs due after half a turn's time, and after all of it."""


class TurnClock(StrEnum):
    """How long a player has for a turn."""

    NONE = "none"
    TEN_MINUTES = "ten_minutes"
    ONE_DAY = "one_day"
    THREE_DAYS = "three_days"

    @property
    def time(self) -> timedelta | None:
        """The time for a turn; None without a limit."""
        return _TURN_TIMES.get(self)


_TURN_TIMES = {
    TurnClock.TEN_MINUTES: timedelta(minutes=10),
    TurnClock.ONE_DAY: timedelta(days=1),
    TurnClock.THREE_DAYS: timedelta(days=3),
}


class Pace(StrEnum):
    """How long people see a turn before a computer player makes the next one."""

    CALM = "calm"
    QUICK = "quick"


class HostChoice(StrEnum):
    """What the opener of a table chooses in the lobby, unless the server has fixed it."""

    OPTIONS = "options"
    LEVELS = "levels"
    """The levels of computer players."""
    CLOCK = "clock"
    PACE = "pace"
    HINTS = "hints"


@dataclass(frozen=True, slots=True)
class OpeningLimits:
    """How many tables may be open in a server once a person has opened another; None for any number."""

    most_by_opener: int | None = None
    most_in_server: int | None = None


NO_LIMITS: Final = OpeningLimits()


@dataclass(frozen=True, slots=True)
class ClockState:
    """How long a turn may take at a table, and when the present one ends."""

    limit: TurnClock = TurnClock.NONE
    """The opener's choice in the lobby."""
    ends_at: datetime | None = None
    """When the time of the player to move ends; None while the clock is stopped."""
    is_up: bool = False
    """Whether that time is up, as noted by the job: `ends_at` alone does not tell, because downtime does not count."""


STOPPED: Final = ClockState()


class SeriesLinkKind(StrEnum):
    """Why a table follows another."""

    TOURNAMENT = "tournament"
    TIE_BREAK = "tie_break"
    PAIRING = "pairing"
    """The table belongs to a tournament over many tables, which pairs its players."""


@dataclass(frozen=True, slots=True)
class SeriesLink:
    """The link from a later table of a series to the first one, or from a table to its tournament."""

    first_id: int
    """The id of the first table, or of the tournament."""
    kind: SeriesLinkKind
    part: int
    """The table's number in the series, from 1; for a pairing, `bot.tables.series.pairing_part`."""
    carried: tuple[int, ...] = ()
    """Each seat's score from the earlier games of a tournament."""


class Company(StrEnum):
    """Who played; only results of the same company are compared."""

    PEOPLE = "people"
    """At least two people."""
    COMPUTERS = "computers"
    """One person and computer players."""
    ALONE = "alone"
    """One person alone."""

    @property
    def is_solo(self) -> bool:
        """Whether one person played without opponents."""
        return self is Company.ALONE


class Departure(StrEnum):
    """Why a computer player was playing a person's seat when the game ended."""

    RESIGNED = "resigned"
    SUBSTITUTED = "substituted"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one seat at a finished table."""

    table_id: int
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
    """Whether the seat shares first place with another one."""
    score: int
    seats: int
    """How many seats the table had."""
    steps: int
    opened_at: datetime
    finished_at: datetime
    reason: str
    """Why the game ended: the value of the game's end reason."""
    departure: Departure | None = None
    """Why a computer player finished the game; None if the person played to the end."""
    used_hints: bool = False
    """Whether the person asked for hints."""
    had_substitute: bool = False
    """Whether a computer player substituted for any absent person, for a while or to the end."""
    resigned_early: bool = False
    """Whether anyone at the table resigned before every seat had moved."""

    @property
    def is_unaided(self) -> bool:
        """Whether the person used no hints. A result with hints only counts as a game played (docs/ratings.md).

        Queries use `UNAIDED` for the same condition.
        """
        return not self.used_hints


TableId: TypeAlias = int

FORGOTTEN_CLICK: Final = 0
"""Replaces a deleted click id; None would mean that the host made the move."""


class Status(StrEnum):
    """The state of a table's life cycle."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Closed in the lobby because it was idle."""
    HELD = "held"
    """Stopped because its moves no longer replay to the recorded positions."""
    ASIDE = "aside"
    """Put aside while playing to make room for another table; can be resumed."""
    HELD_ASIDE = "held_aside"
    """Put aside while held; resuming makes it held again."""
    ABANDONED = "abandoned"
    """Closed after its start because it was idle."""

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
        """Whether the table was started and is neither over nor closed."""
        return self.is_aside or self in (Status.PLAYING, Status.HELD)

    @property
    def is_over(self) -> bool:
        """Whether the table can no longer change."""
        return not (self.is_open or self.is_aside)

    @property
    def is_seed_secret(self) -> bool:
        """Whether the table may still draw from its seed, which must not be shown; those of challenges share theirs."""
        return self in (Status.LOBBY, Status.PLAYING, Status.ASIDE)


class ClosedBy(StrEnum):
    """The person who cancelled a table alone."""

    OPENER = "opener"
    MODERATOR = "moderator"


@dataclass(frozen=True, slots=True)
class Occupant:
    """The occupant of a seat: a person, or a computer player of a level."""

    name: str = ""
    """The person's name; that of a computer player follows from its level (`bot.tables.characters`)."""
    user_id: int | None = None
    level: str | None = None
    contribution: str = ""
    """This seat's part of the salt: an interaction id, or `computer:` and the level.

    Printable ASCII without spaces. It does not change when a computer player takes over the seat.
    """

    @property
    def is_computer(self) -> bool:
        """Whether the occupant is a computer player."""
        return self.user_id is None


def people_in(seats: Iterable[Occupant]) -> frozenset[int]:
    """Return the people among some occupants."""
    return frozenset(who.user_id for who in seats if who.user_id is not None)


@dataclass(frozen=True, slots=True)
class Header:
    """Everything about a table except its seats and entries.

    The fields from `status` on change. They are saved in the transaction of the change itself, so that listing tables
    needs no replay; only `published` and `message_id` are saved later.
    """

    id: TableId
    game: str
    version: int
    """The version of the game's rules when the table was opened."""
    options: str
    """The game's options as JSON."""
    location: Location
    opener_id: int
    seed: bytes = field(repr=False)
    """32 bytes; secret until the table is over, so `repr` omits it."""
    salt: str
    """The hash of all contributions, fixed at the start; empty before."""
    created_at: datetime
    status: Status
    step: int
    """The number of entries so far."""
    to_move: Seat | None
    awaits_computer: bool
    """Whether a computer player is to move, in its own seat or as a substitute.

    Stored as true for turns with a forced end, too (`find_forced_end`).
    """
    revision: int
    """The number of changes, those in the lobby included. A writer that expects another revision gets a Conflict."""
    published: int
    """The newest revision that is shown, or that an unreachable channel kept from being shown."""
    message_id: int | None
    updated_at: datetime
    """When the table was last changed; putting it aside does not count."""
    awaited_since: datetime
    """When the player to move, or in a lobby the opener, was last active."""
    lobby_click_id: int | None = None
    """The id of the opener's newest lobby command. It reveals duplicates, because lobby commands leave no entry."""
    link: SeriesLink | None = None
    """The link to the first table of the series; None unless the table follows another."""
    allows_hints: bool = True
    """Whether the opener lets players ask for hints; the server may forbid them as well."""
    pace: Pace = Pace.CALM
    """The pace of computer players, by the opener's choice."""
    hinted: frozenset[Seat] = frozenset()
    """The seats that have used hints."""
    is_private: bool = False
    """Whether only its player sees it, in a message of their own. It has none in its channel, and takes no place."""
    clock: ClockState = STOPPED
    """The turn clock."""
    kicked: frozenset[int] = frozenset()
    """People who were removed from the lobby; they can't take a seat until the opener invites them."""
    kept: frozenset[int] = frozenset()
    """Players of the game before who have not joined again; for a while the lobby keeps seats for them."""
    closed_by: ClosedBy | None = None
    """The person who cancelled the table; None for all players together, and for the bot."""

    def is_unaided(self, seat: Seat) -> bool:
        """Return whether a seat has used no hints."""
        return seat not in self.hinted


@dataclass(frozen=True, slots=True)
class Entry:
    """A move or a control entry, as stored."""

    step: int
    """The entry's number, from 1."""
    seat: Seat
    text: str
    """The move in the game's notation; a control entry begins with `!`."""
    digest: str
    """A short digest of the position after the entry."""
    click_id: int | None
    """The id of its interaction, or `FORGOTTEN_CLICK` once that is deleted; None if the host made the entry."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Award:
    """A badge that a person earned at a table; a person can earn each badge once, wherever they play."""

    user_id: int
    badge: str
    """The keys of game and badge, such as `magpie/shining_five`."""
    table_id: TableId
    guild_id: int | None
    """The server of the game; None in a direct message, or if the badge took games in several servers."""
    earned_at: datetime


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as stored: the header, the occupants by seat, and all entries."""

    header: Header
    seats: tuple[Occupant, ...]
    entries: tuple[Entry, ...]
    awards: tuple[Award, ...] = ()
    """The badges that it has awarded."""


@dataclass(frozen=True, slots=True)
class TableUpdate:
    """A change of a table as the database saves it."""

    header: Header
    """The changed header, with the next revision."""
    entry: Entry | None = None
    """The new entry, if any."""
    seats: Sequence[Occupant] | None = None
    """The new occupants; None if they are unchanged."""


@dataclass(frozen=True, slots=True)
class AsideTable:
    """A table that was put aside, with the facts for its line in a menu."""

    table_id: TableId
    game: str
    names: tuple[str, ...]
    user_ids: frozenset[int]
    """The people who have a seat."""
    updated_at: datetime


NEVER_SHOWN: Final = 0
"""The published revision that makes a table count as outdated, whatever its revision is."""


@dataclass(frozen=True, slots=True)
class PublishedRevision:
    """The revision of a table that a message shows."""

    table_id: TableId
    revision: int
    message_id: int | None
    replaces: int | None = None
    """The stored revision that this one replaces, as far as this process knows; None if any may be replaced."""


def build_lobby_header(
    game: str, version: int, options: str, *, location: Location, opener_id: int, seed: bytes, at: datetime
) -> Header:
    """Return the header of a new table; its id is 0 until it is stored."""
    return Header(
        id=0,
        game=game,
        version=version,
        options=options,
        location=location,
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
