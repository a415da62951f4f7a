"""The bot keeps nothing in memory that it no longer needs."""

import gc
from functools import partial

import discord

from bot.sandbox.people.person import Person
from tests.support.memory import count_instances
from tests.support.parlour import ROLL, Parlour
from tests.support.waiting import wait_until


def count_interactions(*, collect: bool = True) -> int:
    return count_instances(discord.Interaction, collect=collect)


async def test_no_interaction_outlives_its_answer(parlour: Parlour) -> None:
    """Of private messages, only what is needed to delete them is kept."""
    earlier = count_interactions()  # errors that other tests share may hold some of theirs
    people: tuple[Person, ...] = (parlour.robin, parlour.wren)
    message = await parlour.open_table(parlour.robin)
    readings = []
    for person in people:
        await parlour.press(person, await parlour.open_more(person, message), "How to play")
        readings.append((await person.slash(parlour.here, "table read")).replies[0])
    await parlour.open_options(parlour.robin, message)
    # The handler of the last interaction may still be running.
    await wait_until(lambda: count_interactions() == earlier)
    for person, reading in zip(people, readings, strict=True):
        await person.slash(parlour.here, "table read")
        await parlour.sandbox.until(partial(getattr, reading, "deleted"))


async def test_a_click_leaves_no_garbage(parlour: Parlour) -> None:
    """Cycles of a click's objects would have the garbage collector stop the bot for them."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    earlier = count_interactions()
    gc.disable()
    try:
        for _ in range(3):
            await parlour.press(await parlour.mover(), message, ROLL)
        await wait_until(lambda: count_interactions(collect=False) == earlier)
    finally:
        gc.enable()
