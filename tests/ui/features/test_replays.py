"""Replays: every step of a finished game as it was shown, for one person, however often and however late."""

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest

import bot.ui.features.replays
from bot.pictures.service import Drawn
from bot.rules.refusals import Refusal
from bot.tables.actions.seats import resigning, substituting
from bot.tables.controls import Resign
from bot.tables.model import Person, Place, Preferences, Status
from bot.tables.refusals import HostReason
from bot.tables.registry import Registry
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import ReplayId, Turn
from bot.ui.features.replays import LEAP, replay_frame
from bot.ui.render.table_message import still_frame
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, FakeBoard, FakeStore, Gate, a_lobby, under_way
from tests.support.painted import WITH_PICTURES, pictured
from tests.support.played import played, rolled
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import TOO_LARGE, FakeInteraction, How, click_of, command_of

DRAWN = Drawn(b"", "table.png", "A table.")


@pytest.fixture
def games() -> Registry:
    return WITH_PICTURES


async def asked(adapter: Adapter, person: Person = STRANGER, table: Table | None = None, **more: Any) -> Any:
    """Let somebody type the command."""
    command: Any = command_of(person, **more)
    await adapter.replays.show_here(command, None if table is None else str(table.id))
    return command


async def turned(adapter: Adapter, table: Table, step: int, turn: Turn, **more: Any) -> FakeInteraction:
    """Press a button of a replay."""
    more = {"in_whisper": True, **more}
    return await adapter.click(click_of(STRANGER, ReplayId(table.id, step, turn), **more))


def offered(click: FakeInteraction) -> dict[Turn, int]:
    """The buttons of the newest answer, and the step they carry."""
    ids = [parse_id(text) for text in click.buttons()]
    return {each.turn: each.step for each in ids if isinstance(each, ReplayId)}


def words(click: FakeInteraction) -> str:
    embed = click.answers[-1].embed
    assert embed is not None
    return f"{embed.title}\n{embed.description}"


class TestSteps:
    async def test_the_command_shows_the_start_of_the_newest_game(self, adapter: Adapter) -> None:
        await played(adapter.service, HERE, JAY, WREN)
        table = await played(adapter.service, HERE, ROBIN, WREN)
        command = await asked(adapter)
        (answer,) = command.answers
        assert answer.ephemeral
        assert f"**Start** · {table.header.step} steps follow" in words(command)
        assert {turn: step for turn, step in offered(command).items() if turn is not Turn.LEAP} == {
            Turn.FORWARD: 0,
            Turn.LAST: 0,
        }
        assert command.buttons()[0].split(":")[1] == str(table.id)

    async def test_each_step_shows_what_the_table_showed_then(self, adapter: Adapter) -> None:
        table = await adapter.service.start((await a_lobby(adapter.service, ROBIN, WREN)).id, ROBIN, 50)
        shown = [(still_frame(table), pictured(table.state, table.latest))]
        while table.header.status is Status.PLAYING:
            table = await rolled(adapter.service, table)
            shown.append((still_frame(table), pictured(table.state, table.latest)))
        for step, (frame, picture) in enumerate(shown):
            turn = Turn.FIRST if step == 0 else Turn.FORWARD
            click = await turned(adapter, table, step - 1 if step else 0, turn)
            (answer,) = click.answers
            assert answer.how is How.EDIT
            assert answer.embed is not None
            assert answer.embed.title == frame.embed.title
            assert answer.embed.fields == frame.with_picture(DRAWN).shown().fields
            heading, _, rest = (answer.embed.description or "").partition("\n")
            assert rest == frame.embed.description
            assert step == 0 or f"**Step {step} of {table.header.step}**" in heading
            assert [file.description for file in answer.attachments] == [picture.description]
            assert answer.embed.image.url == f"attachment://{answer.attachments[0].filename}"

    async def test_what_people_did_about_their_seats_is_told(self, adapter: Adapter) -> None:
        table = await under_way(adapter.service, ROBIN, WREN, JAY)
        absent = table.header.to_move or 0
        away = table.seats[absent]
        others = [Person(who.user_id or 0, who.name) for who in table.seats if who != away]
        later = adapter.clock.now.replace(hour=23)

        def substitutes(now: Table, person: Person) -> Any:
            return substituting(now, person, later)

        table = await adapter.service.control(table.id, others[0], substitutes, 1)
        if others[0] != ROBIN:
            table = await adapter.service.control(table.id, others[1], substitutes, 2)
        for at, person in enumerate(others, 3):
            table = await adapter.service.control(table.id, person, resigning, at)
        assert table.header.status is Status.FINISHED
        told = [words(await turned(adapter, table, step, Turn.FORWARD)) for step in range(table.header.step)]
        assert any(f"let a computer player stand in for {away.name}" in text for text in told)
        assert sum(str(Resign()) in entry for entry in adapter.store.texts(table.id)) == 2
        assert "resigned" in told[-1].splitlines()[1]
        assert "wins!" in told[-1]

    @pytest.mark.parametrize("step", [0, 1, 5, 11, 24, 25])
    def test_only_buttons_that_lead_elsewhere_are_shown(self, step: int) -> None:
        rows = (
            bot.ui.features.replays._row(7, step, 25, leaps=False),
            bot.ui.features.replays._row(7, step, 25, leaps=True),
        )
        ids: list[Any] = [parse_id(press.custom_id) for row in rows for press in row]
        leads = {each.turn: bot.ui.features.replays._target(each, 25) for each in ids}
        expected = {
            Turn.FIRST: 0,
            Turn.BACK: step - 1,
            Turn.FORWARD: step + 1,
            Turn.LAST: 25,
            Turn.LEAP_BACK: max(0, step - LEAP),
            Turn.LEAP: min(25, step + LEAP),
        }
        assert leads == {turn: to for turn, to in expected.items() if to != step and 0 <= to <= 25}

    def test_a_short_game_needs_no_leaps(self) -> None:
        assert bot.ui.features.replays._row(7, 5, 2 * LEAP, leaps=True) == ()

    async def test_a_button_pressed_twice_leads_to_the_same_step(self, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        clicks = [await turned(adapter, table, 1, Turn.FORWARD) for _ in range(2)]
        assert words(clicks[0]) == words(clicks[1])
        assert offered(clicks[0])[Turn.BACK] == 2

    async def test_a_step_that_never_was_leads_to_the_nearest(self, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        click = await turned(adapter, table, 10**17, Turn.FORWARD)
        assert f"**Step {table.header.step} of {table.header.step}**" in words(click)


class TestMessages:
    async def test_the_button_at_a_finished_table_begins_one_for_whoever_presses_it(self, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        click = await turned(adapter, table, 0, Turn.OPEN, in_whisper=False)
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]

    @pytest.mark.parametrize("turn", Turn)
    async def test_no_button_turns_a_table_into_a_replay(self, adapter: Adapter, turn: Turn) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        click = await turned(adapter, table, 1, turn, in_whisper=False)
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]

    @pytest.mark.parametrize("in_whisper", [True, False])
    async def test_a_picture_that_is_too_large_is_left_out(self, adapter: Adapter, *, in_whisper: bool) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        click = await turned(adapter, table, 0, Turn.FORWARD, in_whisper=in_whisper, fault=TOO_LARGE)
        (answer,) = click.answers
        assert answer.embed is not None
        assert (answer.attachments, answer.file, answer.embed.image.url) == ([], None, None)

    async def test_buttons_work_after_a_restart(self, store: FakeStore, shown: FakeBoard, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        before = await turned(adapter, table, 0, Turn.FORWARD)
        anew = Adapter(store, shown, WITH_PICTURES)
        after = await turned(anew, table, 0, Turn.FORWARD)
        assert words(after) == words(before)
        await anew.host.close()

    async def test_without_pictures_the_words_remain(self, adapter: Adapter, store: FakeStore) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        store.chosen[HERE.scope_id] = Preferences(theme=None)
        click = await turned(adapter, table, 0, Turn.FORWARD)
        assert [answer.attachments for answer in click.answers] == [[]]
        assert "rolled" in words(click)

    async def test_a_late_picture_is_left_out(self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bot.ui.delivery.picture_attachments._IN_TIME_SECONDS", 0.01)
        table = await played(adapter.service, HERE, ROBIN, WREN)
        adapter.painter.gate = Gate()
        click = await turned(adapter, table, 0, Turn.FORWARD)
        assert [answer.attachments for answer in click.answers] == [[]]
        adapter.painter.gate.open()

    async def test_a_game_is_followed_once(self, adapter: Adapter, store: FakeStore) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        await adapter.settled()
        store.calls.clear()
        for step in range(table.header.step):
            await turned(adapter, table, step, Turn.FORWARD)
        assert store.calls.count("load") == 1

    async def test_a_game_is_followed_once_for_all_who_open_it_at_once(
        self, adapter: Adapter, store: FakeStore
    ) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        await adapter.settled()
        store.calls.clear()
        opening = (turned(adapter, table, 0, Turn.OPEN, in_whisper=False) for _ in range(3))
        clicks = await asyncio.gather(*opening)
        assert store.calls.count("load") == 1
        assert len({words(click) for click in clicks}) == 1

    async def test_no_more_games_are_kept_than_there_is_room_for(
        self, adapter: Adapter, store: FakeStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.features.replays, "_REPLAYS", 2)
        tables = [await played(adapter.service, HERE, ROBIN, WREN) for _ in range(3)]
        await adapter.settled()
        store.calls.clear()
        for table in (*tables, tables[2], tables[0]):
            await turned(adapter, table, 0, Turn.LAST)
        assert store.calls.count("load") == 4


class TestWhoMaySeeWhat:
    async def test_a_game_is_replayed_only_where_it_was_played(self, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        for elsewhere in ({"channel_id": 71}, {"channel_id": 71, "guild_id": 4}):
            for click in (
                await turned(adapter, table, 0, Turn.FORWARD, **elsewhere),
                await turned(adapter, table, 0, Turn.OPEN, **elsewhere),
            ):
                assert "No such game was played here" in click.text
        seen = await turned(adapter, table, 0, Turn.FORWARD)
        assert "rolled" in words(seen)
        assert "No such game" in (await turned(adapter, table, 0, Turn.FORWARD, channel_id=71)).text

    async def test_in_a_direct_message_ones_own_games_are_replayed(self, adapter: Adapter) -> None:
        table = await played(adapter.service, HERE, ROBIN, WREN)
        direct: dict[str, Any] = {"channel_id": 90, "guild_id": None, "in_own_dm": True}
        command = await asked(adapter, WREN, **direct)
        assert f"{table.header.step} steps follow" in words(command)
        click = await adapter.click(click_of(JAY, ReplayId(table.id, 0, Turn.LAST), in_whisper=True, **direct))
        assert "No such game was played here" in click.text

    async def test_a_game_under_way_stays_under_way(self, adapter: Adapter) -> None:
        table = await under_way(adapter.service)
        click = await turned(adapter, table, 0, Turn.LAST)
        assert "not finished" in click.text

    @pytest.mark.parametrize("typed", ["", "chess", "-1", "1.0", "٣", "9" * 30, "999"])
    async def test_what_is_no_game_of_this_place_is_refused(self, adapter: Adapter, typed: str) -> None:
        await played(adapter.service, Place(HERE.guild_id, 71), ROBIN, WREN)
        command: Any = command_of(ROBIN)
        with pytest.raises(Refusal) as refused:
            await adapter.replays.show_here(command, typed)
        assert refused.value.reason in (HostReason.UNKNOWN_REPLAY, HostReason.UNKNOWN_TABLE)


class TestSuggestions:
    async def test_finished_games_are_suggested_the_newest_first(self, adapter: Adapter) -> None:
        first = await played(adapter.service, HERE, ROBIN, WREN)
        adapter.clock.tick(60)
        second = await played(adapter.service, HERE, JAY, WREN)
        await played(adapter.service, Place(HERE.guild_id, 71), ROBIN, JAY)
        command: Any = command_of(ROBIN)
        found = await adapter.replays.suggestions(command, "")
        assert [choice.value for choice in found] == [str(second.id), str(first.id)]
        assert found[0].name.startswith("2026-03-01 · Magpie · ")
        assert {"Jay", "Wren"} <= set(found[0].name.replace(" and ", " ").split())
        assert [choice.value for choice in await adapter.replays.suggestions(command, " robin")] == [str(first.id)]

    async def test_each_fits_into_a_choice(self, adapter: Adapter) -> None:
        crowd = [Person(200 + at, f"{at}" + "n" * 31) for at in range(6)]
        await played(adapter.service, HERE, *crowd)
        command: Any = command_of(ROBIN)
        (choice,) = await adapter.replays.suggestions(command, "")
        assert isinstance(choice, discord.app_commands.Choice)
        assert len(choice.name) == 100


async def test_a_long_game_is_followed_once_step_by_step(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many moves are played again as the game has, however many steps are looked at."""
    from bot.tables import table as tables

    lobby = await a_lobby(adapter.service, ROBIN, WREN)
    table = await adapter.service.start(lobby.id, ROBIN, 50)
    while table.header.status is Status.PLAYING:
        table = await rolled(adapter.service, table)
    await adapter.settled()
    made = 0
    moved = tables.moved

    def counting(*given: Any) -> Table:
        nonlocal made
        made += 1
        return moved(*given)

    monkeypatch.setattr(tables, "moved", counting)
    for step in range(table.header.step):
        await turned(adapter, table, step, Turn.FORWARD)
    assert made == table.header.step


async def test_the_frame_fits_into_a_message(adapter: Adapter) -> None:
    crowd = [Person(200 + at, "*" * 32) for at in range(6)]
    table = await played(adapter.service, HERE, *crowd)
    await turned(adapter, table, 0, Turn.LAST)
    replay = adapter.replays._kept[table.id]
    for step in range(replay.last + 1):
        embed = replay_frame(replay, step).embed
        assert len(embed.description or "") <= 4096
        assert len(embed) <= 6000


async def test_a_stage_keeps_the_place_and_the_seats(adapter: Adapter) -> None:
    table = await played(adapter.service, HERE, ROBIN, WREN)
    await turned(adapter, table, 0, Turn.LAST)
    stages = adapter.replays._kept[table.id].stages
    assert {(stage.header.place, stage.seats) for stage in stages} == {(HERE, table.seats)}
    assert replace(stages[-1].header, published=0, message_id=None) == replace(
        table.header, published=0, message_id=None
    )
