"""Organizers choose the options of a tournament's games before it starts."""

from typing import Any

import discord

from bot.features.settings.rights import FIXED
from bot.features.tournaments.director import Director
from bot.features.tournaments.model import ADVANCE_KIND, Tournament, TournamentReason
from bot.features.tournaments.organizer_messages import GameOptionId, offered_options
from bot.features.tournaments.service import TournamentService
from bot.platform.discord.refusals import ClickReason
from bot.platform.jobs.storage import Job
from bot.tables.model import HostChoice
from bot.tables.refusals import HostReason
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_menu_choice
from tests.ui.fake_servers import make_member, make_server

SERVER = make_server(HERE.channel_id)


async def choose(adapter: Adapter, option: str, value: str) -> Any:
    """Let Robin, who opened the tournament, choose an option."""
    more = {"guild": SERVER, "member": make_member(ROBIN, SERVER), "permissions": discord.Permissions.none()}
    return await adapter.click(make_menu_choice(ROBIN, GameOptionId(1, option), value, in_whisper=True, **more))


async def test_an_option_holds_at_all_tables_and_only_until_the_start(adapter: Adapter, db: MemoryDatabase) -> None:
    service = adapter.app.service(TournamentService)
    await service.open(Tournament(0, "Cup", "magpie", "{}", HERE, ROBIN, adapter.service.clock(), 24))
    for option, value in (("target", "7"), ("seed", "1")):
        assert (await choose(adapter, option, value)).refusal is ClickReason.UNKNOWN_BUTTON
    assert (await choose(adapter, "target", "200")).refusal is None
    db.chosen[3] = chosen({FIXED: frozenset({HostChoice.OPTIONS})})
    adapter.settings.clear()
    assert (await choose(adapter, "target", "100")).refusal is HostReason.FIXED_BY_SERVER
    for person in (ROBIN, WREN):
        await service.join(1, person, person.id)
    await service.start(1)
    assert (await choose(adapter, "target", "100")).refusal is TournamentReason.HAS_STARTED
    await adapter.app.service(Director).run_advance_job(Job(ADVANCE_KIND, "1", adapter.service.clock()))
    (found,) = (await service.tables(1)).values()
    assert (await adapter.service.reload(found.table_id)).options.model_dump()["target"] == 200


def test_options_that_make_a_series_are_not_offered() -> None:
    change = load_games_once()["change"]
    assert set(change.game.info.options.model_fields) - set(offered_options(change)) == {"games"}
