"""Renders the steps of a lesson on its table."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.features.lessons.actions import progress_of
from bot.rules.lesson import LessonStep, find_clicks
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Screen, Tone
from bot.tables.shown.story import seat_names
from bot.tables.table import Table
from bot.tables.turns import scripted_step_of
from bot.words import gettext as _

_ODDS: Final = re.compile(r"( \([^)]*%[^)]*\)|: \d+%)$")
"""What a label says about chances; the button itself says it again below."""


def awaited_label(table: Table) -> str:
    """Name the button to press last for a lesson's next move; without one, name the move it asks for."""
    step = scripted_step_of(table)
    clicks = _clicks_to(table, step, EMPTY_DRAFT) if step else ()
    return f"*{_ODDS.sub('', clicks[-1].label)}*" if clicks else _("another move")


def with_lesson(screen: Screen, table: Table, draft: Draft) -> Screen:
    """Add what a lesson says to its table's screen, and highlight the control to press next."""
    step = scripted_step_of(table)
    if step is None:
        return screen
    if not step.text:
        line = _("🎓 Watch the computer; then the lesson goes on.")
        summary = None if screen.summary is None else f"{line}\n{screen.summary}"
        return replace(screen, text=f"{line}\n\n{screen.text}", summary=summary)
    clicks = _clicks_to(table, step, EMPTY_DRAFT)
    text = _step_text(table, step, clicks)
    rest = clicks if draft == EMPTY_DRAFT else _clicks_to(table, step, draft)
    controls = screen.controls
    if rest:
        controls = tuple(tuple(_with_tone(control, rest[0]) for control in row) for row in controls)
    # Without names and note, the picture is at least half of the embed; the title says whose turn it is.
    words = f"{text}\n\n{screen.text}"
    # Whatever is not asked for would be refused.
    menus = tuple(menu for menu in screen.menus if not rest or rest[0] in menu.controls)
    return replace(screen, text=words, summary=text, controls=controls, menus=menus, note="", has_legend=False)


def _clicks_to(table: Table, step: LessonStep, draft: Draft) -> tuple[Control, ...]:
    """Return the controls to press for a step, in order. Only controls are looked at, so the news is left out."""
    if not step.move:
        return ()
    view = table.package.game.view(table.state, None)
    return find_clicks(step.move, partial(table.package.build_screen, view, (), seat_names(table)), draft)


def _step_text(table: Table, step: LessonStep, clicks: Sequence[Control]) -> str:
    if not step.move:
        return _("🎓 **The end of the lesson** · {text}").format(text=_(step.text))
    text = _(step.text).format(button=_ODDS.sub("", clicks[-1].label) if clicks else "")
    number, count = progress_of(table)
    return _("🎓 **{number} of {count}** · {text}").format(number=number, count=count, text=text)


def _with_tone(control: Control, next_one: Control) -> Control:
    """Return a control that stands out only if it is the next one to press."""
    if control == next_one:
        return replace(control, tone=Tone.MAIN)
    return replace(control, tone=Tone.QUIET) if control.tone is Tone.MAIN else control
