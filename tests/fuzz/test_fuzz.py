"""A crowd presses and types what it likes at many tables at once: only what the rules and the seats allow is done."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from bot.tables.model import Person, Status
from bot.ui.custom_ids import ComponentId
from tests.fuzz.account import Account
from tests.fuzz.crowd import Crowd, gathered, leaks
from tests.fuzz.fuzz_actions import PEOPLE, PREFIXES, SERVERS
from tests.fuzz.ways import Press, way_on
from tests.fuzz.wire import Kind
from tests.support.fakes import until

ACTS, LONG_ACTS = 2_000, 100_000
SEED = 20261121

COMMON_DEEDS = {"open", "start", "cancelled", "move"}
RARE_DEEDS = {
    *("join", "options", "leave", "add", "remove", "kick", "invite"),
    *("!resign", "!ask", "!substitute", "!back", "!undo"),
}
"""What people achieve in every run, and what they do in a long one."""


def test_ids_of_every_kind_are_forged() -> None:
    assert len(set(PREFIXES.lower())) == len(get_args(ComponentId))


async def test_nothing_is_accepted_that_nobody_may_do(
    tmp_path: Path, is_long: bool, caplog: pytest.LogCaptureFixture
) -> None:
    seed = Random().randrange(1 << 32) if is_long else SEED
    async with gathered(tmp_path / "parlour.sqlite3", seed) as crowd:
        await _every_game_is_begun(crowd)
        await _everybody_asks_for_hands(crowd)
        try:
            await _go_on(crowd, LONG_ACTS if is_long else ACTS)
        finally:
            print(f"seed {seed}, {crowd.done.total()} acts: {dict(crowd.book.deeds)}, {crowd.hands} hands")  # noqa: T201
        await _every_table_goes_on(crowd)
        await _what_was_noted_is_on_disk(crowd)
        _much_was_done(crowd)
        _logs_keep_secrets(crowd, caplog)


async def _go_on(crowd: Crowd, acts: int) -> None:
    chance = Random(acts)
    while crowd.done.total() < acts:
        if chance.random() < 0.01:
            crowd.clock.by += timedelta(minutes=chance.choice((1, 3, 6)))
        await crowd.act(*crowd.mischief.next())


async def _every_game_is_begun(crowd: Crowd) -> None:
    """Let the crowd find a table of every game at which somebody has moved: a short run may open few of them."""
    for opening in crowd.mischief.openings():
        await crowd.act(opening)
    await _every_table_goes_on(crowd)
    await _every_table_goes_on(crowd)


async def _everybody_asks_for_hands(crowd: Crowd) -> None:
    """Let everybody press *My hand* at every table where there are any: only who sits there may see one."""
    accounts = [crowd.book.accounts[table_id] for table_id in sorted(crowd.book.live)]
    for account in (each for each in accounts if each.package.hand is not None):
        for person in PEOPLE:
            await crowd.act(crowd.mischief.press(person, account.header.place, f"y:{account.id}"))
    assert crowd.hands


async def _every_table_goes_on(crowd: Crowd) -> None:
    """Let whoever is awaited at each table go on with it, once the computer players have done so by themselves."""
    for account in [crowd.book.accounts[table_id] for table_id in sorted(crowd.book.live)]:
        await until(partial(_computers_are_done, crowd, account), seconds=60)
        if account.header.status is Status.LOBBY:
            opener = next(who for who in PEOPLE if who.id == account.header.opener_id)
            await _go_on_at(crowd, account, opener, [Press(f"l:{account.id}:{account.header.revision}:start")])
        elif account.to_move is not None:
            mover = next(who for who in PEOPLE if who.id == account.seats[account.to_move].user_id)
            await _go_on_at(crowd, account, mover, way_on(account, account.to_move))


def _computers_are_done(crowd: Crowd, account: Account) -> bool:
    crowd.settle()
    return account.to_move is None or not account.is_automatic(account.to_move)


async def _go_on_at(crowd: Crowd, account: Account, person: Person, way: Sequence[Press]) -> None:
    assert way, f"there is nothing to press for {person.name} at {account.header}"
    before = account.header.revision
    for press in way:
        await crowd.act(crowd.mischief.press(person, account.header.place, press.custom_id, press.values))
    assert account.header.revision > before, f"{way} of {person.name} does nothing at {account.header}"


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
