"""The buttons that turn pages."""

from bot.platform.discord.content import page_buttons
from bot.platform.paging import Page
from bot.tables.handlers.ids import OptionPageId
from tests.support.each_case import each_case


@each_case(
    "number, count, offered",
    [(1, 1, []), (1, 2, [2]), (2, 2, [1]), (2, 3, [1, 3])],
)
def test_only_existing_pages_are_offered(number: int, count: int, offered: list[int]) -> None:
    buttons = page_buttons(Page(number, count), lambda page: OptionPageId(7, page))
    assert [button.custom_id for button in buttons] == [str(OptionPageId(7, page)) for page in offered]
