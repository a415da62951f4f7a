"""What the gallery shows beside scenes: a lobby, banner, shared result and leaderboard of each game, and all badges."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bot.commands.game_completeness import BANNER, CARD, LEADERBOARD, LOBBY

if TYPE_CHECKING:
    from bot.rules.picture import Picture
    from bot.rules.showcase import Moment
    from bot.tables.registry import AnyPackage
    from bot.ui.render.podium import FinalResult
    from bot.ui.render.result_words import ResultWords

_HEAVY = 2
"""The least weight of a highlight that gets a banner."""

_FOOTER = "The Birdcage · 1 May 2026"


def further_pictures(package: "AnyPackage") -> "Iterator[tuple[str, Picture]]":
    """Yield the names and pictures, those of a game with the most seats."""
    from bot.commands.gallery_people import draw_leaderboard
    from bot.rules.showcase_search import play_through

    info = package.game.info
    if package.cover is not None:
        yield LOBBY, _lobby(package, package.cover)
    if package.build_picture is None:
        return
    moments = list(play_through(package, info.options(), info.most_seats, 0))
    if (banner := _banner(package, moments)) is not None:
        yield BANNER, banner
    yield CARD, _card(package, moments)
    yield LEADERBOARD, draw_leaderboard(package)


def draw_all_badges(packages: "Sequence[AnyPackage]") -> "Picture":
    """Return the picture of somebody who has every badge of these games."""
    from bot.ui.render.badge_book import list_groups
    from bot.ui.render.badge_picture import badge_picture

    groups = list_groups({package.game.info.key: package for package in packages})
    return badge_picture(groups, {f"{group.key}/{badge.key}" for group in groups for badge in group.badges})


def _lobby(package: "AnyPackage", cover: str) -> "Picture":
    """Return the picture of a lobby with a free seat, unless it has only one."""
    from bot.rules.showcase import SHOWCASE_NAMES
    from bot.ui.render.lobby_picture import lobby_picture

    return lobby_picture(package, cover, SHOWCASE_NAMES[: max(1, package.game.info.most_seats - 1)])


def _banner(package: "AnyPackage", moments: "Sequence[Moment[Any, Any]]") -> "Picture | None":
    """Return the picture of the first heavy highlight, one with pieces if there is any; None if there is none."""
    from bot.rules.showcase import Moment, visible_events
    from bot.rules.showcase_search import picture_of
    from bot.rules.story import Highlight
    from bot.ui.render.table_picture import add_banner

    if (narration := package.narration) is None:
        return None
    found = list[tuple[bool, int, Highlight, int | None, Moment[Any, Any]]]()
    for before, after in pairwise(moments):
        highlight = narration.highlight(package.game.view(after.state, None), visible_events(None, after.events))
        if highlight is not None and highlight.weight >= _HEAVY:
            found.append((not highlight.pieces, len(found), highlight, before.mover, after))
    if not found:
        return None
    *_rank, highlight, seat, moment = min(found, key=lambda each: each[:2])
    picture = picture_of(package, moment, None)
    is_solo = package.game.info.is_solo
    return picture and add_banner(picture, highlight, None if is_solo else seat)


def _card(package: "AnyPackage", moments: "Sequence[Moment[Any, Any]]") -> "Picture":
    """Return the card of a whole game."""
    from bot.rules.showcase import SHOWCASE_NAMES
    from bot.ui.render.podium import describe_result
    from bot.ui.render.victory_card import victory_card

    result = result_of_game(package, [moment.state for moment in moments])
    words = words_of_result(result)
    return victory_card(result, package.surface, package.cover, words, describe_result(result, SHOWCASE_NAMES))


def result_of_game(package: "AnyPackage", states: "Sequence[Any]") -> "FinalResult":
    """Return the result of a whole game from its states."""
    from bot.rules.race import race_of
    from bot.rules.showcase import SHOWCASE_NAMES
    from bot.ui.render.podium import FinalResult

    info, outcome = package.game.info, package.game.outcome(states[-1])
    if outcome is None:
        raise ValueError(f"this game of {info.title} is not over")
    race = race_of(package, states, len(outcome.places))
    return FinalResult(info.title, outcome.places, outcome.scores, package.score_kind, race, names=SHOWCASE_NAMES)


def words_of_result(result: "FinalResult") -> "ResultWords":
    """Return what is written on a picture of a result."""
    from bot.rules.names import isolate_name
    from bot.rules.showcase import SHOWCASE_NAMES
    from bot.ui.render.final_result import race_facts, winner_line
    from bot.ui.render.result_words import ResultWords

    names = [isolate_name(name) for name in SHOWCASE_NAMES[: len(result.places)]]
    best, others = race_facts(result, () if result.resigned else result.winners, names) if result.race else ((), ())
    return ResultWords(winner_line(result, names), [line.partition(" ")[2] for line in (*best, *others)], _FOOTER)
