"""Leaderboards, profiles and histories as they are shown."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import discord
import pytest
from sqlalchemy import select

import bot.platform.discord.answers
from bot.features.badges.awarding import award
from bot.features.badges.commands import Badges
from bot.features.boards import storage as board_storage
from bot.features.boards.commands import Boards
from bot.features.boards.messages import LeaderboardId
from bot.features.daily_bag.messages import DailyBagButton, DailyBagId
from bot.features.daily_bag.storage import daily_consents
from bot.features.profiles.messages import HistoryId, HistoryScope
from bot.platform.discord.channels import readable_channels
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.tables.control_entries import TableEndReason
from bot.tables.model import Award, Company
from bot.tables.registry import GameRegistry
from bot.tables.shown.words import title_of
from bot.words import gettext
from tests.support.change_tables import CHANGE
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import JAY, ROBIN, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_ACCESS, SERVER_ERROR, AnswerMethod, make_click, make_command, make_guest
from tests.ui.result_requests import (
    MEMBER,
    PRIVATELY,
    add_shown_results,
    embed_of,
    history,
    leaderboard,
    make_guild,
    make_thread,
    press_page_button,
    profile,
    text_of,
)

NASTY = Person(66, "@everyone **[x](http://x)** <@1>\\"[:32])


def figures_in(text: str) -> str:
    """Return the numbers of a text, without its words."""
    return " ".join(re.findall(r"[\d,]+", text))


class TestBadges:
    """The asker sees all of their own, and of others those that were earned in the server."""

    @pytest.fixture(autouse=True)
    def robins_badges(self, db: MemoryDatabase) -> None:
        for table_id, badge, guild_id in ((1, "magpie/full_nest", ELSEWHERE), (2, "magpie/snatched", HERE)):
            add_shown_results(db, *make_game_results(table_id, ROBIN.id, WREN.id, guild_id=guild_id))
            header = db.header(table_id)
            earned = Award(ROBIN.id, badge, table_id, guild_id, header.updated_at)
            db.run(award, header, (), (earned,))

    @each_case("asker, names", [(ROBIN, {"Snatched", "Full Nest"}), (WREN, {"Snatched"})])
    async def test_the_command(self, adapter: Adapter, asker: Person, names: set[str]) -> None:
        command: Any = make_command(asker)
        await adapter.app.service(Badges).show(command, ROBIN)
        earned = [line for line in text_of(embed_of(command)).splitlines() if "🏅" in line]
        assert {name for name in ("Snatched", "Full Nest") if gettext(name) in "".join(earned)} == names

    @each_case("asker, names", [(ROBIN, ["Snatched", "Full Nest"]), (WREN, ["Snatched"])])
    async def test_a_profile(self, adapter: Adapter, asker: Person, names: list[str]) -> None:
        line = text_of(embed_of(await profile(adapter, asker, ROBIN))).splitlines()[1]
        named = [name for name in ("Snatched", "Full Nest") if gettext(name) in line]
        assert sorted(named, key=lambda name: line.index(gettext(name))) == names


class TestTheBoardOfAllServers:
    async def test_it_shows_the_name_of_the_account(self, adapter: Adapter, db: MemoryDatabase) -> None:
        member = make_guest(discord.Member, id=ROBIN.id)
        assert (member.display_name, member.global_name) == ("Wren of the server", "Wren")
        await adapter.click(make_click(ROBIN, DailyBagId(DailyBagButton.CONSENT, 0, 1), member=member))
        names = db.run(lambda connection: connection.execute(select(daily_consents.c.name)).scalars().all())
        assert names == ["Wren"]


class TestProfile:
    async def test_a_profile_shows_games_companies_and_the_latest_tables(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, JAY.id, places=(1, 1, 3), score=60))
        add_shown_results(db, *make_game_results(2, WREN.id, ROBIN.id, score=1000))
        add_shown_results(db, *make_game_results(3, ROBIN.id, company=Company.ALONE, score=7))
        embed = embed_of(await profile(adapter, WREN, ROBIN))
        assert embed.title == "Robin"
        figures, last = embed.fields
        assert figures.name == "Magpie"
        assert [figures_in(line) for line in str(figures.value).splitlines()] == ["1 2 1,000 1 1,060", "7 7 1"]
        shown = [
            line.split(" · <t:")[0].split(f"https://discord.com/channels/{HERE}/70/")
            for line in str(last.value).splitlines()
        ]
        assert [(medal.split()[0], figures_in(rest)) for medal, rest in shown] == [
            ("▫️", "1003 7"),
            ("🥈", "1002 1,000"),
            ("🥇", "1001 60"),
        ]

    async def test_a_profile_names_no_channel_hidden_from_the_reader(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, channel_id=71))
        add_shown_results(db, *make_game_results(2, ROBIN.id, WREN.id, channel_id=73))
        rights: dict[str, Any] = {
            "guild": make_guild(readable=(70, 71), closed=(73,)),
            "member": MEMBER,
        }
        figures, last = embed_of(await profile(adapter, ROBIN, WREN, **rights)).fields
        assert figures_in(str(figures.value)).startswith("0 2 ")
        assert "/71/1001" in str(last.value)
        assert "/73/" not in str(last.value)

    async def test_ones_own_profile_covers_all_servers(self, adapter: Adapter, db: MemoryDatabase) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, channel_id=73))
        rights: dict[str, Any] = {"guild": make_guild(closed=(73,)), "member": MEMBER}
        assert "/73/1001" in text_of(embed_of(await profile(adapter, ROBIN, **rights)))

    async def test_a_removed_game_is_shown_by_its_key(self, adapter: Adapter, db: MemoryDatabase) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, game="old_maid"))
        assert "Old Maid" in text_of(embed_of(await profile(adapter)))
        assert title_of(load_games_once(), "houdinis_baggage") == "Mr. Houdini's Baggage"

    async def test_a_server_shows_its_own_profiles(self, adapter: Adapter, db: MemoryDatabase) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, guild_id=ELSEWHERE))
        add_shown_results(db, *make_game_results(2, ROBIN.id, WREN.id, guild_id=None))
        assert embed_of(await profile(adapter)).fields == []


class TestScores:
    """Each game says what its scores count, and whether more or less is better."""

    @pytest.fixture
    def adapter(self, db: MemoryDatabase) -> Adapter:
        return Adapter(db, FakeTableMessages(), GameRegistry([CHANGE]))

    async def test_the_fewest_credits_are_best(self, adapter: Adapter, db: MemoryDatabase) -> None:
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, game="change", score=185))
        add_shown_results(db, *make_game_results(2, WREN.id, ROBIN.id, game="change", score=1))
        board = str(embed_of(await leaderboard(adapter, game="change")).description)
        assert figures_in(board.splitlines()[0].partition("·")[2]) == "1 2 1"
        figures, last = embed_of(await profile(adapter)).fields
        assert figures_in(str(figures.value)) == "1 2 1"
        assert "· **185 " in str(last.value)
        assert "185\u00a0" in str(embed_of(await history(adapter)).description)

    async def test_resigned_games_have_no_score(self, adapter: Adapter, db: MemoryDatabase) -> None:
        resigned: dict[str, Any] = {"game": "change", "score": 0, "reason": TableEndReason.RESIGNED.value}
        add_shown_results(db, *make_game_results(1, ROBIN.id, WREN.id, **resigned))
        asked = embed_of(await leaderboard(adapter, game="change"))
        assert asked.description is not None
        winner, _, rest = asked.description.splitlines()[0].partition("·")
        assert winner.startswith(f"🥇 **P{ROBIN.id}**")
        assert figures_in(rest) == "1 1"
        add_shown_results(db, *make_game_results(2, WREN.id, ROBIN.id, game="change", score=40))
        board = str(embed_of(await leaderboard(adapter, game="change")).description)
        assert all(figures_in(line.partition("·")[2]).endswith(" 40") for line in board.splitlines())


class TestHistory:
    async def test_each_scope_lists_its_tables(self, adapter: Adapter, db: MemoryDatabase) -> None:
        add_shown_results(db, *make_game_results(1, WREN.id, JAY.id))
        add_shown_results(db, *make_game_results(2, ROBIN.id, JAY.id, channel_id=71))
        add_shown_results(db, *make_game_results(3, WREN.id, JAY.id, channel_id=72))
        add_shown_results(db, *make_game_results(4, ROBIN.id, JAY.id, channel_id=73))
        add_shown_results(db, *make_game_results(5, ROBIN.id, JAY.id, guild_id=ELSEWHERE))
        guild = make_guild(readable=(70, 71, 72), closed=(73,))
        shown = {}
        for reach in HistoryScope:
            embed = await press_page_button(adapter, HistoryId(reach, 1), guild=guild, member=MEMBER)
            shown[reach] = [at for at in range(1, 6) if f"/100{at})" in text_of(embed)]
        assert shown == {HistoryScope.HERE: [1], HistoryScope.SERVER: [1, 2, 3], HistoryScope.MINE: [2, 4]}


class TestReadableChannels:
    async def channels(self, **more: Any) -> frozenset[int]:
        return await readable_channels(make_command(ROBIN, **more))  # type: ignore[arg-type]

    async def test_readable_channels_are_those_the_member_may_read_and_this_one(self) -> None:
        assert await self.channels(guild=make_guild(readable=(71, 72), closed=(73,)), member=MEMBER) == {70, 71, 72}

    async def test_threads_follow_their_channel_unless_they_are_private(self) -> None:
        threads = (make_thread(81, 71), make_thread(82, 73), make_thread(83, 71, private=True))
        guild = make_guild(readable=(71,), closed=(73,), threads=threads)
        assert await self.channels(guild=guild, member=MEMBER) == {70, 71, 81}

    @each_case("fault", [SERVER_ERROR, MISSING_ACCESS, discord.InvalidData(), TimeoutError()])
    async def test_if_discord_does_not_tell_only_what_is_known_is_readable(self, fault: Exception) -> None:
        guild = make_guild(readable=(71,), threads=(make_thread(81, 71),))
        guild.active_threads.side_effect = fault
        assert await self.channels(guild=guild, member=MEMBER) == {70, 71}
        guild.fetch_channels.side_effect = fault
        assert await self.channels(guild=guild, member=MEMBER) == {70}

    @each_case(
        "facts",
        [{"guild": None}, {"guild": make_guild(readable=(71,)), "member": None}],
    )
    async def test_with_missing_facts_only_this_channel_is_readable(self, facts: dict[str, Any]) -> None:
        assert await self.channels(**facts) == {70}


class TestAllResults:
    async def everything(self, adapter: Adapter) -> list[discord.Embed]:
        asked = [
            *[await each(adapter, NASTY) for each in (leaderboard, profile, history)],
            *[await each(adapter, NASTY, **PRIVATELY) for each in (leaderboard, profile, history)],
        ]
        return [embed_of(each) for each in asked]

    def fill(self, db: MemoryDatabase) -> None:
        names = ("*" * 32, "@everyone" + "_" * 23, NASTY.name, "[" * 32, "|" * 32, "`" * 32)
        for at in range(1, 61):
            people = [NASTY.id, *(at * 10 + seat for seat in range(5))]
            played = make_game_results(at, *people, guild_id=HERE, score=10**9)
            add_shown_results(db, *(replace(each, name=names[each.seat], channel_id=70) for each in played))

    async def test_everything_fits_discords_limits(self, adapter: Adapter, db: MemoryDatabase) -> None:
        self.fill(db)
        for embed in await self.everything(adapter):
            assert len(embed) <= 6000
            assert len(str(embed.title)) <= 256
            assert len(str(embed.description)) <= 4096
            assert all(len(str(field.value)) <= 1024 for field in embed.fields)

    async def test_names_are_escaped(self, adapter: Adapter, db: MemoryDatabase) -> None:
        self.fill(db)
        for embed in await self.everything(adapter):
            text = re.sub(r"\\.", "", text_of(embed))
            assert "@everyone" not in text
            assert "](http://x" not in text
            assert not re.search(r"[|`_~]|<@", text)
            assert text.count("**") % 2 == 0

    async def test_every_button_has_its_own_id_of_ours(self, adapter: Adapter, db: MemoryDatabase) -> None:
        self.fill(db)
        clicks = [LeaderboardId("magpie", Company.PEOPLE, 2), *(HistoryId(reach, 2) for reach in HistoryScope)]
        for each in clicks:
            click = await adapter.click(make_click(NASTY, each))
            ids = click.buttons()
            assert len(set(ids)) == len(ids) >= 3
            assert all(parse_id(custom_id) for custom_id in ids)
            assert all(len(custom_id) <= 100 for custom_id in ids)

    async def test_slow_results_are_answered_in_two_steps(
        self, adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)
        db.before[board_storage.standings] = gate = Gate()
        asked, click = (
            make_command(ROBIN),
            make_click(ROBIN, LeaderboardId("magpie", Company.PEOPLE, 1), in_whisper=True),
        )
        work = [
            asyncio.create_task(adapter.app.service(Boards).show(asked, "magpie")),  # type: ignore[arg-type]
            asyncio.create_task(adapter.click(click)),
        ]
        await wait_until(lambda: asked.answers and click.answers)
        gate.open()
        await asyncio.gather(*work)
        assert [answer.how for answer in asked.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER, AnswerMethod.EDIT_ANSWER]
        assert click.answers[-1].embed is not None
