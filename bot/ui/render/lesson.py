"""Renders the steps of a lesson on its table."""

import re
from dataclasses import replace
from typing import Final

from bot.rules.lesson import find_clicks
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Screen, Tone
from bot.tables.actions.lessons import progress_of, scripted_step_of
from bot.tables.table import Table
from bot.ui.render.screen_cache import screen_of
from bot.words import gettext as _

_ODDS: Final = re.compile(r"( \([^)]*%[^)]*\)|: \d+%)$")
"""What a label says about chances; the button itself says it again below."""


def lesson_text(table: Table) -> str:
    """Return what a lesson says now; empty while a computer player moves, and at other tables."""
    step = scripted_step_of(table)
    if step is None or not step.text:
        return ""
    if not step.move:
        return _("🎓 **The end of the lesson** · {text}").format(text=_(step.text))
    clicks = find_clicks(step.move, lambda draft: screen_of(table, draft), EMPTY_DRAFT)
    text = _(step.text).format(button=_ODDS.sub("", clicks[-1].label) if clicks else "")
    number, count = progress_of(table)
    return _("🎓 **{number} of {count}** · {text}").format(number=number, count=count, text=text)


def with_lesson(screen: Screen, table: Table, draft: Draft) -> Screen:
    """Add what a lesson says to its table's screen, and highlight the control to press next."""
    text = lesson_text(table)
    if not text:
        return screen
    step = scripted_step_of(table)
    clicks = find_clicks(step.move, lambda each: screen_of(table, each), draft) if step and step.move else ()
    controls = screen.controls
    if clicks:
        controls = tuple(tuple(_with_tone(control, clicks[0]) for control in row) for row in controls)
    return replace(screen, text=f"{text}\n\n{screen.text}", summary=text, controls=controls)


def _with_tone(control: Control, next_one: Control) -> Control:
    """Return a control that stands out only if it is the next one to press."""
    if control == next_one:
        return replace(control, tone=Tone.MAIN)
    return replace(control, tone=Tone.QUIET) if control.tone is Tone.MAIN else control
