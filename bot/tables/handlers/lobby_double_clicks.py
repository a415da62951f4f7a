"""Recognizes double clicks in lobbies, refused only because the same person has already done it.

A double click on a move is refused by `require_turn`, because its step is over."""

from bot.platform.places import Person
from bot.tables.handlers.ids import LobbyButton, LobbyId
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.table import Table


def has_seat_in_next_lobby(table: Table, lobby: Table, person: Person) -> bool:
    """Return whether a person who wants to play again already has a seat in the lobby for it."""
    is_lobby = lobby.header.status is Status.LOBBY
    return is_lobby and lobby.header.game == table.header.game and lobby.seat_of(person.id) is not None


def is_double_click(reason: object, lobby_id: LobbyId, table: Table, person: Person) -> bool:
    """Return whether a refused click on a lobby only repeats what the person has already done."""
    if lobby_id.revision == table.header.revision:
        return False
    is_seated = table.seat_of(person.id) is not None
    match reason:
        case HostReason.ALREADY_SEATED:
            return True
        case HostReason.NOT_SEATED:
            return lobby_id.button is LobbyButton.LEAVE
        case HostReason.ALREADY_STARTED:
            return is_seated
        case HostReason.TABLE_OVER:
            return is_seated and table.header.status is Status.CANCELLED
        case _:
            return False
