"""Tips: a line that helps beginners during a game that is new to them.

Players' settings and finished games are loaded in the background, so that no click waits for them; without them, no tip
is shown.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import Connection, bindparam, func, select

from bot.features.settings.all_settings import TIPS
from bot.features.settings.service import SettingsCache
from bot.languages import ENGLISH, Language, current_language
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, finish
from bot.platform.discord.content import Button
from bot.platform.discord.ids import TableButtonId
from bot.platform.tasks import TaskSet
from bot.rules.game import Event, visible_events
from bot.rules.screen import Tone, find_coloured_control
from bot.rules.study import Tip
from bot.tables.app import App, Feature
from bot.tables.model import Occupant, Status, TableId
from bot.tables.publisher import Publisher
from bot.tables.results import results, results_of
from bot.tables.shown.buttons import guide_button
from bot.tables.shown.parts import ButtonPart, Place, TipPart
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table
from bot.words import gettext as _

MAX_SHOWN: Final = 3
"""The most turns of a person in which the same tip is shown."""

MAX_TIPS: Final = 12
"""The most turns with tips, per person and table; pieces are explained after that, too."""

_MAX_TABLES: Final = 5000
_MAX_PEOPLE: Final = 20_000
_MAX_AGE_SECONDS: Final = 300.0
"""How old a person's cached data may be before it is loaded again, because another process may have changed it."""

_FEW_GAMES: Final = 3
"""Whoever has finished so many games of a kind is no longer shown the best move."""


def colour_tip() -> Tip:
    """Return what the colours of buttons mean: a tip for the first green button from a person's second tip on."""
    return Tip("colours", _("A green button is best, a blue one is safe."))


SELECT_FINISHED_GAMES: Final = (
    select(results.c.game, func.count())
    .where(results.c.user_id == bindparam("user_id"), results.c.departure.is_(None))
    .group_by(results.c.game)
)


def count_finished_games(connection: Connection, user_id: int) -> Counter[str]:
    """Return how often a person has finished each game, by key."""
    rows = connection.execute(SELECT_FINISHED_GAMES, {"user_id": user_id})
    return Counter({row.game: row.count for row in rows})


class _FinishedGames(NamedTuple):
    loaded_at: float
    games: Counter[str]


@dataclass(slots=True)
class _TableTips:
    """The lines that a table has shown."""

    explained: set[str] = field(default_factory=set)
    counts: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By person, the number of turns in which each tip was shown."""
    turn: Hashable = None
    """The newest turn with a person to move."""
    has_line: bool = False
    """Whether that turn already had its tip or explanation."""
    step: int = -1
    """The newest step."""
    shown: Tip | None = None
    """The line at the newest step."""
    language: Language = ENGLISH
    """The language of that line."""

    def shows(self, step: int, tip: Tip | None) -> bool:
        """Return whether a step is known to be shown with a tip, in whatever language."""
        return self.step == step and (self.shown and self.shown.key) == (tip and tip.key)

    def has_line_in(self, turn: Hashable, step: int) -> bool:
        """Return whether a step's turn already had its line; after other seats' moves, a new turn has begun."""
        return self.has_line and turn == self.turn and step - self.step <= 1

    def choose(self, tips: Iterable[Tip], person: int | None, table: Table) -> Tip | None:
        """Return an explanation that is new, or the tip that a person has been shown least.

        The tip on colours comes once, after another tip and where a button is green.

        Args:
            tips: The position's tips, explanations first; they are generated only as far as needed.
            person: The beginner to move; with None, only explanations are returned.
            table: The table.
        """
        tip, colours = self._choose_of_game(tips, person), colour_tip()
        if tip is None or tip.is_explanation or person is None:
            return tip
        is_due = self.counts[person].total() and not self.counts[person][colours.key]
        return colours if is_due and _has_green_button(table) else tip

    def _choose_of_game(self, tips: Iterable[Tip], person: int | None) -> Tip | None:
        shown = Counter[str]() if person is None else self.counts[person]
        least: Tip | None = None
        for tip in tips:
            if tip.is_explanation:
                if tip.key not in self.explained:
                    return tip
            elif person is None or shown.total() >= MAX_TIPS:
                return None
            elif least is None or shown[tip.key] < shown[least.key]:
                least = tip
            if least is not None and not shown[least.key]:
                return least
        return None if least is None or shown[least.key] >= MAX_SHOWN else least


class TipLines:
    """Chooses at most one line per turn: an explanation of a piece that has appeared, or a beginner's tip.

    Shown lines are remembered in memory only, so tips may be repeated after a restart.
    """

    def __init__(self, db: Database, settings: SettingsCache) -> None:
        self.settings = settings
        self._db = db
        self._tables: LRUCache[TableId, _TableTips] = LRUCache(_MAX_TABLES)
        self._finished: LRUCache[int, _FinishedGames] = LRUCache(_MAX_PEOPLE)
        self._tasks = TaskSet("tips")

    def on_table_changed(self, table: Table) -> None:
        """Load the data for tips in the background, in the lobby at the latest, and remember finished games."""
        status, scope_id = table.header.status, table.header.location.scope_id
        if status is Status.FINISHED:
            self._note_finished(table)
        elif status.is_open:
            for user_id in filter(None, (occupant.user_id for occupant in table.seats)):
                entry = self._finished.get(user_id)
                if entry is None or time.monotonic() - entry.loaded_at >= _MAX_AGE_SECONDS:
                    self._tasks.start(user_id, self.load_person(user_id))
        if table.package.study.find_tips is None or self.settings.recent(scope_id) is not None:
            return
        if status is Status.LOBBY or (_awaits_person(table) and self.has_beginner(table)):
            self._tasks.start(scope_id, self._load_settings(scope_id))

    async def load_person(self, user_id: int) -> None:
        """Load a person's own settings, and the games that they have finished.

        Raises:
            StoreUnavailable: The games can't be loaded.
        """
        await self._load_settings(user_id)
        outdated = self._finished.get(user_id)
        games = await self._db.read(count_finished_games, user_id)
        # If the person has finished a game meanwhile, the loaded list may lack it.
        if self._finished.get(user_id) in (None, outdated):
            self._finished[user_id] = _FinishedGames(time.monotonic(), games)

    def tip_for(self, table: Table) -> Tip | None:
        """Return the tip for a table's position, or None; the same position always has the same tip.

        The tip counts as shown only after `note_shown`.
        """
        find_tips = table.package.study.find_tips
        if find_tips is None or not _awaits_person(table):
            return None
        chosen = self.settings.known(table.header.location.scope_id)
        if chosen is None or not chosen.get(TIPS):
            return None
        is_new = table.mover is not None and self._is_beginner(table, table.mover)
        if not (is_new or self.has_beginner(table)):
            return None
        noted, step = self._tables.get(table.id) or _TableTips(), table.header.step
        if noted.step == step and noted.shown is not None and (noted.shown.is_explanation or is_new):
            tips = (
                (noted.shown,)
                if noted.language is current_language()
                else (*find_tips(table.package.game.view(table.state, None), _news_of(table)), colour_tip())
            )
            return next((tip for tip in tips if tip.key == noted.shown.key), noted.shown)
        if noted.has_line_in(table.turn_key, step):
            return None
        person = table.mover.user_id if is_new and table.mover is not None else None
        return noted.choose(find_tips(table.package.game.view(table.state, None), _news_of(table)), person, table)

    def is_shown_best_move(self, table: Table) -> bool:
        """Return whether the player to move has finished fewer than three games of the kind, as far as is known."""
        finished = (
            None if table.mover is None or table.mover.user_id is None else self._finished.get(table.mover.user_id)
        )
        return finished is None or finished.games[table.header.game] < _FEW_GAMES

    def note_shown(self, table: Table, tip: Tip | None) -> None:
        """Remember that a table's position is shown with a tip, or without one."""
        noted = self._tables.get(table.id) if tip is None else self._tables.setdefault(table.id, _TableTips())
        if noted is None or not _awaits_person(table) or noted.shows(table.header.step, tip):
            return
        turn, step = table.turn_key, table.header.step
        noted.has_line = tip is not None or noted.has_line_in(turn, step)
        noted.turn, noted.step, noted.shown, noted.language = turn, step, tip, current_language()
        if tip is not None and tip.is_explanation:
            noted.explained.add(tip.key)
        elif tip is not None and table.mover is not None and table.mover.user_id is not None:
            noted.counts[table.mover.user_id][tip.key] += 1

    def clear(self) -> None:
        """Forget the shown lines, so that tips may be repeated, and people's finished games."""
        self._tables.clear()
        self._finished.clear()

    async def close(self, seconds: float) -> None:
        """Finish loading, within some seconds."""
        await self._tasks.close(seconds)

    def has_beginner(self, table: Table) -> bool:
        """Return whether a beginner plays at a table."""
        seats = enumerate(table.seats)
        return any(self._is_beginner(table, occupant) and not table.is_automatic(seat) for seat, occupant in seats)

    def has_newcomer(self, table: Table) -> bool:
        """Return whether a person at a table has never finished its game, as far as is known."""
        entries = [self._finished.get(who.user_id) for who in table.seats if who.user_id is not None]
        return any(entry is None or table.header.game not in entry.games for entry in entries)

    def _is_beginner(self, table: Table, occupant: Occupant) -> bool:
        """Return whether a seat belongs to a person who has not finished this game before and wants tips."""
        if occupant.user_id is None:
            return False
        chosen, finished = self.settings.known(occupant.user_id), self._finished.get(occupant.user_id)
        if chosen is None or finished is None:
            return False
        return chosen.get(TIPS) and table.header.game not in finished.games

    def _note_finished(self, table: Table) -> None:
        for result in results_of(table):
            entry = None if result.user_id is None else self._finished.get(result.user_id)
            if entry is not None and result.user_id is not None and result.departure is None:
                self._finished[result.user_id] = entry._replace(games=entry.games + Counter([result.game]))

    async def _load_settings(self, scope_id: int) -> None:
        await self.settings.get(scope_id)


def _awaits_person(table: Table) -> bool:
    """Return whether a person is to move; before a computer player's move, there is no time to read."""
    return table.header.status is Status.PLAYING and not table.header.awaits_computer


def _has_green_button(table: Table) -> bool:
    """Return whether a beginner is shown the best move at a table: a game may have no clear one, or only one move."""
    coloured = find_coloured_control(screen_of(table), is_beginner=True)
    return coloured is not None and coloured.tone is Tone.MAIN


def _news_of(table: Table) -> list[Event]:
    """Return the public events since the mover's last turn began, oldest first."""
    first, is_own = len(table.news), False
    while first and not (is_own and table.news[first - 1].ends_turn):
        first -= 1
        is_own |= table.news[first].ends_turn and table.news[first].seat == table.header.to_move
    return [event for move in table.news[first:] for event in visible_events(None, move.events)]


class NoTipsId(TableButtonId, prefix="T"):
    """The button of a table with which a player turns tips off."""


def _no_tips_button(table: Table) -> Button:
    """Return the button with which a player turns tips off."""
    return Button(_("No more tips"), str(NoTipsId(table.id)))


class TipCommands:
    """Turns off tips for the player who asks."""

    def __init__(self, tip_lines: TipLines, publisher: Publisher) -> None:
        self._tip_lines = tip_lines
        self._publisher = publisher

    async def turn_off(self, click: Interaction, table: Table) -> None:
        """Store that a person wants no tips, and show the table without one."""
        await self._tip_lines.settings.choose_for(click.user.id, TIPS, value=False)
        self._publisher.wake(table.id, again=True)
        text = _(
            "No more tips for you, in any game or server. Others still get theirs. "
            "`/settings show` in a direct message with me turns them on."
        )
        await finish(click, text)


def register(app: App) -> Feature:
    """Register tips."""
    lines = TipLines(app.db, app.service(SettingsCache))
    commands = TipCommands(lines, app.host.publisher)
    return Feature(
        services=(lines, commands),
        buttons={NoTipsId: app.clicks.at_table(lambda click, table, _: commands.turn_off(click, table))},
        follows=(lines.on_table_changed,),
        tip=TipPart(lines.tip_for, lines.note_shown, lines.is_shown_best_move),
        table_buttons=(
            ButtonPart(Place.BESIDE_MORE, lambda table: [guide_button(table)] * lines.has_beginner(table)),
            ButtonPart(Place.PLAYER_BUTTON, lambda table: [_no_tips_button(table)] * lines.has_beginner(table)),
        ),
        personal_caches=(lines.clear,),
        close=lines.close,
    )
