"""The buttons that turn pages."""

from bot.platform.discord.content import page_buttons
from bot.platform.paging import Page
from bot.tables.handlers.ids import OptionPageId
from tests.support.each_case import each_case


@each_case(
    "number, count, labels",
    [
        (1, 1, []),
        (1, 2, ["Page 2 ▶"]),
        (2, 2, ["◀ Page 1"]),
        (2, 3, ["◀ Page 1", "Page 3 ▶"]),
    ],
)
def test_only_existing_pages_are_offered(number: int, count: int, labels: list[str]) -> None:
    buttons = page_buttons(Page(number, count), lambda page: OptionPageId(7, page))
    assert [button.label for button in buttons] == labels
