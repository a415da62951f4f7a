"""A crowd that plays every game without end: new tables, lobbies, moves, private hands and commands."""

import asyncio
import random
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.features.fairness.handlers import CheckDiceId
from bot.features.replays.messages import ReplayId
from bot.platform.discord.ids import CustomId, parse_id
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Button, Message, SelectMenu
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.tables.handlers.ids import ControlId, HandControlId, HandId, LobbyButton, LobbyId, OptionPanelId, ReadOnlyId
from tests.e2e.crash.load_scenario import TableSlot, lift_limits
from tests.support.parlour import choose_setting
from tests.support.short_games import short_games

POLL_SECONDS: Final = 0.25
"""The interval at which players look again, even without changes."""


GAMES: Final = tuple(short_games())

COMMANDS: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("help", {}),
    ("rules", {"game": "Change"}),
    ("leaderboard", {"game": "Magpie"}),
    ("profile", {}),
    ("badges", {}),
    ("history", {}),
    ("settings show", {}),
    ("table show", {}),
    ("table read", {}),
    ("table verify", {}),
    ("table replay", {}),
    ("table undo", {}),
    ("table resign", {}),
)

COMMAND_SHARE, LOOK_SHARE, ANY_BUTTON_SHARE, CANCEL_SHARE = 0.02, 0.03, 0.03, 0.1
"""How often a player types a command, opens a private message, presses any button, cancels a lobby."""

TEXT_ONLY_SERVER_ID: Final = 2_000_000_000_000_000_001
"""The server that wants no pictures: most is played there, because pictures take their time."""


@dataclass(frozen=True, slots=True)
class OfferedButton:
    """A button and its parsed id."""

    button: Button
    pressed: CustomId


class SoakPlayers:
    """Everyone who plays, at many tables at once, each as fast as they are answered."""

    def __init__(self, sandbox: Sandbox, seed: int) -> None:
        self.acts = 0
        self.unanswered = 0
        self._sandbox = sandbox
        self._world = sandbox.world
        self._chance = random.Random(seed)
        self._people = tuple(sandbox.person(user.name) for user in self._world.people)
        self._text_only_server = self._world.add_server(TEXT_ONLY_SERVER_ID, "In words")
        self._slots = tuple(self._make_slots())
        lift_limits(self._slots)

    def _make_slots(self) -> Iterator[TableSlot]:
        """Let every game be played in three channels, one of them with pictures, and one game in a direct message."""
        yield TableSlot(self._people[0].direct_channel, "magic-bag new", (self._people[0],))
        for place, server in enumerate((self._world.server, self._text_only_server, self._text_only_server)):
            for number, game in enumerate(GAMES):
                channel = self._world.add_channel(server, f"soak-{place}-{number}")
                seated = (self._people[(place + number + each) % len(self._people)] for each in range(game.people))
                yield TableSlot(channel, game.command, tuple(seated), dict(game.options))

    async def set_preferences(self) -> None:
        """Choose how the tables look; to be done once the bot is there."""
        channel = self._text_only_server.channels[0]
        panel = await choose_setting(self._people[0], channel, "pictures", "off")
        assert "Off, words only" in panel.text

    async def play(self, acts: int) -> None:
        """Play this many more interactions, and wait until all are answered."""
        end = self.acts + acts
        await asyncio.gather(*(self._play(spot, end) for spot in self._slots))

    async def _play(self, spot: TableSlot, end: int) -> None:
        while self.acts < end:
            if not await self._act(spot):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._world.next_change(), POLL_SECONDS)

    async def _act(self, spot: TableSlot) -> bool:
        """Do the next thing at a spot; tell whether there was anything to do."""
        message, chance = spot.message, self._chance.random()
        if chance < COMMAND_SHARE:
            command, options = self._chance.choice(COMMANDS)
            return await self._count_act(self._chance.choice(spot.people).slash(spot.channel, command, **options))
        if message is None:
            return await self._open(spot)
        offers = [OfferedButton(button, parse_id(button.custom_id)) for button in message.buttons if button.custom_id]
        if chance < COMMAND_SHARE + ANY_BUTTON_SHARE:
            return await self._press(message, self._random_person(spot), self._chance.choice(offers).button)
        if chance < COMMAND_SHARE + ANY_BUTTON_SHARE + LOOK_SHARE:
            looks = [
                each for each in offers if isinstance(each.pressed, ReadOnlyId | ReplayId | CheckDiceId | OptionPanelId)
            ]
            return bool(looks) and await self._look_at_table(
                message, self._random_person(spot), self._chance.choice(looks).button
            )
        return await self._go_on(spot, message, offers)

    async def _go_on(self, spot: TableSlot, message: Message, offers: list[OfferedButton]) -> bool:
        """Do what the table waits for."""
        kinds = {type(each.pressed) for each in offers}
        if LobbyId in kinds:
            return await self._fill_lobby(spot, message, offers)
        if ControlId in kinds or message.selects or not kinds & {ReplayId, CheckDiceId}:
            return await self._move(spot, message, offers)
        return await self._open(spot)

    def _random_person(self, spot: TableSlot) -> Person:
        return self._chance.choice([who for who in self._people if spot.channel.visible_to(who.id)])

    async def _open(self, spot: TableSlot) -> bool:
        return await self._count_act(spot.people[0].slash(spot.channel, spot.command, **spot.options))

    async def _fill_lobby(self, spot: TableSlot, message: Message, offers: list[OfferedButton]) -> bool:
        if self._chance.random() < CANCEL_SHARE:
            return await self._count_act(spot.people[0].slash(spot.channel, "table cancel"))
        missing = [person for person in spot.people if person.name not in message.text]
        action = LobbyButton.JOIN if missing else LobbyButton.START
        for each in offers:
            if isinstance(each.pressed, LobbyId) and each.pressed.button is action:
                return await self._press(message, (missing or spot.people)[0], each.button)
        return False

    async def _move(self, spot: TableSlot, message: Message, offers: list[OfferedButton]) -> bool:
        mover = spot.mover(message) if message.embeds else None
        if mover is None:
            return False
        if await self._press_any_control(message, mover):
            return True
        for each in offers:
            if isinstance(each.pressed, ReadOnlyId) and isinstance(each.pressed.pressed, HandId):
                return await self._look_at_table(message, mover, each.button)
        return False

    async def _look_at_table(self, message: Message, person: Person, button: Button) -> bool:
        """Look at what is for one person alone, and do something there."""
        self.acts += 1
        with suppress(ClientRefusal):
            looked = await person.click(message, button.custom_id or "")
            if looked.replies:
                await self._press_any_control(looked.replies[0], person)
        return True

    async def _press_any_control(self, message: Message, person: Person) -> bool:
        """Press some control of a table or of a private message; tell whether there was any."""
        offers: list[Button | SelectMenu] = [
            *_game_buttons(message),
            *(each for each in message.selects if not each.disabled),
        ]
        if not offers:
            return False
        match self._chance.choice(offers):
            case SelectMenu(custom_id=custom_id, options=options):
                return await self._count_act(person.select(message, custom_id, [self._chance.choice(options)["value"]]))
            case Button() as pressed:
                return await self._press(message, person, pressed)

    async def _press(self, message: Message, person: Person, button: Button) -> bool:
        return await self._count_act(person.click(message, button.custom_id or ""))

    async def _count_act(self, acting: Awaitable[Interaction]) -> bool:
        """Wait for an answer; what has gone from the screen meanwhile can't be pressed."""
        self.acts += 1
        with suppress(ClientRefusal):
            answered = await acting
            self.unanswered += answered.state is not InteractionState.RESPONDED
            return True
        return False


def _game_buttons(message: Message) -> Iterator[Button]:
    """Return the buttons that do something in a game, or lead through one."""
    for button in message.buttons:
        if not button.disabled and isinstance(parse_id(button.custom_id or ""), ControlId | HandControlId | ReplayId):
            yield button
