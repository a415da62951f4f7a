"""Converts between the model and database rows."""

from collections.abc import Callable
from dataclasses import asdict, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

from bot.platform.database.sql import AnyRow, Values
from bot.platform.places import Location
from bot.rules.game import Seat
from bot.tables.model import (
    ClockState,
    Company,
    Departure,
    Entry,
    Header,
    Occupant,
    Result,
    SeriesLink,
    SeriesLinkKind,
    Status,
    TableId,
    TurnClock,
)
from bot.tables.notifications import Announcement, Invitation, Reminder

ModelT = TypeVar("ModelT", Header, Result, Invitation, Reminder, Announcement)


def new_table_values(header: Header) -> Values:
    """Return the row of a new table, without its id."""
    return {
        "game": header.game,
        "version": header.version,
        "guild_id": header.location.guild_id,
        "channel_id": header.location.channel_id,
        "solo_id": header.location.solo_id,
        "seed": header.seed,
        "created_at": header.created_at,
        "published": header.published,
        "message_id": header.message_id,
        "is_practice": header.is_practice,
        **_link_values(header.link),
        **changed_table_values(header),
    }


def _link_values(link: SeriesLink | None) -> Values:
    if link is None:
        return dict.fromkeys(("first_id", "link_kind", "part", "carried"))
    carried = " ".join(map(str, link.carried))
    return {"first_id": link.first_id, "link_kind": link.kind.value, "part": link.part, "carried": carried}


def changed_table_values(header: Header) -> Values:
    """Return the columns that a save changes."""
    return {
        "opener_id": header.opener_id,
        "options": header.options,
        "salt": header.salt,
        "status": header.status.value,
        "lobby_click_id": header.lobby_click_id,
        "computer_level": header.computer_level,
        "allows_hints": header.allows_hints,
        "hinted": _mask_of(header.hinted),
        # Between spaces, so that each id can be found.
        "kicked": "".join(f" {each} " for each in sorted(header.kicked)),
        **moved_table_values(header),
        # Once a table without a clock has started, that stays so.
        **(_clock_values(header.clock) if not header.step else {}),
    }


def moved_table_values(header: Header) -> Values:
    """Return the columns that an entry changes while the game goes on.

    SQLite rewrites every index on a column that an UPDATE names, changed or not: with all columns that a save may
    change, a move is 7 pages instead of 5.
    """
    return {
        "step": header.step,
        "to_move": header.to_move,
        "awaits_computer": header.awaits_computer,
        "revision": header.revision,
        "updated_at": header.updated_at,
        "awaited_since": header.awaited_since,
        **(_clock_values(header.clock) if header.clock.limit is not TurnClock.NONE else {}),
    }


def _clock_values(clock: ClockState) -> Values:
    return {"clock": clock.limit.value, "clock_ends_at": clock.ends_at, "is_time_up": clock.is_up}


def _mask_of(seats: frozenset[Seat]) -> int:
    """Return seats as a number with a bit for each."""
    return sum(1 << seat for seat in seats)


def _seats_in(mask: int) -> frozenset[Seat]:
    return frozenset(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def seat_values(table_id: TableId, seat: Seat, occupant: Occupant) -> Values:
    """Return the row of a seat."""
    return {"table_id": table_id, "seat": seat, **asdict(occupant)}


def move_values(table_id: TableId, entry: Entry) -> Values:
    """Return the row of a move."""
    # Written out, because `asdict` copies every value: 19 us for each saved move.
    return {
        "table_id": table_id,
        "step": entry.step,
        "seat": entry.seat,
        "text": entry.text,
        "digest": entry.digest,
        "click_id": entry.click_id,
        "at": entry.at,
    }


def result_values(result: Result) -> Values:
    """Return the row of a seat's result."""
    departure = result.departure and result.departure.value
    return asdict(result) | {"company": result.company.value, "departure": departure}


def header_of(row: AnyRow) -> Header:
    """Return the header in a row."""
    link = None if row.first_id is None else _link_of(row)
    status, hinted = Status(row.status), _seats_in(row.hinted)
    clock = ClockState(TurnClock(row.clock), row.clock_ends_at, row.is_time_up)
    kicked = frozenset(map(int, row.kicked.split()))
    return read_row(
        Header, row, location=location_of(row), status=status, link=link, hinted=hinted, clock=clock, kicked=kicked
    )


def location_of(row: Any) -> Location:
    """Return the location of a table from the columns of its row."""
    return Location(row.guild_id, row.channel_id, row.solo_id)


def _link_of(row: AnyRow) -> SeriesLink:
    return SeriesLink(row.first_id, SeriesLinkKind(row.link_kind), row.part, tuple(map(int, row.carried.split())))


def occupant_of(row: AnyRow) -> Occupant:
    """Return the occupant in a row."""
    return Occupant(row.name, row.user_id, row.level, row.contribution)


def entry_of(row: AnyRow) -> Entry:
    """Return the entry in a row."""
    return Entry(row.step, row.seat, row.text, row.digest, row.click_id, row.at)


def result_of(row: AnyRow) -> Result:
    """Return the result in a row."""
    departure = Departure(row.departure) if row.departure else None
    return read_row(Result, row, company=Company(row.company), departure=departure)


def invitation_values(invitation: Invitation) -> Values:
    """Return the row of an invitation, without the location, which the table's row has."""
    values = asdict(invitation)
    del values["location"]
    return values


def read_row(model: type[ModelT], row: AnyRow, **converted: Any) -> ModelT:
    """Return a value whose fields are the columns of their names, apart from the converted ones."""
    kind: Any = model
    names, read = _plain_fields(kind, tuple(converted))
    return model(**dict(zip(names, read(row), strict=True)), **converted)


@lru_cache(maxsize=256)
def _plain_fields(model: type[Any], converted: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[AnyRow], Any]]:
    """Return the names of a model's other fields, and what reads all of them from a row."""
    names = tuple(each.name for each in fields(model) if each.name not in converted)
    return names, attrgetter(*names)
