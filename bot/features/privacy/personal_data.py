"""What every column of the database says about people and servers, and what becomes of it.

Export, deletion and retention are derived from this; a test fails for a column that is not classified. The SQL tables
are found by their names, because each stands in its feature.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from sqlalchemy import Column, Table

from bot.platform.database.sql import metadata
from bot.tables.schema import tables


class Kind(Enum):
    """What a column may contain."""

    PERSON = auto()
    """A person's id."""
    NAME = auto()
    """The name of the row's person."""
    TEXT = auto()
    """Text or a file in which ids or names of people may stand."""
    CLICK = auto()
    """The id of a click."""
    SERVER = auto()
    """A server's id."""
    PLACE = auto()
    """An id within a server, such as a channel's."""
    HIDDEN = auto()
    """What nobody may see before a table is over."""
    PLAIN = auto()
    """Nothing of these."""


class Erasing(Enum):
    """What becomes of a row of a person whose data is deleted."""

    DELETE = auto()
    RENAME = auto()
    """It stays with a pseudonym and without the name."""
    CLEAR = auto()
    """It stays without the id."""
    WITH_TABLE = auto()
    """It is made anonymous or deleted together with the seats of its table (`bot.features.privacy.storage`)."""
    WITH_PEOPLE = auto()
    """It shows the people of its table, and is deleted as soon as one of them loses their name."""
    BY_TEXT = auto()
    """It is deleted if the id stands in its text."""
    NONE = auto()
    """It says nothing about people."""


class Leaving(Enum):
    """What becomes of a row of a server whose data is deleted."""

    DELETE = auto()
    CLEAR = auto()
    """It is a person's, and stays without the server."""
    WITH_TABLE = auto()
    """It goes with its table."""
    WITH_OWNER = auto()
    """It goes in the transaction that deletes the row that it belongs to."""
    BEFORE_OWNER = auto()
    """It goes before the row that it belongs to, some rows at a time."""
    AT_THE_END = auto()
    """It goes when everything else has: it may be what deletes the rest."""
    NONE = auto()


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What a table of the database says about people and servers."""

    name: str
    kinds: Mapping[str, Kind]
    erasing: Erasing
    leaving: Leaving
    exported_by: tuple[str, ...]
    """The columns by which a person's rows are found for their export."""
    seen_at: str | None
    """The column, of this table or of its owner, that says when a row's person was seen."""
    clicked_at: str | None
    """The column that says when a row's click was made: its id is not kept for long."""
    owner: str | None
    """The table whose rows these rows belong to, if their classes depend on it."""
    owner_key: str
    """The column with the id of the row that a row belongs to."""

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
    """Classify the columns of a table, named in one text per kind.

    Args:
        table: The name of the table.
        erasing: What becomes of the rows of a person.
        leaving: What becomes of the rows of a server.
        exported_by: The columns by which a person's rows are found for their export; all of people if left out.
        seen_at: The column that says when a person was seen.
        clicked_at: The column that says when a click was made whose id goes after a while.
        belongs_to: The table whose rows these rows belong to, and the column with their ids.
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
            text="kicked",
            hidden="seed salt",
            plain="id game version options created_at status step to_move revision published updated_at "
            "awaits_computer awaited_since first_id link_kind part carried computer_level allows_hints hinted "
            "is_practice clock clock_ends_at is_time_up",
        ),
        # The contribution is the id of a click, too, but it stays: without it the salt could not be recomputed.
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
            # With it, hidden cards of others could be guessed while the table goes on.
            hidden="digest",
            plain="table_id step seat text at",
        ),
        # Seats are numbers there, and ids of clicks are left out. Exports have these moves with all others.
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
        classify("animations", Erasing.WITH_PEOPLE, Leaving.WITH_TABLE, text="file", plain="table_id"),
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
        # Nobody can ask how they did against somebody who is gone.
        classify(
            "encounters",
            Erasing.DELETE,
            Leaving.WITH_TABLE,
            person="user_id other_id",
            server="guild_id",
            plain="finished_at table_id game outcome",
        ),
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
        # Only the channels of direct messages, and people, are scopes with an owner.
        classify(
            "settings",
            Erasing.DELETE,
            Leaving.DELETE,
            person="owner_id",
            server="scope_id",
            place="value",
            plain="key",
        ),
        # Who is blocked does not learn of it.
        classify(
            "blocks",
            Erasing.DELETE,
            Leaving.NONE,
            exported_by="blocker_id",
            person="blocker_id blocked_id",
            plain="blocked_at",
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
        # The days of bags and their seeds.
        classify(
            "daily_bags", Erasing.NONE, Leaving.NONE, hidden="seed", plain="day commitment committed_at published_at"
        ),
        classify(
            "daily_attempts",
            Erasing.DELETE,
            Leaving.CLEAR,
            seen_at="started_at",
            person="user_id",
            name="name",
            server="guild_id",
            place="channel_id",
            plain="day table_id started_at ended_at score is_shown",
        ),
        classify("daily_servers", Erasing.NONE, Leaving.DELETE, server="guild_id", plain="day"),
        classify("daily_consents", Erasing.DELETE, Leaving.NONE, person="user_id", name="name", plain="given_at"),
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
        # A title may be anyone's words.
        classify(
            "tournaments",
            Erasing.RENAME,
            Leaving.DELETE,
            seen_at="opened_at",
            person="opener_id",
            name="opener_name title",
            server="guild_id",
            place="channel_id message_id",
            hidden="seed",
            plain="id game options opened_at round_hours format stage round rounds is_late is_announced "
            "revision busy_until",
        ),
        # The click is needed for the salts of tables, and goes when the tournament ends.
        classify(
            "tournament_players",
            Erasing.RENAME,
            Leaving.WITH_OWNER,
            seen_at="opened_at",
            belongs_to=("tournaments", "tournament_id"),
            person="user_id",
            name="name",
            click="click_id",
            plain="tournament_id place number has_withdrawn",
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
"""What each table of the database says about people and servers."""


def tables_below_tables() -> tuple[Table, ...]:
    """Return the tables whose rows belong to a table of a game, which go before it does."""
    return tuple(
        below
        for below in reversed(metadata.sorted_tables)
        if any(key.column.table is tables for key in below.foreign_keys)
    )
