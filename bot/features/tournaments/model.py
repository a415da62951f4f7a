"""The data of tournaments: players, pairings and verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Final, TypeAlias

from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.rules.refusals import RefusalReason
from bot.tables.model import SeriesLink, SeriesLinkKind, Status, TableId
from bot.tables.series import pairing_part


class TournamentReason(RefusalReason):
    """Why an action on a tournament is refused."""

    UNKNOWN = "unknown_tournament"
    NONE_HERE = "no_tournament_here"
    ONLY_IN_SERVERS = "tournament_only_in_servers"
    ONE_SEAT = "tournament_one_seat"
    HAS_STARTED = "tournament_has_started"
    NOT_RUNNING = "tournament_not_running"
    OVER = "tournament_over"
    FULL = "tournament_full"
    TOO_FEW = "tournament_too_few"
    TOO_MANY_OPEN = "tournament_too_many_open"
    OPENED_ONE_ALREADY = "tournament_opened_one_already"
    PLAYS_ALREADY = "tournament_plays_already"
    PLACE_REFUSED = "tournament_place_refused"
    OFFERED_ALREADY = "tournament_offered_already"
    TOO_MANY_ASKED = "tournament_too_many_asked"
    NOT_OFFERED = "tournament_not_offered"
    MAY_NOT_NAME = "tournament_may_not_name"
    NOT_ORGANIZER = "tournament_not_organizer"
    NOT_IN_IT = "tournament_not_in_it"
    HAS_WITHDRAWN = "tournament_has_withdrawn"
    TAKEN_OUT = "tournament_taken_out"
    NOT_TAKEN_OUT = "tournament_not_taken_out"
    THEY_ARE_NOT_IN_IT = "tournament_they_are_not_in_it"
    CHECK_IN_TOO_LONG = "tournament_check_in_too_long"
    UNKNOWN_START = "tournament_unknown_start"
    START_OUT_OF_RANGE = "tournament_start_out_of_range"
    NOT_CHECKING_IN = "tournament_not_checking_in"


TournamentId: TypeAlias = int
UserId: TypeAlias = int

MOST_IN_ROUND_ROBIN: Final = 8
MOST_PLAYERS: Final = 64
LEAST_PLAYERS: Final = 2
ROUND_HOURS: Final = (1, 12, 24, 72, 168)
"""The choices for the duration of a round, and for more time."""


class Format(StrEnum):
    """How a tournament pairs its players."""

    ROUND_ROBIN = "round_robin"
    """Everyone meets everyone once."""
    SWISS = "swiss"
    """A few rounds between players with as equal scores as possible."""
    KNOCKOUT = "knockout"
    """A player who loses is out."""


class Stage(StrEnum):
    """The stages of a tournament."""

    JOINING = "joining"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether the tournament is not over."""
        return self in (Stage.JOINING, Stage.RUNNING)


class Verdict(StrEnum):
    """Who won a pairing."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    NEITHER = "neither"
    """Both lose."""


class Grounds(StrEnum):
    """The grounds of a verdict."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    APART = "apart"
    """The two are kept apart because one of them blocks the other. Nobody is told."""


class CancelledBy(StrEnum):
    """Who cancelled a tournament."""

    OPENER = "opener"
    ORGANIZER = "organizer"
    MODERATOR = "moderator"


class Announced(IntEnum):
    """The last message that has been posted about a tournament; a cancellation is an end, too."""

    NOTHING = 0
    OPENING = 1
    CHECK_IN = 2
    END_IN_CHOSEN_CHANNEL = 3
    """The end, in the channel that the server has chosen for announcements, if any."""
    END = 4
    """The end, in the tournament's own channel, too."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person in a tournament."""

    user_id: UserId
    name: str
    click_id: int
    """The interaction with which they joined: their contribution to the salt of tables that the opponent starts.

    It is 0 once the tournament is over.
    """
    number: int = 0
    """The place in the draw, from 1; 0 before the start."""
    has_withdrawn: bool = False
    has_checked_in: bool = False
    """Whether the player has confirmed to be there, or joined while the check-in was open."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a round, or one who has a bye."""

    round: int
    board: int
    """The number within the round, from 1; in a knock-out, the place in the bracket."""
    first_id: UserId
    second_id: UserId | None = None
    """None for a bye."""
    verdict: Verdict | None = None
    grounds: Grounds | None = None
    thread_id: int | None = None
    attempt: int = 1
    """The number of this attempt; a drawn game of a knock-out is played again, with the seats swapped."""
    is_reminded: bool = False

    @property
    def part(self) -> int:
        """The number that identifies the pairing's table within the tournament."""
        return pairing_part(self.round, self.board, self.attempt)

    @property
    def people(self) -> tuple[UserId, ...]:
        """The players by seat."""
        if self.second_id is None:
            return (self.first_id,)
        return (self.first_id, self.second_id) if self.attempt % 2 else (self.second_id, self.first_id)

    @property
    def winner_id(self) -> UserId | None:
        """The winner, or None."""
        return {Verdict.FIRST: self.first_id, Verdict.SECOND: self.second_id}.get(self.verdict or Verdict.DRAW)

    def opponent_of(self, user_id: UserId) -> UserId | None:
        """Return the other player; None in a bye."""
        return self.second_id if user_id == self.first_id else self.first_id


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament with its players and pairings."""

    id: TournamentId
    """0 until the tournament is stored."""
    title: str
    """The name that an organizer gave it; empty if it has the usual one, which each reads in their own language."""
    game: str
    options: str
    """The game's options as JSON, the same at all tables."""
    location: Location
    """The channel of its message."""
    opener: Person
    opened_at: datetime
    round_hours: int
    """The duration of a round, in hours."""
    format: Format | None = None
    """Before the start, None if the number of players will decide."""
    is_by_organizer: bool = False
    """Whether its opener organizes those of others, too: without that, limits are lower and no role is mentioned."""
    stage: Stage = Stage.JOINING
    seed: str = ""
    """Determines the draw; generated at the start."""
    round: int = 0
    """The present round, from 1; 0 before the start."""
    rounds: int = 0
    is_late: bool = False
    """Whether the time of the present round is up."""
    announced: Announced = Announced.NOTHING
    """What has been announced, so that what is missing is announced by the next job."""
    announced_in: int | None = None
    """The channel in which the server had its opening announced, and is told of changes; None if there is none."""
    cancelled_by: CancelledBy | None = None
    """None if it was not cancelled, or by itself."""
    revision: int = 1
    """The number of changes; a writer that expects another number gets a TournamentConflict."""
    message_id: int | None = None
    due_at: datetime | None = None
    """When the round's time is up, as its job says, which any downtime moves."""
    starts_at: datetime | None = None
    """When the tournament starts by itself, as its job says; None once it has started, or if an organizer starts it."""
    check_in_minutes: int = 0
    """How long before the start the check-in opens; 0 if there is none."""
    is_checking_in: bool = False
    """Whether the check-in is open."""
    players: tuple[Player, ...] = ()
    """In order of joining; from the start on, in the order of the draw."""
    taken_out: tuple[Player, ...] = ()
    """People taken out by an organizer before the start, who therefore can't join again."""
    pairings: tuple[Pairing, ...] = ()
    """Sorted by round and board."""

    @property
    def active(self) -> tuple[Player, ...]:
        """The players who have not withdrawn."""
        return tuple(player for player in self.players if not player.has_withdrawn)

    @property
    def in_play(self) -> tuple[Pairing, ...]:
        """The pairings of the present round without a verdict."""
        return tuple(pairing for pairing in self.pairings if pairing.round == self.round and pairing.verdict is None)

    @property
    def drawn(self) -> tuple[Player, ...]:
        """The players who would be drawn now: while the check-in is open, those who have checked in."""
        return tuple(player for player in self.players if player.has_checked_in or not self.is_checking_in)

    @property
    def check_in_ahead(self) -> timedelta:
        """How long before the start something is due: the check-in, unless it is open already."""
        return timedelta(minutes=0 if self.is_checking_in else self.check_in_minutes)

    @property
    def takes_latecomers(self) -> bool:
        """Whether people can join although the tournament has started: in a Swiss, until its second round is paired."""
        return self.stage is Stage.RUNNING and self.format is Format.SWISS and self.round == 1 < self.rounds

    @property
    def latecomers(self) -> tuple[Player, ...]:
        """The players of a Swiss who joined after its first round was paired."""
        first = {user_id for pairing in self.pairings if pairing.round == 1 for user_id in pairing.people}
        is_swiss = self.format is Format.SWISS and self.round > 0
        return tuple(player for player in self.players if is_swiss and player.user_id not in first)

    @property
    def resting(self) -> Sequence[Player]:
        """The players who rest in the present round: one in an odd round robin, latecomers in a Swiss."""
        if self.format is Format.KNOCKOUT or self.stage is not Stage.RUNNING:
            return ()
        paired = {user_id for pairing in self.pairings if pairing.round == self.round for user_id in pairing.people}
        return [player for player in self.active if player.user_id not in paired]

    @property
    def has_results(self) -> bool:
        """Whether a game has been decided; byes put no one ahead."""
        return any(pairing.grounds not in (None, Grounds.BYE) for pairing in self.pairings)

    @property
    def most_players(self) -> int:
        """The most players who can join."""
        return MOST_IN_ROUND_ROBIN if self.format is Format.ROUND_ROBIN else MOST_PLAYERS

    def player(self, user_id: UserId) -> Player | None:
        """Return a player, or None."""
        return next((player for player in self.players if player.user_id == user_id), None)

    def link_of(self, pairing: Pairing) -> SeriesLink:
        """Return the link from a pairing's table to the tournament."""
        return SeriesLink(self.id, SeriesLinkKind.PAIRING, pairing.part)


@dataclass(frozen=True, slots=True)
class PairedTable:
    """A pairing's table that was neither cancelled nor abandoned."""

    part: int
    table_id: TableId
    status: Status
    channel_id: int
    message_id: int | None
    places: tuple[int, ...] = ()
    """Each seat's place; empty until the game is over."""


PairedTables: TypeAlias = Mapping[int, PairedTable]
"""The tables of a tournament, by `Pairing.part`."""


def numbers_of(players: Sequence[Player]) -> Mapping[UserId, int]:
    """Return the players' numbers in the draw."""
    return {player.user_id: player.number for player in players}


class TournamentConflict(Exception):
    """Another writer changed the tournament first; load it again and repeat the decision."""


ADVANCE_KIND: Final = "tournament"
"""Stores results, opens tables and shows the tournament."""

START_KIND: Final = "tournament start"
"""Opens the check-in, if there is one, and starts the tournament."""

REMINDER_KIND: Final = "tournament reminder"
DEADLINE_KIND: Final = "tournament deadline"
FORGOTTEN_KIND: Final = "forgotten tournament"
"""Closes a tournament that nobody has started or decided."""

START_WITHIN: Final = timedelta(days=14)
DECIDE_WITHIN: Final = timedelta(days=28)
"""How long organizers may leave a late round undecided."""


def deadline_of(tournament: Tournament) -> int:
    """Return the second in which the round's time is up, which identifies the deadline; 0 once it is up."""
    return 0 if tournament.is_late or tournament.due_at is None else int(tournament.due_at.timestamp())


def round_key(tournament_id: TournamentId, number: int) -> str:
    """Return the key of the jobs of a round."""
    return f"{tournament_id}:{number}"


def parse_round_key(key: str) -> tuple[TournamentId, int]:
    """Return the tournament and the round in a job's key."""
    tournament_id, number = key.split(":")
    return int(tournament_id), int(number)


def jobs_at_opening(tournament: Tournament, now: datetime) -> Sequence[Job]:
    """Return the jobs due when a tournament opens, with empty keys because it has no id yet."""
    guild_id = tournament.location.guild_id or 0
    return [Job(ADVANCE_KIND, "", now, guild_id=guild_id), *_jobs_of_start(tournament, "", now)]


def _jobs_of_start(tournament: Tournament, key: str, now: datetime) -> Iterator[Job]:
    """Yield the jobs that start a tournament, or cancel it if no one does."""
    guild_id = tournament.location.guild_id or 0
    due = (tournament.starts_at or now) + START_WITHIN
    yield Job(FORGOTTEN_KIND, key, due, counts_from=now, guild_id=guild_id)
    if tournament.starts_at is not None:
        # People keep an appointment whatever happened before it, so only downtime after this moves the start.
        due = tournament.starts_at - tournament.check_in_ahead
        yield Job(START_KIND, key, due, counts_from=due, guild_id=guild_id)


def jobs_after(before: Tournament, after: Tournament, now: datetime) -> Sequence[Job]:
    """Return the jobs due after a change: one that shows it at once, and those of a round that has begun."""
    guild_id = after.location.guild_id or 0
    found = [Job(ADVANCE_KIND, str(after.id), now, guild_id=guild_id)]
    if after.is_checking_in and not before.is_checking_in:
        due = now + timedelta(minutes=after.check_in_minutes)
        found.append(Job(START_KIND, str(after.id), due, counts_from=now, guild_id=guild_id))
    elif after.stage is Stage.JOINING and after.starts_at != before.starts_at:
        found += _jobs_of_start(after, str(after.id), now)
    is_extended = after.round == before.round and after.due_at is not None and after.due_at != before.due_at
    if after.stage is Stage.RUNNING and (after.round != before.round or is_extended):
        due = after.due_at if is_extended and after.due_at else now + timedelta(hours=after.round_hours)
        key = round_key(after.id, after.round)
        found.append(Job(REMINDER_KIND, key, now + (due - now) / 2, counts_from=now, guild_id=guild_id))
        found.append(Job(DEADLINE_KIND, key, due, counts_from=now, guild_id=guild_id))
    if after.is_late and not before.is_late:
        due = now + DECIDE_WITHIN
        found.append(Job(FORGOTTEN_KIND, str(after.id), due, counts_from=now, guild_id=guild_id))
    return found
