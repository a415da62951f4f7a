"""What the gallery shows of whole games: a banner, the results, and the card, made as the bot makes them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pydantic_core import to_json

from bot.platform.discord.content import MessageContent
from bot.platform.places import Location
from bot.rules.chance import FairChance
from bot.rules.picture import Picture
from bot.rules.showcase import SHOWCASE_NAMES
from bot.rules.showcase_search import choose_move
from bot.tables.control_entries import Resign
from bot.tables.highlights import heavy_highlight
from bot.tables.model import Occupant, build_lobby_header
from bot.tables.registry import AnyPackage
from bot.tables.shown.message import render_position, render_result, render_shared_result
from bot.tables.table import Table, apply_control_entry, apply_move, start_game

SERVER: Final = "The Birdcage"
PLAYED: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
_SEED: Final = b"gallery"


def play_table(package: AnyPackage, seats: int) -> Iterator[Table]:
    """Yield a table after its set-up and after each move; computer players choose the moves of its people."""
    table = _set_up(package, seats)
    choices = FairChance(_SEED, package.game.info.key, 0)
    yield table
    while (seat := table.header.to_move) is not None:
        table = apply_move(table, seat, choose_move(package, table.state, seat, choices))
        yield table


def _set_up(package: AnyPackage, seats: int) -> Table:
    info = package.game.info
    header = build_lobby_header(
        info.key,
        info.version,
        to_json(info.options()).decode(),
        location=Location(guild_id=1, channel_id=1),
        opener_id=1,
        seed=_SEED,
        at=PLAYED,
    )
    people = tuple(Occupant(name, number) for number, name in enumerate(SHOWCASE_NAMES[:seats], 1))
    return start_game(Table(header, people, package))


def draw_result(package: AnyPackage) -> Picture:
    """Return the picture of the result of a game with the fewest seats."""
    *_, table = play_table(package, package.game.info.least_seats)
    return _picture_of(render_result(table, place=SERVER))


def draw_resigned(package: AnyPackage) -> Picture:
    """Return the picture of a full table at which all but the second seat have resigned."""
    table = _set_up(package, package.game.info.most_seats)
    for seat in range(len(table.seats)):
        if seat != 1:
            table = apply_control_entry(table, seat, Resign())
    return _picture_of(render_result(table, place=SERVER))


def draw_card(table: Table) -> Picture:
    """Return the card of a finished table."""
    return _picture_of(render_shared_result(table, SERVER))


def draw_banner(tables: Sequence[Table]) -> Picture | None:
    """Return the picture with the first banner of a game, one with pieces if there is any; None if there is none."""
    heavy = [(table, found.highlight) for table in tables[:-1] if (found := heavy_highlight(table, _view_of(table)))]
    with_pieces = (table for table, highlight in heavy if highlight.pieces)
    table = next(with_pieces, heavy[0][0] if heavy else None)
    return None if table is None else _picture_of(render_position(table))


def _view_of(table: Table) -> Any:
    return table.package.game.view(table.state, None)


def _picture_of(content: MessageContent) -> Picture:
    if content.make_picture is None:
        raise ValueError("a game without pictures has none to show")
    return content.make_picture()
