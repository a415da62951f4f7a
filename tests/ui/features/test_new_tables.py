"""New tables, in their channel or in a thread of their own, and games of one person beside them."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.help.handlers import GameList
from bot.features.new_tables.archiving import ARCHIVE_KIND
from bot.features.new_tables.handlers import NewTables
from bot.features.new_tables.threads import thread_name
from bot.features.replays.messages import AnimationId
from bot.features.settings.all_settings import ALONE, TABLES
from bot.features.settings.choices import AloneChoice, TablesChoice
from bot.features.sharing import ShareId
from bot.games.magpie.pieces import MagpieOptions
from bot.pictures.animation import Animator
from bot.platform.discord.channels import MAX_THREAD_NAME
from bot.platform.discord.refusals import ClickReason
from bot.platform.jobs import storage as job_storage
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import DareId, LobbyButton, LobbyId, OpenTableId, PlayAgainId, open_table_id
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.seats import resign_seat
from bot.tables.service import HostSettings
from bot.tables.shown.links import message_link
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, NOON, ROBIN, WREN, open_lobby, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    MISSING_PERMISSIONS,
    POSTED_ID,
    make_click,
    make_command,
)

FIRST_THREAD = 9000


OPEN_MAGPIE = open_table_id("magpie", MagpieOptions(), computers=0)


class FakeThread:
    """A thread that notes what is done to it."""

    parent_id = HERE.channel_id

    def __init__(self, thread_id: int, name: str, *, is_deletable: bool = True, takes_members: bool = True) -> None:
        self.id = thread_id
        self.name = name
        self.is_deletable = is_deletable
        self.takes_members = takes_members
        self.members: list[int] = []
        self.end = ""

    async def add_user(self, user: Any) -> None:
        if not self.takes_members:
            raise MISSING_PERMISSIONS
        self.members.append(user.id)

    async def delete(self) -> None:
        if not self.is_deletable:
            raise MISSING_PERMISSIONS
        self.end = "deleted"

    async def edit(self, *, archived: bool) -> None:
        self.end = f"{archived=}"


class FakeTextChannel:
    """A text channel that notes the threads opened in it."""

    type = discord.ChannelType.text
    id = HERE.channel_id

    def __init__(self) -> None:
        self.threads: list[FakeThread] = []
        self.names: list[str] = []
        self.kinds: list[discord.ChannelType] = []
        self.is_deletable = True
        self.takes_members = True
        self.gate: Gate | None = None

    async def create_thread(self, *, name: str, type: discord.ChannelType, auto_archive_duration: int) -> FakeThread:  # noqa: A002 - as in the library
        self.kinds.append(type)
        assert auto_archive_duration == 10080
        if self.gate is not None:
            await self.gate.wait()
        self.names.append(name)
        thread_id = FIRST_THREAD + len(self.threads)
        thread = FakeThread(thread_id, name, is_deletable=self.is_deletable, takes_members=self.takes_members)
        self.threads.append(thread)
        return self.threads[-1]


@pytest.fixture
def channel(db: MemoryDatabase) -> FakeTextChannel:
    db.chosen[HERE.scope_id] = chosen({TABLES: TablesChoice.THREAD})
    return FakeTextChannel()


async def open_by_command(adapter: Adapter, channel: Any, person: Person = ROBIN, **more: Any) -> Any:
    command: Any = make_command(person, channel=channel, **more)
    await adapter.app.service(NewTables).open(command, "magpie", {}, 0)
    return command


def locations(db: MemoryDatabase) -> list[Location]:
    return [record.header.location for record in db.records.values()]


async def test_a_command_opens_the_table_in_a_thread_of_its_own(
    adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages, channel: FakeTextChannel
) -> None:
    command = await open_by_command(adapter, channel)
    assert [name.rpartition(" ")[2] for name in channel.names] == ["Robin"]
    assert channel.kinds == [discord.ChannelType.public_thread]
    assert channel.threads[0].members == [ROBIN.id]
    assert locations(db) == [Location(3, FIRST_THREAD, is_own_thread=True)]
    assert "<#9000>" in command.text
    await adapter.wait_until_shown()
    assert [each.table_id for each in shown.shown] == [1]


async def test_a_channel_has_room_for_any_number_of_tables(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel
) -> None:
    await open_lobby(adapter.service, WREN)
    for _ in range(2):
        await open_by_command(adapter, channel)
        adapter.clock.tick(20)
    assert [each.channel_id for each in locations(db)] == [HERE.channel_id, FIRST_THREAD, FIRST_THREAD + 1]


async def test_a_double_click_opens_one_table(adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel) -> None:
    texts = [
        (await adapter.click(make_click(ROBIN, OPEN_MAGPIE, channel=channel, in_whisper=True))).answers[-1].content
        for _ in range(2)
    ]
    assert all("<#9000>" in str(text) for text in texts)
    assert len(db.records) == len(channel.threads) == 1


async def test_a_button_opens_another_table_for_another_request_and_once_its_table_is_over(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel
) -> None:
    for order in (magpie_id(0), magpie_id(1, "easy"), magpie_id(1, "strong"), magpie_id(0)):
        click = await adapter.click(make_click(ROBIN, order, channel=channel, in_whisper=True))
        assert click.refusal is None
        adapter.clock.tick(20)
    assert len(db.records) == 3
    await adapter.service.close(1)
    click = await adapter.click(make_click(ROBIN, magpie_id(0), channel=channel, in_whisper=True))
    assert f"<#{FIRST_THREAD + 3}>" in str(click.answers[-1].content)


async def test_of_two_processes_with_one_interaction_only_that_which_discord_hears_first_opens_a_thread(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel
) -> None:
    command = await open_by_command(adapter, channel, fault=ALREADY_ANSWERED)
    assert channel.threads == []
    assert db.records == {}
    assert command.answers == []


@pytest.mark.parametrize(("is_deletable", "end"), [(True, "deleted"), (False, "archived=True")])
async def test_without_a_table_no_thread_stays(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel, end: str, *, is_deletable: bool
) -> None:
    channel.is_deletable = is_deletable
    db.broken = {table_storage.open_table}
    with pytest.raises(Exception, match="open_table is broken"):
        await open_by_command(adapter, channel)
    assert [thread.end for thread in channel.threads] == [end]


async def test_a_thread_stays_if_its_table_may_be_there(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel
) -> None:
    db.unanswered = {table_storage.open_table}
    with pytest.raises(Exception, match="got lost"):
        await open_by_command(adapter, channel)
    assert [thread.end for thread in channel.threads] == [""]


async def test_whoever_has_too_many_tables_opens_no_thread(adapter: Adapter, channel: FakeTextChannel) -> None:
    adapter.service.settings = HostSettings(max_open_tables=1)
    await open_by_command(adapter, channel)
    adapter.clock.tick(20)
    with pytest.raises(Refusal) as refused:
        await open_by_command(adapter, channel)
    assert refused.value.reason is HostReason.TOO_MANY_TABLES
    assert len(channel.threads) == 1


@pytest.mark.parametrize(
    "given",
    [{"create_public_threads": False}, {"create_public_threads": False, "send_messages_in_threads": False}],
)
async def test_with_a_missing_permission_the_table_is_in_the_channel(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel, given: dict[str, bool]
) -> None:
    permissions = discord.Permissions.all()
    permissions.update(**given)
    command = await open_by_command(adapter, channel, app_permissions=permissions)
    assert locations(db) == [HERE]
    assert command.text, "what is missing is told"
    click = await adapter.click(make_click(WREN, OPEN_MAGPIE, channel=channel, app_permissions=permissions))
    assert click.refusal is HostReason.CHANNEL_TAKEN


@pytest.mark.parametrize("kind", [discord.ChannelType.public_thread, discord.ChannelType.voice])
async def test_elsewhere_the_table_is_where_the_command_is_which_is_explained_unless_it_is_a_thread(
    adapter: Adapter, db: MemoryDatabase, kind: discord.ChannelType
) -> None:
    db.chosen[HERE.scope_id] = chosen({TABLES: TablesChoice.THREAD})
    command = await open_by_command(adapter, SimpleNamespace(type=kind))
    assert locations(db) == [HERE]
    assert len(command.answers) == 1 + (kind is discord.ChannelType.voice)


@each_case(
    "names, expected",
    [
        (["Wren", "Jay"], "Fortune: Wren and Jay"),
        (["👩‍👩‍👧‍👦" * 12] * 4, None),
        (["A very long name indeed"] * 6, None),
        (["👑👑👑👑 שם"] * 11, None),
    ],
)
def test_the_name_of_a_thread_says_who_plays_and_fits(names: list[str], expected: str | None) -> None:
    name = thread_name("Fortune", names)
    assert expected in (None, name)
    assert len(name) <= MAX_THREAD_NAME
    assert not name.endswith("\u200d"), "letters stay whole"
    assert name.count("\u2068") == name.count("\u2069")


async def test_the_list_of_games_offers_all_whatever_is_played_in_the_channel(
    adapter: Adapter, channel: FakeTextChannel
) -> None:
    await open_lobby(adapter.service, WREN)
    command: Any = make_command(ROBIN, channel=channel)
    await adapter.app.service(GameList).show(command)
    assert str(OPEN_MAGPIE) in command.buttons()


async def test_a_rematch_stays_in_the_thread(adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel) -> None:
    await open_by_command(adapter, channel)
    await adapter.service.join(1, WREN, 2)
    table = await adapter.service.start(1, ROBIN, 3)
    table = await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 4)
    thread = SimpleNamespace(type=discord.ChannelType.public_thread, parent_id=HERE.channel_id)
    again = make_click(ROBIN, PlayAgainId(table.id), channel_id=FIRST_THREAD, channel=thread)
    await adapter.click(again)
    assert locations(db) == [Location(3, FIRST_THREAD, is_own_thread=True)] * 2
    assert len(channel.threads) == 1


async def test_a_thread_is_archived_an_hour_after_the_last_change_of_any_of_its_tables(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    in_thread = Location(HERE.guild_id, FIRST_THREAD)
    table = await open_lobby(adapter.service, ROBIN, location=replace(in_thread, is_own_thread=True))
    later = await open_lobby(adapter.service, WREN, location=replace(in_thread, solo_id=WREN.id))
    await adapter.service.close(later.id)
    adapter.clock.tick(50 * 60)
    await adapter.service.close(table.id)
    job = db.jobs[ARCHIVE_KIND, str(FIRST_THREAD)]
    adapter.clock.tick(15 * 60)
    archive = adapter.app.jobs[ARCHIVE_KIND].run
    assert await archive(job) == db.header(table.id).updated_at + timedelta(hours=1)
    # The thread may be archived already when another table is opened there by command, whose end stores no job.
    db.run(job_storage.remove, ARCHIVE_KIND, [str(FIRST_THREAD)])
    inside = {"channel": SimpleNamespace(type=discord.ChannelType.public_thread), "channel_id": FIRST_THREAD}
    await adapter.app.service(NewTables).open(make_command(JAY, **inside), "magpie", {}, 0)  # type: ignore[arg-type]
    job = db.jobs[ARCHIVE_KIND, str(FIRST_THREAD)]
    adapter.clock.tick(3600)
    due_at = await archive(job)
    assert due_at is not None
    assert due_at > adapter.clock.now


async def test_a_thread_that_people_have_opened_is_not_archived(adapter: Adapter, db: MemoryDatabase) -> None:
    await open_by_command(adapter, SimpleNamespace(type=discord.ChannelType.public_thread))
    await adapter.service.close(1)
    assert db.jobs == {}


@pytest.mark.parametrize(
    ("level", "in_thread", "status"),
    [("strong", False, Status.PLAYING), ("strong", True, Status.PLAYING), ("", False, Status.LOBBY)],
)
async def test_a_dare_opens_the_same_game_against_the_same_level_for_whoever_takes_it(
    adapter: Adapter, db: MemoryDatabase, level: str, status: Status, *, in_thread: bool
) -> None:
    """Between people it opens a lobby, where others can join; a second click opens nothing more."""
    db.chosen[HERE.scope_id] = chosen({TABLES: TablesChoice.THREAD if in_thread else TablesChoice.STAY})
    dared = await open_lobby(adapter.service, ROBIN, options=MagpieOptions(target=50))
    if level:
        dared = await adapter.service.add_computer(dared.id, ROBIN, dared.header.revision, level)
    else:
        dared = await adapter.service.join(dared.id, JAY, 7)
    await adapter.service.start(dared.id, ROBIN, 8)
    await adapter.service.apply_seat_action(dared.id, ROBIN, resign_seat, 9)
    more = {"channel": FakeTextChannel()} if in_thread else {}
    clicks = [await adapter.click(make_click(WREN, DareId(dared.id), **more)) for _ in range(2)]
    assert clicks[0].refusal is None
    assert len(db.records) == 2
    opened = await adapter.service.table(2)
    assert (opened.header.status, opened.options, opened.seats[0].user_id) == (status, dared.options, WREN.id)
    assert [who.level for who in opened.seats[1:]] == [level] * bool(level)
    counted = adapter.service.db.metrics.export_text(NOON, None).decode()
    assert 'parlour_games_total{ending="dared",game="magpie"} 1.0' in counted


def magpie_id(computers: int, level: str = "") -> OpenTableId:
    return open_table_id("magpie", MagpieOptions(), computers, level)


@pytest.mark.parametrize("choice", AloneChoice)
async def test_a_game_against_computers_alone_leaves_the_channel_to_others(
    adapter: Adapter, db: MemoryDatabase, choice: AloneChoice
) -> None:
    db.chosen[HERE.scope_id] = chosen({ALONE: choice})
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.click(make_click(ROBIN, LobbyId(table.id, 1, LobbyButton.START)))
    started = db.header(table.id)
    is_free = choice is AloneChoice.FREE
    assert (started.status, started.location) == (Status.PLAYING, replace(HERE, solo_id=ROBIN.id) if is_free else HERE)
    click = await adapter.click(make_click(JAY, magpie_id(0)))
    assert (click.refusal is None) is is_free
    assert (await adapter.click(make_click(ROBIN, magpie_id(1, "easy")))).refusal is (
        HostReason.SOLO_TAKEN if is_free else HostReason.CHANNEL_TAKEN
    )


@pytest.mark.parametrize(
    ("choice", "people", "refused"),
    [
        (AloneChoice.FREE, (JAY, WREN), None),
        (AloneChoice.FREE, (ROBIN, WREN), HostReason.CHANNEL_TAKEN),
        (AloneChoice.TAKE, (JAY, WREN), HostReason.CHANNEL_TAKEN),
    ],
)
async def test_where_others_play_a_table_with_computers_is_for_one_person(
    adapter: Adapter, db: MemoryDatabase, choice: AloneChoice, people: tuple[Person, ...], refused: HostReason | None
) -> None:
    db.chosen[HERE.scope_id] = chosen({ALONE: choice})
    await start_game(adapter.service, *people)
    assert (await adapter.click(make_click(ROBIN, magpie_id(1)))).refusal is refused
    solo = await adapter.service.open_table_in(HERE.channel_id, ROBIN.id)
    assert (solo is not None) is (refused is None)


async def test_a_second_game_of_one_person_does_not_take_the_channel_but_waits_for_the_end_of_the_first(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    first = await start_game(adapter.service, ROBIN, computers=1)
    table = await open_lobby(adapter.service, ROBIN)
    start = LobbyId(table.id, 1, LobbyButton.START)
    assert (await adapter.click(make_click(ROBIN, start))).refusal is HostReason.SOLO_TAKEN
    assert db.header(table.id).status is Status.LOBBY
    await adapter.service.close(first.id)
    await adapter.click(make_click(ROBIN, start))
    assert (db.header(table.id).status, db.header(table.id).location.solo_id) == (Status.PLAYING, ROBIN.id)


PRIVATE, PUBLIC = discord.ChannelType.private_thread, discord.ChannelType.public_thread


@pytest.mark.parametrize("by_button", [False, True])
@pytest.mark.parametrize(
    ("choice", "may_open", "takes_members", "kind", "solo_id"),
    [
        (AloneChoice.FREE, True, True, PRIVATE, ROBIN.id),
        (AloneChoice.FREE, False, True, None, ROBIN.id),
        # Its player could not see the thread.
        (AloneChoice.FREE, True, False, None, ROBIN.id),
        (AloneChoice.TAKE, True, True, PUBLIC, 0),
        (AloneChoice.TAKE, True, False, PUBLIC, 0),
    ],
)
async def test_where_tables_have_threads_a_game_against_computers_is_for_its_player_alone(
    adapter: Adapter,
    db: MemoryDatabase,
    channel: FakeTextChannel,
    choice: AloneChoice,
    kind: discord.ChannelType | None,
    solo_id: int,
    *,
    may_open: bool,
    takes_members: bool,
    by_button: bool,
) -> None:
    db.chosen[HERE.scope_id] = chosen({TABLES: TablesChoice.THREAD, ALONE: choice})
    channel.takes_members = takes_members
    permissions = discord.Permissions.all()
    permissions.update(create_private_threads=may_open)
    more: dict[str, Any] = {"channel": channel, "app_permissions": permissions}
    if by_button:
        click = await adapter.click(make_click(ROBIN, magpie_id(1, "easy"), **more))
        sentences = str(click.answers[-1].content).splitlines()[1:]
    else:
        typed: Any = make_command(ROBIN, **more)
        await adapter.app.service(NewTables).open(typed, "magpie", {}, 1)
        sentences = [str(answer.content) for answer in typed.answers if answer.content and "<#" not in answer.content]
    kept = [each for each, thread in zip(channel.kinds, channel.threads, strict=True) if not thread.end]
    assert kept == ([] if kind is None else [kind])
    assert bool(sentences) is (kind is None), "it is explained why there is no thread"
    (location,) = locations(db)
    assert location.is_own_thread is (kind is not None)
    assert location.solo_id == solo_id


@pytest.mark.parametrize(
    ("choice", "may_open", "kinds"),
    [(AloneChoice.FREE, True, [PRIVATE]), (AloneChoice.FREE, False, []), (AloneChoice.TAKE, False, [PUBLIC])],
)
async def test_a_game_for_one_player_gets_the_same_thread_as_a_game_against_computers(
    db: MemoryDatabase,
    shown: FakeTableMessages,
    channel: FakeTextChannel,
    choice: AloneChoice,
    kinds: list[discord.ChannelType],
    *,
    may_open: bool,
) -> None:
    db.chosen[HERE.scope_id] = chosen({TABLES: TablesChoice.THREAD, ALONE: choice})
    permissions = discord.Permissions.all()
    permissions.update(create_private_threads=may_open)
    adapter = Adapter(db, shown, load_games_once())
    typed: Any = make_command(ROBIN, channel=channel, app_permissions=permissions)
    await adapter.app.service(NewTables).open(typed, "magic_bag", {}, 0)
    await adapter.host.close()
    assert channel.kinds == kinds
    assert [location.solo_id for location in locations(db)] == [ROBIN.id]


async def test_what_is_shared_of_a_private_thread_is_in_its_channel_where_others_take_the_dare(
    adapter: Adapter, db: MemoryDatabase, channel: FakeTextChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    await adapter.click(make_click(ROBIN, magpie_id(1, "easy"), channel=channel))
    table = await adapter.service.apply_seat_action(1, ROBIN, resign_seat, 9)
    assert table.header.status is Status.FINISHED
    in_thread: dict[str, Any] = {
        "channel": SimpleNamespace(type=PRIVATE, parent_id=HERE.channel_id),
        "channel_id": FIRST_THREAD,
    }
    silent = discord.Permissions.all()
    silent.update(send_messages=False)
    refused = await adapter.click(make_click(ROBIN, ShareId(1), app_permissions=silent, **in_thread))
    shared, again = [await adapter.click(make_click(ROBIN, ShareId(1), **in_thread)) for _ in range(2)]
    assert [click.refusal for click in (refused, shared, again)] == [
        ClickReason.MISSING_PERMISSIONS,
        None,
        HostReason.ALREADY_SHARED,
    ]
    monkeypatch.setattr(Animator, "animate", AsyncMock(return_value=b"GIF89a"))
    unseen = await adapter.click(make_click(ROBIN, AnimationId(1), app_permissions=silent, **in_thread))
    assert unseen.refusal is ClickReason.MISSING_PERMISSIONS
    animated = await adapter.click(make_click(ROBIN, AnimationId(1), **in_thread))
    post, animation = adapter.message_client.requests
    assert animation.picture is not None
    assert animation.picture.media_type == "image/gif"
    assert {request.channel_id for request in (post, animation)} == {HERE.channel_id}
    assert post.json is not None
    ((dare,),) = [row["components"] for row in post.json["components"]]
    link = message_link(HERE, POSTED_ID)
    assert all(link in str(click.answers[-1].content) for click in (shared, again, animated))
    taken = await adapter.click(make_click(WREN, dare["custom_id"], channel=channel))
    assert taken.refusal is None
    assert locations(db)[1].solo_id == WREN.id
