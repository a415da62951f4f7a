"""Deleting the data of people and servers while tournaments run."""

from functools import partial

import pytest
from sqlalchemy import select

from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.messages import PrivacyButton
from bot.features.privacy.service import SERVER_ERASURE
from bot.features.tournaments.messages import TournamentButton
from bot.features.tournaments.model import Stage
from bot.platform.jobs.storage import jobs
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.schema import DELETED_NAME
from tests.e2e.test_privacy import (
    delete_everything,
    is_server_gone,
    open_privacy,
    press,
    traces_in,
    wait_for,
    wait_for_erasure,
)
from tests.support.parlour import Parlour
from tests.support.tournaments import press as press_tournament, tables_of, tournament_of

pytestmark = pytest.mark.usefixtures("frequent_checks")


async def open_for(parlour: Parlour, *players: Person) -> Message:
    """Open a tournament that some people join; the first one opens it."""
    answer = await players[0].slash(parlour.here, "tournament new", game="magpie")
    await parlour.sandbox.until(lambda: "https://" in answer.text)
    message = parlour.wren.visible_messages(parlour.here)[-1]
    for each in players:
        await press_tournament(parlour, each, message, TournamentButton.JOIN)
    return message


async def delete_server(owner: Person, parlour: Parlour) -> None:
    """Ask by the buttons for a server's data to be deleted."""
    message = await open_privacy(owner, parlour)
    for button in (PrivacyButton.SERVER, PrivacyButton.SERVER_REALLY, PrivacyButton.SERVER_FOREVER):
        await press(owner, message, button)


async def has_tables(parlour: Parlour, count: int) -> bool:
    return len(await tables_of(parlour)) == count


async def test_who_deletes_their_data_leaves_tournaments_before_the_start(parlour: Parlour) -> None:
    message = await open_for(parlour, parlour.wren, parlour.robin)
    await parlour.sandbox.until(lambda: "Robin" in message.text)
    await delete_everything(parlour.robin, parlour)
    assert [each.name for each in (await tournament_of(parlour)).players] == ["Wren"]
    await parlour.sandbox.until(lambda: "Robin" not in message.text)


async def test_who_deletes_their_data_is_not_paired_any_more(parlour: Parlour) -> None:
    robin, wren, jay = parlour.robin, parlour.wren, parlour.jay
    message = await open_for(parlour, robin, wren, jay, parlour.linnet)
    await press_tournament(parlour, robin, message, TournamentButton.START)
    await wait_for(partial(has_tables, parlour, 2))
    await delete_everything(robin, parlour)
    await parlour.sandbox.until(lambda: "Robin" not in message.text and DELETED_NAME in message.text)
    await wait_for(partial(has_tables, parlour, 1))
    tournament = await tournament_of(parlour)
    assert [each.name for each in tournament.players if each.has_withdrawn] == [DELETED_NAME]
    assert not any(each < 0 for pairing in tournament.in_play for each in pairing.people)
    assert not await traces_in(parlour, robin.id)


async def test_a_server_with_a_running_tournament_can_be_deleted(parlour: Parlour) -> None:
    owner = parlour.sandbox.person("Robin")
    message = await open_for(parlour, parlour.wren, parlour.jay)
    await press_tournament(parlour, parlour.wren, message, TournamentButton.START)
    await wait_for(partial(has_tables, parlour, 1))
    before, threads = await parlour.db.read(privacy_storage.count_erasures), len(parlour.sandbox.world.threads)
    await delete_server(owner, parlour)
    await wait_for(partial(is_over, parlour))
    await parlour.sandbox.until(lambda: not message.buttons)
    parlour.advance_clock(minutes=1)
    await wait_for_erasure(parlour, before)
    await wait_for(partial(is_server_gone, parlour))
    assert len(parlour.sandbox.world.threads) == threads, "no table was opened anew"


async def test_a_tournament_is_shown_as_cancelled_before_its_server_is_deleted(parlour: Parlour) -> None:
    message = await open_for(parlour, parlour.wren)
    await parlour.sandbox.until(lambda: "Wren" in message.text)
    before = await parlour.db.read(privacy_storage.count_erasures)
    held = parlour.sandbox.fault_injector.hold("PATCH", f"/messages/{message.id}")
    await delete_server(parlour.sandbox.person("Robin"), parlour)
    await held.reached.wait()
    await wait_for(partial(is_put_off, parlour))
    held.release()
    await parlour.sandbox.until(lambda: not message.buttons)
    parlour.advance_clock(minutes=1)
    await wait_for_erasure(parlour, before)
    await wait_for(partial(is_server_gone, parlour))


async def is_put_off(parlour: Parlour) -> bool:
    """Return whether the deletion of the server waits."""
    is_later = (jobs.c.kind == SERVER_ERASURE) & (jobs.c.due_at > parlour.client.app.service(Host).service.clock())
    return await parlour.db.read(lambda reader: reader.execute(select(jobs).where(is_later)).first() is not None)


async def is_over(parlour: Parlour) -> bool:
    return (await tournament_of(parlour)).stage is Stage.CANCELLED and not await tables_of(parlour)
