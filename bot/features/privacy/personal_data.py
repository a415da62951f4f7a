"""Classifies every column of the database: what it says about people and servers, and what happens to it.

Export, deletion and retention are derived from these classes; a test fails for a column without one. SQL tables are
looked up by name, because each is defined in its feature.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from sqlalchemy import Column, Table

from bot.platform.database.sql import metadata
from bot.tables.schema import tables


class Kind(Enum):
    """The possible contents of a column."""

    PERSON = auto()
    """A person's id."""
    KEPT = auto()
    """A person's id that stays when that person's data is deleted, because it protects others; texts beside it go."""
    NAME = auto()
    """The name of the row's person."""
    TITLE = auto()
    """What the row's person has called something; it is emptied where that person loses their name."""
    TEXT = auto()
    """Text or a file that may contain people's ids or names."""
    CLICK = auto()
    """The id of a click."""
    SERVER = auto()
    """A server's id."""
    PLACE = auto()
    """An id within a server, such as a channel's."""
    HIDDEN = auto()
    """Data that nobody may see before a table is over."""
    PLAIN = auto()
    """None of the above."""


class Erasing(Enum):
    """What happens to a row of a person whose data is deleted."""

    DELETE = auto()
    RENAME = auto()
    """The row stays, with a pseudonym and without the name."""
    CLEAR = auto()
    """The row stays, without the id."""
    WITH_TABLE = auto()
    """The row is made anonymous or deleted together with the seats of its table (`bot.features.privacy.storage`)."""
    WITH_PEOPLE = auto()
    """The row shows the people of its table, and is deleted as soon as one of them loses their name."""
    BY_TEXT = auto()
    """The row is deleted if its text contains the id."""
    NONE = auto()
    """The row says nothing about people."""


class Leaving(Enum):
    """What happens to a row of a server whose data is deleted."""

    DELETE = auto()
    CLEAR = auto()
    """The row belongs to a person, and stays without the server."""
    WITH_TABLE = auto()
    """The row is deleted with its table."""
    WITH_OWNER = auto()
    """The row is deleted in the same transaction as its owner."""
    BEFORE_OWNER = auto()
    """The row is deleted before its owner, in batches."""
    AT_THE_END = auto()
    """The row is deleted after everything else, because it may be what drives the deletion."""
    BY_AGE = auto()
    """The row is deleted within two days, with or without its server's data, which does not include it."""
    NONE = auto()


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The classes of a database table's columns, and what happens to its rows."""

    name: str
    kinds: Mapping[str, Kind]
    erasing: Erasing
    leaving: Leaving
    exported_by: tuple[str, ...]
    """The columns by which an export finds a person's rows."""
    seen_at: str | None
    """The column of this table or of its owner with the time at which the row's person was seen."""
    clicked_at: str | None
    """The column with the time of the row's click, whose id is deleted after a while."""
    owner: str | None
    """The table that owns these rows, if their classes depend on it."""
    owner_key: str
    """The column with the id of the owner's row."""

    @property
    def table(self) -> Table:
        """The table."""
        return metadata.tables[self.name]

    def columns(self, kind: Kind) -> Iterator[Column[Any]]:
        """Yield the columns of a kind."""
        return (self.table.c[name] for name, found in self.kinds.items() if found is kind)


def classify(
    table: str,
    erasing: Erasing,
    leaving: Leaving,
    *,
    exported_by: str | None = None,
    seen_at: str | None = None,
    clicked_at: str | None = None,
    belongs_to: tuple[str, str] | None = None,
    **kinds: str,
) -> tuple[str, PersonalData]:
    """Classify the columns of a table; each kind's columns are named in one text.

    Args:
        table: The name of the table.
        erasing: What happens to a person's rows.
        leaving: What happens to a server's rows.
        exported_by: The columns by which an export finds a person's rows; by default, all columns with people.
        seen_at: The column with the time at which a person was seen.
        clicked_at: The column with the time of a click whose id is deleted after a while.
        belongs_to: The table that owns these rows, and the column with the owner's ids.
        kinds: The columns of each kind.
    """
    by_column = {column: Kind[kind.upper()] for kind, columns in kinds.items() for column in columns.split()}
    found_by = tuple((kinds.get("person", "") if exported_by is None else exported_by).split())
    owner, owner_key = belongs_to or (None, "")
    return table, PersonalData(table, by_column, erasing, leaving, found_by, seen_at, clicked_at, owner, owner_key)


PERSONAL_DATA: Final[Mapping[str, PersonalData]] = dict(
    (
        classify(
            "tables",
            Erasing.WITH_TABLE,
            Leaving.DELETE,
            person="opener_id solo_id",
            server="guild_id",
            place="channel_id message_id",
            click="lobby_click_id",
            text="kicked kept",
            hidden="seed salt",
            plain="id game version options created_at status step to_move revision published updated_at "
            "awaits_computer awaited_since first_id link_kind part carried allows_hints pace hinted "
            "is_private clock clock_ends_at is_time_up is_own_thread is_outside closed_by",
        ),
        # The contribution is also the id of a click, but it stays, because the salt could not be recomputed without it.
        classify(
            "seats",
            Erasing.WITH_TABLE,
            Leaving.WITH_TABLE,
            person="user_id",
            name="name",
            plain="table_id seat level contribution",
        ),
        classify(
            "moves",
            Erasing.WITH_TABLE,
            Leaving.WITH_TABLE,
            clicked_at="at",
            click="click_id",
            # A digest could help to guess other players' hidden cards while the table goes on.
            hidden="digest",
            plain="table_id step seat text at",
        ),
        # Compacted moves contain seat numbers and no ids of clicks. Exports list them among the other moves.
        classify("compacted_moves", Erasing.NONE, Leaving.WITH_TABLE, plain="table_id entries"),
        classify(
            "results",
            Erasing.RENAME,
            Leaving.WITH_TABLE,
            seen_at="finished_at",
            person="user_id",
            name="name",
            server="guild_id",
            place="channel_id",
            plain="table_id seat game company level place is_shared score seats steps opened_at finished_at reason "
            "departure used_hints had_substitute resigned_early counted_at",
        ),
        # The pictures show names.
        classify("animations", Erasing.WITH_PEOPLE, Leaving.WITH_TABLE, text="file", plain="table_id language theme"),
        classify(
            "ratings",
            Erasing.RENAME,
            Leaving.DELETE,
            person="user_id",
            server="guild_id",
            plain="game mu sigma games counted_at",
        ),
        classify(
            "rating_changes",
            Erasing.RENAME,
            Leaving.WITH_TABLE,
            person="user_id",
            server="guild_id",
            plain="table_id seat game number mu_before sigma_before mu sigma finished_at",
        ),
        classify("boards", Erasing.NONE, Leaving.DELETE, server="guild_id", plain="id game company period"),
        classify(
            "totals",
            Erasing.RENAME,
            Leaving.BEFORE_OWNER,
            belongs_to=("boards", "board_id"),
            person="user_id",
            plain="board_id games wins shared_wins points highest lowest streak longest_streak rating rated_games "
            "share average is_lifetime",
        ),
        classify(
            "played_days", Erasing.NONE, Leaving.DELETE, server="guild_id", place="channel_id", plain="day tables"
        ),
        # Nobody can look up their results against an erased person.
        classify(
            "encounters",
            Erasing.DELETE,
            Leaving.WITH_TABLE,
            person="user_id other_id",
            server="guild_id",
            plain="finished_at table_id game outcome",
        ),
        classify(
            "daily_posts",
            Erasing.NONE,
            Leaving.DELETE,
            server="guild_id",
            place="channel_id",
            plain="posted_on stopped",
        ),
        classify("greetings", Erasing.NONE, Leaving.BY_AGE, server="guild_id", plain="joined_at"),
        classify("seasons", Erasing.NONE, Leaving.DELETE, server="guild_id", plain="period ended_at"),
        classify(
            "season_champions",
            Erasing.RENAME,
            Leaving.DELETE,
            person="user_id",
            name="name",
            server="guild_id",
            plain="period game by value",
        ),
        classify("reviews", Erasing.NONE, Leaving.WITH_TABLE, plain="table_id review"),
        classify(
            "invitations",
            Erasing.DELETE,
            Leaving.WITH_TABLE,
            clicked_at="noted_at",
            person="user_id inviter_id",
            place="channel_id message_id",
            click="click_id",
            plain="table_id most_seats noted_at stands",
        ),
        classify(
            "reminders",
            Erasing.WITH_TABLE,
            Leaving.WITH_TABLE,
            person="user_id",
            place="channel_id message_id",
            plain="table_id seat step since noted_at stands stage send_at",
        ),
        classify(
            "announcements",
            Erasing.NONE,
            Leaving.WITH_TABLE,
            place="channel_id message_id",
            plain="table_id since noted_at stands",
        ),
        # Only scopes that are direct messages or people have an owner.
        classify(
            "settings",
            Erasing.DELETE,
            Leaving.DELETE,
            person="owner_id",
            server="scope_id",
            place="value",
            plain="key",
        ),
        # A blocked person must not learn of the block.
        classify(
            "blocks",
            Erasing.DELETE,
            Leaving.NONE,
            exported_by="blocker_id",
            person="blocker_id blocked_id",
            plain="blocked_at",
        ),
        # A ban must not end because the member deletes their data. Moderators write the reasons, so none is exported.
        classify(
            "bans",
            Erasing.CLEAR,
            Leaving.DELETE,
            exported_by="user_id by_id",
            person="by_id",
            kept="user_id",
            server="guild_id",
            text="reason",
            plain="tells_reason banned_at ends_at number",
        ),
        classify(
            "settings_changes",
            Erasing.CLEAR,
            Leaving.DELETE,
            person="user_id",
            server="scope_id",
            place="value",
            plain="number changed_at key",
        ),
        classify(
            "daily_answers",
            Erasing.DELETE,
            Leaving.CLEAR,
            seen_at="answered_at",
            person="user_id",
            name="name",
            server="guild_id",
            plain="day game puzzle choice is_right answered_at",
        ),
        # The seeds of challenges.
        classify(
            "shared_seeds",
            Erasing.NONE,
            Leaving.NONE,
            hidden="seed",
            plain="cadence day commitment committed_at published_at",
        ),
        classify(
            "attempts",
            Erasing.DELETE,
            Leaving.CLEAR,
            seen_at="started_at",
            person="user_id",
            name="name",
            server="guild_id",
            plain="cadence day table_id started_at ended_at score counted_on is_shown",
        ),
        classify("streak_days", Erasing.NONE, Leaving.DELETE, server="guild_id", plain="day"),
        classify("board_consents", Erasing.DELETE, Leaving.NONE, person="user_id", name="name", plain="given_at"),
        classify("daily_pings", Erasing.DELETE, Leaving.NONE, person="user_id", plain="hour zone due_at"),
        classify("pings", Erasing.DELETE, Leaving.NONE, person="user_id", plain="table_id mode delay"),
        classify(
            "ping_people",
            Erasing.DELETE,
            Leaving.NONE,
            person="user_id",
            plain="zone quiet_from quiet_until refuses_direct",
        ),
        classify(
            "puzzle_answers",
            Erasing.DELETE,
            Leaving.NONE,
            seen_at="answered_at",
            person="user_id",
            plain="game puzzle is_right answered_at",
        ),
        # People keep their badges when a server is deleted.
        classify(
            "badges_earned",
            Erasing.DELETE,
            Leaving.CLEAR,
            person="user_id",
            server="guild_id",
            plain="badge table_id earned_at",
        ),
        classify(
            "tournaments",
            Erasing.RENAME,
            Leaving.DELETE,
            seen_at="opened_at",
            person="opener_id",
            name="opener_name",
            # Free text, which may contain anything.
            title="title",
            server="guild_id",
            place="channel_id message_id announced_in",
            hidden="seed",
            plain="id game options opened_at is_by_organizer round_hours check_in_minutes is_checking_in format stage "
            "round rounds is_late announced cancelled_by revision busy_until",
        ),
        # The salts of tables need the click, which is deleted when the tournament ends.
        classify(
            "tournament_players",
            Erasing.RENAME,
            Leaving.WITH_OWNER,
            seen_at="opened_at",
            belongs_to=("tournaments", "tournament_id"),
            person="user_id",
            name="name",
            click="click_id",
            plain="tournament_id place number has_withdrawn has_checked_in is_taken_out",
        ),
        classify(
            "tournament_offers",
            Erasing.DELETE,
            Leaving.WITH_OWNER,
            belongs_to=("tournaments", "tournament_id"),
            person="user_id guest_id",
            plain="tournament_id offered_at is_open",
        ),
        classify(
            "pairings",
            Erasing.RENAME,
            Leaving.WITH_OWNER,
            belongs_to=("tournaments", "tournament_id"),
            person="first_user_id second_user_id",
            place="thread_id",
            plain="tournament_id round board verdict grounds attempt is_reminded",
        ),
        classify(
            "jobs",
            Erasing.BY_TEXT,
            Leaving.AT_THE_END,
            text="key",
            server="guild_id",
            plain="kind due_at claimed_until counts_from",
        ),
        classify("downtimes", Erasing.NONE, Leaving.NONE, plain="began_at ended_at shard_count first last"),
        classify("alive", Erasing.NONE, Leaving.NONE, plain="shard_count first last noted_at"),
        # An owner is a process.
        classify("shard_leases", Erasing.NONE, Leaving.NONE, plain="shard_count first last owner expires_at is_ready"),
        classify("identifies", Erasing.NONE, Leaving.NONE, plain="bucket free_at"),
        classify("notes", Erasing.BY_TEXT, Leaving.NONE, text="key value"),
    )
)
"""The classes of each table of the database."""


def tables_below_tables() -> tuple[Table, ...]:
    """Return the database tables whose rows belong to a table of a game and are deleted before it."""
    return tuple(
        below
        for below in reversed(metadata.sorted_tables)
        if any(key.column.table is tables for key in below.foreign_keys)
    )
