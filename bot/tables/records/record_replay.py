"""Follows a record: its set-up and entries are made again at a table that nobody sits at."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, assert_never

from bot.rules.game import Seat
from bot.rules.package import GamePackage
from bot.rules.refusals import KernelReason, Refusal
from bot.tables.actions.seats import Controlled, closing, coming_back, resigning, substituting, taking_back
from bot.tables.controls import Ask, Close, ComeBack, ControlEntry, Resign, Substitute, TakeBack, parse_control
from bot.tables.model import Header, Occupant, Person, Place, Status, lobby_header
from bot.tables.records.record import MoveRecord, PortableRecord, RecordReason
from bot.tables.table import Table, begun, controlled, digest, moved

_ONCE: Final = datetime.min.replace(tzinfo=UTC)
"""A record tells no times."""

_NOBODY: Final = -1
"""Who opened the table, which a record does not tell either."""


def followed(record: PortableRecord, package: GamePackage) -> Iterator[Table]:
    """Return the table after the set-up and after each entry; refuses where they lead elsewhere than they say."""
    if record.salt is None:
        return
    table = _begun(record, record.salt, package)
    yield table
    for move in record.moves:
        table = _entered(table, move)
        if digest(table) != move.digest:
            raise Refusal(RecordReason.DIGEST, step=move.step, text=move.text)
        yield table


def _begun(record: PortableRecord, salt: str, package: GamePackage) -> Table:
    info = package.game.info
    if not info.least_seats <= len(record.seats) <= info.most_seats:
        raise Refusal(RecordReason.SEATS, seats=len(record.seats), game=info.title)
    # A person goes by the number of their seat here.
    seats = tuple(
        Occupant(who.name, user_id=seat if who.level is None else None, level=who.level)
        for seat, who in enumerate(record.seats)
    )
    try:
        return begun(Table(_header(record, salt), seats, package))
    except Exception as fault:
        raise Refusal(RecordReason.OPTIONS) from fault


def _header(record: PortableRecord, salt: str) -> Header:
    nowhere, seed = Place(guild_id=None, channel_id=0), bytes.fromhex(record.seed)
    options = json.dumps(record.options)
    header = lobby_header(record.game, record.rules, options, place=nowhere, opener_id=_NOBODY, seed=seed, at=_ONCE)
    return replace(header, salt=salt)


def _entered(table: Table, move: MoveRecord) -> Table:
    try:
        return _after(table, move)
    except Exception as fault:
        # A record may say anything, and rules may fail in any way over moves they never allowed.
        raise Refusal(RecordReason.REFUSED, step=move.step, text=move.text) from fault


def _after(table: Table, move: MoveRecord) -> Table:
    if table.header.status is not Status.PLAYING:
        raise Refusal(KernelReason.GAME_OVER)
    if move.is_control:
        return controlled(table, *_wished(table, move.seat, parse_control(move.text)))
    return moved(table, move.seat, move.text)


def _wished(table: Table, seat: Seat, entry: ControlEntry) -> Controlled:
    """Return a control entry that whoever sits there may have wished for; refuses any other."""
    wish = _wish(table, Person(seat, ""), entry)
    if wish != (seat, entry):
        raise Refusal(KernelReason.UNREADABLE, text=str(entry))
    return wish


def _wish(table: Table, person: Person, entry: ControlEntry) -> Controlled:
    """Let a person wish for something of the entry's kind, as if the others had been silent for long."""
    match entry:
        case Resign():
            return resigning(table, person)
        case ComeBack():
            return coming_back(table, person)
        case TakeBack():
            return taking_back(table, person)
        case Close():
            return closing(table, person)
        case Ask():
            return substituting(table, person, _ONCE)
        case Substitute():
            # Whoever opened the table needs no second voice.
            opened = replace(table, header=replace(table.header, opener_id=person.id))
            return substituting(opened, person, _ONCE)
        case _:
            assert_never(entry)
