"""Buttons and notes for content with several pages."""

from collections.abc import Callable

from bot.platform.discord.content import Button
from bot.platform.discord.ids import CustomId
from bot.platform.paging import Page
from bot.words import format_number, gettext as _


def page_buttons(page: Page, page_id: Callable[[int], CustomId]) -> tuple[Button, ...]:
    """Return buttons to the previous and next page.

    Args:
        page_id: Returns the custom id of a page by its number.
    """
    row = []
    if page.number > 1:
        label = _("◀ Page {number}").format(number=format_number(page.number - 1))
        row.append(Button(label, str(page_id(page.number - 1))))
    if page.number < page.count:
        label = _("Page {number} ▶").format(number=format_number(page.number + 1))
        row.append(Button(label, str(page_id(page.number + 1))))
    return tuple(row)


def page_note(page: Page) -> str:
    """Return "Page 2 of 3", or an empty string if there is only one page."""
    if page.count == 1:
        return ""
    return _("Page {number} of {count}").format(number=format_number(page.number), count=format_number(page.count))


def drop_empty_rows(*rows: tuple[Button, ...]) -> tuple[tuple[Button, ...], ...]:
    """Return the rows that have buttons."""
    return tuple(row for row in rows if row)
