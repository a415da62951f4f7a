"""Tables played at random by the host's service, without a click."""

import random
from contextlib import suppress

from bot.platform.places import Location, Person
from bot.rules.chance import FastChance
from bot.rules.options import set_option
from bot.rules.playout import random_move
from bot.sandbox.people.person import Person as SandboxPerson
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.refusals import Stale
from bot.tables.seats import resign_seat
from bot.tables.table import Table
from tests.support.parlour import Parlour
from tests.support.short_games import SHORT_OPTIONS


def as_person(who: SandboxPerson) -> Person:
    """Return a person of the sandbox as the bot knows them."""
    return Person(who.id, who.name)


async def play_at_random(parlour: Parlour, game: str, channel_id: int, *people: SandboxPerson, most: int = 40) -> Table:
    """Play a short game without looking at it, for some moves at most, and return the table."""
    service, rng = parlour.client.app.service(Host).service, FastChance(random.Random(game))
    package = service.games[game]
    options = package.game.info.options()
    for name, value in SHORT_OPTIONS.get(game, {}).items():
        options = set_option(options, name, str(value))
    opener, *others = people[: package.game.info.most_seats]
    location = Location(parlour.sandbox.world.server.id, channel_id)
    table = await open_game(service, game, options, as_person(opener), location, click_id=1, computers=0)
    for number, other in enumerate(others, 2):
        table = await service.join(table.id, as_person(other), number)
    table = await service.start(table.id, as_person(opener), 99)
    while (mover := table.mover) is not None and table.header.step < most:
        assert mover.user_id is not None
        move = random_move(package.game.legal_moves(table.state), rng)
        who = Person(mover.user_id, mover.name)
        with suppress(Stale):
            # The host ends turns in which nothing can be done.
            await service.play(table.id, who, table.header.step, str(move), 100 + table.header.step)
        table = await service.table(table.id)
    return table


async def finish_at_random(parlour: Parlour, game: str, channel_id: int, *people: SandboxPerson) -> Table:
    """Play a short game without looking at it; if it has not ended after some moves, the first person resigns."""
    table = await play_at_random(parlour, game, channel_id, *people)
    if table.header.status is Status.PLAYING:
        service = parlour.client.app.service(Host).service
        return await service.apply_seat_action(table.id, as_person(people[0]), resign_seat, 50)
    return table
