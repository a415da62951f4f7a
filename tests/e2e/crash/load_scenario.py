"""Load for the crash tests: people at several tables who click as fast as they are answered."""

import asyncio
import random
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice

from bot.platform.discord.ids import parse_id
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Button, Message, SelectMenu
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.servers import Role
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.tables.handlers.ids import (
    ControlId,
    HandControlId,
    HandId,
    LobbyButton,
    LobbyId,
    MenuId,
    PlayAgainId,
    ReadOnlyId,
)
from tests.e2e.crash.observer import Observer
from tests.support.short_games import short_games

MODERATORS = 70
OLD_BUTTON_SHARE = 0.1
"""The share of clicks on earlier buttons."""

POLL_SECONDS = 0.25
"""The interval at which players look again, even without changes."""


@dataclass
class TableSlot:
    """A place where one table after the other is played by the same people."""

    channel: Channel
    command: str
    people: tuple[Person, ...]
    options: dict[str, object] = field(default_factory=dict)

    @property
    def message(self) -> Message | None:
        """The newest message that shows a table."""
        return next((message for message in reversed(self.channel.public_messages) if message.buttons), None)

    @property
    def position(self) -> str:
        """The step or the revision of the newest table according to its buttons."""
        if self.message is None:
            return ""
        buttons = (button.custom_id or "" for button in self.message.buttons)
        ids = (*buttons, *(select.custom_id for select in self.message.selects))
        return next((":".join(each.split(":")[1:3]) for each in ids if each[0] in "tlamu"), "")

    def mover(self, message: Message) -> Person | None:
        """Return whose turn it is, as the title says; None while a computer player is to move."""
        title = re.findall(r"\w+", message.embeds[0]["title"])
        return next((person for person in self.people if person.name in title), None)


def make_slots(sandbox: Sandbox) -> Sequence[TableSlot]:
    """Have every game played, Magpie and The Magic Bag in two channels each."""
    robin, wren, jay, linnet = map(sandbox.person, ("Robin", "Wren", "Jay", "Linnet"))
    one, two, lounge = map(sandbox.channel, ("table-one", "table-two", "lounge"))
    people = cycle((robin, wren, jay, linnet))
    return (
        TableSlot(one, "magpie new", (robin, wren, jay), {"target": 150, "computers": 1}),
        TableSlot(two, "magpie new", (linnet,), {"target": 100, "computers": 2}),
        TableSlot(lounge, "magic-bag new", (jay,)),
        TableSlot(robin.direct_channel, "magic-bag new", (robin,)),
        *(
            TableSlot(
                sandbox.world.add_channel(sandbox.world.server, f"evening-{number}"),
                game.command,
                tuple(islice(people, game.people)),
                {**game.options, "computers": 1} if number == 1 else dict(game.options),
            )
            for number, game in enumerate(short_games())
            if game.command not in {"magpie new", "magic-bag new"}
        ),
    )


def lift_limits(slots: Iterable[TableSlot]) -> None:
    """Make everyone a moderator, who may open as many tables as fast as they like."""
    for spot in slots:
        if spot.channel.server is not None:
            role = Role(MODERATORS, "Moderators", Permissions.MANAGE_MESSAGES)
            spot.channel.server.add_role(role, *(person.user for person in spot.people))


class LoadScenario:
    """All players, who play until they are stopped."""

    def __init__(
        self,
        sandbox: Sandbox,
        witness: Observer,
        moments: random.Random,
        slots: Sequence[TableSlot] | None = None,
        *,
        think_seconds: float = 0,
    ) -> None:
        self.slots = slots or make_slots(sandbox)
        lift_limits(self.slots)
        self._sandbox = sandbox
        self._observer = witness
        self._random = moments
        self._think_seconds = think_seconds
        """How long people look at a table before they go on."""
        self._is_running = False
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let everyone play, as soon as the bot is there."""
        self._is_running = True
        self._tasks = [asyncio.create_task(self._play(spot)) for spot in self.slots]

    async def wait_for_progress(self, seconds: float) -> None:
        """Wait until every table has come further."""
        before = {id(spot): spot.position for spot in self.slots}
        try:
            await self._sandbox.until(lambda: all(spot.position != before[id(spot)] for spot in self.slots), seconds)
        except TimeoutError:
            stuck = [(spot.position, spot.message) for spot in self.slots if spot.position == before[id(spot)]]
            raise AssertionError(f"these tables do not go on: {stuck}") from None

    async def pause(self, seconds: float) -> None:
        """Let every player wait for pending answers and do nothing more."""
        self._is_running = False
        _, unanswered = await asyncio.wait(self._tasks, timeout=seconds)
        assert not unanswered, "a player is not answered"
        await asyncio.gather(*self._tasks)

    async def stop(self) -> None:
        """Stop all players; those who wait for an answer time out."""
        self._is_running = False
        while not all(task.done() for task in self._tasks):
            self._sandbox.world.clock.advance(3)
            await asyncio.wait(self._tasks, timeout=0.02)
        await asyncio.gather(*self._tasks)

    async def _play(self, spot: TableSlot) -> None:
        while self._is_running:
            if not self._sandbox.bot_online or not await self._act(spot):
                await self._wait_for_change()
            await asyncio.sleep(self._think_seconds)

    async def _wait_for_change(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._sandbox.world.next_change(), POLL_SECONDS)

    async def _act(self, spot: TableSlot) -> bool:
        """Take the next action in a channel; return whether there was one."""
        message = spot.message
        if message is None:
            return await self._open(spot)
        pressable = [(button, parse_id(button.custom_id or "")) for button in message.buttons if not button.disabled]
        if any(isinstance(pressed, PlayAgainId) for _, pressed in pressable):
            return await self._open(spot)
        if any(isinstance(pressed, LobbyId) for _, pressed in pressable):
            return await self._fill_lobby(spot, message)
        return await self._move(spot, message)

    async def _open(self, spot: TableSlot) -> bool:
        heard = await self._observer.record_response(
            spot.people[0].slash(spot.channel, spot.command, **spot.options), None, offered=True
        )
        return heard.was_granted

    async def _fill_lobby(self, spot: TableSlot, message: Message) -> bool:
        # The first has opened it; the cover of a game for one names nobody in words.
        missing = [person for person in spot.people[1:] if person.name not in message.text]
        action = LobbyButton.JOIN if missing else LobbyButton.START
        return await self._press(message, (missing or spot.people)[0], _lobby_button(message, action))

    async def _move(self, spot: TableSlot, message: Message) -> bool:
        mover = spot.mover(message)
        if self._random.random() < OLD_BUTTON_SHARE:
            old = self._random.choice(self._observer.button_ids[message.id])
            return await self._press(message, self._random.choice(spot.people), old, offered=False)
        if mover is None:
            return False
        return await self._press_any_control(message, mover) or await self._play_from_hand(message, mover)

    async def _press_any_control(self, message: Message, mover: Person) -> bool:
        """Press a control of a table or a hand; return whether there was one."""
        selects = (select for select in message.selects if not select.disabled)
        offers: list[Button | SelectMenu] = [*_game_buttons(message), *selects]
        if not offers:
            return False
        match self._random.choice(offers):
            case SelectMenu(custom_id=custom_id, options=options):
                return await self._choose(message, mover, custom_id, self._random.choice(options)["value"])
            case Button(custom_id=custom_id):
                return await self._press(message, mover, custom_id or "")

    async def _play_from_hand(self, message: Message, mover: Person) -> bool:
        """Look at one's hand and do something there."""
        looks = ((button, parse_id(button.custom_id or "")) for button in message.buttons)
        hands = [button for button, each in looks if isinstance(each, ReadOnlyId) and isinstance(each.pressed, HandId)]
        if not hands:
            return False
        with suppress(ClientRefusal):
            looked = await mover.click(message, hands[0].custom_id or "")
            return bool(looked.replies) and await self._press_any_control(looked.replies[0], mover)
        return False

    async def _choose(self, message: Message, person: Person, custom_id: str, value: str) -> bool:
        menu = parse_id(custom_id)
        pressed = str(menu.control_id(value)) if isinstance(menu, MenuId) else custom_id
        with suppress(ClientRefusal):  # the menu has gone meanwhile
            await self._observer.record_response(person.select(message, custom_id, [value]), pressed, offered=True)
        return True

    async def _press(self, message: Message, person: Person, custom_id: str, *, offered: bool = True) -> bool:
        with suppress(ClientRefusal):  # the button has gone meanwhile
            await self._observer.record_response(
                person.click(message, custom_id, forged=not offered), custom_id, offered=offered
            )
        return True


def _game_buttons(message: Message) -> list[Button]:
    """Return the buttons that do something in the game."""
    pressed = ((button, parse_id(button.custom_id or "")) for button in message.buttons if not button.disabled)
    return [
        button
        for button, each in pressed
        if isinstance(each, ControlId) or (isinstance(each, HandControlId) and not isinstance(each.pressed, HandId))
    ]


def _lobby_button(message: Message, action: LobbyButton) -> str:
    found: Iterable[str] = (button.custom_id or "" for button in message.buttons)
    return next(each for each in found if each.startswith("l:") and each.endswith(action))
