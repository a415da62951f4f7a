"""The bot's own emoji: kept with Discord by every start, and shown in messages."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import discord
import pytest

from bot.pictures.symbols import SymbolPainter
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.emoji_sync import KEPT_AFTER_UPDATE, EmojiSync
from bot.rules.picture import Symbol
from bot.sandbox import Message, Sandbox
from bot.sandbox.model.application import MAX_EMOJIS
from tests.support.emoji import make_emoji_sync
from tests.support.fakes import FakeClockAhead
from tests.support.parlour import ROLL, Parlour, point_discord_at, run_parlour
from tests.support.waiting import wait_until

PNG = b"\x89PNG\r\n\x1a\n"
SYMBOLS = (Symbol("die_5", "⚄", ()), Symbol("die_6", "⚅", ()))
LATER = FakeClockAhead(KEPT_AFTER_UPDATE + timedelta(minutes=1))


class FakeDrawer(SymbolPainter):
    """Draws symbols in some style."""

    def __init__(self, style: str = "plain") -> None:
        self._style = style

    def digest(self, symbol: Symbol) -> str:
        return sha256(f"{self._style} {symbol.name}".encode()).hexdigest()

    def draw(self, symbol: Symbol) -> bytes:
        return PNG + f"{self._style} {symbol.name}".encode()


@pytest.fixture(autouse=True)
def no_emoji_afterwards() -> Iterator[None]:
    yield
    OWN_EMOJI.forget()


@asynccontextmanager
async def log_in(sandbox: Sandbox) -> AsyncIterator[discord.Client]:
    """Log a client in that does not connect."""
    with point_discord_at(sandbox):
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(sandbox.token)
            yield client


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[discord.Client]:
    async with log_in(sandbox) as logged_in:
        yield logged_in


def contents_of(sandbox: Sandbox) -> list[str]:
    """Return what the emoji of the bot show."""
    return [emoji.content.removeprefix(PNG).decode() for emoji in sandbox.world.emojis.list_all()]


def requests_about_emoji(sandbox: Sandbox) -> list[str]:
    return [each.method for each in sandbox.requests if "/emojis" in each.path]


def shown_id(label: str) -> int:
    """Return the id of the emoji that a label is shown with."""
    return int(OWN_EMOJI.in_label(label)["emoji"]["id"])


async def test_the_first_start_makes_emoji_and_the_second_does_nothing(
    sandbox: Sandbox, client: discord.Client
) -> None:
    await EmojiSync(FakeDrawer(), SYMBOLS).run(client)
    assert contents_of(sandbox) == ["plain die_5", "plain die_6"]
    assert requests_about_emoji(sandbox) == ["GET", "POST", "POST"]
    OWN_EMOJI.forget()
    await EmojiSync(FakeDrawer(), SYMBOLS).run(client)
    assert requests_about_emoji(sandbox) == ["GET", "POST", "POST", "GET"]
    assert [shown_id("⚄ 5"), shown_id("⚅ 6")] == [emoji.id for emoji in sandbox.world.emojis.list_all()]


async def test_changed_art_makes_new_emoji_and_removes_the_old_ones_a_day_later(
    sandbox: Sandbox, client: discord.Client
) -> None:
    for name in ("parlour", "parlour_die", "die_6_123456"):
        sandbox.world.emojis.add(name, "image/png", b"of the host")
    await EmojiSync(FakeDrawer(), SYMBOLS).run(client)
    await EmojiSync(FakeDrawer("bold"), SYMBOLS).run(client)
    others, old, new = ["of the host"] * 3, ["plain die_5", "plain die_6"], ["bold die_5", "bold die_6"]
    assert contents_of(sandbox) == [*others, *old, *new]
    assert shown_id("⚅ 6") == sandbox.world.emojis.list_all()[-1].id
    await EmojiSync(FakeDrawer("bold"), SYMBOLS, LATER).run(client)
    assert contents_of(sandbox) == [*others, *new]


async def test_emoji_of_an_older_process_that_starts_again_stay(sandbox: Sandbox, client: discord.Client) -> None:
    await EmojiSync(FakeDrawer(), SYMBOLS, FakeClockAhead(-2 * KEPT_AFTER_UPDATE)).run(client)
    await EmojiSync(FakeDrawer("bold"), SYMBOLS).run(client)
    await EmojiSync(FakeDrawer(), SYMBOLS).run(client)
    assert contents_of(sandbox) == ["plain die_5", "plain die_6", "bold die_5", "bold die_6"]


async def test_of_two_processes_each_emoji_is_made_by_one(sandbox: Sandbox, client: discord.Client) -> None:
    held = sandbox.fault_injector.hold("POST", "/emojis")
    slow = asyncio.create_task(EmojiSync(FakeDrawer(), SYMBOLS).run(client))
    await asyncio.wait_for(held.reached.wait(), 30)
    async with log_in(sandbox) as other:
        await EmojiSync(FakeDrawer(), SYMBOLS).run(other)
    held.release()
    OWN_EMOJI.forget()
    await slow
    assert contents_of(sandbox) == ["plain die_5", "plain die_6"]
    assert [shown_id("⚄ 5"), shown_id("⚅ 6")] == [emoji.id for emoji in sandbox.world.emojis.list_all()]


async def test_if_there_is_no_room_one_line_is_logged_and_symbols_stay(
    sandbox: Sandbox, client: discord.Client, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(MAX_EMOJIS - 1):
        sandbox.world.emojis.add(f"of_the_host_{number}", "image/png", PNG)
    await EmojiSync(FakeDrawer(), SYMBOLS).run(client)
    (line,) = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert "emoji can't be used" in line
    assert OWN_EMOJI.in_label("⚄ 5") == {"label": "⚄ 5"}


@pytest.fixture
async def emoji_parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    """The bot with the emoji of all its symbols."""
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", emoji_sync=make_emoji_sync()) as running:
        await wait_until(lambda: "emoji" in OWN_EMOJI.in_label("⚅ 6"))
        yield running


def emoji_ids(message: Message) -> set[int]:
    """Return the ids of the emoji on the buttons of a message."""
    faces = [each["emoji"] for each in message.iter_components() if "emoji" in each]
    return {int(emoji["id"]) for emoji in faces}


@pytest.mark.usefixtures("soon_ready")
async def test_dice_are_emoji_on_buttons_and_in_texts(sandbox: Sandbox, emoji_parlour: Parlour) -> None:
    parlour = emoji_parlour
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), message, ROLL)
    await parlour.wait_until_shown()
    known = {emoji.id: emoji for emoji in sandbox.world.emojis.list_all()}
    assert emoji_ids(message)
    assert emoji_ids(message) <= known.keys()
    told = (await parlour.robin.slash(parlour.here, "table news")).replies[0].text
    assert "<:die_" in told
    assert not set("⚀⚁⚂⚃⚄⚅") & {*message.embeds[0]["description"], *told}


@pytest.mark.usefixtures("soon_ready")
async def test_emoji_that_were_removed_by_hand_are_symbols_again(
    sandbox: Sandbox, emoji_parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    parlour = emoji_parlour
    message = await parlour.start_game(parlour.robin, parlour.wren)
    for emoji in sandbox.world.emojis.list_all():
        sandbox.world.emojis.remove(emoji)
    await parlour.press(await parlour.mover(), message, ROLL)
    await parlour.wait_until_shown()
    assert not emoji_ids(message)
    assert set("⚀⚁⚂⚃⚄⚅") & set("".join(button.label for button in message.buttons))
    assert "Discord refuses the bot's own emoji" in caplog.text
