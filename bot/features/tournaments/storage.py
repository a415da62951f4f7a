"""Queries for tournaments."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    Row,
    Table,
    Text,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.features.tournaments import offers
from bot.features.tournaments.model import (
    DEADLINE_KIND,
    START_KIND,
    Announced,
    CancelledBy,
    Format,
    Grounds,
    PairedTable,
    PairedTables,
    Pairing,
    Player,
    Stage,
    Tournament,
    TournamentConflict,
    TournamentId,
    TournamentReason,
    Verdict,
    round_key,
)
from bot.platform.database.sql import UtcDateTime, Values, lock, metadata, rowless_table
from bot.platform.jobs import storage as job_queries
from bot.platform.jobs.storage import Job, jobs
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.model import SeriesLinkKind, Status
from bot.tables.results import results
from bot.tables.schema import IS_CONTINUATION, tables

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("opener_id", BigInteger, nullable=False),
    Column("opener_name", Text, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("is_by_organizer", Boolean, nullable=False),
    Column("round_hours", Integer, nullable=False),
    # 0 without a check-in.
    Column("check_in_minutes", Integer, nullable=False),
    Column("is_checking_in", Boolean, nullable=False),
    Column("format", Text),
    Column("stage", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("is_late", Boolean, nullable=False),
    Column("announced", Integer, nullable=False),
    Column("announced_in", BigInteger),
    Column("cancelled_by", Text),
    Column("revision", Integer, nullable=False),
    Column("message_id", BigInteger),
    # Set while a process opens and closes the tables; expires if that process dies.
    Column("busy_until", UtcDateTime),
    Index("tournaments_in", "guild_id", "id"),
    Index("tournaments_in_channels", "channel_id"),
    # Ids are never reused: an old button must not reach a newer tournament.
    sqlite_autoincrement=True,
)

tournament_players = rowless_table(
    "tournament_players",
    Column("tournament_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # The order of joining.
    Column("place", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("click_id", BigInteger, nullable=False),
    # The place in the draw; 0 before the start.
    Column("number", Integer, nullable=False),
    Column("has_withdrawn", Boolean, nullable=False),
    Column("has_checked_in", Boolean, nullable=False),
    # Set for people taken out before the start, who are no players any more.
    Column("is_taken_out", Boolean, nullable=False),
    Index("tournament_players_by", "user_id"),
)

# Links lead from a pairing to its tables.
pairings = rowless_table(
    "pairings",
    Column("tournament_id", BigInteger, primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("first_user_id", BigInteger, nullable=False),
    Column("second_user_id", BigInteger),
    Column("verdict", Text),
    Column("grounds", Text),
    Column("thread_id", BigInteger),
    Column("attempt", Integer, nullable=False),
    Column("is_reminded", Boolean, nullable=False),
)

_IS_OPEN: Final = tournaments.c.stage.in_([stage.value for stage in Stage if stage.is_open])
_OF: Final = bindparam("of_tournament", type_=tournaments.c.id.type)

_INSERT: Final = insert(tournaments).returning(tournaments.c.id)
_SELECT: Final = select(tournaments).where(tournaments.c.id == _OF)
_SELECT_PLAYERS: Final = (
    select(tournament_players)
    .where(tournament_players.c.tournament_id == _OF)
    .order_by(tournament_players.c.number, tournament_players.c.place)
)
_SELECT_PAIRINGS: Final = (
    select(pairings).where(pairings.c.tournament_id == _OF).order_by(pairings.c.round, pairings.c.board)
)
_SELECT_DUE: Final = select(jobs.c.due_at).where(jobs.c.kind == bindparam("of_kind"), jobs.c.key == bindparam("of_key"))
_UPDATE: Final = update(tournaments).where(tournaments.c.id == _OF, tournaments.c.revision == bindparam("expected"))
_SET_MESSAGE: Final = (
    update(tournaments)
    .where(
        tournaments.c.id == _OF,
        tournaments.c.message_id.is_not_distinct_from(bindparam("replaced", type_=tournaments.c.message_id.type)),
    )
    .values(message_id=bindparam("message"))
)
_IS_FREE: Final = or_(tournaments.c.busy_until.is_(None), tournaments.c.busy_until <= bindparam("now"))
_CLAIM: Final = update(tournaments).where(tournaments.c.id == _OF, _IS_FREE).values(busy_until=bindparam("until"))
_PROLONG: Final = (
    update(tournaments)
    .where(tournaments.c.id == _OF, tournaments.c.busy_until.is_not(None))
    .values(busy_until=bindparam("until"))
)
_RELEASE: Final = update(tournaments).where(tournaments.c.id == _OF).values(busy_until=None)
_IN_SERVER: Final = tournaments.c.guild_id == bindparam("guild")
SELECT_IN_SERVER: Final = (
    select(tournaments.c.id)
    .where(_IN_SERVER, tournaments.c.channel_id.in_(bindparam("channels", expanding=True)))
    .order_by(case((_IS_OPEN, 0), else_=1), tournaments.c.id.desc())
    .limit(bindparam("most"))
)
_SELECT_CHANNELS: Final = select(tournaments.c.channel_id).distinct().where(_IN_SERVER)
SELECT_OPEN_IN_CHANNEL: Final = select(tournaments.c.id).where(
    tournaments.c.channel_id == bindparam("channel"), _IS_OPEN
)
_COUNT_OPEN: Final = (
    select(func.count()).select_from(tournaments).where(tournaments.c.guild_id == bindparam("guild"), _IS_OPEN)
)
_COUNT_OPEN_OF: Final = _COUNT_OPEN.where(tournaments.c.opener_id == bindparam("opener"))
_DELETE_PLAYER: Final = delete(tournament_players).where(
    tournament_players.c.tournament_id == _OF, tournament_players.c.user_id == bindparam("of_user")
)
_DELETE_PAIRING: Final = delete(pairings).where(
    pairings.c.tournament_id == _OF,
    pairings.c.round == bindparam("of_round"),
    pairings.c.board == bindparam("of_board"),
)
SELECT_TABLES: Final = (
    select(
        tables.c.part,
        tables.c.id,
        tables.c.status,
        tables.c.channel_id,
        tables.c.message_id,
        results.c.place,
    )
    .select_from(tables.outerjoin(results, results.c.table_id == tables.c.id))
    .where(IS_CONTINUATION, tables.c.first_id == _OF, tables.c.link_kind == SeriesLinkKind.PAIRING.value)
    .order_by(tables.c.part, results.c.seat)
)


def add(connection: Connection, tournament: Tournament, most: int, scheduled: Sequence[Job]) -> Tournament:
    """Store a new tournament and its jobs, and return it with its id.

    Raises:
        Refusal: The server has too many open tournaments, or the opener, who is no organizer, has one already.
    """
    guild_id = tournament.location.guild_id or 0
    lock(connection, guild_id)
    own = {"guild": guild_id, "opener": tournament.opener.id}
    if not tournament.is_by_organizer and connection.execute(_COUNT_OPEN_OF, own).scalar_one():
        raise Refusal(TournamentReason.OPENED_ONE_ALREADY)
    if connection.execute(_COUNT_OPEN, {"guild": guild_id}).scalar_one() >= most:
        raise Refusal(TournamentReason.TOO_MANY_OPEN)
    added = connection.execute(_INSERT, _values(tournament)).scalar_one()
    for job in scheduled:
        job_queries.put(connection, replace(job, key=str(added)))
    return replace(tournament, id=added)


def find(connection: Connection, tournament_id: TournamentId) -> Tournament | None:
    """Return a tournament, or None."""
    key = {"of_tournament": tournament_id}
    row = connection.execute(_SELECT, key).one_or_none()
    if row is None:
        return None
    people = connection.execute(_SELECT_PLAYERS, key).all()
    tournament = replace(
        _tournament_of(row),
        players=tuple(_player_of(person) for person in people if not person.is_taken_out),
        taken_out=tuple(_player_of(person) for person in people if person.is_taken_out),
        pairings=tuple(_pairing_of(pairing) for pairing in connection.execute(_SELECT_PAIRINGS, key)),
    )
    if tournament.stage is not Stage.JOINING:
        return replace(tournament, due_at=_find_due(connection, DEADLINE_KIND, round_key(row.id, row.round)))
    due = _find_due(connection, START_KIND, str(row.id))
    return replace(tournament, starts_at=due and due + tournament.check_in_ahead)


def _find_due(connection: Connection, kind: str, key: str) -> datetime | None:
    """Return when a job is due; None if there is none."""
    found: datetime | None = connection.execute(_SELECT_DUE, {"of_kind": kind, "of_key": key}).scalar_one_or_none()
    return found


def save(connection: Connection, before: Tournament, after: Tournament, scheduled: Sequence[Job]) -> None:
    """Store the changed parts of a tournament, with the next revision, and schedule jobs.

    Raises:
        TournamentConflict: The stored revision is not the expected one.
    """
    key = {"of_tournament": before.id, "expected": before.revision}
    # The message is stored separately.
    values = {name: value for name, value in _values(after).items() if name != "message_id"}
    if connection.execute(_UPDATE.values(**values), key).rowcount == 0:
        raise TournamentConflict(before.id)
    _replace_rows(connection, before, after)
    if before.stage is not after.stage or before.players != after.players:
        offers.close_void(connection, after)
    if before.starts_at is not None and after.starts_at is None:
        job_queries.remove(connection, START_KIND, [str(after.id)])
    for job in scheduled:
        job_queries.put(connection, job)


def _replace_rows(connection: Connection, before: Tournament, after: Tournament) -> None:
    """Write the changed players and pairings."""
    old, new = _player_rows(before), _player_rows(after)
    for values in old:
        if values not in new:
            connection.execute(_DELETE_PLAYER, {"of_tournament": after.id, "of_user": values["user_id"]})
    for values in new:
        if values not in old:
            connection.execute(insert(tournament_players), values)
    had, has = set(before.pairings), set(after.pairings)
    for gone in had - has:
        key = {"of_tournament": after.id, "of_round": gone.round, "of_board": gone.board}
        connection.execute(_DELETE_PAIRING, key)
    for pairing in after.pairings:
        if pairing not in had:
            connection.execute(insert(pairings), _pairing_values(after.id, pairing))


def claim(connection: Connection, tournament_id: TournamentId, now: datetime, until: datetime) -> bool:
    """Claim a tournament's tables for one process; return False if another process has them."""
    return connection.execute(_CLAIM, {"of_tournament": tournament_id, "now": now, "until": until}).rowcount > 0


def prolong(connection: Connection, tournament_id: TournamentId, until: datetime) -> None:
    """Extend the claim of a tournament's tables to a time."""
    connection.execute(_PROLONG, {"of_tournament": tournament_id, "until": until})


def release(connection: Connection, tournament_id: TournamentId) -> None:
    """End the claim of a tournament's tables."""
    connection.execute(_RELEASE, {"of_tournament": tournament_id})


def set_message(
    connection: Connection, tournament_id: TournamentId, message_id: int | None, replaced: int | None
) -> bool:
    """Store the message of a tournament; return False if its message is not the one to replace."""
    key = {"of_tournament": tournament_id, "message": message_id, "replaced": replaced}
    return connection.execute(_SET_MESSAGE, key).rowcount > 0


def find_channels(connection: Connection, guild_id: int) -> Collection[int]:
    """Return the channels of a server in which there are tournaments."""
    return frozenset(connection.execute(_SELECT_CHANNELS, {"guild": guild_id}).scalars())


def find_in_server(
    connection: Connection, guild_id: int, channels: Collection[int], limit: int
) -> Sequence[Tournament]:
    """Return the tournaments in some channels of a server, open ones first, then the newest first."""
    key = {"guild": guild_id, "channels": sorted(channels), "most": limit}
    found = connection.execute(SELECT_IN_SERVER, key).scalars().all()
    return [
        tournament
        for tournament in (find(connection, tournament_id) for tournament_id in found)
        if tournament is not None
    ]


def find_open_of(connection: Connection, user_id: int) -> Mapping[TournamentId, int]:
    """Return the unfinished tournaments in which a person plays, or which they opened, with their servers."""
    is_player = exists().where(
        tournament_players.c.tournament_id == tournaments.c.id, tournament_players.c.user_id == user_id
    )
    found = select(tournaments.c.id, tournaments.c.guild_id)
    found = found.where(_IS_OPEN, or_(is_player, tournaments.c.opener_id == user_id)).order_by(tournaments.c.id)
    return {row.id: row.guild_id for row in connection.execute(found)}


def find_open_in(connection: Connection, guild_id: int) -> Sequence[TournamentId]:
    """Return the tournaments of a server that are not over."""
    found = select(tournaments.c.id).where(_IS_OPEN, tournaments.c.guild_id == guild_id)
    return connection.execute(found).scalars().all()


def find_open_in_channel(connection: Connection, channel_id: int) -> Sequence[TournamentId]:
    """Return the tournaments in a channel that are not over."""
    return connection.execute(SELECT_OPEN_IN_CHANNEL, {"channel": channel_id}).scalars().all()


def find_tables(connection: Connection, tournament_id: TournamentId) -> PairedTables:
    """Return the tables of a tournament that were neither cancelled nor abandoned, by part."""
    by_part = defaultdict[int, list[Any]](list)
    for row in connection.execute(SELECT_TABLES, {"of_tournament": tournament_id}):
        by_part[row.part].append(row)
    return {
        part: PairedTable(
            part,
            found[0].id,
            Status(found[0].status),
            found[0].channel_id,
            found[0].message_id,
            tuple(row.place for row in found if row.place is not None),
        )
        for part, found in by_part.items()
    }


def _values(tournament: Tournament) -> Values:
    return {
        "guild_id": tournament.location.guild_id,
        "channel_id": tournament.location.channel_id,
        "opener_id": tournament.opener.id,
        "opener_name": tournament.opener.name,
        "format": None if tournament.format is None else tournament.format.value,
        "stage": tournament.stage.value,
        "announced": tournament.announced.value,
        "cancelled_by": tournament.cancelled_by and tournament.cancelled_by.value,
        **{name: getattr(tournament, name) for name in _PLAIN},
    }


_PLAIN: Final = (
    "title",
    "game",
    "options",
    "opened_at",
    "is_by_organizer",
    "round_hours",
    "check_in_minutes",
    "is_checking_in",
    "seed",
    "round",
    "rounds",
    "is_late",
    "announced_in",
    "revision",
    "message_id",
)
"""The columns whose values equal the model's."""


def _player_rows(tournament: Tournament) -> list[Values]:
    people = [*((player, False) for player in tournament.players), *((player, True) for player in tournament.taken_out)]
    return [
        {
            "tournament_id": tournament.id,
            "user_id": player.user_id,
            "place": place,
            "name": player.name,
            "click_id": player.click_id,
            "number": player.number,
            "has_withdrawn": player.has_withdrawn,
            "has_checked_in": player.has_checked_in,
            "is_taken_out": is_taken_out,
        }
        for place, (player, is_taken_out) in enumerate(people)
    ]


def _pairing_values(tournament_id: TournamentId, pairing: Pairing) -> Values:
    return {
        "tournament_id": tournament_id,
        "round": pairing.round,
        "board": pairing.board,
        "first_user_id": pairing.first_id,
        "second_user_id": pairing.second_id,
        "verdict": None if pairing.verdict is None else pairing.verdict.value,
        "grounds": None if pairing.grounds is None else pairing.grounds.value,
        "thread_id": pairing.thread_id,
        "attempt": pairing.attempt,
        "is_reminded": pairing.is_reminded,
    }


def _tournament_of(row: Row[Any]) -> Tournament:
    return Tournament(
        id=row.id,
        location=Location(row.guild_id, row.channel_id),
        opener=Person(row.opener_id, row.opener_name),
        format=None if row.format is None else Format(row.format),
        stage=Stage(row.stage),
        announced=Announced(row.announced),
        cancelled_by=None if row.cancelled_by is None else CancelledBy(row.cancelled_by),
        **{name: getattr(row, name) for name in _PLAIN},
    )


def _player_of(row: Row[Any]) -> Player:
    return Player(row.user_id, row.name, row.click_id, row.number, row.has_withdrawn, row.has_checked_in)


def _pairing_of(row: Row[Any]) -> Pairing:
    return Pairing(
        row.round,
        row.board,
        row.first_user_id,
        row.second_user_id,
        None if row.verdict is None else Verdict(row.verdict),
        None if row.grounds is None else Grounds(row.grounds),
        row.thread_id,
        row.attempt,
        row.is_reminded,
    )
