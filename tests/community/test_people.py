"""What people choose for themselves is changed one choice after another."""

import asyncio
from dataclasses import replace

from bot.features.profiles.model import PersonalPreferences
from bot.features.settings.people import PeopleCache
from tests.support.fakes import ROBIN
from tests.support.memory_database import MemoryDatabase


async def test_two_simultaneous_choices_are_both_stored() -> None:
    db = MemoryDatabase()
    people = PeopleCache(db)
    await asyncio.gather(
        people.change(ROBIN.id, lambda old: replace(old, tips=False)),
        people.change(ROBIN.id, lambda old: replace(old, reads_aloud=True)),
    )
    assert db.people[ROBIN.id] == PersonalPreferences(tips=False, reads_aloud=True)
    assert (await people.get(ROBIN.id)).preferences == db.people[ROBIN.id]
