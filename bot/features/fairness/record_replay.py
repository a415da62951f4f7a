"""Replays a record: applies its set-up and entries to a table in memory."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.features.fairness.portable_record import MoveRecord, PortableRecord
from bot.features.fairness.refusals import EntryFacts, RecordReason, SeatCountFacts
from bot.platform.places import Location, Person
from bot.rules.game import Seat
from bot.rules.refusals import CommonReason, Refusal, unreadable
from bot.tables import control_entries
from bot.tables.lobby_header import build_lobby_header
from bot.tables.model import Header, Occupant, Status
from bot.tables.registry import AnyPackage
from bot.tables.seats import (
    SeatAction,
    SeatControlEntry,
    come_back,
    propose_close,
    resign_seat,
    skip_lesson,
    substitute_absent,
    take_back,
)
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest, start_game

_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
"""Records contain no times."""

_NO_OPENER: Final = -1
"""Records do not say who opened the table."""

_ACTIONS: Final[Mapping[type[control_entries.ControlEntry], SeatAction]] = {
    control_entries.Resign: resign_seat,
    control_entries.ComeBack: come_back,
    control_entries.TakeBack: take_back,
    control_entries.AgreeToClose: propose_close,
    control_entries.SkipLesson: skip_lesson,
}


def replay_record(record: PortableRecord, package: AnyPackage) -> Iterator[Table]:
    """Yield the table after the set-up and after each entry.

    Raises:
        Refusal: An entry is not allowed, or leads to another position than recorded.
    """
    if record.salt is None:
        return
    table = _start_table(record, record.salt, package)
    yield table
    for move in record.moves:
        table = _apply_entry(table, move)
        if position_digest(table) != move.digest:
            raise Refusal(RecordReason.DIGEST, EntryFacts(move.step, move.text))
        yield table


def _start_table(record: PortableRecord, salt: str, package: AnyPackage) -> Table:
    info = package.game.info
    if not info.least_seats <= len(record.seats) <= info.most_seats:
        raise Refusal(RecordReason.SEATS, SeatCountFacts(len(record.seats), info.title))
    # The seat number serves as a person's user id.
    seats = tuple(
        Occupant(each.name, seat if each.level is None else None, each.level, each.contribution)
        for seat, each in enumerate(record.seats)
    )
    try:
        return start_game(Table(_header(record, salt), seats, package))
    except Exception as fault:
        raise Refusal(RecordReason.OPTIONS) from fault


def _header(record: PortableRecord, salt: str) -> Header:
    nowhere, seed = Location(guild_id=None, channel_id=0), bytes.fromhex(record.seed)
    options = json.dumps(record.options)
    header = build_lobby_header(
        record.game, record.rules, options, location=nowhere, opener_id=_NO_OPENER, seed=seed, at=_NO_TIME
    )
    hinted = frozenset(seat for seat, each in enumerate(record.seats) if each.hints)
    return replace(header, salt=salt, hinted=hinted)


def _apply_entry(table: Table, move: MoveRecord) -> Table:
    try:
        return _apply(table, move)
    except Exception as fault:
        # Rules may raise anything for moves they do not allow, and a record may contain any.
        raise Refusal(RecordReason.REFUSED, EntryFacts(move.step, move.text)) from fault


def _apply(table: Table, move: MoveRecord) -> Table:
    if table.header.status is not Status.PLAYING:
        raise Refusal(CommonReason.GAME_OVER)
    if move.is_control_entry:
        return apply_control_entry(
            table, *_require_allowed(table, move.seat, control_entries.parse_control_entry(move.text))
        )
    return apply_move(table, move.seat, table.package.game.parse_move(move.text))


def _require_allowed(table: Table, seat: Seat, entry: control_entries.ControlEntry) -> SeatControlEntry:
    """Return a control entry that the seat's player could have made; refuse any other."""
    allowed = _make_control_entry(table, Person(seat, ""), entry)
    if allowed != (seat, entry):
        raise unreadable(str(entry))
    return allowed


def _make_control_entry(table: Table, person: Person, entry: control_entries.ControlEntry) -> SeatControlEntry:
    """Apply the action of the entry's kind, as if the other players were absent."""
    match entry:
        case control_entries.AskForSubstitute():
            return substitute_absent(table, person, _NO_TIME)
        case control_entries.Substitute():
            # The person may have been the opener, who needs no second vote.
            as_opener = replace(table, header=replace(table.header, opener_id=person.id))
            return substitute_absent(as_opener, person, _NO_TIME)
        case _:
            return _ACTIONS[type(entry)](table, person)
