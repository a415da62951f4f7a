"""Tournaments through the sandbox: from the first click to the champion."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from functools import partial

import discord
import pytest

from bot.features.privacy import storage as privacy_storage
from bot.features.profiles import storage as profile_storage
from bot.features.tournaments import storage as tournament_storage
from bot.features.tournaments.messages import TournamentButton
from bot.features.tournaments.model import ADVANCE_KIND, Stage, TournamentReason
from bot.features.tournaments.pairing import champions
from bot.features.tournaments.sending import thread_name
from bot.languages import speaking
from bot.platform.catalogues import Catalogues
from bot.platform.jobs.jobs import LEASE
from bot.platform.jobs.storage import Job
from bot.sandbox.model.channels import Thread
from bot.sandbox.model.permissions import Permissions
from bot.tables.host import Host
from bot.tables.model import Status
from bot.words import gettext
from tests.support.games import load_games_once
from tests.support.parlour import Parlour, shows_moves
from tests.support.tournaments import (
    begin,
    do_jobs,
    everyone,
    finish_table,
    ids_of,
    open_tournament,
    pass_hours,
    press,
    tables_of,
    text_of,
    threads_of,
    tournament_of,
)

pytestmark = pytest.mark.slow


async def play_round(parlour: Parlour) -> None:
    service = parlour.client.app.service(Host).service
    for table in await tables_of(parlour):
        await finish_table(service, table)
    await do_jobs(parlour)


def _are_called(thread: Thread, people: Collection[int]) -> bool:
    """Tell whether a message in a thread mentions people, which comes before the table or after it."""
    return any(all(f"<@{user_id}>" in message.text for user_id in people) for message in thread.public_messages)


async def test_a_tournament_of_five(parlour: Parlour) -> None:
    people = everyone(parlour)
    message = await open_tournament(parlour, parlour.robin, name="The *Cup*", deadline=24)
    assert "The \\*Cup\\*" in message.text
    for each in people:
        await press(parlour, each, message, TournamentButton.JOIN)
    await parlour.sandbox.until(lambda: all(each.name in message.text for each in people))
    stranger = await press(parlour, parlour.jay, message, TournamentButton.START)
    assert text_of(TournamentReason.NOT_ORGANIZER) in stranger.text
    await press(parlour, parlour.robin, message, TournamentButton.START)
    await do_jobs(parlour)

    for number in range(1, 6):
        tournament = await tournament_of(parlour)
        assert (tournament.round, tournament.rounds) == (number, 5)
        tables = await tables_of(parlour)
        assert len(tables) == 2
        links = [f"<#{table.header.location.channel_id}>" for table in tables]
        await parlour.sandbox.until(lambda: all(link in message.text for link in links))  # noqa: B023 - awaited at once
        threads = {thread.id: thread for thread in threads_of(parlour)}
        for table, pairing in zip(tables, tournament.in_play, strict=True):
            thread = threads[table.header.location.channel_id]
            assert all(name in thread.name for name in (tournament.title, *(who.name for who in table.seats)))
            seated = {who.user_id for who in table.seats}
            assert seated == set(pairing.people) <= set(thread.members)
            await parlour.sandbox.until(partial(_are_called, thread, pairing.people))
        await play_round(parlour)

    tournament = await tournament_of(parlour)
    assert tournament.stage is Stage.FINISHED
    assert len({frozenset(each.people) for each in tournament.pairings}) == len(tournament.pairings) == 10
    assert len(threads_of(parlour)) == 10
    *_, last = parlour.jay.visible_messages(parlour.here)
    assert last.text.startswith("🏆 ")
    assert [each.description for each in last.attachments] == [each.description for each in message.attachments]
    assert ids_of(message) == []
    record = await parlour.db.read(profile_storage.person_record, parlour.jay.id, parlour.sandbox.world.server.id)
    assert [each.rating.games for each in record.ratings] == [4], "its tables are rated like any other"
    before = len(parlour.jay.visible_messages(parlour.here))
    await do_jobs(parlour)
    assert len(parlour.jay.visible_messages(parlour.here)) == before, "announced once"
    shown = await parlour.jay.slash(parlour.here, "tournament show")
    assert all(each.name in shown.text for each in people)
    listed = await parlour.jay.slash(parlour.here, "tournament list")
    assert all(winner.name in listed.text for winner in champions(tournament))


async def test_a_game_waits_for_its_players_and_only_they_start_it(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren])
    (table,) = await tables_of(parlour)
    (thread,) = threads_of(parlour)
    await parlour.sandbox.until(lambda: any(each.buttons for each in thread.public_messages))
    (message,) = [each for each in thread.public_messages if each.buttons]
    start, _more = ids_of(message)
    await pass_hours(parlour, 20)
    await parlour.client.app.service(Host).sweep()
    assert (await parlour.client.app.service(Host).service.reload(table.id)).header.status is Status.LOBBY
    answer = await parlour.jay.click(message, start)
    assert answer.text
    starter = parlour.sandbox.person(table.seats[0].name)
    await starter.click(message, start)
    await parlour.sandbox.until(lambda: shows_moves(message))


async def test_who_withdraws_makes_room_for_the_opponent(parlour: Parlour) -> None:
    people = everyone(parlour)[:4]
    await begin(parlour, people, format="knockout")
    asked = (await parlour.wren.slash(parlour.here, "tournament withdraw")).replies[0]
    await press(parlour, parlour.wren, asked, TournamentButton.WITHDRAW)
    refused = await parlour.jay.slash(parlour.here, "tournament withdraw", member=parlour.linnet.id)
    assert text_of(TournamentReason.NOT_ORGANIZER) in refused.text
    again = await parlour.wren.slash(parlour.here, "tournament withdraw")
    assert text_of(TournamentReason.NOT_IN_IT) in again.text
    await parlour.robin.slash(parlour.here, "tournament withdraw", member=parlour.jay.id)
    await do_jobs(parlour)
    tournament = await tournament_of(parlour)
    assert {each.user_id for each in tournament.active} == {parlour.robin.id, parlour.linnet.id}
    await play_round(parlour)
    await play_round(parlour)
    assert (await tournament_of(parlour)).stage is Stage.FINISHED


async def test_a_cancelled_table_and_a_deleted_thread_are_opened_anew(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    (table,) = await tables_of(parlour)
    (thread,) = threads_of(parlour)
    await parlour.robin.slash(thread, "table cancel")
    await do_jobs(parlour)
    (second,) = await tables_of(parlour)
    assert second.id != table.id
    assert second.header.location == table.header.location

    parlour.sandbox.world.remove_thread(thread)
    await asyncio.sleep(0)
    await pass_hours(parlour, 12.1)
    (third,) = await tables_of(parlour)
    assert third.header.location.channel_id != thread.id
    assert [each.id for each in threads_of(parlour)] == [third.header.location.channel_id]


async def test_without_threads_games_are_played_one_after_another(parlour: Parlour) -> None:
    parlour.here.bot_permissions &= ~Permissions.CREATE_PUBLIC_THREADS
    parlour.sandbox.world.notify_permissions_changed(parlour.here)
    message = await begin(parlour, everyone(parlour)[:4])
    assert gettext("Create Public Threads") in message.text
    played = 0
    while (await tournament_of(parlour)).stage is Stage.RUNNING:
        (table,) = await tables_of(parlour)
        assert table.header.location.channel_id == parlour.here.id
        await finish_table(parlour.client.app.service(Host).service, table)
        played += 1
        await do_jobs(parlour)
    assert played == 6


async def test_a_deleted_channel_ends_a_tournament(parlour: Parlour) -> None:
    await begin(parlour, everyone(parlour)[:3])
    (table,) = await tables_of(parlour)
    await finish_table(parlour.client.app.service(Host).service, table)
    parlour.sandbox.world.remove_channel(parlour.here)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []


async def test_a_message_that_was_edited_too_often_makes_room_for_another(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin)
    message.is_edit_limited = True
    await press(parlour, parlour.wren, message, TournamentButton.JOIN)
    await parlour.sandbox.until(lambda: message.deleted)
    (again,) = parlour.here.public_messages
    assert "Wren" in again.text


async def test_a_message_posted_for_a_deleted_tournament_is_removed(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin)
    parlour.sandbox.world.remove_message(message)
    before = await tournament_of(parlour)
    job = Job(ADVANCE_KIND, "1", parlour.client.app.service(Host).service.clock())
    await parlour.db.write(tournament_storage.save, before, replace(before, revision=before.revision + 1), [job])
    held = parlour.sandbox.fault_injector.hold("POST", f"/channels/{parlour.here.id}/messages", response=True)
    doing = asyncio.ensure_future(do_jobs(parlour))
    await held.reached.wait()
    while await parlour.db.maintain(privacy_storage.erase_server_rows, parlour.sandbox.world.server.id, 200):
        pass
    held.release()
    await doing
    assert await parlour.db.read(tournament_storage.find, 1) is None
    assert not parlour.here.public_messages


async def test_after_a_death_in_the_middle_another_process_goes_on_with_the_same_threads(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin)
    for each in everyone(parlour)[:4]:
        await press(parlour, each, message, TournamentButton.JOIN)
    await press(parlour, parlour.robin, message, TournamentButton.START)
    service = parlour.client.app.service(Host).service
    now = service.clock()
    # It has claimed the tournament and opened a thread, when the server spoke another language, and nothing more.
    assert await parlour.db.maintain(tournament_storage.claim, 1, now, now + LEASE)
    bot = await parlour.client.fetch_channel(parlour.here.id)
    assert isinstance(bot, discord.TextChannel)
    tournament = await tournament_of(parlour)
    with speaking(Catalogues().find("he")):
        name = thread_name(tournament, tournament.in_play[0], load_games_once())
    await bot.create_thread(name=name, type=discord.ChannelType.public_thread)
    await do_jobs(parlour, waits=False)
    assert await tables_of(parlour) == []
    await pass_hours(parlour, 0.1)
    assert len(await tables_of(parlour)) == len(threads_of(parlour)) == 2


async def test_the_opener_cancels_a_tournament_with_its_tables(parlour: Parlour) -> None:
    message = await begin(parlour, [parlour.robin, parlour.wren])
    stranger = await parlour.wren.click(message, "tn:1:really", forged=True)
    assert text_of(TournamentReason.NOT_ORGANIZER) in stranger.text
    panel = (await parlour.robin.click(message, "tn:1:cancel", forged=True)).replies[0]
    await press(parlour, parlour.robin, panel, TournamentButton.CANCEL)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []
