"""Double clicks: what was refused only because the same person has done it already."""

from bot.tables.model import Person, Status
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.ui.custom_ids import LobbyButton, LobbyId


def has_seat_in_next_lobby(table: Table, there: Table, person: Person) -> bool:
    """Tell whether somebody who wants to play again has a seat in a lobby for it already."""
    is_lobby = there.header.status is Status.LOBBY
    return is_lobby and there.header.game == table.header.game and there.seat_of(person.id) is not None


def is_double_click(reason: object, pressed: LobbyId, table: Table, person: Person) -> bool:
    """Tell whether a refused click only repeats what the same person has done already: a double click."""
    if pressed.revision == table.header.revision:
        return False
    seated = table.seat_of(person.id) is not None
    match reason:
        case HostReason.ALREADY_SEATED:
            return True
        case HostReason.NOT_SEATED:
            return pressed.button is LobbyButton.LEAVE
        case HostReason.ALREADY_STARTED:
            return seated
        case HostReason.TABLE_OVER:
            return seated and table.header.status is Status.CANCELLED
        case _:
            return False
