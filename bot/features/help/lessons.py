"""Lessons: a first game, led move by move, in a private message.

A lesson is no table: its seed, its moves and those of the computer players are fixed, so the step in the ids of its
buttons tells the whole position. Only the control that makes the next move can be pressed.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import discord

from bot.features.help.messages import LessonId, render_lesson_list
from bot.features.settings.service import ServerRules, default_options
from bot.platform.discord.answers import Interaction, deferred_if_slow, delete_clicked
from bot.platform.discord.content import Button, MessageContent, Roll
from bot.platform.discord.context import person_of
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Location, Person
from bot.rules.game import Options
from bot.rules.picture import COVER_SIZE, Picture, Rect, Sprite
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT, Control, ControlRow, Draft, Screen, Toggle, Tone
from bot.rules.study import LEARNER, Lesson, find_clicks
from bot.tables.characters import name_seats
from bot.tables.handlers.ids import open_table_id
from bot.tables.lobby import make_occupant, with_computer
from bot.tables.model import Status, build_lobby_header
from bot.tables.registry import AnyPackage, levels_of
from bot.tables.service import TableService
from bot.tables.shown.buttons import MAX_ROWS, with_buttons
from bot.tables.shown.message import ScreenIds, render_screen, screen_components
from bot.tables.shown.story import news_for, seat_names
from bot.tables.shown.words import find_game
from bot.tables.table import Table, apply_move, start_game
from bot.words import format_number, gettext as _


@dataclass(frozen=True)
class LessonControlId(CustomId, prefix="LC"):
    """A control of a lesson, shown at a step with a draft."""

    game: str
    step: int
    key: str
    draft: Draft

    def __str__(self) -> str:
        bits = sum(1 << token for token in self.draft)
        return f"{self.prefix}:{self.game}:{self.step}:{self.key}:{bits:x}"


class LessonMenuId(LessonControlId, prefix="LM"):
    """A menu of a lesson, whose values are keys of controls."""


@dataclass(frozen=True)
class CloseLessonId(CustomId, prefix="LX"):
    """The button that closes a lesson."""

    game: str


_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
"""When the table of a lesson was opened; it is never stored."""


def position_at(package: AnyPackage, person: Person, number: int) -> Table:
    """Return the table of a lesson before a step, which is never stored.

    Args:
        package: A game with a lesson.
        person: The learner.
        number: The step, from 0.
    """
    info, lesson = package.game.info, lesson_of(package)
    header = build_lobby_header(
        info.key,
        info.version,
        lesson.options.model_dump_json(),
        location=Location(None, 0),
        opener_id=person.id,
        seed=lesson.seed_bytes,
        at=_NO_TIME,
    )
    table = Table(replace(header, salt=lesson.salt), (make_occupant(person, click_id=0),), package)
    while len(table.seats) < lesson.seats:
        table = with_computer(table, easiest_level(package))
    table = start_game(table)
    for step in lesson.steps[:number]:
        seat = table.header.to_move
        if seat is None:
            raise ValueError(f"the lesson of {info.key} is over before {step.move!r}")
        table = apply_move(table, seat, package.game.parse_move(step.move))
    return table


def lesson_of(package: AnyPackage) -> Lesson[Options]:
    """Return the lesson of a game.

    Raises:
        Refusal: The game has none.
    """
    if package.study.lesson is None:
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return package.study.lesson


def easiest_level(package: AnyPackage) -> str:
    """Return the level of a game's easiest computer player."""
    return next(iter(levels_of(package)))


def clicks_of(table: Table, number: int, draft: Draft) -> tuple[Control, ...]:
    """Return the controls to press for a step, in order; none at the end, and with a draft that does not lead there."""
    move = lesson_of(table.package).steps[number].move
    return find_clicks(move, partial(_screen_of, table), draft) if move else ()


def _screen_of(table: Table, draft: Draft) -> Screen:
    view = table.package.game.view(table.state, None)
    return table.package.words.build_screen(view, news_for(table, None), seat_names(table), draft)


def render_step(table: Table, number: int, draft: Draft) -> MessageContent:
    """Render a step of the learner: what to press and why, above the picture and the only button to press.

    Args:
        table: The position before the step.
        number: The step, from 0.
        draft: The picked pieces.
    """
    package, steps = table.package, lesson_of(table.package).steps
    awaited = clicks_of(table, number, draft)[0]
    text = _(steps[number].text).format(button=awaited.label, rival=_rival_of(table))
    screen = _with_only(_screen_of(table, draft), awaited)
    words = replace(screen, text=f"{text}\n\n{screen.text}", note="")
    own = [at for at, step in enumerate(steps) if step.move and step.text]
    heading = _("{game} · lesson, step {number} of {count}").format(
        game=_(package.game.info.title), number=format_number(own.index(number) + 1), count=format_number(len(own))
    )
    game = package.game.info.key
    ids = ScreenIds(
        lambda key: str(LessonControlId(game, number, key, draft)),
        lambda key: str(LessonMenuId(game, number, key, draft)),
    )
    rows, menus = screen_components(screen, table, draft, ids=ids)
    content = render_screen(words, table, text, heading)
    close = _close_button(package)
    return replace(content, rows=with_buttons(rows, close, room=MAX_ROWS - len(menus)), menus=menus)


def _rival_of(table: Table) -> str:
    """Return the name of the computer player; empty in a solo game."""
    return name_seats(table.seats)[1] if len(table.seats) > 1 else ""


def _with_only(screen: Screen, awaited: Control) -> Screen:
    """Return a screen on which only one control can be pressed.

    It has no other shortcuts, and keeps only the row of the control and the rows of pieces, so that it fits on a phone.
    """

    def is_kept(row: ControlRow) -> bool:
        pieces = [control for control in row if isinstance(control.effect, Toggle) and not control.is_disabled]
        return awaited in row or len(pieces) > 1

    def limit(control: Control) -> Control:
        is_awaited = control == awaited
        return replace(control, tone=Tone.MAIN if is_awaited else Tone.QUIET, is_disabled=not is_awaited)

    return replace(
        screen,
        shortcuts=tuple(limit(each) for each in screen.shortcuts if each == awaited or not screen.controls),
        controls=tuple(tuple(map(limit, row)) for row in screen.controls if is_kept(row)),
        menus=tuple(replace(menu, controls=(awaited,)) for menu in screen.menus if awaited in menu.controls),
    )


def render_end(table: Table, real: Options, following: AnyPackage | None) -> MessageContent:
    """Render the end of a lesson, which leads to a game against the easiest computer player.

    Args:
        table: The position at the end.
        real: The options of that game.
        following: The game with the next lesson, if there is one.
    """
    package, info = table.package, table.package.game.info
    name = _rival_of(table)
    label = _("Play {name} for real").format(name=name) if name else _("Play for real")
    start = open_table_id(info.key, real, computers=len(table.seats) - 1, level=easiest_level(package))
    buttons = [Button(label, str(start), discord.ButtonStyle.success)]
    if following is not None:
        buttons.append(Button(_("Next lesson"), str(LessonId(following.game.info.key))))
    text = _(lesson_of(package).steps[-1].text).format(rival=name)
    screen = Screen(_("You know {game} now.").format(game=_(info.title)), text, accent=LEARNER)
    content = render_screen(screen, table, text, _("{game} · end of the lesson").format(game=_(info.title)))
    cover = package.look.cover
    make_picture = content.make_picture if cover is None else partial(_draw_cover, package, cover)
    return replace(content, rows=((*buttons, _close_button(package)),), make_picture=make_picture)


def _draw_cover(package: AnyPackage, cover: str) -> Picture:
    description = _("The cover of {game}.").format(game=_(package.game.info.title))
    backdrop = (Sprite(cover, Rect(0, 0, *COVER_SIZE)),)
    return Picture(COVER_SIZE, backdrop, (), description, surface=package.look.surface)


def lesson_button(table: Table) -> Button:
    """Return the button of a lobby that begins the lesson of its game."""
    return Button(_("Learn"), str(LessonId(table.header.game)))


def _close_button(package: AnyPackage) -> Button:
    return Button(_("Close"), str(CloseLessonId(package.game.info.key)))


class Lessons:
    """Lists the lessons and shows them, each to one person."""

    def __init__(
        self,
        service: TableService,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        rules: ServerRules,
    ) -> None:
        self._games = service.games
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._rules = rules

    @deferred_if_slow
    async def learn(self, command: Interaction, name: str | None) -> None:
        """Begin the lesson of a game, named by its key, command or title; without a name, list the lessons."""
        if name is None:
            content = render_lesson_list(list((await self._rules.games_on(command)).values()))
            content = await attach_picture_if_possible(command, content, self._picture_attacher)
            await send_ephemeral_content(command, content)
            return
        await self._show(command, find_game(self._games, name), 0)

    @deferred_if_slow
    async def begin(self, click: Interaction, pressed: LessonId) -> None:
        """Begin a lesson, in the clicked message if that is private."""
        await self._show(click, self._package(pressed.game), 0)

    @deferred_if_slow
    async def press(self, click: Interaction, pressed: LessonControlId) -> None:
        """Make the next move of a lesson, or pick a piece for it.

        If another version of the bot has shown the button, the lesson goes on at the same step, or begins again.
        """
        package, number, draft = self._package(pressed.game), pressed.step, pressed.draft
        key = chosen_value(click) if isinstance(pressed, LessonMenuId) else pressed.key
        steps = lesson_of(package).steps
        # Steps without a text are those of computer players.
        if number >= len(steps) or not steps[number].text:
            number, draft = 0, EMPTY_DRAFT
        has_moved = False
        awaited, *_later = clicks_of(position_at(package, person_of(click), number), number, draft) or (None,)
        if awaited is None or awaited.key != key or number != pressed.step:
            draft = EMPTY_DRAFT
        elif isinstance(awaited.effect, Toggle):
            draft = awaited.effect.apply(draft)
        else:
            number, draft = next(at for at in range(number + 1, len(steps)) if steps[at].text), EMPTY_DRAFT
            has_moved = True
        await self._show(click, package, number, draft, has_moved=has_moved)

    async def close(self, click: Interaction, _pressed: CloseLessonId) -> None:
        """Delete the message of a lesson."""
        await delete_clicked(click)

    def end_for_opener(self, table: Table) -> None:
        """Close the lesson of a person who opens a table; one that is over stays."""
        if table.header.status is Status.LOBBY and table.header.revision == 1 and not table.kind.is_arranged:
            self._ephemeral_messages.dismiss(table.header.opener_id, EphemeralKind.LESSON, None)

    async def _show(
        self,
        interaction: Interaction,
        package: AnyPackage,
        number: int,
        draft: Draft = EMPTY_DRAFT,
        *,
        has_moved: bool = False,
    ) -> None:
        """Show a step; a new message replaces the message of an earlier lesson.

        Args:
            interaction: The click or command.
            package: The game.
            number: The step, from 0.
            draft: The picked pieces.
            has_moved: Whether the newest move was not shown before, so that its dice tumble.
        """
        table = position_at(package, person_of(interaction), number)
        is_over = not lesson_of(package).steps[number].move
        if is_over:
            self._ephemeral_messages.forget_clicked(interaction, EphemeralKind.LESSON, None)
            options = default_options(await self._rules.settings_of(interaction), package)
            content = render_end(table, options, await self._following(interaction, package))
        else:
            content = render_step(table, number, draft)
            content = replace(content, roll=Roll(frozenset((interaction.user.id,))) if has_moved else None)
        content = await attach_picture_if_possible(interaction, content, self._picture_attacher)
        shown = await edit_or_send_ephemeral(interaction, content)
        if shown is not None and not is_over:
            self._ephemeral_messages.replace_others(interaction, EphemeralKind.LESSON, None, shown)

    async def _following(self, interaction: Interaction, package: AnyPackage) -> AnyPackage | None:
        """Return the game with the next lesson, after the last one the first; None if there is no other."""
        games = await self._rules.games_on(interaction)
        taught = [each for each in games.values() if each.study.lesson is not None and each != package]
        later = [each for each in taught if each.game.info.title > package.game.info.title]
        return next(iter((*later, *taught)), None)

    def _package(self, game: str) -> AnyPackage:
        package = self._games.get(game)
        if package is None:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return package
