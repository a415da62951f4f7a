"""An evening of games: people at several tables who click as fast as they are answered."""

import asyncio
import random
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Button, Message, Select
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import Refusal
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import AgainId, ControlId, HandId, InHandId, LobbyAction, LobbyId, LookId, MenuId
from tests.e2e.crash.witness import Witness

OLD_BUTTONS = 0.1
"""How often somebody presses a button as it was earlier."""

LOOK_SECONDS = 0.25
"""After so long people look again, whether anything has changed or not."""


@dataclass
class Spot:
    """A place where one table after the other is played by the same people."""

    channel: Channel
    command: str
    people: tuple[Person, ...]
    options: dict[str, object] = field(default_factory=dict)

    @property
    def message(self) -> Message | None:
        """The newest message that shows a table."""
        return next((message for message in reversed(self.channel.public) if message.buttons), None)

    @property
    def present(self) -> str:
        """Where the newest table stands, as far as its buttons tell."""
        if self.message is None:
            return ""
        buttons = (button.custom_id or "" for button in self.message.buttons)
        ids = (*buttons, *(select.custom_id for select in self.message.selects))
        return next((":".join(each.split(":")[1:3]) for each in ids if each[0] in "tlam"), "")

    def mover(self, message: Message) -> Person | None:
        """Return whose turn it is, as the title says; None while a computer player is to move."""
        title = re.findall(r"\w+", message.embeds[0]["title"])
        return next((person for person in self.people if person.name in title), None)


class Evening:
    """Everybody who plays, until they are told to stop."""

    def __init__(self, sandbox: Sandbox, witness: Witness, moments: random.Random) -> None:
        robin, wren, jay, linnet = map(sandbox.person, ("Robin", "Wren", "Jay", "Linnet"))
        one, two, lounge = map(sandbox.channel, ("table-one", "table-two", "lounge"))
        three, four, five = (sandbox.world.add_channel(sandbox.world.server, f"evening-{at}") for at in range(3))
        self.spots = (
            Spot(one, "magpie new", (robin, wren, jay), {"target": 150, "computers": 1}),
            Spot(two, "magpie new", (linnet,), {"target": 100, "computers": 2}),
            Spot(three, "fortune new", (wren, linnet), {"target": 1000, "computers": 1}),
            Spot(four, "baggage new", (jay, robin)),
            Spot(five, "change new", (linnet, wren)),
            Spot(lounge, "magic-bag new", (jay,)),
            Spot(robin.direct, "magic-bag new", (robin,)),
        )
        self._sandbox = sandbox
        self._witness = witness
        self._moments = moments
        self._going = False
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Let everybody play, as soon as the bot is there."""
        self._going = True
        self._tasks = [asyncio.create_task(self._play(spot)) for spot in self.spots]

    async def all_go_on(self, seconds: float) -> None:
        """Wait until every table has come further."""
        before = {id(spot): spot.present for spot in self.spots}
        try:
            await self._sandbox.until(lambda: all(spot.present != before[id(spot)] for spot in self.spots), seconds)
        except TimeoutError:
            stuck = [(spot.present, spot.message) for spot in self.spots if spot.present == before[id(spot)]]
            raise AssertionError(f"these tables do not go on: {stuck}") from None

    async def pause(self, seconds: float) -> None:
        """Let everybody wait for the answer they are owed and do nothing more."""
        self._going = False
        _, unanswered = await asyncio.wait(self._tasks, timeout=seconds)
        assert not unanswered, "somebody is not answered"
        await asyncio.gather(*self._tasks)

    async def end(self) -> None:
        """Let everybody stop; who waits for an answer learns that there is none."""
        self._going = False
        while not all(task.done() for task in self._tasks):
            self._sandbox.world.clock.advance(3)
            await asyncio.wait(self._tasks, timeout=0.02)
        await asyncio.gather(*self._tasks)

    async def _play(self, spot: Spot) -> None:
        while self._going:
            if not self._sandbox.bot_online or not await self._act(spot):
                await self._look()

    async def _look(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._sandbox.world.next_change(), LOOK_SECONDS)

    async def _act(self, spot: Spot) -> bool:
        """Do the next thing at a spot; tell whether there was anything to do."""
        message = spot.message
        if message is None:
            return await self._open(spot)
        pressable = [(button, parse_id(button.custom_id or "")) for button in message.buttons if not button.disabled]
        if any(isinstance(pressed, AgainId) for _, pressed in pressable):
            return await self._open(spot)
        if any(isinstance(pressed, LobbyId) for _, pressed in pressable):
            return await self._gather(spot, message)
        return await self._move(spot, message)

    async def _open(self, spot: Spot) -> bool:
        heard = await self._witness.note(
            spot.people[0].slash(spot.channel, spot.command, **spot.options), None, offered=True
        )
        return heard.is_granted

    async def _gather(self, spot: Spot, message: Message) -> bool:
        missing = [person for person in spot.people if person.name not in message.text]
        action = LobbyAction.JOIN if missing else LobbyAction.START
        return await self._press(message, (missing or spot.people)[0], _lobby_button(message, action))

    async def _move(self, spot: Spot, message: Message) -> bool:
        mover = spot.mover(message)
        if self._moments.random() < OLD_BUTTONS:
            old = self._moments.choice(self._witness.ids[message.id])
            return await self._press(message, self._moments.choice(spot.people), old, offered=False)
        if mover is None:
            return False
        return await self._control(message, mover) or await self._play_from_hand(message, mover)

    async def _control(self, message: Message, mover: Person) -> bool:
        """Press some control of a table or a hand; tell whether there was any."""
        selects = (select for select in message.selects if not select.disabled)
        offers: list[Button | Select] = [*_controls(message), *selects]
        if not offers:
            return False
        match self._moments.choice(offers):
            case Select(custom_id=custom_id, options=options):
                return await self._choose(message, mover, custom_id, self._moments.choice(options)["value"])
            case Button(custom_id=custom_id):
                return await self._press(message, mover, custom_id or "")

    async def _play_from_hand(self, message: Message, mover: Person) -> bool:
        """Look at one's hand and do something there."""
        looks = ((button, parse_id(button.custom_id or "")) for button in message.buttons)
        hands = [button for button, each in looks if isinstance(each, LookId) and isinstance(each.pressed, HandId)]
        if not hands:
            return False
        with suppress(Refusal):
            looked = await mover.click(message, hands[0].custom_id or "")
            return bool(looked.replies) and await self._control(looked.replies[0], mover)
        return False

    async def _choose(self, message: Message, person: Person, custom_id: str, value: str) -> bool:
        menu = parse_id(custom_id)
        pressed = str(menu.choosing(value)) if isinstance(menu, MenuId) else custom_id
        with suppress(Refusal):  # the menu has gone meanwhile
            await self._witness.note(person.select(message, custom_id, [value]), pressed, offered=True)
        return True

    async def _press(self, message: Message, person: Person, custom_id: str, *, offered: bool = True) -> bool:
        with suppress(Refusal):  # the button has gone meanwhile
            await self._witness.note(person.click(message, custom_id, forged=not offered), custom_id, offered=offered)
        return True


def _controls(message: Message) -> list[Button]:
    """Return the buttons that do something in the game."""
    pressed = ((button, parse_id(button.custom_id or "")) for button in message.buttons if not button.disabled)
    return [
        button
        for button, each in pressed
        if isinstance(each, ControlId) or (isinstance(each, InHandId) and not isinstance(each.pressed, HandId))
    ]


def _lobby_button(message: Message, action: LobbyAction) -> str:
    found: Iterable[str] = (button.custom_id or "" for button in message.buttons)
    return next(each for each in found if each.startswith("l:") and each.endswith(action))
