"""What the gallery shows beside scenes: lobbies, banners, results, leaderboards, profiles and badges."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pydantic_core import to_json

from bot.features.badges.messages import badge_picture, list_groups
from bot.features.boards.messages import ShownBoard, picture_of_board
from bot.features.boards.model import BoardKey, BoardRating, Leaderboard, Span, Standing, orders_of
from bot.features.challenges.menu import choices_of, draw_menu, puzzle_choice
from bot.features.challenges.model import Attempt, Menu, Streak
from bot.features.profiles.card import profile_card
from bot.features.profiles.model import PersonRecord, Profile, SoloScores
from bot.features.results.model import GameStats, PlayerStats
from bot.features.results.ratings import PROVISIONAL_GAMES, PersonRating, Rating, RatingPoint, Strength
from bot.platform.discord.content import MessageContent
from bot.platform.paging import Page
from bot.platform.places import Location, day_of
from bot.rules.chance import FairChance
from bot.rules.picture import Picture
from bot.tables.control_entries import Resign
from bot.tables.highlights import heavy_highlight
from bot.tables.kinds import Cadence, edition_on
from bot.tables.model import Company, Occupant, Result, build_lobby_header
from bot.tables.registry import AnyPackage
from bot.tables.results import companies_of
from bot.tables.shown.lobby import lobby_picture
from bot.tables.shown.message import render_position, render_result, render_shared_result
from bot.tables.table import Table, apply_control_entry, apply_move, start_game
from bot.tools.picture_names import BANNER, CARD, LEADERBOARD, LOBBY
from bot.tools.showcase_search import choose_move
from bot.tools.showcases import SHOWCASE_NAMEPLATES, SHOWCASE_NAMES

SERVER: Final = "The Birdcage"
PLAYED: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
_SEED: Final = b"gallery"

_RATINGS: Final = (1160, 1085, 1010, 965, 940, 905)
_GAMES: Final = (35, 30, 24, 18, 16, 11)
_CURVE: Final = (1000, 960, 985, 1030, 1015, 1060, 1110, 1085, 1130, 1120, 1160)
_PLACES: Final = (1, 2, 1, 1, 3, 1, 2, 1)
"""The places in the last games, the newest first."""


def further_pictures(package: AnyPackage) -> Iterator[tuple[str, Picture]]:
    """Yield the names and pictures, those of a game with the most seats."""
    if package.look.cover is not None:
        # One seat is free, unless there is only one.
        yield (
            LOBBY,
            lobby_picture(package, package.look.cover, SHOWCASE_NAMEPLATES[: max(1, package.game.info.most_seats - 1)]),
        )
    if package.look.build_picture is None:
        return
    tables = list(play_table(package, package.game.info.most_seats))
    if not package.look.draws_moments and (banner := draw_banner(tables)) is not None:
        yield BANNER, banner
    yield CARD, draw_card(tables[-1])
    yield LEADERBOARD, draw_leaderboard(package)


def draw_all_badges(packages: Sequence[AnyPackage]) -> Picture:
    """Return the picture of somebody who has every badge of these games."""
    groups = list_groups({package.game.info.key: package for package in packages})
    return badge_picture(groups, {f"{group.key}/{badge.key}" for group in groups for badge in group.badges})


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
    return _picture_of(render_result(table))


def draw_resigned(package: AnyPackage) -> Picture:
    """Return the picture of a full table at which all but the second seat have resigned."""
    table = _set_up(package, package.game.info.most_seats)
    for seat in range(len(table.seats)):
        if seat != 1:
            table = apply_control_entry(table, seat, Resign())
    return _picture_of(render_result(table))


def draw_card(table: Table) -> Picture:
    """Return the card of a finished table."""
    return _picture_of(render_shared_result(table))


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


def draw_leaderboard(package: AnyPackage) -> Picture:
    """Return the picture of the leaderboard that a game shows first."""
    info, kind = package.game.info, package.results.score_kind
    company = companies_of(info)[0]
    key = BoardKey(1, info.key, company, orders_of(kind, company)[0], lower_is_better=kind.lower_is_better)
    rows = tuple(
        Standing(
            place=number,
            user_id=number,
            name=name,
            stats=PlayerStats(games, games // 2, 0, 480 * games, 700 - 30 * number, 0),
            rating=BoardRating(shown, games),
        )
        for number, (name, shown, games) in enumerate(zip(SHOWCASE_NAMES, _RATINGS, _GAMES, strict=True), 1)
    )
    board = Leaderboard(key, Page(0, 1), rows, None)
    return picture_of_board(ShownBoard(package, board, Span.ALL, tuple(Span)), SERVER)


def draw_day(games: Mapping[str, AnyPackage]) -> Picture:
    """Return the menu of the day of somebody who has played the ten rolls."""
    today = day_of(PLAYED)
    edition = edition_on(Cadence.DAILY, today)
    played = Attempt(1, edition, 1, 1, SHOWCASE_NAMES[0], PLAYED, PLAYED, 74)
    choices = choices_of(
        Menu({Cadence.DAILY: played}, (), Streak(), None), today, games, puzzle_choice(games[edition.game], today, None)
    )
    return draw_menu(choices, choices[1])


def draw_profile(games: Mapping[str, AnyPackage]) -> Picture:
    """Return the card of a person who has played all games and has every badge."""
    infos = [package.game.info for package in games.values()]
    together = [info.key for info in infos if not info.is_solo]
    alone = [info.key for info in infos if info.is_solo]
    stats = (
        *(
            GameStats(key, Company.PEOPLE, PlayerStats(30 - at, 14 - at, 1, 9000, 700, 0), 3, 6 - at)
            for at, key in enumerate(together)
        ),
        *(GameStats(key, Company.ALONE, PlayerStats(12, 0, 0, 7200, 732, 410)) for key in alone),
    )
    curve = tuple(RatingPoint(number, PLAYED, shown) for number, shown in enumerate(_CURVE, PROVISIONAL_GAMES))
    # Shown are the mean less three times the deviation, from 1000 in steps of a 25th.
    rating = Rating(Strength(3 + (_CURVE[-1] - 1000) / 25, 1.0), curve[-1].number)
    record = PersonRecord(
        stats,
        tuple(PersonRating(key, rating, curve) for key in together),
        tuple(SoloScores(key, 600.0, 12) for key in alone),
        tuple(_result(number, infos[0].key, place) for number, place in enumerate(_PLACES)),
    )
    badges = [badge for group in list_groups(games) for badge in group.badges]
    return profile_card(SHOWCASE_NAMES[0], Profile(1, record, ()), games, badges)


def _result(number: int, game: str, place: int) -> Result:
    return Result(
        table_id=number,
        seat=0,
        game=game,
        company=Company.PEOPLE,
        guild_id=1,
        channel_id=1,
        user_id=1,
        name=SHOWCASE_NAMES[0],
        level=None,
        place=place,
        is_shared=False,
        score=100,
        seats=3,
        steps=40,
        opened_at=PLAYED,
        finished_at=PLAYED,
        reason="",
    )
