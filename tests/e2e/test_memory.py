"""What the bot does not need any more it lets go of."""

import gc

import discord

from bot.sandbox.people.person import Person
from tests.support.fakes import until
from tests.support.parlour import Parlour, id_of


def interactions() -> list[discord.Interaction]:
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, discord.Interaction)]


async def test_no_interaction_outlives_its_answer(parlour: Parlour) -> None:
    """What is remembered of private messages is what it takes to delete them."""
    people: tuple[Person, ...] = (parlour.robin, parlour.wren)
    message = await parlour.opened(parlour.robin)
    for person in people:
        await person.click(message, id_of(message, "How to play"))
        await person.slash(parlour.here, "table read")
    await parlour.robin.click(message, id_of(message, "Options"))
    assert parlour.client.whispers._newest
    # Whoever was answered last may still be on their way out.
    await until(lambda: not interactions())
