"""Leaderboards and seasons as they are shown and posted."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.boards.messages import BoardButton, BoardId, BoardMenu, BoardMenuId, LeaderboardId, SeasonId
from bot.features.boards.model import BoardOrder, BoardReason, Span
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Company
from bot.tables.registry import GameRegistry
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import JAY, NOON, ROBIN, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import ELSEWHERE, make_game_results
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, make_click, make_menu_choice
from tests.ui.result_requests import PRIVATELY, embed_of, leaderboard, press_page_button, text_of

BY_RATING = BoardId("magpie", Company.PEOPLE, BoardOrder.RATING, Span.ALL, 1)
BY_WINS = replace(BY_RATING, by=BoardOrder.WINS)
POST_WINS = replace(BY_WINS, button=BoardButton.POST)


def menus_of(asked: FakeInteraction) -> dict[str, list[tuple[str, str, bool]]]:
    """Return labels, values and whether they are chosen of each menu by its id."""
    (answer,) = asked.answers
    assert answer.view is not None
    parts = [part for row in answer.view.to_components() for part in row["components"] if "options" in part]
    return {
        part["custom_id"]: [(line["label"], line["value"], line["default"]) for line in part["options"]]
        for part in parts
    }


async def press(adapter: Adapter, pressed: object, who: Person = ROBIN, **more: Any) -> FakeInteraction:
    return await adapter.click(make_click(who, pressed, **more))


class TestLeaderboard:
    async def test_the_readers_own_line_follows_if_it_is_not_on_the_page(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        for at in range(1, 14):
            db.add_results(*make_game_results(at, 100 + at, ROBIN.id, name=f"N{at}"))
        asked = await leaderboard(adapter)
        lines = str(embed_of(asked).description).splitlines()
        assert lines[10:] == ["⋯", "**14.** **N13** (you) · **0** of 13 won · best 100 points"]
        assert asked.labels() == ["Page 2 ▶", "Against computers", "Seasons", "Post here"]
        second = await press_page_button(adapter, LeaderboardId("magpie", Company.PEOPLE, 2))
        assert len(str(second.description).splitlines()) == 4
        assert str(second.description).endswith("**14.** **N13** (you) · **0** of 13 won · best 100 points")
        assert "⋯" not in str(second.description)

    async def test_a_reader_without_games_has_no_line(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        assert len(str(embed_of(await leaderboard(adapter, JAY)).description).splitlines()) == 2

    async def test_a_removed_game_is_an_unknown_button(self, adapter: Adapter) -> None:
        click = await adapter.click(make_click(ROBIN, LeaderboardId("chess", Company.PEOPLE, 1)))
        assert "another version" in click.text

    async def test_daily_bags_have_boards_elsewhere(self, adapter: Adapter) -> None:
        for by in BoardOrder:
            click = await press(adapter, BoardId("magic_bag", Company.DAILY, by, Span.ALL, 1))
            assert "another version" in click.text


class TestNewestGame:
    @pytest.fixture
    def games(self) -> GameRegistry:
        return load_games_once()

    async def test_without_a_game_it_opens_at_the_one_played_last_here(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id, game="magpie"))
        db.add_results(*make_game_results(2, WREN.id, None, game="fortune", company=Company.COMPUTERS, name="Wren"))
        db.add_results(*make_game_results(3, ROBIN.id, WREN.id, game="change", guild_id=ELSEWHERE))
        embed = embed_of(await leaderboard(adapter, game=None, by=None))
        assert embed.title == "Fortune · leaderboard"
        assert "🥇 **Wren** · **1** of 1 won" in str(embed.description)

    async def test_a_daily_bag_is_not_that_game_if_there_is_another(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id, game="magpie"))
        db.add_results(*make_game_results(2, ROBIN.id, game="magic_bag", company=Company.DAILY))
        assert embed_of(await leaderboard(adapter, game=None)).title == "Magpie · leaderboard"

    async def test_in_a_direct_message_it_is_the_users_own(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, WREN.id, ROBIN.id, game="magpie"))
        db.add_results(*make_game_results(2, WREN.id, JAY.id, game="fortune"))
        assert "Magpie" in text_of(embed_of(await leaderboard(adapter, game=None, **PRIVATELY)))

    async def test_where_nobody_played_it_says_so(self, adapter: Adapter) -> None:
        with pytest.raises(Refusal) as refused:
            await leaderboard(adapter, game=None)
        assert refused.value.reason is BoardReason.NO_BOARD_YET


class TestRatings:
    async def test_a_board_opens_where_there_is_somebody(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, None, company=Company.COMPUTERS, name="Robin"))
        assert "**1** of 1 won" in str(embed_of(await leaderboard(adapter, by=None)).description)
        db.add_results(*make_game_results(2, WREN.id, JAY.id, name="Wren"))
        assert str(embed_of(await leaderboard(adapter, by=None)).description).startswith("🥇 **Wren**")

    async def test_an_order_that_the_game_does_not_have_is_its_usual_one(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, company=Company.ALONE, game="magic_bag", score=30))
        solo = replace(MAGPIE.game.info, key="magic_bag", least_seats=1, most_seats=1)
        game: Any = SimpleNamespace(info=solo)
        alone = Adapter(adapter.db, FakeTableMessages(), GameRegistry([replace(MAGPIE, game=game)]))
        asked = await leaderboard(alone, game="magic_bag", by=BoardOrder.RATING)
        assert "best **30 points**" in str(embed_of(asked).description)
        await alone.host.close()


class TestMenus:
    @each_case(
        "value",
        ["", "lb:", "t:1:0:roll:0", str(POST_WINS), str(SeasonId(Span.SEASON)), "lb:chess:people:wins:all:1:show"],
    )
    async def test_a_forged_choice_is_an_unknown_button(self, adapter: Adapter, value: str) -> None:
        click = await adapter.click(make_menu_choice(ROBIN, BoardMenuId(BoardMenu.ORDER), value))
        assert "another version" in click.text

    async def test_an_order_that_a_company_lacks_is_an_unknown_button(self, adapter: Adapter) -> None:
        forged = replace(BY_RATING, company=Company.COMPUTERS)
        assert "another version" in (await press(adapter, forged)).text

    async def test_the_boards_of_a_past_season_stay_on_its_menu(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id, finished_at=NOON.replace(year=2025, month=2)))
        asked = await press(adapter, replace(BY_WINS, span="2025-Q1"))
        embed = embed_of(asked)
        assert embed.title == "Magpie · leaderboard · January to March 2025"
        assert "(you)" in str(embed.description)
        spans = menus_of(asked)[str(BoardMenuId(BoardMenu.SPAN))]
        assert spans[-1] == ("January to March 2025", str(replace(BY_WINS, span="2025-Q1")), True)

    async def test_an_empty_period_offers_another(self, adapter: Adapter) -> None:
        embed = embed_of(await leaderboard(adapter, span=Span.MONTH))
        assert "for this month yet. Open a table with `/magpie new`" in str(embed.description)


class TestPosting:
    async def test_the_same_page_is_posted_once_in_a_while(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        await press(adapter, POST_WINS, in_whisper=True)
        again = await press(adapter, POST_WINS, WREN, in_whisper=True)
        assert again.answers[-1].ephemeral
        assert "within the last ten minutes" in again.text
        elsewhere = await press(adapter, POST_WINS, in_whisper=True, channel_id=71)
        assert not elsewhere.answers[-1].ephemeral

    async def test_a_double_click_posts_once(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        clicks = await asyncio.gather(*(press(adapter, POST_WINS, in_whisper=True) for _ in range(2)))
        assert sorted(click.answers[-1].ephemeral for click in clicks) == [False, True]

    async def test_nothing_is_posted_where_the_bot_may_not_write(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        rights = discord.Permissions(view_channel=True)
        refused = await press(adapter, POST_WINS, in_whisper=True, app_permissions=rights)
        assert "Send Messages" in refused.text
        assert refused.answers[-1].ephemeral
        assert not (await press(adapter, POST_WINS, in_whisper=True)).answers[-1].ephemeral, "it may be tried again"

    @each_case("more", [{}, PRIVATELY])
    async def test_an_empty_board_and_a_direct_message_have_nothing_to_post(
        self, adapter: Adapter, more: dict[str, Any]
    ) -> None:
        click = await press(adapter, POST_WINS, in_whisper=True, **more)
        assert "another version" in click.text


class TestSeasons:
    async def test_a_season_that_never_was_is_the_present_one(self, adapter: Adapter) -> None:
        assert embed_of(await press(adapter, SeasonId("2019-Q1"))).title == "Season January to March 2026"


async def test_a_solo_game_has_one_leaderboard(db: MemoryDatabase) -> None:
    game: Any = SimpleNamespace(info=replace(MAGPIE.game.info, least_seats=1, most_seats=1))
    adapter = Adapter(db, FakeTableMessages(), GameRegistry([replace(MAGPIE, game=game)]))
    db.add_results(*make_game_results(1, ROBIN.id, company=Company.ALONE))
    asked = await leaderboard(adapter, by=None)
    assert "best **100 points**" in str(embed_of(asked).description)
    assert asked.labels() == ["Seasons", "Post here"]
    await adapter.host.close()
