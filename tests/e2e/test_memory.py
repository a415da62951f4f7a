"""What the bot does not need any more it lets go of."""

import gc

import discord

from bot.sandbox.people.person import Person
from tests.support.fakes import wait_until
from tests.support.parlour import Parlour, button_id


def live_interactions() -> list[discord.Interaction]:
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, discord.Interaction)]


async def test_no_interaction_outlives_its_answer(parlour: Parlour) -> None:
    """What is remembered of private messages is what it takes to delete them."""
    people: tuple[Person, ...] = (parlour.robin, parlour.wren)
    message = await parlour.open_table(parlour.robin)
    for person in people:
        await person.click(message, button_id(message, "How to play"))
        await person.slash(parlour.here, "table read")
    await parlour.robin.click(message, button_id(message, "Options"))
    assert parlour.client.ephemeral_messages._newest
    # Whoever was answered last may still be on their way out.
    await wait_until(lambda: not live_interactions())
