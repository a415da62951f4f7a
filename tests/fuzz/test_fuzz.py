"""A crowd sends random clicks and commands at many tables: only actions that rules and seats allow are accepted."""

from collections.abc import Sequence, Set as AbstractSet
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.platform.places import Person
from bot.tables import storage as table_storage
from bot.tables.host import Host
from bot.tables.model import Status
from tests.fuzz.acts import ActKind
from tests.fuzz.harness import FuzzHarness, find_leaks, run_harness
from tests.fuzz.move_search import ComponentPress, find_presses
from tests.fuzz.people_and_places import PEOPLE, SERVER_PLACES, SERVERS, person_with
from tests.fuzz.table_model import TableModel
from tests.support.waiting import wait_until

ACTS, LONG_ACTS = 600, 100_000
SEED = 20261121

COMMON_EFFECTS = {"open", "start", "move"}
RARE_EFFECTS = {
    *("join", "options", "leave", "add", "remove", "kick", "invite", "cancelled"),
    *("!resign", "!ask", "!substitute", "!back", "!undo"),
}
"""The effects that occur in every run, and those of a long run."""


@pytest.mark.slow
async def test_no_forged_action_is_accepted(tmp_path: Path, is_long: bool, caplog: pytest.LogCaptureFixture) -> None:
    seed = Random().randrange(1 << 32) if is_long else SEED
    acts, effects = (LONG_ACTS, COMMON_EFFECTS | RARE_EFFECTS) if is_long else (ACTS, COMMON_EFFECTS)
    async with run_harness(tmp_path / "parlour.sqlite3", seed) as crowd:
        await _start_every_game(crowd)
        await _open_all_hands(crowd)
        await _answer_puzzles(crowd)
        await _play_challenges(crowd)
        await _run_acts(crowd, acts, effects)
        await _advance_every_table(crowd)
        await _check_disk(crowd)
        _check_coverage(crowd, effects)
        _check_logs(crowd, caplog)


async def _run_acts(crowd: FuzzHarness, acts: int, effects: AbstractSet[str]) -> None:
    """Perform a number of acts, or up to twice as many until each kind and effect has occurred: some are rare."""
    chance = Random(acts)
    while (done := crowd.act_counts.total()) < acts or (done < 2 * acts and _find_missing(crowd, effects)):
        if chance.random() < 0.01:
            crowd.clock.by += timedelta(minutes=chance.choice((1, 3, 6)))
        await crowd.act(*crowd.actions.next())


def _find_missing(crowd: FuzzHarness, effects: AbstractSet[str]) -> set[ActKind | str]:
    """Return the kinds of acts that nobody tried yet, and the effects that did not occur."""
    return {*set(ActKind) - crowd.act_counts.keys(), *effects - crowd.model.effects.keys()}


async def _start_every_game(crowd: FuzzHarness) -> None:
    """Open a table of every game and make a move at each, as a short run may open only a few."""
    for opening in crowd.actions.open_every_game():
        await crowd.act(opening)
    await _advance_every_table(crowd)
    await _advance_every_table(crowd)


async def _open_all_hands(crowd: FuzzHarness) -> None:
    """Let everyone press *My hand* at every table where there are any: only who sits there may see one."""
    accounts = [crowd.model.tables[table_id] for table_id in sorted(crowd.model.open_tables)]
    for account in (each for each in accounts if each.package.words.build_hand_screen is not None):
        for person in PEOPLE:
            await crowd.act(crowd.actions.press(person, account.header.location, f"y:{account.id}"))
    assert crowd.hands_shown


async def _answer_puzzles(crowd: FuzzHarness) -> None:
    """Let people answer the puzzle of the day, share it, and press each other's and forged buttons of it."""
    for person, location in zip(PEOPLE[:3], SERVER_PLACES, strict=False):
        await crowd.act(crowd.actions.ask_puzzle(person, location))
        shown = [each for each in crowd.transport.shown.values() if each.reader_id == person.id]
        choices = [each.custom_id for each in shown[-1].pressables if each.custom_id.startswith("P:")]
        prefix, game, puzzle, day, _ = choices[0].split(":")
        share = f"D:share:{day}"
        forged = (
            f"{prefix}:{game}:{puzzle}:{day}:9",
            f"{prefix}:{game}:{puzzle}:0:0",
            f"Q:{game}:{puzzle}",
            "D:board:0",
        )
        for custom_id in (share, *forged, *choices, share, share):
            await crowd.act(crowd.actions.press(person, location, custom_id))
            await crowd.act(crowd.actions.press(PEOPLE[3], location, share))
    assert {person_id for person_id, _ in crowd.db.daily_answers} == {person.id for person in PEOPLE[:3]}


async def _play_challenges(crowd: FuzzHarness) -> None:
    """Let people begin challenges in several places at once, look at everything, and go on elsewhere."""
    for person, location in zip(PEOPLE[:2], SERVER_PLACES, strict=False):
        await crowd.act(crowd.actions.ask_daily(person, location))
        shown = [each for each in crowd.transport.shown.values() if each.reader_id == person.id]
        plays = [each.custom_id for each in shown[-1].pressables if each.custom_id.startswith("B:play:")]
        assert len(plays) == 2
        buttons = ("server", "all", "consent", "seeds", "withdraw", "menu", "share")
        rest = [play.replace(":play:", f":{button}:") for play in plays for button in buttons]
        for custom_id in (*plays, *plays, *rest):
            await crowd.act(crowd.actions.press(person, location, custom_id))
        for play in plays:
            await crowd.act(crowd.actions.press(person, SERVER_PLACES[-1], play))
        for account in [each for each in crowd.model.tables.values() if each.is_challenge]:
            for asker in PEOPLE[:2]:
                for prefix in "vMr":
                    await crowd.act(crowd.actions.press(asker, account.header.location, f"{prefix}:{account.id}"))
    assert sum(each.is_challenge for each in crowd.model.tables.values()) == 4


async def _advance_every_table(crowd: FuzzHarness) -> None:
    """Let the seat to move play at each table, after the computer players."""
    for account in [crowd.model.tables[table_id] for table_id in sorted(crowd.model.open_tables)]:
        await wait_until(partial(_wait_for_computers, crowd, account), seconds=60)
        if account.header.status is Status.LOBBY:
            if _is_kept_out(crowd, account):
                continue
            start = ComponentPress(f"l:{account.id}:{account.header.revision}:start")
            await _advance_table(crowd, account, person_with(account.header.opener_id), [start])
        elif account.to_move is not None:
            mover = account.seats[account.to_move].user_id
            assert mover is not None
            await _advance_table(crowd, account, person_with(mover), find_presses(account, account.to_move))


def _is_kept_out(crowd: FuzzHarness, account: TableModel) -> bool:
    """Return whether a game can't start because its only person plays alone in the channel already."""
    people = [who.user_id for who in account.seats if who.user_id is not None]
    open_tables = (crowd.model.tables[table_id].header for table_id in crowd.model.open_tables)
    places = {(header.location.channel_id, header.location.solo_id) for header in open_tables}
    return len(people) == 1 and (account.header.location.channel_id, people[0]) in places


def _wait_for_computers(crowd: FuzzHarness, account: TableModel) -> bool:
    crowd.check_writes()
    return account.to_move is None or not account.is_automatic(account.to_move)


async def _advance_table(
    crowd: FuzzHarness, account: TableModel, person: Person, way: Sequence[ComponentPress]
) -> None:
    assert way, f"there is nothing to press for {person.name} at {account.header}"
    before = account.header.revision
    for press in way:
        await crowd.act(crowd.actions.press(person, account.header.location, press.custom_id, press.values))
    assert account.header.revision > before, f"{way} of {person.name} does nothing at {account.header}"


async def _check_disk(crowd: FuzzHarness) -> None:
    await crowd.client.app.service(Host).close()
    crowd.check_writes()
    for account in crowd.model.tables.values():
        record = await crowd.db.read(table_storage.load, account.id)
        assert record is not None
        assert list(record.entries) == account.entries
        assert record.seats == account.seats
        # Published revisions are saved apart from changes.
        kept = replace(record.header, published=0, message_id=None)
        assert kept == replace(account.header, published=0, message_id=None)


def _check_coverage(crowd: FuzzHarness, effects: AbstractSet[str]) -> None:
    """Require that the run covered every game, and both allowed and forbidden actions."""
    accounts = crowd.model.tables.values()
    assert crowd.model.effects.total() > crowd.act_counts.total() / 20
    played = {account.header.game for account in accounts if account.entries}
    assert played == set(crowd.model.games)
    places = {account.header.location.guild_id for account in accounts if account.entries}
    assert places == {*SERVERS, None}
    assert not _find_missing(crowd, effects)


def _check_logs(crowd: FuzzHarness, caplog: pytest.LogCaptureFixture) -> None:
    seeds = {account.header.seed.hex() for account in crowd.model.tables.values()}
    assert not find_leaks(caplog.text, seeds)
