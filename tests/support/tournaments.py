"""Tournaments in tests."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest.mock import patch

from sqlalchemy import Connection, func, select

from bot.features.tournaments import storage as tournament_storage
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    DEADLINE_KIND,
    FORGOTTEN_KIND,
    REMINDER_KIND,
    START_KIND,
    Tournament,
    TournamentReason,
)
from bot.features.tournaments.refusals import TOURNAMENT_ERROR_MESSAGES
from bot.platform.database.database import Database
from bot.platform.discord.client import ParlourClient
from bot.platform.jobs import downtimes
from bot.platform.jobs.jobs import JobRunner
from bot.platform.jobs.looks import Chore, Chores, Look
from bot.platform.jobs.storage import jobs
from bot.platform.places import Person
from bot.sandbox.model.channels import Thread
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person as SandboxPerson
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.words import gettext as _
from tests.support.finished_games import roll_all
from tests.support.parlour import Parlour


@contextmanager
def hold_jobs() -> Iterator[None]:
    """Keep bots that are started from doing jobs, and noting that they run, on their own: tests say when they do."""

    def hold(
        db: Database,
        clock: Callable[[], datetime],
        looks: Sequence[Look],
        *,
        each_round: Sequence[Chore],
        each_minute: Sequence[Chore],  # noqa: ARG001 - they schedule jobs
        after_outage: Callable[[], None],
    ) -> Chores:
        others = [each for each in looks if each.name != "jobs"]
        _note_alive, *upkeep = each_round
        return Chores(db, clock, others, each_round=upkeep, each_minute=(), after_outage=after_outage)

    with patch("bot.platform.registration.Chores", hold):
        yield


def make_runner(parlour: Parlour, client: ParlourClient | None = None) -> JobRunner:
    """Make what does the jobs of tournaments in the process of a client."""
    app = (client or parlour.client).app
    kinds = (ADVANCE_KIND, START_KIND, REMINDER_KIND, DEADLINE_KIND, FORGOTTEN_KIND)
    return JobRunner(parlour.db, app.service(Host).service.clock, {kind: app.jobs[kind].run for kind in kinds})


async def do_jobs(parlour: Parlour, *, waits: bool = True) -> None:
    """Do what is due in tournaments, and what is due because of that."""
    runner, clock = make_runner(parlour), parlour.client.app.service(Host).service.clock

    async def has_due_jobs() -> bool:
        await runner.check()
        await runner.finish()
        # Other jobs may follow from those.
        return await parlour.db.read(_count_due, clock() + timedelta(seconds=5)) > 0

    while await has_due_jobs() and waits:
        pass


def _count_due(connection: Connection, now: datetime) -> int:
    of_tournaments = jobs.c.kind.in_((ADVANCE_KIND, START_KIND, REMINDER_KIND, DEADLINE_KIND))
    return connection.execute(select(func.count()).where(of_tournaments, jobs.c.due_at <= now)).scalar_one()


async def pass_hours(parlour: Parlour, hours: float) -> None:
    """Let hours go by while the bot runs, and do what is due by then."""
    await stay_up(parlour, hours)
    await do_jobs(parlour)


async def stay_up(parlour: Parlour, hours: float) -> None:
    """Let hours go by while the bot runs: otherwise they are downtime, which does not count."""
    parlour.advance_clock(minutes=60 * hours)
    await parlour.db.maintain(
        downtimes.note_alive, parlour.db.shards, parlour.client.app.service(Host).service.clock(), timedelta.max
    )


async def tournament_of(parlour: Parlour, number: int = 1) -> Tournament:
    """Return a tournament as stored."""
    found = await parlour.db.read(tournament_storage.find, number)
    assert found is not None
    return found


async def tables_of(parlour: Parlour, number: int = 1) -> list[Table]:
    """Return the open tables of a tournament."""
    found = (await parlour.db.read(tournament_storage.find_tables, number)).values()
    return [
        await parlour.client.app.service(Host).service.reload(each.table_id) for each in found if each.status.is_open
    ]


async def finish_table(service: TableService, table: Table) -> Table:
    """Let the people at a table of Magpie play it to its end."""
    if table.header.status is Status.LOBBY:
        opener = table.seats[0]
        table = await service.start(table.id, Person(opener.user_id or 0, opener.name), 50)
    while table.header.status is Status.PLAYING:
        table = await roll_all(service, table)
    return table


def everyone(parlour: Parlour) -> list[SandboxPerson]:
    """Return the five people of the server."""
    return [parlour.robin, parlour.wren, parlour.jay, parlour.linnet, parlour.sandbox.person("Finch")]


async def open_tournament(parlour: Parlour, opener: SandboxPerson, /, **options: object) -> Message:
    """Open a tournament in the channel and return its message."""
    answer = await opener.slash(parlour.here, "tournament new", game="magpie", **options)
    await parlour.sandbox.until(lambda: "https://" in answer.text)
    return parlour.wren.visible_messages(parlour.here)[-1]


async def press(parlour: Parlour, who: SandboxPerson, message: Message, button: TournamentButton) -> Interaction:
    """Press a button of the tournament as soon as a message shows it."""
    custom_id = str(TournamentButtonId(1, button))
    await parlour.sandbox.until(lambda: custom_id in ids_of(message))
    return await who.click(message, custom_id)


def ids_of(message: Message) -> list[str]:
    """Return the ids of the buttons of a message."""
    return [button.custom_id or "" for button in message.buttons]


def text_of(reason: TournamentReason) -> str:
    """Return what people read when they are refused."""
    return _(TOURNAMENT_ERROR_MESSAGES[reason])


async def begin(parlour: Parlour, players: Sequence[SandboxPerson], /, **options: object) -> Message:
    """Open a tournament, let people join it and start it; the first one opens it."""
    message = await open_tournament(parlour, players[0], **options)
    for each in players:
        await press(parlour, each, message, TournamentButton.JOIN)
    await press(parlour, players[0], message, TournamentButton.START)
    await do_jobs(parlour)
    return message


def threads_of(parlour: Parlour) -> list[Thread]:
    """Return the threads there are."""
    return list(parlour.sandbox.world.threads.values())
