"""A crowd presses and types what it likes at many tables at once: only what the rules and the seats allow is done."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.rules.screen import Play
from bot.tables.ledger import utc_now
from bot.tables.model import Person, Status
from bot.tables.registry import load_games
from bot.ui.client import ParlourClient
from tests.forged.account import Account
from tests.forged.book import Book
from tests.forged.mischief import PEOPLE, SERVERS, Mischief
from tests.forged.wire import Act, Kind, Reply, Sent, Wire, connect
from tests.forged.writes import Opened, WatchedStore, Write
from tests.support.fakes import until

ACTS, LONG_ACTS = 2_000, 100_000
SEED = 20261121

COMMON_DEEDS = {"open", "start", "cancelled", "move"}
RARE_DEEDS = {"join", "options", "leave", "add", "remove", "invite", "!resign", "!substitute", "!back"}
"""What people achieve in every run, and what they do in a long one."""

_FIRSTS = {
    Kind.COMMAND: {Reply.MESSAGE, Reply.DEFERRED_MESSAGE},
    Kind.COMPONENT: {Reply.MESSAGE, Reply.DEFERRED_MESSAGE, Reply.DEFERRED_UPDATE, Reply.UPDATE},
    Kind.MODAL: {Reply.MESSAGE},
    Kind.SUGGEST: {Reply.CHOICES},
}
_TELLTALES = ("Traceback", "secret-of-", 'File "', "Error(")


_TELLING = 16
"""So many digits of a seed are no coincidence."""


def leaks(text: str, seeds: Iterable[str]) -> list[str]:
    """Return what should not stand in a text: seeds, however their digits are spaced, tokens and traces of faults."""
    digits = text.replace(" ", "").casefold()
    return [
        *(telltale for telltale in _TELLTALES if telltale in text),
        *(seed for seed in seeds if seed[:_TELLING] in digits),
    ]


class Crowd:
    """A bot on a wire, the people around it, and the account of what they did."""

    def __init__(self, client: ParlourClient, store: WatchedStore, seed: int) -> None:
        self.client = client
        self.store = store
        self.ahead = timedelta()
        client.host.service.clock = lambda: utc_now() + self.ahead
        self.wire = Wire(client)
        self.book = Book(client.host.service.games, client.host.service.clock)
        commands = [command.to_dict(client.tree) for command in client.tree.get_commands()]
        self.mischief = Mischief(seed, self.wire, self.book, commands)
        self.done: Counter[Kind] = Counter()
        self.doubled: set[int] = set()
        """What reached the bot twice: it may try to answer both."""

    async def act(self, *acts: Act) -> None:
        """Let people act, and check what came of it."""
        await self.wire(*acts)
        writes = self.settle(*acts)
        sent, said = self.wire.taken()
        opened = any(isinstance(write, Opened) for write in writes)
        self.doubled |= {act_id for act_id, times in Counter(act.id for act in acts).items() if times > 1}
        assert self.doubled.issuperset(self.wire.refused), f"answered twice: {self.wire.refused}, after {acts}"
        for act in {act.id: act for act in acts}.values():
            self.done[act.kind] += 1
            self._check_answers(act, [each for each in sent if each.act == act.id], opened=opened)
        self._check_secrets("\n".join(said))

    def settle(self, *acts: Act) -> list[Write]:
        """Check what was written against what people did."""
        writes, self.store.writes = self.store.writes, []
        self.book.settle(acts, writes)
        return writes

    def _check_answers(self, act: Act, sent: list[Sent], *, opened: bool) -> None:
        firsts = [each for each in sent if each.is_first]
        assert len(firsts) == 1, f"{len(firsts)} first answers to {act}"
        assert firsts[0].kind in _FIRSTS[act.kind], f"{firsts[0].kind.name} answers {act}"
        for each in sent:
            if each.kind in (Reply.MESSAGE, Reply.DEFERRED_MESSAGE) and not each.is_ephemeral:
                assert self._may_be_public(act, opened=opened), f"everybody sees {each} to {act}"
            if each.kind is Reply.MESSAGE:
                assert each.data.get("content") or each.data.get("embeds"), f"{act} is answered without a word"

    def _may_be_public(self, act: Act, *, opened: bool) -> bool:
        if act.kind is not Kind.COMMAND:
            return False
        return (act.command.endswith(" new") and opened) or (act.command == "table show" and bool(self.book.here(act)))

    def _check_secrets(self, said: str) -> None:
        assert not leaks(said, self.book.sealed())


@asynccontextmanager
async def gathered(file: Path, seed: int) -> AsyncIterator[Crowd]:
    """Connect a bot to a crowd until the block ends."""
    store = WatchedStore(f"sqlite:///{file}")
    await store.upgrade()
    with pytest.MonkeyPatch.context() as patch:
        client = ParlourClient(store, load_games(), pause=0)
        await client._async_setup_hook()
        await client.setup_hook()
        crowd = Crowd(client, store, seed)
        connect(crowd.wire, patch)
        try:
            yield crowd
        finally:
            await client.host.close()
            await store.close()


async def test_nothing_is_accepted_that_nobody_may_do(
    tmp_path: Path, is_long: bool, caplog: pytest.LogCaptureFixture
) -> None:
    seed = Random().randrange(1 << 32) if is_long else SEED
    async with gathered(tmp_path / "parlour.sqlite3", seed) as crowd:
        try:
            await _go_on(crowd, LONG_ACTS if is_long else ACTS)
        finally:
            print(f"seed {seed}, {crowd.done.total()} acts: {dict(crowd.book.deeds)}")  # noqa: T201
        await _no_table_is_stuck(crowd)
        await _what_was_noted_is_on_disk(crowd)
        _much_was_done(crowd)
        _logs_keep_secrets(crowd, caplog)


async def _go_on(crowd: Crowd, acts: int) -> None:
    chance = Random(acts)
    while crowd.done.total() < acts:
        if chance.random() < 0.01:
            crowd.ahead += timedelta(minutes=chance.choice((1, 3, 6)))
        await crowd.act(*crowd.mischief.next())


async def _no_table_is_stuck(crowd: Crowd) -> None:
    """Let whoever is awaited at each table go on with it, once the computer players have done so by themselves."""
    for account in [crowd.book.accounts[table_id] for table_id in sorted(crowd.book.live)]:
        await until(partial(_computers_are_done, crowd, account), seconds=20)
        if account.header.status is Status.LOBBY:
            opener = next(who for who in PEOPLE if who.id == account.header.opener_id)
            await _go_on_at(crowd, account, opener, f"l:{account.id}:{account.header.revision}:start")
        elif account.to_move is not None:
            mover = next(who for who in PEOPLE if who.id == account.seats[account.to_move].user_id)
            if button := _button(account):
                await _go_on_at(crowd, account, mover, f"t:{account.id}:{account.header.step}:{button}")
            else:
                assert _can_choose(account, account.to_move), f"there is nothing to press at {account.header}"


def _computers_are_done(crowd: Crowd, account: Account) -> bool:
    crowd.settle()
    return account.to_move is None or not account.is_automatic(account.to_move)


def _button(account: Account) -> str | None:
    """Return the key of a button that makes a move, with the picks it needs as a mask, where there is one."""
    picks = account.drafts[-1:] or [frozenset(), *(frozenset({token}) for token in range(64))]
    for draft in picks:
        for row in account.screen(draft).controls:
            for control in row:
                if isinstance(control.effect, Play):
                    return f"{control.key}:{sum(1 << token for token in draft):x}"
    return None


def _can_choose(account: Account, mover: int) -> bool:
    """Tell whether whoever is to move finds something in a menu, or in what they alone see."""
    screens = (account.screen(frozenset()), account.hand(frozenset(), mover))
    return any(screen is not None and any(screen.every_control()) for screen in screens)


async def _go_on_at(crowd: Crowd, account: Account, person: Person, custom_id: str) -> None:
    before = account.header.revision
    await crowd.act(crowd.mischief.press(person, account.header.place, custom_id))
    assert account.header.revision > before, f"{custom_id} of {person.name} does nothing at {account.header}"


async def _what_was_noted_is_on_disk(crowd: Crowd) -> None:
    await crowd.client.host.close()
    crowd.settle()
    for account in crowd.book.accounts.values():
        record = await crowd.store.load(account.id)
        assert record is not None
        assert list(record.entries) == account.entries
        assert record.seats == account.seats
        # What is shown is written apart from changes.
        kept = replace(record.header, published=0, message_id=None)
        assert kept == replace(account.header, published=0, message_id=None)


def _much_was_done(crowd: Crowd) -> None:
    """Demand that the crowd has met what it was sent for: every game, and what people may do as well as what not."""
    accounts = crowd.book.accounts.values()
    assert set(crowd.done) == set(Kind)
    assert crowd.book.deeds.total() > crowd.done.total() / 20
    played = {account.header.game for account in accounts if account.entries}
    assert played == set(crowd.book.games)
    places = {account.header.place.guild_id for account in accounts if account.entries}
    assert places == {*SERVERS, None}
    missed = (COMMON_DEEDS | RARE_DEEDS if crowd.done.total() >= LONG_ACTS else COMMON_DEEDS) - set(crowd.book.deeds)
    assert not missed


def _logs_keep_secrets(crowd: Crowd, caplog: pytest.LogCaptureFixture) -> None:
    seeds = {account.header.seed.hex() for account in crowd.book.accounts.values()}
    assert not leaks(caplog.text, seeds)
