"""Tables at typical moments of games, for pictures and texts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

from bot.platform.places import Person
from bot.rules.package import ends_turn
from bot.rules.race import PackedRace, pack_scores
from bot.rules.study import Tip
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.registry import AnyPackage
from bot.tables.table import MoveNews, Table
from bot.tools.showcase_search import play_through
from bot.tools.showcases import Showcase, ShownState
from tests.support.fakes import make_table


def table_at(
    package: AnyPackage, showcase: Showcase[Any, Any, Any], moment: ShownState[Any, Any], names: Sequence[str]
) -> Table:
    """Return a table at the moment of a showcase."""
    seats = (make_occupant(Person(each, name), each) for each, name in enumerate(names[: showcase.seats], 1))
    table = make_table(*seats, status=Status.PLAYING, package=package)
    status = Status.FINISHED if moment.mover is None else Status.PLAYING
    header = replace(table.header, to_move=moment.mover, status=status)
    table = replace(table, state=moment.state, news=(MoveNews(0, moment.events),), header=header)
    return replace(table, race=race_until_the_end(package, showcase)) if moment.mover is None else table


def race_until_the_end(package: AnyPackage, showcase: Showcase[Any, Any, Any]) -> PackedRace:
    """Return the race of the game that ends with the moment of a showcase."""
    options = showcase.options or package.game.info.options()
    games = (list(play_through(package, options, showcase.seats, number)) for number in count())
    states = [moment.state for moment in next(moments for moments in games if showcase.matches(moments[-1]))]
    ends = (after for before, after in pairwise(states) if ends_turn(package.game, before, after))
    return b"".join(pack_scores(package, state) for state in (states[0], *ends))


def longest_tip(table: Table) -> Tip | None:
    """Return the longest tip of a position."""
    find_tips = table.package.study.find_tips
    if find_tips is None or table.header.status is Status.FINISHED:
        return None
    tips = find_tips(table.package.game.view(table.state, None), table.recent_events_for(None))
    return max(tips, key=lambda tip: len(tip.text), default=None)
