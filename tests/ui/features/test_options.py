"""The panel of options."""

import asyncio
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from pydantic import Field

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import CLOCK, HINTS
from bot.features.settings.rights import FIXED
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import (
    CustomId,
    parse_id,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Location
from bot.rules.game import Options
from bot.rules.refusals import Refusal
from bot.tables.clocks import may_have_clock
from bot.tables.handlers.ids import (
    ClockMenuId,
    HintMenuId,
    OpponentsId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PaceMenuId,
    PlayAgainId,
)
from bot.tables.lobby import choose_pace, digest_of_options, has_hints
from bot.tables.model import (
    HostChoice,
    Pace,
    Status,
    TurnClock,
)
from bot.tables.opening import play_again
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.seats import resign_seat
from bot.tables.shown.more import render_more
from bot.tables.shown.parts import NO_PARTS
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, as_solo, make_table, open_lobby
from tests.support.finished_games import roll_all
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    MENU,
    AnswerMethod,
    FakeInteraction,
    items_of,
    make_click,
    make_menu_choice,
)

PANEL_ID = 3003
"""The message that only the opener sees."""


class TwoOptions(Options):
    """As many options as a message has rows, with those for hints, the pace and the turn clock."""

    target: int = Field(default=100, title="Target")
    first: bool = Field(default=False, title="First")


class ManyOptions(TwoOptions):
    """More options than a message has rows."""

    second: bool = Field(default=False, title="Second")
    third: bool = Field(default=False, title="Third")
    fourth: bool = Field(default=False, title="Fourth")


def with_options(options: type[Options]) -> AnyPackage:
    game = copy(MAGPIE.game)
    game.info = replace(game.info, options=options)  # type: ignore[misc, arg-type]
    return replace(MAGPIE, game=game, words=replace(MAGPIE.words, estimate_minutes=None))


def choices(answered: FakeInteraction) -> dict[str, str]:
    """Return what is chosen in the panel: the values of the game's options, of hints and of the turn clock."""
    chosen = {}
    for menu in (item for item in items_of(answered.answers[-1].view) if item.type == MENU):
        pressed = parse_id(menu.custom_id)
        name = pressed.option if isinstance(pressed, OptionMenuId) else type(pressed).__name__
        (chosen[name],) = [option.value for option in menu.options if option.default]
    return chosen


async def pick(adapter: Adapter, table: Table, option: str, *values: str, person: Any = ROBIN) -> FakeInteraction:
    """Choose in the panel as it was shown with this table."""
    click = make_click(
        person, OptionMenuId(table.id, digest_of_options(table), option), message_id=PANEL_ID, in_whisper=True
    )
    click.data = {**(click.data or {}), "values": list(values)}
    return await adapter.click(click)


class TestOptionsButton:
    def test_every_lobby_of_a_game_with_options_has_the_button(self) -> None:
        for key, package in load_games_once().items():
            seats = make_table().seats[: package.game.info.most_seats]
            table = replace(make_table(), package=package, seats=seats)
            ids = [press.custom_id for row in render_more(table, NO_PARTS, ROBIN.id).rows for press in row]
            has_options = bool(package.game.info.options.model_fields) or has_hints(package) or may_have_clock(table)
            assert (str(OptionPanelId(table.id)) in ids) == has_options, key

    def test_the_lobby_of_a_solo_game_has_the_button(self) -> None:
        table = as_solo(make_table(location=Location(HERE.guild_id, HERE.channel_id, ROBIN.id)))
        more = render_more(table, NO_PARTS, ROBIN.id)
        assert OptionPanelId(1) in [parse_id(press.custom_id) for press in more.rows[0]]

    async def test_the_button_opens_the_panel_for_the_opener_only(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        for person in (WREN, STRANGER):
            refused = await adapter.click(make_click(person, OptionPanelId(table.id)))
            assert refused.refusal is HostReason.NOT_OPENER
        opened = await adapter.click(make_click(ROBIN, OptionPanelId(table.id), message_id=PANEL_ID, in_whisper=True))
        (answer,) = opened.answers
        assert answer.how is AnswerMethod.EDIT
        assert list(choices(opened).items())[:2] == [("target", "100"), ("double_big_rolls", "false")]

    async def test_a_late_press_says_that_the_options_are_fixed(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        await adapter.service.start(table.id, ROBIN, 1)
        late = await adapter.click(make_click(ROBIN, OptionPanelId(table.id), message_id=PANEL_ID, in_whisper=True))
        assert [(answer.how, answer.view) for answer in late.answers] == [(AnswerMethod.EDIT, None)]
        assert late.text


class TestChoosing:
    @pytest.mark.parametrize(
        ("choice", "pressed", "value"),
        [
            (HostChoice.HINTS, HintMenuId(1), "off"),
            (HostChoice.PACE, PaceMenuId(1), "quick"),
            (HostChoice.CLOCK, ClockMenuId(1), "one_day"),
            (HostChoice.OPTIONS, None, "250"),
            (HostChoice.LEVELS, OpponentsId(1, 1), "strong"),
        ],
    )
    async def test_what_the_server_has_fixed_is_neither_offered_nor_changed(
        self, adapter: Adapter, db: MemoryDatabase, choice: HostChoice, pressed: CustomId | None, value: str
    ) -> None:
        db.chosen[HERE.scope_id] = chosen({FIXED: frozenset({choice})})
        table = await open_lobby(adapter.service, ROBIN)
        menu = pressed or OptionMenuId(table.id, digest_of_options(table), "target")
        panel = await adapter.click(make_click(ROBIN, OptionPanelId(table.id), message_id=PANEL_ID, in_whisper=True))
        offered = [parse_id(item.custom_id) for item in items_of(panel.answers[-1].view)]
        assert type(menu) not in map(type, offered)
        lobby = adapter.table_messages.build_content(table).menus
        levels = {option.value for option in lobby[0].options}
        assert ("strong" in levels) is (choice is not HostChoice.LEVELS)
        refused = await adapter.click(make_menu_choice(ROBIN, menu, value, message_id=PANEL_ID, in_whisper=True))
        assert refused.refusal is HostReason.FIXED_BY_SERVER
        assert await adapter.service.table(table.id) == table

    @pytest.mark.parametrize("fixed", [frozenset[HostChoice](), frozenset(HostChoice)])
    async def test_another_game_has_what_the_server_has_fixed_meanwhile_instead_of_the_hosts_choices(
        self, adapter: Adapter, db: MemoryDatabase, fixed: frozenset[HostChoice]
    ) -> None:
        service = adapter.service
        table = await open_lobby(service, ROBIN, WREN)
        await service.allow_hints(table.id, ROBIN, allows=False)
        await service.choose_pace(table.id, ROBIN, Pace.QUICK)
        await service.choose_clock(table.id, ROBIN, TurnClock.ONE_DAY)
        await service.start(table.id, ROBIN, 5)
        await service.apply_seat_action(table.id, WREN, resign_seat, 6)
        await adapter.settings.change(HERE.scope_id, FIXED, lambda _: fixed)
        await adapter.settings.change(HERE.scope_id, CLOCK, lambda _: TurnClock.THREE_DAYS)
        await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
        header = db.header(table.id + 1)
        kept = (False, Pace.QUICK, TurnClock.ONE_DAY)
        of_server = (True, Pace.CALM, TurnClock.THREE_DAYS)
        assert (header.allows_hints, header.pace, header.clock.limit) == (of_server if fixed else kept)

    async def test_a_choice_counts_immediately_and_the_panel_shows_it(
        self, adapter: Adapter, shown: FakeTableMessages
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        await adapter.wait_until_shown()
        click = await pick(adapter, table, "target", "250")
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert choices(click)["target"] == "250"
        await adapter.wait_until_shown()
        now = await adapter.service.table(table.id)
        assert now.options == MagpieOptions(target=250)
        assert shown.shown[-1].revision == now.header.revision > table.header.revision
        assert "250" in str(adapter.table_messages.build_content(now).text_embed.fields[1].value)

    async def test_a_choice_in_an_outdated_panel_only_refreshes_it(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        await pick(adapter, table, "target", "250")
        late = await pick(adapter, table, "five_dice_bonus", "true")
        assert [answer.how for answer in late.answers] == [AnswerMethod.EDIT]
        assert (choices(late)["target"], choices(late)["five_dice_bonus"]) == ("250", "false")

    async def test_an_unknown_value_is_refused(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        for option, value in (("target", "7"), ("target", "[]"), ("moon", "true")):
            refused = await pick(adapter, table, option, value)
            assert refused.refusal is HostReason.NO_SUCH_CHOICE
        for values in ((), ("50", "75")):
            assert (await pick(adapter, table, "target", *values)).refusal is ClickReason.UNKNOWN_BUTTON
        assert (await adapter.service.table(table.id)).options == MagpieOptions()

    @pytest.mark.parametrize("end", ["start", "cancel", "host leaves"])
    async def test_the_panel_is_deleted_once_it_is_of_no_more_use(self, adapter: Adapter, end: str) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        opened = await adapter.click(make_click(ROBIN, OptionPanelId(table.id)))
        await adapter.service.join(table.id, JAY, 5)
        assert not opened.deleted
        match end:
            case "start":
                await adapter.service.start(table.id, ROBIN, 1)
            case "cancel":
                await adapter.service.cancel(table.id, ROBIN, is_moderator=False)
            case _:
                await adapter.service.leave(table.id, ROBIN)
        await wait_until(lambda: len(opened.deleted) == 1)

    async def test_a_panel_that_arrives_after_the_start_is_deleted_at_once(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        click = make_click(ROBIN, OptionPanelId(table.id))
        click.gate = Gate()
        opening = asyncio.create_task(adapter.click(click))
        await click.gate.reached.wait()
        await adapter.service.start(table.id, ROBIN, 1)
        click.gate.open()
        await opening
        await wait_until(lambda: len(click.deleted) == 1)

    @pytest.mark.parametrize("is_over", [False, True])
    async def test_a_choice_after_the_lobby_removes_the_panel(self, adapter: Adapter, is_over: bool) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        if is_over:
            await adapter.service.cancel(table.id, ROBIN, is_moderator=False)
        else:
            await adapter.service.start(table.id, ROBIN, 1)
        click = await pick(adapter, table, "target", "250")
        (answer,) = click.answers
        assert answer.content
        assert (answer.embed, answer.view) == (None, None)
        assert {"embed", "view"} <= answer.sent

    async def test_a_slow_choice_still_updates_the_panel(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        monkeypatch.setattr("bot.platform.discord.answers.DEFER_AFTER_SECONDS", 0)
        click = await pick(adapter, table, "target", "250")
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER, AnswerMethod.EDIT_ANSWER]
        assert choices(click)["target"] == "250"


FIRST_PAGE = ["target", "first", "second", "third"]
SECOND_PAGE = ["fourth", "HintMenuId", "PaceMenuId", "ClockMenuId"]


class TestPages:
    @pytest.fixture
    def games(self) -> GameRegistry:
        return GameRegistry([with_options(ManyOptions)])

    @pytest.mark.parametrize(
        ("page", "names", "other"),
        [(1, FIRST_PAGE, 2), (2, SECOND_PAGE, 1), (0, FIRST_PAGE, 2), (999_999, SECOND_PAGE, 1)],
    )
    async def test_more_options_than_rows_are_paged(
        self, adapter: Adapter, page: int, names: list[str], other: int
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        click = await adapter.click(
            make_click(ROBIN, OptionPageId(table.id, page), message_id=PANEL_ID, in_whisper=True)
        )
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert list(choices(click)) == names
        assert click.buttons() == [str(OptionPageId(table.id, other))]
        view = click.answers[-1].view
        assert view is not None
        assert len(view.to_components()) <= 5

    async def test_a_choice_stays_on_its_page(self, adapter: Adapter) -> None:
        click = await pick(adapter, await open_lobby(adapter.service, ROBIN), "fourth", "true")
        assert list(choices(click)) == SECOND_PAGE


class TestPaging:
    @pytest.fixture
    def games(self) -> GameRegistry:
        return GameRegistry([with_options(TwoOptions)])

    async def test_as_many_options_as_rows_need_no_pages(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        click = await adapter.click(make_click(ROBIN, OptionPageId(table.id, 1), message_id=PANEL_ID, in_whisper=True))
        assert (len(choices(click)), click.buttons()) == (5, [])


class TestHints:
    async def choose(self, adapter: Adapter, table: Table, value: str, person: Any = ROBIN) -> FakeInteraction:
        click = make_click(person, HintMenuId(table.id), message_id=PANEL_ID, in_whisper=True)
        click.data = {**(click.data or {}), "values": [value]}
        return await adapter.click(click)

    async def test_where_the_server_forbids_them_there_is_no_choice(self, adapter: Adapter) -> None:
        await adapter.db.write(setting_storage.change, HERE.scope_id, HINTS, lambda _: False)
        table = await open_lobby(adapter.service, ROBIN)
        click = await adapter.click(make_click(ROBIN, OptionPanelId(table.id)))
        assert "HintMenuId" not in choices(click)

    async def test_the_next_game_keeps_the_choice(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN, options=MagpieOptions(target=50))
        await self.choose(adapter, table, "off")
        table = await adapter.service.start(table.id, ROBIN, 5)
        while table.header.status is Status.PLAYING:
            table = await roll_all(adapter.service, table)
        assert not (await play_again(adapter.service, table.id, ROBIN, 6)).header.allows_hints


class TestPace:
    async def choose(self, adapter: Adapter, table: Table, value: str, person: Any = ROBIN) -> FakeInteraction:
        click = make_click(person, PaceMenuId(table.id), message_id=PANEL_ID, in_whisper=True)
        click.data = {**(click.data or {}), "values": [value]}
        return await adapter.click(click)

    async def test_the_opener_chooses_it_the_lobby_says_so_and_the_next_game_keeps_it(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN, options=MagpieOptions(target=50))
        assert (await self.choose(adapter, table, "quick", WREN)).refusal is HostReason.NOT_OPENER
        assert (await self.choose(adapter, table, "hasty")).refusal is ClickReason.UNKNOWN_BUTTON
        assert choices(await self.choose(adapter, table, "quick"))["PaceMenuId"] == "quick"
        table = await adapter.service.table(table.id)
        fields = adapter.table_messages.build_content(table).text_embed.fields
        before = adapter.table_messages.build_content(replace(table, header=replace(table.header, pace=Pace.CALM)))
        assert len(fields) == len(before.text_embed.fields)
        assert fields[1].value != before.text_embed.fields[1].value
        table = await adapter.service.start(table.id, ROBIN, 5)
        while table.header.status is Status.PLAYING:
            table = await roll_all(adapter.service, table)
        assert (await play_again(adapter.service, table.id, ROBIN, 6)).header.pace is Pace.QUICK

    async def test_alone_there_is_no_choice(self) -> None:
        with pytest.raises(Refusal) as refused:
            choose_pace(as_solo(make_table()), ROBIN, Pace.QUICK)
        assert refused.value.reason is HostReason.NO_SUCH_CHOICE


class TestTurnClock:
    async def choose(self, adapter: Adapter, table: Table, value: str, person: Any = ROBIN) -> FakeInteraction:
        click = make_click(person, ClockMenuId(table.id), message_id=PANEL_ID, in_whisper=True)
        click.data = {**(click.data or {}), "values": [value]}
        return await adapter.click(click)

    async def test_the_host_chooses_the_time_for_a_turn(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN, WREN)
        for value in ("three_days", "none"):
            click = await self.choose(adapter, table, value)
            assert choices(click)["ClockMenuId"] == value
            table = await adapter.service.table(table.id)
            assert table.header.clock.limit.value == value
