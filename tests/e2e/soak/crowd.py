"""A crowd that plays every game without end: new tables, lobbies, moves, private hands and commands."""

import asyncio
import random
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Button, Message, Select
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import Refusal
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import (
    CheckId,
    ComponentId,
    ControlId,
    HandId,
    InHandId,
    LobbyAction,
    LobbyId,
    LookId,
    OptionsId,
    ReplayId,
)
from tests.e2e.crash.load_scenario import Spot

LOOK_SECONDS: Final = 0.25
"""After so long people look again, whether anything has changed or not."""


@dataclass(frozen=True, slots=True)
class Game:
    """How a game is opened, so that it is soon over, and by how many people it is played."""

    command: str
    people: int
    options: Mapping[str, object]


GAMES: Final = (
    Game("magpie new", 3, {"target": 100}),
    Game("fortune new", 2, {"target": 2000}),
    Game("baggage new", 2, {"target": 10}),
    Game("change new", 3, {"credits": 50}),
    Game("magic-bag new", 1, {}),
)

COMMANDS: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("help", {}),
    ("rules", {"game": "Change"}),
    ("leaderboard", {"game": "Magpie"}),
    ("profile", {}),
    ("history", {}),
    ("settings", {}),
    ("table show", {}),
    ("table read", {}),
    ("table verify", {}),
    ("table replay", {}),
    ("table undo", {}),
    ("table resign", {}),
)

TYPES, LOOKS, ANY_BUTTON, GIVES_UP = 0.02, 0.03, 0.03, 0.1
"""How often somebody types a command, looks at what is for them alone, presses whatever there is, closes a lobby."""

IN_WORDS: Final = 2_000_000_000_000_000_001
"""The server that wants no pictures: most is played there, because pictures take their time."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A button, and what it means."""

    button: Button
    pressed: ComponentId


class Crowd:
    """Everybody who plays, at many tables at once, each as fast as they are answered."""

    def __init__(self, sandbox: Sandbox, seed: int) -> None:
        self.acts = 0
        self.unanswered = 0
        self._sandbox = sandbox
        self._world = sandbox.world
        self._chance = random.Random(seed)
        self._people = tuple(sandbox.person(user.name) for user in self._world.people)
        self._in_words = self._world.add_server(IN_WORDS, "In words")
        self._spots = tuple(self._places())

    def _places(self) -> Iterator[Spot]:
        """Let every game be played in three channels, one of them with pictures, and one game in a direct message."""
        yield Spot(self._people[0].direct, "magic-bag new", (self._people[0],))
        for place, server in enumerate((self._world.server, self._in_words, self._in_words)):
            for number, game in enumerate(GAMES):
                channel = self._world.add_channel(server, f"soak-{place}-{number}")
                seated = (self._people[(place + number + each) % len(self._people)] for each in range(game.people))
                yield Spot(channel, game.command, tuple(seated), dict(game.options))

    async def prefer(self) -> None:
        """Choose how the tables look; to be done once the bot is there."""
        channel = self._in_words.channels[0]
        chosen = await self._people[0].slash(channel, "settings", pictures="off")
        assert chosen.state is InteractionState.ANSWERED, chosen.failure

    async def play(self, acts: int) -> None:
        """Play until so many more things were done, and wait until everybody is answered."""
        end = self.acts + acts
        await asyncio.gather(*(self._play(spot, end) for spot in self._spots))

    async def _play(self, spot: Spot, end: int) -> None:
        while self.acts < end:
            if not await self._act(spot):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._world.next_change(), LOOK_SECONDS)

    async def _act(self, spot: Spot) -> bool:
        """Do the next thing at a spot; tell whether there was anything to do."""
        message, chance = spot.message, self._chance.random()
        if chance < TYPES:
            command, options = self._chance.choice(COMMANDS)
            return await self._done(self._chance.choice(spot.people).slash(spot.channel, command, **options))
        if message is None:
            return await self._open(spot)
        offers = [Offer(button, parse_id(button.custom_id)) for button in message.buttons if button.custom_id]
        if chance < TYPES + ANY_BUTTON:
            return await self._press(message, self._somebody(spot), self._chance.choice(offers).button)
        if chance < TYPES + ANY_BUTTON + LOOKS:
            looks = [each for each in offers if isinstance(each.pressed, LookId | ReplayId | CheckId | OptionsId)]
            return bool(looks) and await self._look(message, self._somebody(spot), self._chance.choice(looks).button)
        return await self._go_on(spot, message, offers)

    async def _go_on(self, spot: Spot, message: Message, offers: list[Offer]) -> bool:
        """Do what the table waits for."""
        kinds = {type(each.pressed) for each in offers}
        if LobbyId in kinds:
            return await self._gather(spot, message, offers)
        if ControlId in kinds or message.selects or not kinds & {ReplayId, CheckId}:
            return await self._move(spot, message, offers)
        return await self._open(spot)

    def _somebody(self, spot: Spot) -> Person:
        return self._chance.choice([who for who in self._people if spot.channel.visible_to(who.id)])

    async def _open(self, spot: Spot) -> bool:
        return await self._done(spot.people[0].slash(spot.channel, spot.command, **spot.options))

    async def _gather(self, spot: Spot, message: Message, offers: list[Offer]) -> bool:
        if self._chance.random() < GIVES_UP:
            return await self._done(spot.people[0].slash(spot.channel, "table cancel"))
        missing = [person for person in spot.people if person.name not in message.text]
        action = LobbyAction.JOIN if missing else LobbyAction.START
        for each in offers:
            if isinstance(each.pressed, LobbyId) and each.pressed.action is action:
                return await self._press(message, (missing or spot.people)[0], each.button)
        return False

    async def _move(self, spot: Spot, message: Message, offers: list[Offer]) -> bool:
        mover = spot.mover(message) if message.embeds else None
        if mover is None:
            return False
        if await self._control(message, mover):
            return True
        for each in offers:
            if isinstance(each.pressed, LookId) and isinstance(each.pressed.pressed, HandId):
                return await self._look(message, mover, each.button)
        return False

    async def _look(self, message: Message, person: Person, button: Button) -> bool:
        """Look at what is for one person alone, and do something there."""
        self.acts += 1
        with suppress(Refusal):
            looked = await person.click(message, button.custom_id or "")
            if looked.replies:
                await self._control(looked.replies[0], person)
        return True

    async def _control(self, message: Message, person: Person) -> bool:
        """Press some control of a table or of a private message; tell whether there was any."""
        offers: list[Button | Select] = [*_controls(message), *(each for each in message.selects if not each.disabled)]
        if not offers:
            return False
        match self._chance.choice(offers):
            case Select(custom_id=custom_id, options=options):
                return await self._done(person.select(message, custom_id, [self._chance.choice(options)["value"]]))
            case Button() as pressed:
                return await self._press(message, person, pressed)

    async def _press(self, message: Message, person: Person, button: Button) -> bool:
        return await self._done(person.click(message, button.custom_id or ""))

    async def _done(self, acting: Awaitable[Interaction]) -> bool:
        """Wait for an answer; what has gone from the screen meanwhile can't be pressed."""
        self.acts += 1
        with suppress(Refusal):
            answered = await acting
            self.unanswered += answered.state is not InteractionState.ANSWERED
            return True
        return False


def _controls(message: Message) -> Iterator[Button]:
    """Return the buttons that do something in a game, or lead through one."""
    for button in message.buttons:
        if not button.disabled and isinstance(parse_id(button.custom_id or ""), ControlId | InHandId | ReplayId):
            yield button
