"""Turning pages: the buttons to the pages beside one, and the line that says which it is."""

from collections.abc import Callable

from bot.community.model import Page
from bot.ui.custom_ids import ComponentId
from bot.ui.render.message import Button
from bot.words import format_number, gettext as _


def page_buttons(page: Page, turned: Callable[[int], ComponentId]) -> tuple[Button, ...]:
    """Return the buttons to the page before and the page after."""
    row = []
    if page.number > 1:
        label = _("◀ Page {number}").format(number=format_number(page.number - 1))
        row.append(Button(label, str(turned(page.number - 1))))
    if page.number < page.count:
        label = _("Page {number} ▶").format(number=format_number(page.number + 1))
        row.append(Button(label, str(turned(page.number + 1))))
    return tuple(row)


def page_note(page: Page) -> str:
    """Write which page this is, if there are several."""
    if page.count == 1:
        return ""
    return _("Page {number} of {count}").format(number=format_number(page.number), count=format_number(page.count))


def drop_empty_rows(*rows: tuple[Button, ...]) -> tuple[tuple[Button, ...], ...]:
    """Leave out rows without buttons."""
    return tuple(row for row in rows if row)
