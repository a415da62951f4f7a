"""Replays: every turn and step of a finished game as it was shown, for one person, at any time, and as an animation."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.challenges.service import ChallengeService
from bot.features.replays.animations import lay_out_frames
from bot.features.replays.handlers import Replays
from bot.features.replays.messages import MomentId, ReplayButton, ReplayId, render_replay
from bot.features.replays.model import Replay, ReplayReason
from bot.features.results import storage as result_storage
from bot.features.results.service import ResultsService
from bot.features.reviews.hindsight import Hindsight
from bot.pictures.animation import AnimationDrawing, Frame
from bot.pictures.service import PictureFile
from bot.platform.content import DATA
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import start_trace
from bot.platform.places import Location, Person
from bot.rules.chance import FastChance
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables import storage as table_storage
from bot.tables.control_entries import Resign
from bot.tables.handlers.commands import find_playing_table
from bot.tables.model import Occupant, Status
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry, usual_level
from bot.tables.replay import replay_entries
from bot.tables.seats import resign_seat, substitute_absent
from bot.tables.shown.message import render_position
from bot.tables.shown.result_picture import CARD_SIZE
from bot.tables.shown.words import format_day
from bot.tables.table import Table, apply_move
from tests.support.each_case import each_case
from tests.support.fakes import HERE, JAY, NOON, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.finished_games import play_to_end, roll_all
from tests.support.games import load_games_once
from tests.support.magpie_with_picture import PICTURE_REGISTRY, draw_picture
from tests.support.memory_database import MemoryDatabase
from tests.support.picture_checks import find_flaws
from tests.support.stored_games import choose_by_level, play_stored, replay_of
from tests.support.waiting import DEADLINE_SECONDS, Gate
from tests.ui.adapter import Adapter, command
from tests.ui.fake_interactions import (
    TOO_LARGE,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_menu_choice,
)

_BUTTONS = set(ReplayButton) - {ReplayButton.TURN, ReplayButton.HIGHLIGHT}

DRAWN = PictureFile(b"", "table.png", "A table.")


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


async def request_replay(adapter: Adapter, person: Person = STRANGER, table: Table | None = None, **more: Any) -> Any:
    """Use the command as a person."""
    command: Any = make_command(person, **more)
    await adapter.app.service(Replays).show_here(command, None if table is None else str(table.id))
    return command


async def press_replay_button(
    adapter: Adapter, table: Table, step: int, turn: ReplayButton, **more: Any
) -> FakeInteraction:
    """Press a button of a replay."""
    more = {"in_whisper": True, **more}
    return await adapter.click(make_click(STRANGER, ReplayId(table.id, step, turn), **more))


async def choose(
    adapter: Adapter, table: Table, *values: str, menu: ReplayButton = ReplayButton.TURN
) -> FakeInteraction:
    """Choose from a menu of a replay."""
    menu_id = ReplayId(table.id, 2, menu)
    return await adapter.click(make_menu_choice(STRANGER, menu_id, *values, in_whisper=True))


def offered_buttons(click: FakeInteraction) -> dict[ReplayButton, int]:
    """The buttons of the newest answer, and the step they carry."""
    ids = [parse_id(text) for text in click.buttons()]
    return {each.button: each.step for each in ids if isinstance(each, ReplayId) and each.button in _BUTTONS}


def answer_text(click: FakeInteraction) -> str:
    embed = click.answers[-1].embed
    assert embed is not None
    return f"{embed.title}\n{embed.description}"


def shown_step(click: FakeInteraction, last: int) -> int:
    """Return the step that the newest answer shows."""
    found = re.search(rf"\*\*\D+(\d+)\D+{last}\*\*", answer_text(click))
    return int(found[1]) if found else 0


async def load_replay(adapter: Adapter, table: Table) -> Replay:
    """Load the replay of a finished table."""
    stored = await adapter.service.load_stored(table.id)
    stages = [stage async for stage in adapter.service.time_slices.run(replay_entries(stored, table.package))]
    return Replay(stored.entries, tuple(stages))


class TestSteps:
    async def test_each_step_shows_the_table_of_that_moment(self, adapter: Adapter) -> None:
        table = await adapter.service.start((await open_lobby(adapter.service, ROBIN, WREN)).id, ROBIN, 50)
        shown = [(render_position(table), draw_picture(table.state, table.recent_events_for(None)))]
        while table.header.status is Status.PLAYING:
            table = await roll_all(adapter.service, table)
            shown.append((render_position(table), draw_picture(table.state, table.recent_events_for(None))))
        for step, (content, picture) in enumerate(shown):
            turn = ReplayButton.FIRST if step == 0 else ReplayButton.FORWARD
            click = await press_replay_button(adapter, table, step - 1 if step else 0, turn)
            (answer,) = click.answers
            assert answer.how is AnswerMethod.EDIT
            assert answer.embed is not None
            assert str(answer.embed.title).endswith(f" · {content.text_embed.title}")
            assert answer.embed.fields == content.with_picture(DRAWN).embed_to_send().fields
            assert (answer.embed.description or "").endswith(
                str(content.with_picture(DRAWN).embed_to_send().description)
            )
            assert shown_step(click, table.header.step) == step
            (file,) = answer.attachments
            assert file.description is not None
            # A banner may follow.
            assert file.description.startswith(picture.description)
            assert answer.embed.image.url == f"attachment://{answer.attachments[0].filename}"

    async def test_seat_changes_are_described(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service, ROBIN, WREN, JAY)
        absent = table.header.to_move or 0
        away = table.seats[absent]
        others = [Person(who.user_id or 0, who.name) for who in table.seats if who != away]
        later = adapter.clock.now.replace(hour=23)

        def substitutes(now: Table, person: Person) -> Any:
            return substitute_absent(now, person, later)

        table = await adapter.service.apply_seat_action(table.id, others[0], substitutes, 1)
        if others[0] != ROBIN:
            table = await adapter.service.apply_seat_action(table.id, others[1], substitutes, 2)
        for at, person in enumerate(others, 3):
            table = await adapter.service.apply_seat_action(table.id, person, resign_seat, at)
        assert table.header.status is Status.FINISHED
        descriptions = [
            answer_text(await press_replay_button(adapter, table, step, ReplayButton.FORWARD))
            for step in range(table.header.step)
        ]
        assert sum(str(Resign()) in entry for entry in adapter.db.texts(table.id)) == 2
        assert len(set(descriptions)) == table.header.step
        assert others[-1].name in descriptions[-1].splitlines()[1]

    async def test_only_buttons_that_lead_to_another_step_are_shown(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN, target=250)
        last = table.header.step
        for step in (0, 5, last):
            shown = await press_replay_button(adapter, table, step + 1, ReplayButton.BACK)
            if step == last:
                shown = await press_replay_button(adapter, table, 0, ReplayButton.LAST)
            # Each turn of this game is one step.
            expected = {
                ReplayButton.FIRST: 0,
                ReplayButton.PREVIOUS_TURN: max(0, step - 1),
                ReplayButton.NEXT_TURN: min(last, step + 1),
                ReplayButton.LAST: last,
            }
            offered = offered_buttons(shown)
            assert offered == {turn: step for turn, to in expected.items() if to != step}
            for turn in offered:
                led_to = await press_replay_button(adapter, table, step, turn)
                assert shown_step(led_to, last) == expected[turn]

    @each_case(
        "menu, number, step",
        [
            *((ReplayButton.TURN, number, step) for number, step in (("1", 0), ("12", 11), ("0", 0), ("9" * 18, -2))),
            *((ReplayButton.HIGHLIGHT, number, step) for number, step in (("1", 1), ("12", 12), ("9" * 18, -1))),
        ],
    )
    async def test_a_turn_or_the_step_of_a_highlight_is_chosen_in_a_menu(
        self, adapter: Adapter, menu: ReplayButton, number: str, step: int
    ) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN, target=250)
        last = table.header.step
        assert shown_step(await choose(adapter, table, number, menu=menu), last) == range(last + 1)[step]

    async def test_a_chosen_highlight_is_the_title_and_a_player_posts_it_once(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN, target=250)
        step = next(iter((await load_replay(adapter, table)).highlights))
        click = await choose(adapter, table, str(step), menu=ReplayButton.HIGHLIGHT)
        title = answer_text(click).splitlines()[0]
        assert f" {step} · " in title, "in Magpie each turn is one move"
        moment = MomentId(table.id, step)
        assert str(moment) in click.buttons()
        posted, again, by_stranger = [
            await adapter.click(make_click(person, moment, in_whisper=True)) for person in (ROBIN, WREN, STRANGER)
        ]
        post = posted.answers[-1]
        assert not post.ephemeral
        assert post.embed is not None
        assert title.endswith(str(post.embed.title))
        assert post.embed.image.url
        assert [again.refusal, by_stranger.refusal] == [HostReason.ALREADY_SHARED, HostReason.NOT_YOURS_TO_SHARE]

    @pytest.mark.parametrize("values", [(), ("",), ("-1",), ("x",), ("٣",), ("9" * 19,), ("1", "2")])
    async def test_a_forged_turn_is_refused(self, adapter: Adapter, values: tuple[str, ...]) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        assert (await choose(adapter, table, *values)).refusal is ClickReason.UNKNOWN_BUTTON

    async def test_an_invalid_step_leads_to_the_nearest(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        click = await press_replay_button(adapter, table, 10**17, ReplayButton.FORWARD)
        assert shown_step(click, table.header.step) == table.header.step


class TestMessages:
    @pytest.mark.parametrize("turn", [each for each in ReplayButton if each is not ReplayButton.TURN])
    async def test_no_button_turns_a_table_into_a_replay(self, adapter: Adapter, turn: ReplayButton) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        click = await press_replay_button(adapter, table, 1, turn, in_whisper=False)
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]

    @pytest.mark.parametrize("in_whisper", [True, False])
    async def test_a_picture_that_is_too_large_is_left_out(self, adapter: Adapter, *, in_whisper: bool) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        click = await press_replay_button(
            adapter, table, 0, ReplayButton.FORWARD, in_whisper=in_whisper, fault=TOO_LARGE
        )
        (answer,) = click.answers
        assert answer.embed is not None
        assert (answer.attachments, answer.file, answer.embed.image.url) == ([], None, None)

    async def test_a_replay_that_was_read_before_a_name_was_deleted_is_read_again(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        db.after[table_storage.load] = gate = Gate()
        asking = asyncio.create_task(request_replay(adapter, table=table))
        await gate.reached.wait()
        db.tamper(table.id, lambda record: replace(record, seats=(Occupant("Nobody", -1), *record.seats[1:])))
        adapter.app.service(Replays).clear()
        gate.open()
        shown = (await asking).answers[-1].embed
        # Whoever of the two is named at the first step, the deleted name is not.
        assert "Robin" not in str(shown.to_dict())

    async def test_the_trace_of_a_cached_replay_names_the_table(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        await request_replay(adapter)
        trace = start_trace()
        await request_replay(adapter, table=table)
        assert (trace.table, trace.game) == (table.id, table.header.game)

    async def test_a_game_is_replayed_once_for_simultaneous_readers(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        await adapter.wait_until_shown()
        db.calls.clear()
        opening = (press_replay_button(adapter, table, 0, ReplayButton.OPEN, in_whisper=False) for _ in range(3))
        clicks = await asyncio.gather(*opening)
        assert db.calls.count(table_storage.load) == 1
        assert len({answer_text(click) for click in clicks}) == 1

    async def test_the_cache_of_replays_is_bounded(self, adapter: Adapter, db: MemoryDatabase) -> None:
        replays = Replays(
            adapter.service,
            ResultsService(db),
            adapter.pictures,
            adapter.app.ephemeral_messages,
            adapter.app.service(ChallengeService).require_may_see,
            cache_size=2,
        )
        tables = [await play_to_end(adapter.service, HERE, ROBIN, WREN) for _ in range(3)]
        await adapter.wait_until_shown()
        # Reviews of finished games load them, too.
        await adapter.app.service(Hindsight).close(10)
        db.calls.clear()
        for table in (*tables, tables[2], tables[0]):
            button_id = ReplayId(table.id, 0, ReplayButton.LAST)
            await replays.go_to_step(make_click(STRANGER, button_id, in_whisper=True), button_id)  # type: ignore[arg-type]
        assert db.calls.count(table_storage.load) == 4


class TestWhoMaySeeWhat:
    async def test_a_replay_is_shown_only_where_the_game_was_played(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        for elsewhere in ({"channel_id": 71}, {"channel_id": 71, "guild_id": 4}):
            for click in (
                await press_replay_button(adapter, table, 0, ReplayButton.FORWARD, **elsewhere),
                await press_replay_button(adapter, table, 0, ReplayButton.OPEN, **elsewhere),
            ):
                assert click.refusal is ReplayReason.UNKNOWN_REPLAY
        seen = await press_replay_button(adapter, table, 0, ReplayButton.FORWARD)
        assert shown_step(seen, table.header.step) == 1

    async def test_own_games_are_replayed_in_a_direct_message(self, adapter: Adapter) -> None:
        table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
        direct: dict[str, Any] = {"channel_id": 90, "guild_id": None}
        command = await request_replay(adapter, WREN, **direct)
        assert str(table.header.step) in answer_text(command)
        click = await adapter.click(
            make_click(JAY, ReplayId(table.id, 0, ReplayButton.LAST), in_whisper=True, **direct)
        )
        assert click.refusal is ReplayReason.UNKNOWN_REPLAY
        elsewhere = make_click(WREN, ReplayId(table.id, 0, ReplayButton.LAST), in_whisper=True, channel_id=71)
        assert (await adapter.click(elsewhere)).refusal is ReplayReason.UNKNOWN_REPLAY

    async def test_a_running_game_is_not_replayed(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        click = await press_replay_button(adapter, table, 0, ReplayButton.LAST)
        assert click.refusal is ReplayReason.NOT_OVER

    @each_case(
        "typed, reason",
        [
            *((typed, ReplayReason.UNKNOWN_REPLAY) for typed in ("", "chess", "-1", "1.0", "٣", "9" * 19)),
            *((typed, HostReason.UNKNOWN_TABLE) for typed in ("999", "9" * 18)),
        ],
    )
    async def test_other_numbers_are_refused(self, adapter: Adapter, typed: str, reason: RefusalReason) -> None:
        await play_to_end(adapter.service, Location(HERE.guild_id, 71), ROBIN, WREN)
        command: Any = make_command(ROBIN)
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(Replays).show_here(command, typed)
        assert refused.value.reason is reason


async def test_a_long_game_is_replayed_once_in_slices(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = await open_lobby(adapter.service, ROBIN, WREN)
    table = await adapter.service.start(lobby.id, ROBIN, 50)
    while table.header.status is Status.PLAYING:
        table = await roll_all(adapter.service, table)
    await adapter.wait_until_shown()
    # The review of a game that has just ended replays it, too.
    await adapter.app.service(Hindsight).close(DEADLINE_SECONDS)
    adapter.app.service(Replays).forget(table.id)
    made = 0

    def counting(*given: Any, **named: Any) -> Table:
        nonlocal made
        made += 1
        return apply_move(*given, **named)

    monkeypatch.setattr("bot.tables.replay.apply_move", counting)
    for step in range(table.header.step):
        await press_replay_button(adapter, table, step, ReplayButton.FORWARD)
    assert made == table.header.step


async def test_a_replay_fits_into_a_message(adapter: Adapter) -> None:
    crowd = [Person(200 + at, "*" * 32) for at in range(6)]
    table = await play_to_end(adapter.service, HERE, *crowd)
    replay = await load_replay(adapter, table)
    for step in range(replay.last + 1):
        embed = render_replay(replay, step).text_embed
        assert len(embed.description or "") <= 4096
        assert len(embed) <= 6000


async def test_finished_games_are_suggested_newest_first(adapter: Adapter) -> None:
    first = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.clock.tick(60)
    second = await play_to_end(adapter.service, HERE, JAY, WREN)
    await play_to_end(adapter.service, Location(HERE.guild_id, 71), ROBIN, JAY)
    command: Any = make_command(ROBIN)
    found = await adapter.app.service(Replays).suggestions(command, "")
    assert [choice.value for choice in found] == [str(second.id), str(first.id)]
    assert found[0].name.startswith(f"{format_day(NOON)} · ")
    assert {"Jay", "Wren"} <= set(found[0].name.replace(" and ", " ").split())
    assert [choice.value for choice in await adapter.app.service(Replays).suggestions(command, " robin")] == [
        str(first.id)
    ]


async def test_each_suggestion_fits(adapter: Adapter) -> None:
    crowd = [Person(200 + at, f"{at}" + "n" * 31) for at in range(6)]
    await play_to_end(adapter.service, HERE, *crowd)
    command: Any = make_command(ROBIN)
    (choice,) = await adapter.app.service(Replays).suggestions(command, "")
    assert isinstance(choice, discord.app_commands.Choice)
    assert len(choice.name) == 100


GAMES = load_games_once()

TABLES = sorted(
    {
        (key, seats)
        for key, package in GAMES.items()
        for seats in (package.game.info.least_seats, package.game.info.most_seats)
        if package.look.build_picture is not None
    }
)

MOST_SECONDS = 13

MOST_BYTES = 720 * 1024
"""Less than a fifth of the limit: the most that was seen are 643 KiB, in Mr. Houdini's Baggage."""


def lay_out(key: str, seats: int) -> list[Frame]:
    """Return the frames of a whole game."""
    package = GAMES[key]
    choose = choose_by_level(package, [usual_level(package)], FastChance(Random(seats)))
    stored = play_stored(package, seats, choose, options=package.game.info.options(), seed=seats)
    return list(lay_out_frames(replay_of(stored, package)))


@each_case("key, seats", TABLES)
@pytest.mark.slow
def test_all_frames_are_cards_of_which_the_last_is_the_one_that_people_share(key: str, seats: int) -> None:
    frames = lay_out(key, seats)
    rests = [frame for frame in frames if frame.seconds >= 1]
    assert len(rests) == 3, "two highlights come before it"
    assert {frame.picture.size for frame in frames} == {CARD_SIZE}
    assert all(list(find_flaws(frame.picture)) == [] for frame in rests)
    assert max(frames, key=lambda frame: frame.seconds) == frames[-1]
    assert sum(frame.seconds for frame in frames) < MOST_SECONDS


@pytest.mark.long
def test_the_file_of_the_game_that_takes_most_is_small() -> None:
    frames, drawing = lay_out("houdinis_baggage", 4), AnimationDrawing(DATA, Theme.STANDARD)
    for frame in frames:
        drawing.draw(frame.picture)
    assert len(drawing.encode([frame.seconds for frame in frames], 720)) <= MOST_BYTES


@each_case(
    "suggest",
    [
        lambda asking: asking.client.app.service(Replays).suggestions(asking, ""),
        lambda asking: find_playing_table(asking, "magpie"),
    ],
)
async def test_without_the_database_nothing_is_suggested(
    adapter: Adapter, db: MemoryDatabase, suggest: Callable[[Any], Awaitable[object]]
) -> None:
    db.broken = {table_storage.find_open, result_storage.newest_tables}
    assert not await suggest(command(client=SimpleNamespace(app=adapter.app)))
