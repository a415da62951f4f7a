"""What the gallery shows of people: the leaderboard of each game, and a card of a player of all of them."""

from collections.abc import Mapping
from typing import Final

from bot.features.badges.messages import list_groups
from bot.features.boards.messages import ShownBoard, picture_of_board
from bot.features.boards.model import BoardKey, BoardRating, Leaderboard, Span, Standing, orders_of
from bot.features.profiles.card import profile_card
from bot.features.profiles.model import PersonRecord, Profile, SoloScores
from bot.features.results.model import GameStats, PlayerStats
from bot.features.results.ratings import PROVISIONAL_GAMES, PersonRating, Rating, RatingPoint, Strength
from bot.platform.paging import Page
from bot.rules.picture import Picture
from bot.rules.showcase import SHOWCASE_NAMES
from bot.tables.model import Company, Result
from bot.tables.registry import AnyPackage
from bot.tables.results import companies_of
from bot.tools.gallery_tables import PLAYED, SERVER

_RATINGS: Final = (1160, 1085, 1010, 965, 940, 905)
_GAMES: Final = (35, 30, 24, 18, 16, 11)
_CURVE: Final = (1000, 960, 985, 1030, 1015, 1060, 1110, 1085, 1130, 1120, 1160)
_PLACES: Final = (1, 2, 1, 1, 3, 1, 2, 1)
"""The places in the last games, the newest first."""


def draw_leaderboard(package: AnyPackage) -> Picture:
    """Return the picture of the leaderboard that a game shows first."""
    info, kind = package.game.info, package.score_kind
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
