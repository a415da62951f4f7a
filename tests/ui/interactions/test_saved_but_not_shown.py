"""Whatever an interaction saves is never apologised for, even if the database fails right after any of its commits."""

import ast
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import pytest
from sqlalchemy import Connection

import bot
from bot.features.blocks import storage as blocks
from bot.features.blocks.commands import BlockCommands, UnblockId
from bot.features.blocks.storage import Block
from bot.features.challenges import pings as daily_pings, storage as challenges
from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.challenges.pings import DailyPings
from bot.features.challenges.service import ChallengeService
from bot.features.invitations import storage as invitations
from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.features.moderation import storage as bans
from bot.features.moderation.bans import BanCommands
from bot.features.moderation.model import Ban
from bot.features.new_tables.handlers import NewTables
from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.puzzles import storage as puzzles
from bot.features.puzzles.commands import Puzzles
from bot.features.puzzles.messages import PuzzleChoiceId
from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.handlers import Pings
from bot.features.reminders.messages import PingMenu, PingMenuId
from bot.features.settings import storage as settings
from bot.features.settings.all_settings import INVITATIONS, PICTURES, REMINDERS, TIPS
from bot.features.settings.commands import SettingsCommands
from bot.features.settings.kinds import Setting
from bot.features.settings.messages import DefaultOptionId, ResetDefaultsId, SettingId
from bot.features.tips import NoTipsId
from bot.features.tournaments import offers, storage as tournaments
from bot.features.tournaments.commands import Tournaments
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.replacing import Replacements
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import has_response
from bot.platform.jobs import storage as jobs
from bot.platform.observability.trace import start_trace
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.handlers.error_replies import BEGUN, STORE_UNAVAILABLE
from bot.tables.handlers.ids import LobbyButton, ReadAloudId, Switch
from bot.tables.kinds import Cadence
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.storage import save_move
from bot.words import gettext
from tests.support.apps import shared_app
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, mover_of, open_lobby, roll, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, is_apology
from tests.ui.fake_interactions import FakeInteraction, make_click, make_command, make_menu_choice
from tests.ui.fake_servers import make_server
from tests.ui.features.settings.panels import DIRECT, MANAGER
from tests.ui.features.test_idle_tables import make_idle_table, offer_after_refusal
from tests.ui.features.test_lobbies import make_member
from tests.ui.table_clicks import make_control_click, make_lobby_click

P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[..., Any]
Act = Callable[[Adapter, Any], Awaitable[FakeInteraction]]

_SERVER: Final = make_server(HERE.channel_id)


class DyingDatabase(MemoryDatabase):
    """A database that fails for good after a number of commits."""

    def __init__(self) -> None:
        super().__init__()
        self.commits_left: int | None = None
        self.written: list[Query] = []

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        self._require_alive()
        return await super().read(query, *args, **kwargs)

    async def maintain(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        self._require_alive()
        written = await super().maintain(work, *args, **kwargs)
        self._note_commit(work)
        return written

    async def write_statement(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        self._require_alive()
        written = await super().write_statement(work, *args, **kwargs)
        self._note_commit(work)
        return written

    def _require_alive(self) -> None:
        if self.commits_left == 0:
            raise StoreUnavailable("gone after a commit")

    def _note_commit(self, work: Query) -> None:
        self.written.append(work)
        if self.commits_left:
            self.commits_left -= 1


@dataclass(frozen=True)
class Case:
    """An interaction that saves something."""

    query: Query
    """What writes it."""
    act: Act
    prepare: Callable[[Adapter], Awaitable[Any]] | None = None


def _click(make: Callable[[Any], FakeInteraction]) -> Act:
    return lambda adapter, prepared: adapter.click(make(prepared))


def _command(run: Callable[[Adapter, Any], Awaitable[None]], **more: Any) -> Act:
    async def act(adapter: Adapter, _: Any) -> FakeInteraction:
        command: Any = make_command(ROBIN, **more)
        start_trace()
        try:
            await run(adapter, command)
        except Exception as raised:  # noqa: BLE001 - as discord.py hands on whatever a command raises
            await adapter.error_replies.send(command, raised)
        return command  # type: ignore[no-any-return]

    return act


def _setting(setting: Setting[Any], value: str, **more: Any) -> Act:
    more = {"permissions": MANAGER, "in_whisper": True, **more}
    return _click(lambda _: make_menu_choice(ROBIN, SettingId(setting.key), value, **more))


def _tournament(button: TournamentButton, who: Any = ROBIN, **more: Any) -> Act:
    more = {"guild": _SERVER, **more}
    return _click(lambda number: make_click(who, TournamentButtonId(number, button), **more))


async def _open_tournament(adapter: Adapter) -> int:
    command: Any = make_command(ROBIN, guild=_SERVER)
    await adapter.app.service(Tournaments).open(command, "magpie", None, None, 24)
    return 1


async def _join_tournament(adapter: Adapter) -> int:
    number = await _open_tournament(adapter)
    for who in (ROBIN, WREN):
        await adapter.click(make_click(who, TournamentButtonId(number, TournamentButton.JOIN), guild=_SERVER))
    return number


async def _start_tournament(adapter: Adapter) -> int:
    number = await _join_tournament(adapter)
    await adapter.click(make_click(ROBIN, TournamentButtonId(number, TournamentButton.START), guild=_SERVER))
    return number


async def _invite(adapter: Adapter) -> Any:
    table = await open_lobby(adapter.service, WREN)
    await adapter.app.service(InvitationCommands).invite(make_command(WREN), make_member(ROBIN))  # type: ignore[arg-type]
    return table


async def _block(adapter: Adapter) -> None:
    await adapter.db.write(blocks.add, Block(ROBIN.id, WREN.id), adapter.clock(), 9)


async def _ban(adapter: Adapter) -> None:
    ban = Ban(HERE.scope_id, WREN.id, ROBIN.id, "", tells_reason=False, banned_at=adapter.clock(), ends_at=None)
    await adapter.db.write(bans.add, ban, 9)


async def _answer_puzzle(adapter: Adapter, *, is_daily: bool) -> FakeInteraction:
    puzzles_of = adapter.app.service(Puzzles)._puzzles  # noqa: SLF001 - the test chooses the puzzle
    chosen = await puzzles_of.daily(puzzles_of.today if is_daily else puzzles_of.today - 1)
    day = puzzles_of.today if is_daily else 0
    return await adapter.click(make_click(ROBIN, PuzzleChoiceId(chosen.game, chosen.puzzle.key, day, 0)))


def _challenge_id(button: ChallengeButton) -> ChallengeId:
    return ChallengeId(button, Cadence.DAILY, 9, 1)


CASES: Final[Mapping[str, Case]] = {
    "settings": Case(settings.change, _setting(REMINDERS, "off")),
    "a theme with open tables": Case(
        settings.change,
        _setting(PICTURES, "dark"),
        lambda adapter: start_game(adapter.service, ROBIN, WREN),
    ),
    "an option of new tables": Case(
        settings.change,
        _click(
            lambda _: make_menu_choice(
                ROBIN, DefaultOptionId("magpie", "target"), "250", permissions=MANAGER, in_whisper=True
            )
        ),
    ),
    "usual options again": Case(
        settings.change,
        _click(lambda _: make_click(ROBIN, ResetDefaultsId("magpie"), permissions=MANAGER, in_whisper=True)),
        lambda adapter: adapter.click(
            make_menu_choice(ROBIN, DefaultOptionId("magpie", "target"), "250", permissions=MANAGER, in_whisper=True)
        ),
    ),
    "settings as a command": Case(
        settings.change,
        _command(
            lambda adapter, command: adapter.app.service(SettingsCommands).set_value(command, "reminders", "off"),
            permissions=MANAGER,
        ),
    ),
    "own invitations": Case(settings.change, _setting(INVITATIONS, "off", **DIRECT)),
    "own tips": Case(settings.change, _setting(TIPS, "off", **DIRECT)),
    "reading aloud": Case(
        settings.change,
        _click(lambda table: make_click(ROBIN, ReadAloudId(table.id, Switch.ON), in_whisper=True)),
        lambda adapter: start_game(adapter.service, ROBIN, WREN),
    ),
    "no tips": Case(
        settings.change,
        _click(lambda table: make_click(ROBIN, NoTipsId(table.id))),
        lambda adapter: start_game(adapter.service, ROBIN, WREN),
    ),
    "ping": Case(
        reminder_storage.choose,
        _click(lambda _: make_menu_choice(ROBIN, PingMenuId(0, PingMenu.WHEN), "60", in_whisper=True)),
    ),
    "daily ping": Case(
        daily_pings.put_ping,
        _command(lambda adapter, command: adapter.app.service(Pings).choose_daily(command, 8, "Europe/Berlin")),
    ),
    "no daily ping": Case(
        daily_pings.delete_ping,
        _click(lambda _: make_click(ROBIN, _challenge_id(ChallengeButton.PING), in_whisper=True)),
        lambda adapter: adapter.app.service(DailyPings).start(ROBIN.id, 8, "Europe/Berlin"),
    ),
    "quiet hours": Case(
        reminder_storage.choose_quiet_hours,
        _command(
            lambda adapter, command: adapter.app.service(Pings).choose_quiet_hours(command, 1, 5, "Europe/Berlin")
        ),
    ),
    "block": Case(
        blocks.add,
        _command(lambda adapter, command: adapter.app.service(BlockCommands).block(command, make_member(WREN))),
    ),
    "unblock": Case(
        blocks.remove,
        _command(lambda adapter, command: adapter.app.service(BlockCommands).unblock(command, make_member(WREN))),
        _block,
    ),
    "unblock in the list": Case(
        blocks.remove, _click(lambda _: make_menu_choice(ROBIN, UnblockId(1), str(WREN.id), in_whisper=True)), _block
    ),
    "ban": Case(
        bans.add,
        _command(
            lambda adapter, command: adapter.app.service(BanCommands).ban(
                command, make_member(WREN), "", None, tells_reason=False
            ),
            permissions=MANAGER,
        ),
    ),
    "unban": Case(
        bans.lift,
        _command(
            lambda adapter, command: adapter.app.service(BanCommands).unban(command, make_member(WREN)),
            permissions=MANAGER,
        ),
        _ban,
    ),
    "invite": Case(
        invitations.add,
        _command(lambda adapter, command: adapter.app.service(InvitationCommands).invite(command, make_member(WREN))),
        lambda adapter: open_lobby(adapter.service, ROBIN),
    ),
    "refuse invitations": Case(
        settings.change,
        _click(lambda table: make_click(ROBIN, InvitationId(table.id, ROBIN.id, InvitationButton.REFUSE))),
        _invite,
    ),
    "answer of the day": Case(puzzles.answer_daily, lambda adapter, _: _answer_puzzle(adapter, is_daily=True)),
    "answer": Case(puzzles.note_answer, lambda adapter, _: _answer_puzzle(adapter, is_daily=False)),
    "consent": Case(
        challenges.set_consent,
        _click(lambda _: make_click(ROBIN, _challenge_id(ChallengeButton.CONSENT), in_whisper=True)),
    ),
    "challenge": Case(
        table_storage.open_table,
        _click(lambda _: make_click(ROBIN, _challenge_id(ChallengeButton.PLAY))),
        lambda adapter: adapter.app.service(ChallengeService).begin(),
    ),
    "delete my data": Case(
        privacy_storage.ask,
        _click(lambda _: make_click(ROBIN, PrivacyId(PrivacyButton.DELETE_REALLY), in_whisper=True)),
    ),
    "delete the data of a server": Case(
        jobs.add,
        _click(
            lambda _: make_click(ROBIN, PrivacyId(PrivacyButton.SERVER_FOREVER), permissions=MANAGER, in_whisper=True)
        ),
    ),
    "new tournament": Case(
        tournaments.add,
        _command(
            lambda adapter, command: adapter.app.service(Tournaments).open(command, "magpie", None, None, 24),
            guild=_SERVER,
        ),
    ),
    "join a tournament": Case(tournaments.save, _tournament(TournamentButton.JOIN), _open_tournament),
    "leave a tournament": Case(tournaments.save, _tournament(TournamentButton.LEAVE), _join_tournament),
    "start a tournament": Case(tournaments.save, _tournament(TournamentButton.START), _join_tournament),
    "withdraw from a tournament": Case(tournaments.save, _tournament(TournamentButton.WITHDRAW), _start_tournament),
    "cancel a tournament": Case(
        tournaments.save, _tournament(TournamentButton.CANCEL, in_whisper=True), _start_tournament
    ),
    "offer a place in a tournament": Case(
        offers.add,
        _command(
            lambda adapter, command: adapter.app.service(Replacements).offer(
                command, make_member(WREN), make_member(JAY), 1
            ),
            guild=_SERVER,
        ),
        _start_tournament,
    ),
    "take someone out of a tournament": Case(
        tournaments.save,
        _command(
            lambda adapter, command: adapter.app.service(Tournaments).withdraw(command, 1, make_member(WREN)),
            guild=_SERVER,
        ),
        _start_tournament,
    ),
    "new table": Case(
        table_storage.open_table,
        _command(lambda adapter, command: adapter.app.service(NewTables).open(command, "magpie", {}, 0)),
    ),
    "join a table": Case(
        table_storage.save,
        _click(lambda table: make_lobby_click(table, STRANGER, LobbyButton.JOIN)),
        lambda adapter: open_lobby(adapter.service, ROBIN),
    ),
    "move": Case(
        save_move,
        _click(lambda table: make_control_click(table, mover_of(table), "roll")),
        lambda adapter: start_game(adapter.service, ROBIN, WREN),
    ),
}


@pytest.fixture
def games() -> GameRegistry:
    return load_games_once()


@pytest.fixture
def db() -> DyingDatabase:
    return DyingDatabase()


@pytest.fixture
async def adapter(db: DyingDatabase, shown: FakeTableMessages, games: GameRegistry) -> AsyncIterator[Adapter]:
    made = Adapter(db, shown, games)
    yield made
    db.commits_left = None
    await made.host.close()
    await db.close()


@pytest.mark.parametrize("commits", [1, 2])
@pytest.mark.parametrize("name", CASES)
async def test_what_is_saved_is_not_apologised_for(
    adapter: Adapter, db: DyingDatabase, name: str, commits: int
) -> None:
    case = CASES[name]
    prepared = None if case.prepare is None else await case.prepare(adapter)
    db.written.clear()
    db.commits_left = commits
    answered = await case.act(adapter, prepared)
    assert case.query in db.written
    assert has_response(answered)  # type: ignore[arg-type]
    assert not is_apology(answered.text)


def find_writes() -> Iterator[Query]:
    """Yield what the bot passes to `Database.write` and `Database.write_statement`."""
    for path in Path(bot.__path__[0]).rglob("*.py"):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if ".write" in source else ():
            match node:
                case ast.Await(ast.Call(ast.Attribute(attr="write" | "write_statement"), [work, *_])):
                    module = ".".join(path.relative_to(Path(bot.__path__[0]).parent).with_suffix("").parts)
                    yield attrgetter(ast.unparse(work))(import_module(module))
                case _:
                    pass


def test_every_write_that_people_ask_for_has_a_case() -> None:
    assert set(find_writes()) == {case.query for case in CASES.values()}


async def test_a_refusal_is_told_although_its_transaction_was_committed(adapter: Adapter, db: DyingDatabase) -> None:
    command: Any = make_command(ROBIN)
    start_trace()
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(BlockCommands).unblock(command, make_member(WREN))
    assert db.written == [blocks.remove]
    await adapter.error_replies.send(command, refused.value)
    assert command.text == shared_app().error_replies.explain(refused.value)


async def test_what_people_did_not_ask_for_is_not_taken_for_it(adapter: Adapter, db: DyingDatabase) -> None:
    """Opening a challenge commits to its seed first."""
    db.commits_left = 1
    click = await adapter.click(make_click(ROBIN, _challenge_id(ChallengeButton.PLAY)))
    assert db.written == [jobs.put]
    assert click.text == gettext(STORE_UNAVAILABLE)


async def test_holding_a_table_is_not_taken_for_what_was_asked_for(
    adapter: Adapter, db: DyingDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """A table whose replay diverges is held by whoever looks at it, and may be so before what they ask for is saved."""
    table = await roll(adapter.service, await start_game(adapter.service, ROBIN, WREN))
    db.tamper(table.id, lambda record: replace(record, entries=(replace(record.entries[0], digest="x"),)))
    adapter.service.cache.evict(table.id)
    db.commits_left = 1
    click = await adapter.click(make_menu_choice(ROBIN, PingMenuId(table.id, PingMenu.WHEN), "60", in_whisper=True))
    caplog.clear()
    assert await _status_of(adapter, db, table.id) is Status.HELD
    assert click.text == gettext(STORE_UNAVAILABLE)


async def test_who_asked_for_two_steps_is_told_that_one_was_done(adapter: Adapter, db: DyingDatabase) -> None:
    idle = await make_idle_table(adapter)
    offer = await offer_after_refusal(adapter, make_command(STRANGER))
    db.commits_left = 1
    click = await adapter.click(make_click(STRANGER, offer, in_whisper=True))
    assert await _status_of(adapter, db, idle.id) is Status.ASIDE
    assert click.text == gettext(BEGUN)


@pytest.mark.parametrize("commits", [None, 1])
async def test_who_invites_a_removed_player_again_is_told_the_truth(
    adapter: Adapter, db: DyingDatabase, commits: int | None
) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.app.service(InvitationCommands).invite(make_command(ROBIN), make_member(WREN))  # type: ignore[arg-type]
    await adapter.service.join(table.id, WREN, 2)
    await adapter.service.kick(table.id, ROBIN, WREN.id, 3)
    db.commits_left = commits
    command: Any = make_command(ROBIN)
    start_trace()
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(InvitationCommands).invite(command, make_member(WREN))
    await adapter.error_replies.send(command, refused.value)
    assert refused.value.reason is InvitationReason.ALREADY_INVITED
    assert command.text == shared_app().error_replies.explain(refused.value)
    db.commits_left = None
    await adapter.service.join(table.id, WREN, 4)


async def _status_of(adapter: Adapter, db: DyingDatabase, table_id: int) -> Status:
    db.commits_left = None
    return (await adapter.service.reload(table_id)).header.status
