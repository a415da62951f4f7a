"""Leaderboards, seasons, profiles and histories as they are shown and posted."""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import Column, select

import bot.platform.discord.answers
from bot.features.badges.awarding import award
from bot.features.badges.commands import Badges
from bot.features.boards import storage as board_storage
from bot.features.boards.commands import Boards
from bot.features.boards.messages import BoardButton, BoardId, BoardMenu, BoardMenuId, LeaderboardId, SeasonId
from bot.features.boards.model import BoardOrder, BoardReason, Span
from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.challenges.storage import attempts, board_consents
from bot.features.profiles.messages import HistoryId, HistoryScope
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.discord.channels import readable_among, readable_channels
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.control_entries import TableEndReason
from bot.tables.kinds import Cadence
from bot.tables.model import Award, Company
from bot.tables.registry import GameRegistry
from bot.tables.shown.words import title_of
from bot.words import gettext
from tests.support.change_tables import CHANGE
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import JAY, NOON, ROBIN, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    MISSING_ACCESS,
    SERVER_ERROR,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_guest,
    make_menu_choice,
)
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


class TestWhatCrossesServers:
    @each_case(
        "button, names", [(ChallengeButton.CONSENT, board_consents.c.name), (ChallengeButton.PLAY, attempts.c.name)]
    )
    async def test_it_has_the_name_of_the_account(
        self, adapter: Adapter, db: MemoryDatabase, button: ChallengeButton, names: Column[str]
    ) -> None:
        member = make_guest(discord.Member, id=ROBIN.id)
        assert (member.display_name, member.global_name) == ("Wren of the server", "Wren")
        await adapter.click(make_click(ROBIN, ChallengeId(button, Cadence.DAILY, 9, 1), member=member))
        assert db.run(lambda connection: connection.execute(select(names)).scalars().all()) == ["Wren"]


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
        assert figures.name == gettext("Magpie")
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
        assert title_of(load_games_once(), "houdinis_baggage") == gettext("Mr. Houdini's Baggage")

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

    async def test_threads_follow_their_channel_but_private_ones_are_for_those_who_manage_threads(self) -> None:
        public = (make_thread(81, 71), make_thread(82, 73))
        private = (make_thread(83, 71, private=True), make_thread(84, 72, private=True))
        guild = make_guild(readable=(71,), closed=(73,), managed=(72,), threads=(*public, *private))
        assert await self.channels(guild=guild, member=MEMBER) == {70, 71, 72, 81, 84}

    async def test_threads_that_are_not_active_are_looked_up_and_follow_their_channel(self) -> None:
        guild = make_guild(readable=(71,), closed=(73,), threads=(make_thread(81, 71),))
        archived = {82: make_thread(82, 71), 83: make_thread(83, 73), 84: make_thread(84, 71, private=True)}
        guild.fetch_channel.side_effect = lambda wanted: archived.get(wanted, guild)
        asked: Any = make_command(ROBIN, guild=guild, member=MEMBER)
        assert await readable_among(asked, {81, 82, 83, 84, 85}) == {81, 82}
        assert {call.args[0] for call in guild.fetch_channel.await_args_list} == {82, 83, 84, 85}

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
