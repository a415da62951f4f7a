"""Deadlines of tournaments, and how rarely they are looked at."""

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.app.bootstrap import build_client
from bot.features.privacy.service import PersonalDataService
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import ADVANCE_KIND, Stage, TournamentReason, Verdict
from bot.features.tournaments.notices import closed_text
from bot.features.tournaments.organizer_messages import DecisionId, DecisionStep
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import LEASE, JobRunner
from bot.platform.jobs.storage import Job
from bot.sandbox.model.messages import Message
from bot.tables.host import Host
from bot.tables.model import Status
from bot.words import gettext
from tests.support.games import load_games_once
from tests.support.parlour import Parlour
from tests.support.tournaments import (
    begin,
    do_jobs,
    everyone,
    finish_table,
    ids_of,
    make_runner,
    open_tournament,
    pass_hours,
    press,
    stay_up,
    tables_of,
    text_of,
    threads_of,
    tournament_of,
)

pytestmark = pytest.mark.slow


def questions_in(parlour: Parlour, message: Message) -> list[Message]:
    """Return the messages in the channel, beside the tournament's, that lead to the panel of organizers."""
    organize = str(TournamentButtonId(1, TournamentButton.ORGANIZE))
    return [each for each in others_than(message, parlour) if organize in ids_of(each)]


async def give_a_day(parlour: Parlour, panel: Message) -> None:
    """Let Robin give the round more time."""
    (menu,) = [each for each in panel.selects if each.custom_id.startswith("tm:")]
    await parlour.robin.select(panel, menu.custom_id, ["24"])


async def test_half_time_reminds_and_the_end_of_time_lets_an_organizer_decide(parlour: Parlour) -> None:
    people = everyone(parlour)[:4]
    message = await begin(parlour, people, deadline=24)
    service = parlour.client.app.service(Host).service
    first, second = await tables_of(parlour)
    await finish_table(service, first)
    (thread,) = [each for each in threads_of(parlour) if each.id == second.header.location.channel_id]
    before = len(thread.public_messages)
    await pass_hours(parlour, 12.1)
    (reminder,) = thread.public_messages[before:]
    assert all(f"<@{who.user_id}>" in reminder.text for who in second.seats)

    await pass_hours(parlour, 12)
    asked = questions_in(parlour, message)
    assert len(asked) == 1
    tournament = await tournament_of(parlour)
    assert tournament.is_late
    assert tournament.round == 1, "nobody loses by itself"
    stranger = await press(parlour, parlour.wren, asked[0], TournamentButton.ORGANIZE)
    assert text_of(TournamentReason.NOT_ORGANIZER) in stranger.text
    panel = (await press(parlour, parlour.robin, asked[0], TournamentButton.ORGANIZE)).replies[0]
    assert all(who.name in panel.text for who in second.seats)
    await give_a_day(parlour, panel)
    assert not (await tournament_of(parlour)).is_late

    await pass_hours(parlour, 24.1)
    panel = (await press(parlour, parlour.robin, message, TournamentButton.ORGANIZE)).replies[0]
    winner = second.seats[0]
    (menu,) = [each for each in panel.selects if each.custom_id.startswith("tg:")]
    (pairing,) = (await tournament_of(parlour)).in_play
    await parlour.robin.select(panel, menu.custom_id, [str(pairing.board)])
    verdict = Verdict.FIRST if pairing.first_id == winner.user_id else Verdict.SECOND
    for step in DecisionStep:
        decide = str(DecisionId(1, pairing.round, pairing.board, verdict, step))
        await parlour.sandbox.until(lambda: decide in ids_of(panel))  # noqa: B023 - awaited at once
        await parlour.robin.click(panel, decide)
    await do_jobs(parlour)
    tournament = await tournament_of(parlour)
    assert tournament.round == 2
    assert [
        each.winner_id for each in tournament.pairings if set(each.people) == {who.user_id for who in second.seats}
    ] == [winner.user_id]
    assert (await service.reload(second.id)).header.status is Status.CANCELLED


async def test_managers_decide_when_the_opener_has_deleted_their_data(parlour: Parlour) -> None:
    message = await begin(parlour, everyone(parlour)[:4], deadline=24)
    privacy, now = parlour.client.app.service(PersonalDataService), parlour.client.app.service(Host).service.clock()
    await privacy.ask_erasure(parlour.robin.id)
    (job,) = await parlour.db.maintain(
        job_storage.claim, parlour.db.shards, ["erasure"], now + LEASE, now + 2 * LEASE, 1
    )
    assert await privacy.erase(job) is None
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    (asked,) = questions_in(parlour, message)
    assert asked.text.startswith(gettext("Moderators"))


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
    assert sum("<@" in each.text for each in thread.public_messages) == 1, "they are greeted, and not reminded"


def others_than(message: Message, parlour: Parlour) -> list[Message]:
    """Return the messages in the channel beside a tournament's message."""
    return [each for each in parlour.wren.visible_messages(parlour.here) if each.id != message.id]


async def test_the_check_in_calls_the_players_once_and_the_start_leaves_out_who_is_not_there(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin, format="swiss", starts="60m", checkin=30)
    *there, missing = people = everyone(parlour)[:4]
    for person in people:
        await press(parlour, person, message, TournamentButton.JOIN)
    await pass_hours(parlour, 0.4)
    assert others_than(message, parlour) == []
    await pass_hours(parlour, 0.2)
    await pass_hours(parlour, 0.1)
    (call,) = others_than(message, parlour)
    assert all(f"<@{person.id}>" in call.text for person in people)
    (here,) = [button.custom_id for button in call.buttons]
    assert here is not None
    await parlour.sandbox.until(lambda: here in [button.custom_id for button in message.buttons])
    for person in there:
        await person.click(call, here)
    await pass_hours(parlour, 0.5)
    tournament = await tournament_of(parlour)
    assert (tournament.stage, len(tournament.players)) == (Stage.RUNNING, 3)
    assert len([each for each in others_than(message, parlour) if missing.name in each.text]) == 1
    await press(parlour, missing, message, TournamentButton.JOIN)
    assert [player.user_id for player in (await tournament_of(parlour)).latecomers] == [missing.id]


async def test_tournaments_that_nobody_starts_are_closed_once_after_two_weeks(parlour: Parlour) -> None:
    message = await open_tournament(parlour, parlour.robin, name="The *Cup*")
    await pass_hours(parlour, 13 * 24)
    # Downtime is nobody's fault.
    parlour.advance_clock(minutes=3 * 24 * 60)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.JOINING
    other = build_client(parlour.db, load_games_once())
    other.app.service(Host).service.clock = parlour.client.app.service(Host).service.clock
    await pass_hours(parlour, 23)
    assert (await tournament_of(parlour)).stage is Stage.JOINING
    await stay_up(parlour, 2)
    runners = [make_runner(parlour, client) for client in (parlour.client, other)]
    await asyncio.gather(*(each.check() for each in runners))
    await asyncio.gather(*(each.finish() for each in runners))
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    closed = closed_text(await tournament_of(parlour), load_games_once())
    assert [each.text for each in others_than(message, parlour)] == [closed]
    await parlour.sandbox.until(lambda: not message.buttons)


async def test_tournaments_whose_time_is_long_up_are_closed_unless_somebody_decides(parlour: Parlour) -> None:
    message = await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    await pass_hours(parlour, 27 * 24)
    panel = (await press(parlour, parlour.robin, message, TournamentButton.ORGANIZE)).replies[0]
    await give_a_day(parlour, panel)
    await pass_hours(parlour, 24.1)
    assert (await tournament_of(parlour)).is_late
    await pass_hours(parlour, 27 * 24)
    assert (await tournament_of(parlour)).stage is Stage.RUNNING, "it had more time"
    await pass_hours(parlour, 24)
    assert (await tournament_of(parlour)).stage is Stage.CANCELLED
    assert await tables_of(parlour) == []
    news = [each.text for each in others_than(message, parlour)]
    assert news.count(closed_text(await tournament_of(parlour), load_games_once())) == 1


async def test_a_running_tournament_is_looked_at_four_times_an_hour(parlour: Parlour) -> None:
    await begin(parlour, [parlour.robin, parlour.wren], deadline=24)
    director, looks = parlour.client.app.service(Director), 0

    async def look(job: Job) -> datetime | None:
        nonlocal looks
        looks += 1
        return await director.run_advance_job(job)

    for _ in range(60):
        parlour.advance_clock(minutes=1)
        runner = JobRunner(parlour.db, parlour.client.app.service(Host).service.clock, {ADVANCE_KIND: look})
        await runner.check()
        await runner.finish()
    assert looks == 4
    # Nobody waits for the next look when a table ends.
    (table,) = await tables_of(parlour)
    await finish_table(parlour.client.app.service(Host).service, table)
    await do_jobs(parlour)
    assert (await tournament_of(parlour)).stage is Stage.FINISHED
