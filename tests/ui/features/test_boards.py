"""Leaderboards and seasons as they are shown and posted."""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.boards.messages import BoardButton, BoardId, BoardMenu, BoardMenuId, LeaderboardId, SeasonId
from bot.features.boards.model import BoardOrder, BoardReason, Span
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Company
from bot.tables.registry import GameRegistry
from bot.tables.shown.words import title_of
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


def menus_of(asked: FakeInteraction) -> dict[str, list[tuple[str, bool]]]:
    """Return values and whether they are chosen of each menu by its id."""
    (answer,) = asked.answers
    assert answer.view is not None
    parts = [part for row in answer.view.to_components() for part in row["components"] if "options" in part]
    return {part["custom_id"]: [(line["value"], line["default"]) for line in part["options"]] for part in parts}


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
        assert lines[10] == "⋯"
        assert lines[11].startswith("**14.** **N13** ")
        assert getattr(parse_id(asked.buttons()[0]), "page", None) == 2
        second = await press_page_button(adapter, LeaderboardId("magpie", Company.PEOPLE, 2))
        assert len(str(second.description).splitlines()) == 4
        assert str(second.description).splitlines()[-1] == lines[11]
        assert "⋯" not in str(second.description)

    async def test_a_reader_without_games_has_no_line(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        assert len(str(embed_of(await leaderboard(adapter, JAY)).description).splitlines()) == 2

    async def test_a_removed_game_is_an_unknown_button(self, adapter: Adapter) -> None:
        click = await adapter.click(make_click(ROBIN, LeaderboardId("chess", Company.PEOPLE, 1)))
        assert click.refusal is ClickReason.UNKNOWN_BUTTON

    async def test_daily_bags_have_boards_elsewhere(self, adapter: Adapter) -> None:
        for by in BoardOrder:
            click = await press(adapter, BoardId("magic_bag", Company.DAILY, by, Span.ALL, 1))
            assert click.refusal is ClickReason.UNKNOWN_BUTTON


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
        assert str(embed.title).startswith(title_of(load_games_once(), "fortune"))
        assert "🥇 **Wren**" in str(embed.description)

    async def test_a_daily_bag_is_not_that_game_if_there_is_another(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id, game="magpie"))
        db.add_results(*make_game_results(2, ROBIN.id, game="magic_bag", company=Company.DAILY))
        title = str(embed_of(await leaderboard(adapter, game=None)).title)
        assert title.startswith(title_of(load_games_once(), "magpie"))

    async def test_in_a_direct_message_it_is_the_users_own(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, WREN.id, ROBIN.id, game="magpie"))
        db.add_results(*make_game_results(2, WREN.id, JAY.id, game="fortune"))
        text = text_of(embed_of(await leaderboard(adapter, game=None, **PRIVATELY)))
        assert title_of(load_games_once(), "magpie") in text

    async def test_where_nobody_played_it_says_so(self, adapter: Adapter) -> None:
        with pytest.raises(Refusal) as refused:
            await leaderboard(adapter, game=None)
        assert refused.value.reason is BoardReason.NO_BOARD_YET


class TestRatings:
    async def test_a_board_opens_where_there_is_somebody(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, None, company=Company.COMPUTERS, name="Robin"))
        assert str(embed_of(await leaderboard(adapter, by=None)).description).startswith("🥇 **Robin**")
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
        assert "**30 " in str(embed_of(asked).description)
        await alone.host.close()


class TestMenus:
    @each_case(
        "value",
        ["", "lb:", "t:1:0:roll:0", str(POST_WINS), str(SeasonId(Span.SEASON)), "lb:chess:people:wins:all:1:show"],
    )
    async def test_a_forged_choice_is_an_unknown_button(self, adapter: Adapter, value: str) -> None:
        click = await adapter.click(make_menu_choice(ROBIN, BoardMenuId(BoardMenu.ORDER), value))
        assert click.refusal is ClickReason.UNKNOWN_BUTTON

    async def test_an_order_that_a_company_lacks_is_an_unknown_button(self, adapter: Adapter) -> None:
        forged = replace(BY_RATING, company=Company.COMPUTERS)
        assert (await press(adapter, forged)).refusal is ClickReason.UNKNOWN_BUTTON

    async def test_the_boards_of_a_past_season_stay_on_its_menu(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id, finished_at=NOON.replace(year=2025, month=2)))
        asked = await press(adapter, replace(BY_WINS, span="2025-Q1"))
        assert "**P11**" in str(embed_of(asked).description)
        spans = menus_of(asked)[str(BoardMenuId(BoardMenu.SPAN))]
        assert spans[-1] == (str(replace(BY_WINS, span="2025-Q1")), True)


class TestPosting:
    async def test_the_same_page_is_posted_once_in_a_while(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
        await press(adapter, POST_WINS, in_whisper=True)
        again = await press(adapter, POST_WINS, WREN, in_whisper=True)
        assert again.answers[-1].ephemeral
        assert again.refusal is BoardReason.BOARD_POSTED
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
        assert refused.refusal is ClickReason.MISSING_PERMISSIONS
        assert refused.answers[-1].ephemeral
        assert not (await press(adapter, POST_WINS, in_whisper=True)).answers[-1].ephemeral, "it may be tried again"

    @each_case("more", [{}, PRIVATELY])
    async def test_an_empty_board_and_a_direct_message_have_nothing_to_post(
        self, adapter: Adapter, more: dict[str, Any]
    ) -> None:
        click = await press(adapter, POST_WINS, in_whisper=True, **more)
        assert click.refusal is ClickReason.UNKNOWN_BUTTON


class TestSeasons:
    async def test_a_season_that_never_was_is_the_present_one(self, adapter: Adapter) -> None:
        title = str(embed_of(await press(adapter, SeasonId("2019-Q1"))).title)
        assert re.findall(r"\d+", title) == ["2026"]


async def test_a_solo_game_has_one_leaderboard(db: MemoryDatabase) -> None:
    game: Any = SimpleNamespace(info=replace(MAGPIE.game.info, least_seats=1, most_seats=1))
    adapter = Adapter(db, FakeTableMessages(), GameRegistry([replace(MAGPIE, game=game)]))
    db.add_results(*make_game_results(1, ROBIN.id, company=Company.ALONE))
    asked = await leaderboard(adapter, by=None)
    assert "**100 " in str(embed_of(asked).description)
    boards = [each for each in map(parse_id, asked.buttons()) if isinstance(each, BoardId)]
    assert {each.company for each in boards} == {Company.ALONE}
    await adapter.host.close()
