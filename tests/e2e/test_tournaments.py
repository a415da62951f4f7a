"""Tournaments through the sandbox: from the first click to the champion."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import discord
import pytest

from bot.bootstrap import build_client
from bot.community.jobs import LEASE, Job, JobRunner
from bot.community.tournaments.model import Stage, Verdict
from bot.community.tournaments.schedule import ADVANCE_KIND
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.people.person import Person
from bot.tables.model import Status
from tests.support.parlour import Parlour
from tests.support.tournaments import do_jobs, finish_table, hold_jobs, pass_hours, tables_of, tournament_of


def everyone(parlour: Parlour) -> list[Person]:
    return [parlour.robin, parlour.wren, parlour.jay, parlour.linnet, parlour.sandbox.person("Finch")]


@pytest.fixture(autouse=True)
def _held_jobs() -> Iterator[None]:
    with hold_jobs():
        yield


@pytest.fixture(autouse=True)
async def _short_games(parlour: Parlour) -> None:
    """Let games of Magpie be short in this server."""
    await parlour.robin.slash(parlour.here, "settings options", game="magpie", option="target", value="50")


async def open_tournament(parlour: Parlour, opener: Person, /, **options: object) -> Message:
    """Open a tournament in the channel and return its message."""
    answer = await opener.slash(parlour.here, "tournament new", game="magpie", **options)
    await parlour.sandbox.until(lambda: "Your tournament is open: https://" in answer.text)
    return parlour.wren.visible_messages(parlour.here)[-1]


async def begin(parlour: Parlour, players: Sequence[Person], /, **options: object) -> Message:
    """Open a tournament, let people join it and start it; the first one opens it."""
    message = await open_tournament(parlour, players[0], **options)
    for each in players:
        await parlour.press(each, message, "Join")
    await parlour.press(players[0], message, "Start")
    await do_jobs(parlour)
    return message


async def play_round(parlour: Parlour) -> None:
    service = parlour.client.host.service
    for table in await tables_of(parlour):
        await finish_table(service, table)
    await do_jobs(parlour)


def threads_of(parlour: Parlour) -> list[Thread]:
    return list(parlour.sandbox.world.threads.values())


async def test_a_tournament_of_five(parlour: Parlour) -> None:
    people = everyone(parlour)
    message = await open_tournament(parlour, parlour.wren, name="The *Cup*", deadline=24)
    assert "The \\*Cup\\*" in message.text
    for each in people:
        await parlour.press(each, message, "Join")
    await parlour.sandbox.until(lambda: "5 of at most 32 players" in message.text)
    stranger = await parlour.press(parlour.jay, message, "Start")
    assert "Only the opener of this tournament" in stranger.text
    await parlour.press(parlour.wren, message, "Start")
    await do_jobs(parlour)

    for number in range(1, 6):
        tournament = await tournament_of(parlour)
        assert (tournament.round, tournament.rounds) == (number, 5)
        await parlour.sandbox.until(lambda: f"Round {number} of 5" in message.text)  # noqa: B023 - awaited at once
        tables = await tables_of(parlour)
        assert len(tables) == 2
        threads = {thread.id: thread for thread in threads_of(parlour)}
        for table, pairing in zip(tables, tournament.in_play, strict=True):
            thread = threads[table.header.location.channel_id]
            assert thread.name == f"Tournament 1 · round {number} · game {pairing.board}"
            assert f"<#{thread.id}>" in message.text
            seated = {who.user_id for who in table.seats}
            assert seated == set(pairing.people) <= set(thread.members)
            assert "press" in thread.public_messages[0].text
        await play_round(parlour)

    tournament = await tournament_of(parlour)
    assert tournament.stage is Stage.FINISHED
    assert len({frozenset(each.people) for each in tournament.pairings}) == len(tournament.pairings) == 10
    assert len(threads_of(parlour)) == 10
    last = parlour.jay.visible_messages(parlour.here)[-1]
    assert last.text.startswith("🏆 ")
    assert (
        sum(
            "first place in" in each.text or "wins The" in each.text
            for each in parlour.jay.visible_messages(parlour.here)
            if not each.embeds
        )
        == 1
    )
    assert "Organize" not in [button.label for button in message.buttons]
    record = await parlour.store.person_record(parlour.jay.id, parlour.sandbox.world.server.id)
    assert [each.rating.games for each in record.ratings] == [4], "its tables are rated like any other"
    before = len(parlour.jay.visible_messages(parlour.here))
    await do_jobs(parlour)
    assert len(parlour.jay.visible_messages(parlour.here)) == before, "announced once"
    shown = await parlour.jay.slash(parlour.here, "tournament show")
    assert "Standings" in shown.text
    listed = await parlour.jay.slash(parlour.here, "tournament list")
    assert "won by" in listed.text


async def test_a_game_waits_for_its_players_and_only_they_start_it(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren])
    (table,) = await tables_of(parlour)
    (thread,) = threads_of(parlour)
    await parlour.sandbox.until(lambda: any(each.buttons for each in thread.public_messages))
    (message,) = [each for each in thread.public_messages if each.buttons]
    assert [button.label for button in message.buttons] == ["Start", "How to play"]
    assert "Tournament 1 · round 1" in message.text
    await pass_hours(parlour, 20)
    await parlour.client.host.sweep()
    assert (await parlour.client.host.service.reload(table.id)).header.status is Status.LOBBY
    answer = await parlour.press(parlour.jay, message, "Start")
    assert answer.text
    starter = parlour.sandbox.person(table.seats[0].name)
    await parlour.press(starter, message, "Start")
    await parlour.sandbox.until(lambda: "to roll" in message.text)


async def test_half_time_reminds_and_the_end_of_time_lets_an_organizer_decide(parlour: Parlour) -> None:
    people = everyone(parlour)[:4]
    message = await begin(parlour, people, deadline=24)
    service = parlour.client.host.service
    first, second = await tables_of(parlour)
    await finish_table(service, first)
    await pass_hours(parlour, 12.1)
    (thread,) = [each for each in threads_of(parlour) if each.id == second.header.location.channel_id]
    reminders = [each for each in thread.public_messages if "half the time" in each.text]
    assert len(reminders) == 1
    assert all(f"<@{who.user_id}>" in reminders[0].text for who in second.seats)
    assert (await parlour.press(parlour.robin, message, "Organize")).text.count("wins") == 0

    await pass_hours(parlour, 12)
    asked = [each for each in parlour.robin.visible_messages(parlour.here) if "is up, and not all" in each.text]
    assert len(asked) == 1
    tournament = await tournament_of(parlour)
    assert tournament.is_late
    assert tournament.round == 1, "nobody loses by itself"
    assert "Only the opener" in (await parlour.press(parlour.wren, asked[0], "Organize")).text
    panel = (await parlour.press(parlour.robin, asked[0], "Organize")).replies[0]
    assert "neither has made a move" in panel.text
    await parlour.press(parlour.robin, panel, "Give 1 day more")
    assert not (await tournament_of(parlour)).is_late

    await pass_hours(parlour, 24.1)
    panel = (await parlour.press(parlour.robin, message, "Organize")).replies[0]
    winner = second.seats[0]
    await parlour.press(parlour.robin, panel, f"{winner.name} wins")
    await do_jobs(parlour)
    tournament = await tournament_of(parlour)
    assert tournament.round == 2
    assert [
        each.winner_id for each in tournament.pairings if set(each.people) == {who.user_id for who in second.seats}
    ] == [winner.user_id]
    assert (await service.reload(second.id)).header.status is Status.CANCELLED


async def test_managers_decide_when_the_opener_has_deleted_their_data(parlour: Parlour) -> None:
    await begin(parlour, everyone(parlour)[:4], deadline=24)
    privacy, now = parlour.client.features.privacy.people, parlour.client.host.service.clock()
    await privacy.ask_erasure(parlour.robin.id)
    (job,) = await parlour.store.claim_jobs(["erasure"], now + LEASE, now + 2 * LEASE, 1)
    assert await privacy.erase(job) is None
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    (asked,) = [each for each in parlour.wren.visible_messages(parlour.here) if "is up, and not all" in each.text]
    assert asked.text.startswith("Moderators: ")


async def test_who_withdraws_makes_room_for_the_opponent(parlour: Parlour) -> None:
    people = everyone(parlour)[:4]
    await begin(parlour, people, format="knockout")
    asked = (await parlour.wren.slash(parlour.here, "tournament withdraw")).replies[0]
    await parlour.press(parlour.wren, asked, "Withdraw")
    refused = await parlour.jay.slash(parlour.here, "tournament withdraw", member=parlour.linnet.id)
    assert "Only the opener" in refused.text
    again = await parlour.wren.slash(parlour.here, "tournament withdraw")
    assert "You don't play" in again.text
    out = await parlour.robin.slash(parlour.here, "tournament withdraw", member=parlour.jay.id)
    assert "no longer plays" in out.text
    await do_jobs(parlour)
    tournament = await tournament_of(parlour)
    assert {each.user_id for each in tournament.active} == {parlour.robin.id, parlour.linnet.id}
    await play_round(parlour)
    await play_round(parlour)
    assert (await tournament_of(parlour)).stage is Stage.FINISHED


async def test_a_cancelled_table_and_a_deleted_thread_are_opened_anew(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    (table,) = await tables_of(parlour)
    opener = parlour.sandbox.person(table.seats[0].name)
    (thread,) = threads_of(parlour)
    await opener.slash(thread, "table cancel")
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
    assert "Create Public Threads" in message.text
    played = 0
    while (await tournament_of(parlour)).stage is Stage.RUNNING:
        (table,) = await tables_of(parlour)
        assert table.header.location.channel_id == parlour.here.id
        await finish_table(parlour.client.host.service, table)
        played += 1
        await do_jobs(parlour)
    assert played == 6


async def test_a_deleted_channel_ends_a_tournament(parlour: Parlour) -> None:
    await begin(parlour, everyone(parlour)[:3])
    (table,) = await tables_of(parlour)
    await finish_table(parlour.client.host.service, table)
    parlour.sandbox.world.remove_channel(parlour.here)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []


async def test_downtime_is_nobodys_fault(parlour: Parlour) -> None:
    message = await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    before = (await tournament_of(parlour)).due_at
    assert before is not None
    parlour.advance_clock(minutes=30 * 60)
    await do_jobs(parlour)
    tournament = await tournament_of(parlour)
    assert not tournament.is_late
    due_at = tournament.due_at
    assert due_at is not None
    assert due_at - before > timedelta(hours=29)
    await parlour.sandbox.until(lambda: f"<t:{int(due_at.timestamp())}>" in message.text)
    (thread,) = threads_of(parlour)
    assert not any("half the time" in each.text for each in thread.public_messages)


def news_of(parlour: Parlour) -> list[str]:
    """Return the messages in the channel that tell of a cancelled tournament."""
    return [each.text for each in parlour.jay.visible_messages(parlour.here) if "was cancelled: " in each.text]


async def test_tournaments_that_nobody_starts_are_closed_once_after_two_weeks(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin, name="The *Cup*")
    await pass_hours(parlour, 13 * 24)
    # Downtime is nobody's fault.
    parlour.advance_clock(minutes=3 * 24 * 60)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.JOINING
    other = build_client(parlour.store, parlour.client.host.service.games)
    other.host.service.clock = parlour.client.host.service.clock
    await pass_hours(parlour, 23)
    assert (await tournament_of(parlour)).stage is Stage.JOINING
    now = parlour.client.host.service.clock() + timedelta(hours=2)
    await parlour.store.set_value("alive at", now.isoformat())
    parlour.advance_clock(minutes=120)
    directors = [each.features.tournaments.director for each in (parlour.client, other)]
    runners = [JobRunner(parlour.store, parlour.client.host.service.clock, each.handlers) for each in directors]
    await asyncio.gather(*(each.check() for each in runners))
    await asyncio.gather(*(each.finish() for each in runners))
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert news_of(parlour) == ["🏆 The \\*Cup\\* was cancelled: no one started it within 14 days."]
    await parlour.sandbox.until(lambda: "This tournament was cancelled." in message.text)


async def test_tournaments_whose_time_is_long_up_are_closed_unless_somebody_decides(parlour: Parlour) -> None:
    message = await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    await pass_hours(parlour, 27 * 24)
    panel = (await parlour.press(parlour.robin, message, "Organize")).replies[0]
    await parlour.press(parlour.robin, panel, "Give 1 day more")
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    await pass_hours(parlour, 27 * 24)
    assert (await tournament_of(parlour)).stage is Stage.RUNNING, "it had more time"
    await pass_hours(parlour, 24)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []
    (news,) = news_of(parlour)
    assert "the time of round 1 was up 28 days ago, and no one decided it." in news


async def test_a_running_tournament_is_looked_at_four_times_an_hour(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    director, looks = parlour.client.features.tournaments.director, 0

    async def look(job: Job) -> datetime | None:
        nonlocal looks
        looks += 1
        return await director.advance(job)

    for _ in range(60):
        parlour.advance_clock(minutes=1)
        runner = JobRunner(parlour.store, parlour.client.host.service.clock, {ADVANCE_KIND: look})
        await runner.check()
        await runner.finish()
    assert looks == 4
    # Nobody waits for the next look when a table ends.
    (table,) = await tables_of(parlour)
    await finish_table(parlour.client.host.service, table)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.FINISHED


async def test_clicks_at_once_count_once(parlour: Parlour) -> None:
    people = everyone(parlour)
    message = await open_tournament(parlour, parlour.robin)
    join = next(each.custom_id for each in message.buttons if each.label == "Join")
    assert join is not None
    await asyncio.gather(*(each.click(message, join, forged=True) for each in people * 2))
    start = next(each.custom_id for each in message.buttons if each.label == "Start")
    assert start is not None
    await asyncio.gather(*(parlour.robin.click(message, start, forged=True) for _ in range(2)))
    late = await parlour.robin.click(message, join, forged=True)
    assert "has started" in late.text
    tournament = await tournament_of(parlour)
    assert sorted(each.user_id for each in tournament.players) == sorted(each.id for each in people)
    assert len(tournament.in_play) == 2


async def test_two_processes_open_each_table_once(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin)
    for each in everyone(parlour)[:4]:
        await parlour.press(each, message, "Join")
    other = build_client(parlour.store, parlour.client.host.service.games)
    runners = [
        JobRunner(parlour.store, each.host.service.clock, each.features.tournaments.director.handlers)
        for each in (parlour.client, other)
    ]
    await parlour.press(parlour.robin, message, "Start")
    await asyncio.gather(*(runner.check() for runner in runners))
    await asyncio.gather(*(runner.finish() for runner in runners))
    await do_jobs(parlour)
    await do_jobs(parlour)
    assert len(threads_of(parlour)) == len(await tables_of(parlour)) == 2


async def test_after_a_death_in_the_middle_another_process_goes_on_with_the_same_threads(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin)
    for each in everyone(parlour)[:4]:
        await parlour.press(each, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    service = parlour.client.host.service
    now = service.clock()
    # It has claimed the tournament and opened a thread, and nothing more.
    assert await parlour.store.claim_tournament(1, now, now + LEASE)
    bot = await parlour.client.fetch_channel(parlour.here.id)
    assert isinstance(bot, discord.TextChannel)
    await bot.create_thread(name="Tournament 1 · round 1 · game 1", type=discord.ChannelType.public_thread)
    await do_jobs(parlour, waits=False)
    assert await tables_of(parlour) == []
    await pass_hours(parlour, 0.1)
    assert len(await tables_of(parlour)) == len(threads_of(parlour)) == 2


async def test_forged_and_outdated_buttons_are_refused(parlour: Parlour) -> None:
    message = await begin(parlour, [parlour.robin, parlour.wren])
    for forged in ("tn:9:join", "td:9:1:1:first"):
        assert "don't know that tournament" in (await parlour.jay.click(message, forged, forged=True)).text
    for forged in ("tn:1:leap", "td:1:1:1:third", "td:1:x:1:first"):
        assert "another version" in (await parlour.jay.click(message, forged, forged=True)).text
    assert "Only the opener" in (await parlour.wren.click(message, "td:1:1:1:first", forged=True)).text
    assert "still has time" in (await parlour.robin.click(message, f"td:1:1:1:{Verdict.FIRST}", forged=True)).text
    assert "Only the opener" in (await parlour.wren.click(message, "tn:1:really", forged=True)).text
    panel = (await parlour.robin.click(message, "tn:1:cancel", forged=True)).replies[0]
    await parlour.press(parlour.robin, panel, "Cancel it")
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []
    direct = await parlour.robin.slash(parlour.robin.direct_channel, "tournament new", game="magpie")
    assert "need a server" in direct.text
    solo = await parlour.robin.slash(parlour.here, "tournament new", game="magic_bag")
    assert "played alone" in solo.text
