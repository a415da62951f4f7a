"""The header with which every table begins."""

from datetime import datetime

from bot.platform.places import Location
from bot.tables.model import Header, Status


def build_lobby_header(
    game: str, version: int, options: str, *, location: Location, opener_id: int, seed: bytes, at: datetime
) -> Header:
    """Return the header of a new table; its id is 0 until it is stored."""
    return Header(
        id=0,
        game=game,
        version=version,
        options=options,
        location=location,
        opener_id=opener_id,
        seed=seed,
        salt="",
        created_at=at,
        status=Status.LOBBY,
        step=0,
        to_move=None,
        awaits_computer=False,
        revision=1,
        published=0,
        message_id=None,
        updated_at=at,
        awaited_since=at,
    )
