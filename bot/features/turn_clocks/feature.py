"""Registers turn clocks."""

from bot.features.reminders.messages import TimeUpId
from bot.features.reminders.service import Reminders
from bot.features.turn_clocks.handlers import TurnClockCommands
from bot.features.turn_clocks.service import TurnClocks, schedule
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.handlers.readings import Readings
from bot.tables.model import HALF_TIME, TIME_UP


def register(app: App) -> Feature:
    """Register turn clocks."""
    clocks = TurnClocks(app.tables, app.db, app.service(Reminders))
    commands = TurnClockCommands(app.tables, app.service(Readings))
    return Feature(
        services=(clocks,),
        buttons={TimeUpId: app.clicks.at_table(commands.press)},
        hooks=(Hook(Happened.CLOCK_STARTED, in_transaction=schedule),),
        jobs=build_jobs(clocks),
        after_downtime=clocks.add_downtime,
    )


def build_jobs(clocks: TurnClocks) -> tuple[JobKind, ...]:
    """Return the kinds of turn clocks' jobs, whose keys are ids of tables."""
    return (
        JobKind(HALF_TIME, lambda job: clocks.pass_half_time(int(job.key), job.due_at)),
        JobKind(TIME_UP, lambda job: clocks.end_time(int(job.key), job.due_at)),
    )
