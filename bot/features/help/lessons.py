"""Lessons: a first game, led move by move.

A lesson is a table with a fixed seed. Its seats contribute `lesson` to the salt, which alone marks a lesson in the
database and in records. The position at a step tells whether a table still follows its lesson, and the entry `!skip`
leaves it. A lesson has a location but does not count as the location's open table.
"""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.features.help.messages import render_lesson_list
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction, deferred_if_slow, finish
from bot.platform.discord.context import location_of, person_of, require_permissions
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import attach_picture_if_possible, send_ephemeral_content
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import set_table
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Screen, Tone
from bot.rules.study import CONTRIBUTION, Lesson, LessonStep, find_clicks
from bot.tables.handlers.answers import TablePosts
from bot.tables.host import Host
from bot.tables.lobby import make_occupant, with_computer
from bot.tables.model import Header
from bot.tables.opening import new_header, open_table
from bot.tables.refusals import GameFacts, HostReason, Stale, refused_table
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.shown.parts import TaughtScreen
from bot.tables.shown.story import seat_names
from bot.tables.shown.words import find_game
from bot.tables.table import Table, start_game
from bot.tables.turns import scripted_step_of
from bot.words import gettext as _


async def open_lesson(service: TableService, game: str, person: Person, location: Location, click_id: int) -> Table:
    """Open a lesson and start it, leaving the channel's shared table free; raise what `open_table` raises.

    Raises:
        Refusal: The game has no lesson, or the person has an unfinished one here.
    """
    package = service.games[game]
    lesson = package.study.lesson
    if lesson is None:
        raise Refusal(HostReason.NO_LESSON, GameFacts(package.game.info.title))
    location = replace(location, solo_id=person.id)
    # All lessons have the same contributions, so the header stores the click.
    header = replace(new_header(service, package, lesson.options, person, location), lobby_click_id=click_id)
    return await open_table(service, start_lesson(header, package, lesson, person))


def start_lesson(header: Header, package: AnyPackage, lesson: Lesson[Any], person: Person) -> Table:
    """Create the table of a lesson and start it.

    Args:
        header: The header of a new table with the lesson's options.
        package: The game.
        lesson: Its lesson.
        person: The learner.
    """
    table = Table(header, (make_occupant(person, click_id=0),), package)
    while len(table.seats) < lesson.seats:
        table = with_computer(table)
    seats = tuple(replace(occupant, contribution=CONTRIBUTION) for occupant in table.seats)
    return start_game(replace(table, header=replace(header, seed=lesson.seed_bytes, salt=lesson.salt), seats=seats))


_ODDS: Final = re.compile(r"( \([^)]*%[^)]*\)|: \d+%| · [<>]?\d+%.*)$")
"""The odds in a label, and what it pays; the button below repeats them."""


def awaited_label(table: Table) -> str:
    """Return the label of the last button for a lesson's next move; if no button makes it, return the move in words."""
    step = scripted_step_of(table)
    clicks = _clicks_to(table, step, EMPTY_DRAFT) if step else ()
    return f"*{_ODDS.sub('', clicks[-1].label)}*" if clicks else _("another move")


def with_lesson(screen: Screen, table: Table, draft: Draft) -> TaughtScreen | None:
    """Add a lesson's text to its table's screen, and highlight the control to press next."""
    step = scripted_step_of(table)
    if step is None:
        return None
    if not step.text:
        text = _("🎓 Watch the computer; then the lesson goes on.")
        return TaughtScreen(replace(screen, text=f"{text}\n\n{screen.text}"), text)
    clicks = _clicks_to(table, step, EMPTY_DRAFT)
    text = _step_text(table, step, clicks)
    rest = clicks if draft == EMPTY_DRAFT else _clicks_to(table, step, draft)
    controls, shortcuts = screen.controls, screen.shortcuts
    if rest:
        controls = tuple(tuple(_with_tone(control, rest[0]) for control in row) for row in controls)
        shortcuts = tuple(_with_tone(control, rest[0]) for control in shortcuts)
    # Menus without the awaited control are dropped, because any other choice would be refused.
    menus = tuple(menu for menu in screen.menus if not rest or rest[0] in menu.controls)
    words = f"{text}\n\n{screen.text}"
    shown = replace(screen, text=words, shortcuts=shortcuts, controls=controls, menus=menus, note="")
    return TaughtScreen(shown, text)


def _clicks_to(table: Table, step: LessonStep, draft: Draft) -> tuple[Control, ...]:
    """Return the controls to press for a step, in order. Only controls matter, so the screen is built without news."""
    if not step.move:
        return ()
    view = table.package.game.view(table.state, None)
    return find_clicks(step.move, partial(table.package.words.build_screen, view, (), seat_names(table)), draft)


def _step_text(table: Table, step: LessonStep, clicks: Sequence[Control]) -> str:
    if not step.move:
        return _("🎓 **The end of the lesson** · {text}").format(text=_(step.text))
    text = _(step.text).format(button=_ODDS.sub("", clicks[-1].label) if clicks else "")
    scripted = table.package.study.lesson.steps if table.package.study.lesson else ()
    # The learner's own moves, without those of computer players.
    own = [number for number, scripted_step in enumerate(scripted) if scripted_step.move and scripted_step.text]
    number = sum(number <= table.header.step for number in own)
    return _("🎓 **{number} of {count}** · {text}").format(number=number, count=len(own), text=text)


def _with_tone(control: Control, next_one: Control) -> Control:
    """Return a control that stands out only if it is the next one to press."""
    return replace(control, tone=Tone.MAIN if control == next_one else Tone.QUIET)


class Lessons:
    """Lists the lessons and opens them."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        picture_attacher: PictureAttacher,
        rules: ServerRules,
    ) -> None:
        self._service = host.service
        self._publisher = host.publisher
        self._rules = rules
        self._posts = posts
        self._picture_attacher = picture_attacher

    @deferred_if_slow
    async def learn(self, command: Interaction, name: str | None) -> None:
        """Open the lesson of a game, named by its key, command or title; without a name, list the lessons."""
        if name is None:
            content = render_lesson_list(list((await self._rules.games_on(command)).values()))
            content = await attach_picture_if_possible(command, content, self._picture_attacher)
            await send_ephemeral_content(command, content)
            return
        with contextlib.suppress(Stale):  # another process handles the command
            game = find_game(self._service.games, name).game.info.key
            try:
                table = await self._open(command, game)
            except Refusal as refusal:
                table = _running_lesson(refusal, game)
            await self._posts.answer_with(command, table)

    async def press(self, click: Interaction, game: str) -> None:
        """Open a lesson, or show the one that the user is playing, which a double click may just have opened."""
        if game not in self._service.games:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        with contextlib.suppress(Stale):
            try:
                await self._open(click, game)
            except Refusal as refusal:
                there = _running_lesson(refusal, game)
                if there.header.step:
                    await self._posts.repost(there, partial(self._publisher.repost, there.id))
        await finish(click, _("Your lesson is below."))

    async def _open(self, interaction: Interaction, game: str) -> Table:
        require_permissions(interaction)
        await self._rules.require_may_open(interaction, game)
        table = await open_lesson(self._service, game, person_of(interaction), location_of(interaction), interaction.id)
        set_table(table.id, game)
        return table


def _running_lesson(refusal: Refusal, game: str) -> Table:
    """Return the running lesson that blocks a new one of the same game; raise any other refusal."""
    there = refused_table(refusal)
    if there is None or not there.is_lesson or there.header.game != game:
        raise refusal
    return there
