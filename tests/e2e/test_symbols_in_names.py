"""Symbols in what people type are theirs: the bot's own emoji replace only those in its own words."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.platform.discord.emoji import OWN_EMOJI, Emoji
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.model.servers import User
from bot.sandbox.wire import Json
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour, button_id, run_parlour

OF_OTHER_GAMES = {"💀": "skull", "★": "star", "🦜": "parrot"}
"""Symbols that the bot has no use for at a table of Magpie."""

COMMANDS = (
    "table read",
    "table news",
    "table replay",
    "table verify",
    "history",
    "season",
    "profile",
    "badges",
    "mytables",
    "tournament show",
    "tournament list",
    "settings show",
)
"""Commands whose answers name people or the tournament."""


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Parlour]:
    """The bot with emoji, on a server whose members have symbols in their names."""
    payload = User.payload

    def with_symbols(user: User) -> Json:
        return {**payload(user), "global_name": None if user.bot else f"💀 {user.name} ★"}

    monkeypatch.setattr(User, "payload", with_symbols)
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as running:
        names = {**OF_OTHER_GAMES, **{each: f"die_{face}" for face, each in enumerate("⚀⚁⚂⚃⚄⚅", 1)}}
        made = {each: sandbox.world.emojis.add(name, "image/png", b"") for each, name in names.items()}
        OWN_EMOJI.use({each: Emoji(emoji.name, emoji.id) for each, emoji in made.items()})
        yield running
    OWN_EMOJI.forget()


async def play_to_end(parlour: Parlour) -> Message:
    """Let two people play a short game, and return the message of its table."""
    people = {person.id: person for person in (parlour.robin, parlour.wren)}
    message = await parlour.start_game(*people.values(), target=50)
    table_id = (await parlour.table()).id
    while (table := await parlour.client.app.service(Host).service.table(table_id)).mover is not None:
        assert table.mover.user_id is not None
        await parlour.press(people[table.mover.user_id], message, ROLL)
        await parlour.wait_until_shown()
    await parlour.wait_until_settled()
    await parlour.client.app.service(Host).service.flush()
    return message


async def test_no_symbol_that_people_typed_is_replaced_anywhere(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    board = await play_to_end(parlour)
    for label in ("Share", "Review", "Replay", "What happened"):
        await parlour.press(robin, board, label)
    await robin.slash(here, "tournament new", game="magpie", name="🦜 Cup")
    for command in COMMANDS:
        await robin.slash(here, command)
    await robin.slash(here, "profile", member=parlour.wren)
    await robin.slash(here, "versus", member=parlour.wren)
    (shown,) = (await robin.slash(here, "leaderboard", game="magpie")).replies
    await robin.click(shown, button_id(shown, "Post here"))
    await parlour.wait_until_settled()
    sent = json.dumps([each.json for each in parlour.sandbox.requests], ensure_ascii=False)
    for typed in ("💀 Robin ★", "💀 Wren ★", "🦜 Cup"):
        assert typed in sent
    assert "<:die_6:" in sent
    assert not [name for name in OF_OTHER_GAMES.values() if f"<:{name}:" in sent]
