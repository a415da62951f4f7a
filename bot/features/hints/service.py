"""The conditions of a hint, and the note that a seat uses hints."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.platform.places import Person
from bot.rules.game import Seat
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.lobby import has_hints
from bot.tables.model import Status, TableId
from bot.tables.refusals import Stale, TableFacts
from bot.tables.series import tally_of
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.tables.turns import find_forced_end, require_turn
from bot.words import N_


class HintReason(RefusalReason):
    """Why there is no hint."""

    NO_HINTS = "no_hints"
    NO_HINTS_IN_CHALLENGES = "no_hints_in_challenges"
    NO_HINTS_IN_TOURNAMENTS = "no_hints_in_tournaments"
    HINTS_OFF_HERE = "hints_off_here"
    HINTS_OFF_IN_SERVER = "hints_off_in_server"
    HINT_FAILED = "hint_failed"


HINT_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    HintReason.NO_HINTS: N_("I have no hints for {game}."),
    HintReason.NO_HINTS_IN_TOURNAMENTS: N_("There are no hints in tournaments: titles are won without help."),
    HintReason.NO_HINTS_IN_CHALLENGES: N_(
        "Everyone has the same dice here, so there are no hints. Once it's over, *Review* says what was best."
    ),
    HintReason.HINTS_OFF_HERE: N_(
        "Hints are off at this table. For the next one, its host can turn them on with *Options* before the start."
    ),
    HintReason.HINTS_OFF_IN_SERVER: N_("Hints are off here. A server manager can turn them on with `/settings show`."),
    HintReason.HINT_FAILED: N_("I couldn't work out a hint just now, so none counts. Try again in a moment."),
}
"""What is said for each reason."""


class _AlreadyNotedError(Exception):
    """The table already has the note that the seat uses hints."""


def offers_hint(table: Table) -> bool:
    """Return whether the person to move can ask for a hint."""
    header = table.header
    if header.to_move is None or not header.allows_hints or not has_hints(table.package):
        return False
    if tally_of(table) is not None:
        return False
    return header.status is Status.PLAYING and not header.awaits_computer and find_forced_end(table) is None


def require_hint(table: Table, person: Person, step: int) -> Seat:
    """Return the seat of a person who may have a hint now.

    Raises:
        Stale: A player clicked on an earlier step.
        Refusal: The person is not to move, or there are no hints at this table.
    """
    if not has_hints(table.package):
        raise Refusal(HintReason.NO_HINTS, TableFacts(table))
    if table.edition is not None:
        raise Refusal(HintReason.NO_HINTS_IN_CHALLENGES, TableFacts(table))
    if tally_of(table) is not None:
        raise Refusal(HintReason.NO_HINTS_IN_TOURNAMENTS, TableFacts(table))
    if table.header.status is Status.PLAYING and not table.header.allows_hints:
        raise Refusal(HintReason.HINTS_OFF_HERE, TableFacts(table))
    require_turn(table, person, step)
    seat = table.header.to_move
    if seat is None:
        raise Stale(table.id)
    return seat


async def use_hint(service: TableService, table_id: TableId, person: Person, step: int) -> Table:
    """Store that a person uses a hint at a step; the table keeps the step, so its buttons stay valid.

    Raises what `require_hint` raises.
    """

    def note_hint(table: Table) -> Table:
        seat = require_hint(table, person, step)
        if seat in table.header.hinted:
            raise _AlreadyNotedError
        return replace(table, header=replace(table.header, hinted=table.header.hinted | {seat}))

    try:
        return await service.replace(table_id, note_hint, person.id)
    except _AlreadyNotedError:
        service.touch(table_id)
        return await service.table(table_id)
