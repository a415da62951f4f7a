"""Boards, seasons, cards and duels, and what a table did to ratings."""

import re
from io import BytesIO

from PIL import Image

from bot.rules.picture import PICTURE_WIDTH
from tests.e2e.test_results import make_place, play_to_end, ranked_names, store_finished_table
from tests.support.parlour import Parlour, button_id


async def test_the_end_of_a_table_tells_what_it_did_to_ratings(parlour: Parlour) -> None:
    await play_to_end(parlour, parlour.robin, parlour.wren)
    (ended,) = parlour.linnet.visible_messages(parlour.here)
    assert "📊 Rating after 10 games: 1 done" in ended.text


async def test_a_board_is_browsed_by_menus_and_posted_as_a_picture(parlour: Parlour) -> None:
    await store_finished_table(parlour, make_place(parlour, parlour.elsewhere.id), parlour.robin, parlour.wren)
    (board,) = (await parlour.linnet.slash(parlour.here, "leaderboard", game="magpie")).replies
    assert re.search(r"🥇 \*\*\w+\*\* · \*\*\d,\d{3}\?\*\* · wins: 1 of 1", board.text)
    for menu, value, title in (
        ("lm:order", "lb:magpie:people:points:all:1:show", "Magpie · leaderboard"),
        ("lm:span", "lb:magpie:people:points:week:1:show", "Magpie · leaderboard · This week"),
    ):
        await parlour.linnet.select(board, menu, [value])
        assert board.embeds[0]["title"] == title
        assert len(ranked_names(board.text)) == 2

    await parlour.linnet.click(board, button_id(board, "Post here"))
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 1)
    (posted,) = parlour.jay.visible_messages(parlour.here)
    assert "Posted by **Linnet**" in posted.text
    (picture,) = posted.attachments
    with Image.open(BytesIO(picture.content)) as image:
        assert image.size[0] == PICTURE_WIDTH
    (other,) = (await parlour.robin.slash(parlour.here, "leaderboard", game="magpie")).replies
    again = await parlour.robin.click(other, button_id(board, "Post here"), forged=True)
    assert "posted here within the last ten minutes" in again.text
