"""The menu of the day: the day's ten rolls, the puzzle and the week's bag, in words and as a picture."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import discord
from discord.utils import format_dt

from bot.features.challenges.ids import ChallengeButton, ChallengeId, challenge_button
from bot.features.challenges.model import Attempt, Menu
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId
from bot.features.puzzles.model import DailyAnswer
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows
from bot.platform.places import Day
from bot.reading_order import whole_in_reading_order
from bot.rules.components import action_frame, die_marks
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface
from bot.tables.kinds import TIME_LIMIT, Cadence, Edition, edition_on
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.words import (
    N_,
    format_number,
    gettext as _,
    join_items,
    own_streak_line,
    pgettext,
    server_streak_line,
    with_label,
)

_MARGIN: Final = 22
_GAP: Final = 24
_PANELS: Final = 3
_PANEL_WIDTH: Final = (PICTURE_WIDTH - 2 * _MARGIN - (_PANELS - 1) * _GAP) // _PANELS
_MOTIF_HEIGHT: Final = 216
_PANEL_HEIGHT: Final = _MOTIF_HEIGHT + 112
_TICK: Final = 72
_DIE: Final = 88

NAMES: Final = {Cadence.DAILY: N_("Ten rolls"), Cadence.WEEKLY: N_("The week's bag")}


_LATE_LABELS: Final = {Cadence.DAILY: N_("Finish yesterday's"), Cadence.WEEKLY: N_("Finish last week's")}
_LATE_LINES: Final = {
    Cadence.DAILY: N_("Yesterday's ten rolls are still open. Their time ends {when}."),
    Cadence.WEEKLY: N_("Last week's bag is still open. Its time ends {when}."),
}

Games: TypeAlias = Mapping[str, AnyPackage]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the three things to play."""

    name: str
    state: str
    """What there is to tell of it, in words."""
    sign: str
    """The same for the picture: a score, or nothing."""
    is_done: bool
    custom_id: str
    draw_motif: Callable[[Rect], Iterator[Mark]]
    surface: Surface | None = None
    """The surface of the panel; None is the surface of the picture."""


def choices_of(menu: Menu, today: Day, games: Games, puzzle: Choice | None) -> Sequence[Choice]:
    """Return today's challenges in the order of the menu."""
    daily, weekly = (_challenge_choice(menu, edition_on(cadence, today), games) for cadence in Cadence)
    return tuple(choice for choice in (daily, puzzle, weekly) if choice is not None)


def _challenge_choice(menu: Menu, edition: Edition, games: Games) -> Choice | None:
    package, attempt = games.get(edition.game), menu.attempts.get(edition.cadence)
    if package is None:
        return None
    state = _("{game}, with the same dice for everyone. Ends {when}")
    state, sign = state.format(game=_(package.game.info.title), when=format_dt(edition.ends_at, "R")), ""
    if attempt is not None and attempt.score is not None:
        state, sign = f"**{package.results.score_kind.format_score(attempt.score)}**", format_number(attempt.score)
    elif attempt is not None:
        state, sign = (
            (pgettext("attempt", "begun"), "…") if attempt.ended_at is None else (_("ended without a result"), "–")
        )
    is_done = attempt is not None and attempt.ended_at is not None
    custom_id = str(ChallengeId(ChallengeButton.PLAY, edition.cadence, edition.day, 1))
    draw = _draw_dice if edition.cadence is Cadence.DAILY else _draw_bag
    return Choice(_(NAMES[edition.cadence]), state, sign, is_done, custom_id, draw, package.look.surface)


def puzzle_choice(package: AnyPackage, day: Day, answer: DailyAnswer | None) -> Choice:
    """Return the choice of the day's puzzle, given the game it is from and the person's answer."""
    state = _("{game}: which move is best?")
    if answer is not None:
        state = _("{game}: solved") if answer.is_right else _("{game}: tried")
    custom_id = str(DailyPuzzleId(DailyPuzzleButton.SHOW, day))
    text = state.format(game=_(package.game.info.title))
    return Choice(_("Puzzle"), text, "", answer is not None, custom_id, _draw_question)


def render_menu(menu: Menu, today: Day, choices: Sequence[Choice], *, is_pinged: bool) -> MessageContent:
    """Render what there is to play today, and how the person has done."""
    lines = [_("**{name}** · {state}").format(name=choice.name, state=choice.state) for choice in choices]
    lines += [_late_line(attempt) for attempt in menu.late]
    lines += _streak_lines(menu)
    embed = discord.Embed(title=_("Today"), description="\n".join(lines), colour=SEAT_COLOURS[0]).to_dict()
    following = next((choice for choice in choices if not choice.is_done), None)
    plays = tuple(
        Button(
            choice.name,
            choice.custom_id,
            discord.ButtonStyle.success if choice is following else discord.ButtonStyle.secondary,
        )
        for choice in choices
    )
    late = tuple(
        challenge_button(_(_LATE_LABELS[attempt.edition.cadence]), ChallengeButton.PLAY, attempt.edition)
        for attempt in menu.late
    )
    ping = _("No more pings") if is_pinged else _("Ping me daily")
    edition = edition_on(Cadence.DAILY, today)
    others = (
        challenge_button(ping, ChallengeButton.PING, edition),
        challenge_button(_("Seeds and proof"), ChallengeButton.SEEDS, edition),
    )
    make_picture = partial(draw_menu, tuple(choices), following)
    return MessageContent(embed, drop_empty_rows(plays, late, others), (), make_picture)


def _late_line(attempt: Attempt) -> str:
    until = format_dt(attempt.started_at + TIME_LIMIT, "R")
    return _(_LATE_LINES[attempt.edition.cadence]).format(when=until)


def _streak_lines(menu: Menu) -> Iterator[str]:
    if own := own_streak_line(menu.own.current, menu.own.longest):
        yield own
        if not menu.own.has_forgiveness:
            yield _("This month's forgiven day is used up.")
    if menu.server is not None and (line := server_streak_line(menu.server.current, menu.server.longest)):
        yield line


def draw_menu(choices: Sequence[Choice], following: Choice | None) -> Picture:
    """Return a panel for each choice: what it is played with, and a score or a tick; the next one is framed."""
    marks: list[Mark] = []
    for number, choice in enumerate(choices):
        at = Rect(_MARGIN + number * (_PANEL_WIDTH + _GAP), _MARGIN, _PANEL_WIDTH, _PANEL_HEIGHT)
        marks += _panel_marks(choice, at)
        if choice is following:
            marks.append(action_frame(at, 22))
    done, not_done = pgettext("challenge", "done"), pgettext("challenge", "open")
    described = [with_label(choice.name, choice.sign or (done if choice.is_done else not_done)) for choice in choices]
    surfaces = tuple(dict.fromkeys(choice.surface for choice in choices if choice.surface is not None))
    size = (PICTURE_WIDTH, _PANEL_HEIGHT + 2 * _MARGIN)
    return whole_in_reading_order(Picture(size, (), tuple(marks), join_items(described), more_surfaces=surfaces))


def _panel_marks(choice: Choice, at: Rect) -> Iterator[Mark]:
    yield Box(at, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 22, 3, surface=choice.surface)
    yield from choice.draw_motif(Rect(at.x, at.y + 12, at.width, _MOTIF_HEIGHT))
    room = Rect(at.x + 12, at.y + 12 + _MOTIF_HEIGHT, at.width - 24, at.height - _MOTIF_HEIGHT - 24)
    if choice.sign:
        yield Label(choice.sign, room, ColourRole.SURFACE_TEXT, 80, bold=True)
    elif choice.is_done:
        yield Sprite("tick", room.center(_TICK, _TICK))


def _draw_dice(at: Rect) -> Iterator[Mark]:
    upper, lower = at.inset(10).split_rows(2)
    for row, faces in ((upper.center(3 * _DIE + 8, upper.height), (6, 1, 3)), (lower.center(2 * _DIE, 0), (5, 5))):
        for place, face in zip(row.split_columns(len(faces)), faces, strict=True):
            yield from die_marks(face, Rect(place.x + 4, row.y, 80, 80)._replace(y=place.y + (place.height - 80) // 2))


def _draw_question(at: Rect) -> Iterator[Mark]:
    yield Label("?", at, ColourRole.GOLD, 190, bold=True)


def _draw_bag(at: Rect) -> Iterator[Mark]:
    yield Sprite("magic_bag/bag", at.center(200, 200))
