"""The history between two people as it is shown."""

from bot.features.profiles.messages import render_duel
from bot.features.profiles.model import Duel, Encounters, Versus
from bot.features.results.model import FinishedTable
from bot.platform.places import Person
from tests.support.fakes import ROBIN
from tests.support.games import load_games_once
from tests.support.sample_results import HERE, make_game_results

DUEL = Duel(HERE, ROBIN.id, 12)


def test_the_longest_history_fits_discords_limits() -> None:
    people = (ROBIN.id, 12, 13, 14, 15, 16)
    tables = tuple(
        FinishedTable(tuple(make_game_results(at, *people, name="*" * 32, score=10**9)), 10**18) for at in range(1, 6)
    )
    encounters = tuple(Encounters(key, 10**6, 10**6, 10**6) for key in sorted(load_games_once()))
    embed = render_duel(Versus(DUEL, encounters, tables), load_games_once(), Person(12, "_" * 32)).text_embed
    assert len(str(embed.description)) <= 4096
    assert all(len(str(field.value)) <= 1024 for field in embed.fields)
