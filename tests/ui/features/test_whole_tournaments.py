"""The whole bracket of a tournament, in a large picture or in words."""

from typing import Any

import pytest

from bot.features.settings.all_settings import PICTURES
from bot.features.settings.choices import PictureChoice
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import Format, Tournament
from bot.features.tournaments.service import TournamentService
from bot.platform.places import Person
from bot.rules.picture import PICTURE_WIDTH
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN, STRANGER
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click
from tests.ui.fake_servers import make_member, make_server

SERVER = make_server(HERE.channel_id)
PLAYERS = 9


@pytest.mark.parametrize("pictures", [PictureChoice.STANDARD, PictureChoice.OFF])
async def test_anyone_sees_all_players_in_a_picture_or_all_games_in_words(
    adapter: Adapter, db: MemoryDatabase, pictures: PictureChoice
) -> None:
    db.chosen[HERE.scope_id] = chosen({PICTURES: pictures})
    service = adapter.app.service(TournamentService)
    now = adapter.service.clock()
    await service.open(Tournament(0, "Cup", "magpie", "{}", HERE, ROBIN, now, 24, Format.KNOCKOUT))
    for number in range(1, PLAYERS + 1):
        await service.join(1, Person(number, f"Player {number}"), number)
    await service.start(1)
    member = make_member(STRANGER, SERVER)
    click: Any = make_click(STRANGER, TournamentButtonId(1, TournamentButton.WHOLE), guild=SERVER, member=member)
    await adapter.click(click)
    drawn = [picture for picture, _theme in adapter.picture_drawer.drawn_pictures]
    (answer,) = click.answers
    shown = str(answer.embed.to_dict())
    if pictures is PictureChoice.OFF:
        assert drawn == []
        assert all(f"Player {number}" in shown for number in range(1, PLAYERS + 1))
    else:
        assert [picture.size[0] > PICTURE_WIDTH for picture in drawn] == [True]
        assert "Player" not in shown
