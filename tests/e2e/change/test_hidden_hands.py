"""Two evenings at a table of Change that differ in nothing but what Wren holds look alike to everyone else.

CH-M1: what is compared is all that reaches Robin, who plays, and Linnet, who only looks on: the table, its buttons and
their ids, answers to clicks, commands, forged ones too, suggestions, and the bot's log.
"""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.games.change.pieces import Stage
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.tables.handlers.ids import ControlId, HandControlId, HandId, MenuId
from bot.tables.host import Host
from bot.tables.model import Status
from tests.e2e.change.change_table import ChangeTable, open_started_game
from tests.games.change.positions import at, hand
from tests.support.parlour import Parlour, run_parlour
from tests.support.waiting import DEADLINE_SECONDS

_CHANGING = re.compile(r"\d{6,}|\d+ ms|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]+|<t:\d+|127\.0\.0\.1:\d+")
"""Ids, hashes, times and the sandbox's port, which are others every evening."""


def normalize(text: object) -> str:
    return _CHANGING.sub("#", str(text))


class Playthrough:
    """A game that is played in one way, and what everyone but Wren gets to see of it."""

    def __init__(self, parlour: Parlour, game: ChangeTable) -> None:
        self.parlour = parlour
        self.game = game
        self.seen: list[str] = []

    def record_response(self, answer: Interaction | Message) -> Interaction | Message:
        """Record an answer to a person, or the message of the table."""
        messages = answer.replies if isinstance(answer, Interaction) else (answer,)
        self.seen += [normalize((each.content, each.embeds, each.components, each.attachments)) for each in messages]
        return answer

    async def record_messages(self) -> None:
        """Record what Robin and Linnet see in the channel."""
        await self.parlour.wait_until_settled()
        for who in (self.parlour.robin, self.parlour.linnet):
            for message in who.visible_messages(self.parlour.here):
                self.record_response(message)

    async def run_commands(self) -> None:
        """Try everything that is no move, as it is tried by people who would like to know more."""
        parlour, here = self.parlour, self.parlour.here
        for who in (parlour.robin, parlour.linnet):
            self.record_response(await who.click(self.game.message, str(HandId(self.game.table_id)), forged=True))
            for command, options in COMMANDS:
                self.record_response(await who.slash(here, command, **options))
            for command, option in (("card", "play"), ("choose", "what"), ("move", "space")):
                found = await who.autocomplete(here, f"change {command}", {option: ""}, focused=option)
                self.seen.append(f"{who.name} {command} {[(each.name, each.value) for each in found]}")
            step = (await parlour.client.app.service(Host).service.table(self.game.table_id)).header.step
            for pressed in forged_ids(self.game.table_id, step):
                self.record_response(await who.click(self.game.message, pressed, forged=True))
            menu = str(HandControlId(MenuId(self.game.table_id, step, "any", frozenset())))
            self.record_response(await who.select(self.game.message, menu, ["go_denial_any"], forged=True))


COMMANDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("table verify", {}),
    ("history", {}),
    ("profile", {}),
    ("change hand", {}),
    ("change card", {"play": "fear"}),
    ("change card", {"play": "replace 2 fear"}),
    ("change choose", {"what": "fear"}),
    ("change choose", {"what": "add 5"}),
)


def forged_ids(table_id: int, step: int) -> Iterator[str]:
    """Return ids of buttons that are in a hand, or could be."""
    for at_step in (step, step - 1):
        for key in ("keep_fear", "swap_fear", "swap_add_5", "go_fear", "open_2", "pick_0", "replace", "add_5"):
            yield str(HandControlId(ControlId(table_id, at_step, key, frozenset())))


async def play_with_hand(parlour: Parlour, patch: pytest.MonkeyPatch, theirs: str) -> list[str]:
    """Play with these cards in Wren's hand, and return what Robin and Linnet see."""
    robin, wren = parlour.robin, parlour.wren
    message = await open_started_game(parlour, robin, wren)
    game = ChangeTable(parlour, message, await parlour.table(), patch)
    spent = Playthrough(parlour, game)
    await game.set_position(at("120@0", "120@0", hands=["greed add-3", theirs], top="add-1 add-2"), "13")
    await game.open_hand(wren)
    await spent.record_messages()
    await spent.run_commands()
    await game.press(robin, "Roll")
    await game.press(robin, "@let_1")
    assert (await game.state()).public.stage is Stage.SWAP
    await spent.record_messages()
    await spent.run_commands()
    await parlour.press(wren, await game.open_hand(wren), "Replace: ")
    await spent.record_messages()
    await spent.run_commands()
    await game.press(robin, "End turn")
    await spent.record_messages()
    state = await game.state()
    assert hand(state, 0) == "add-2 add-3 greed"
    assert hand(state, 1) != ""
    assert (await parlour.client.app.service(Host).service.table(game.table_id)).header.status is Status.PLAYING
    return spent.seen


def logged_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the bot has logged; what happens at the same time is logged in any order."""
    logged = (f"{record.name} {normalize(record.getMessage())}" for record in caplog.records)
    return sorted(
        line
        for line in logged
        if not line.startswith(("bot.platform.discord.client ready", "bot.platform.discord.command_sync"))
    )


@pytest.mark.slow
async def test_hands_are_hidden_from_other_players(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """CH-M1."""
    evenings: list[tuple[list[str], list[str]]] = []
    for name, theirs in (("one", "any fear"), ("other", "add-5 replace-2")):
        sandbox = Sandbox(deadline=DEADLINE_SECONDS)
        await sandbox.start()
        caplog.clear()
        with caplog.at_level(logging.DEBUG, logger="bot"), pytest.MonkeyPatch.context() as patch:
            async with run_parlour(sandbox, tmp_path / f"{name}.sqlite3") as parlour:
                seen = await play_with_hand(parlour, patch, theirs)
        evenings.append((seen, logged_lines(caplog)))
        await sandbox.stop()
    (seen, logged), (otherwise, logged_otherwise) = evenings
    assert seen == otherwise
    assert len(seen) > 200
    assert logged == logged_otherwise
    assert logged
