"""An owner's settings and blocks, through the sandbox and with the store."""

from bot.features.settings import storage as setting_storage
from bot.features.settings.storage import SettingsChange
from bot.sandbox.model.messages import Message
from tests.support.parlour import Parlour, choose_setting

PLAYERS_ROLE = 1100000000000000041
"""Wren and Jay have it."""


async def open_section(parlour: Parlour, title: str) -> Message:
    (panel,) = (await parlour.robin.slash(parlour.here, "settings show")).replies
    await parlour.press(parlour.robin, panel, title)
    return panel


async def test_tables_are_opened_where_the_owner_wants_them(parlour: Parlour) -> None:
    panel = await open_section(parlour, "Tables")
    await parlour.robin.select(panel, "S:channels", [parlour.elsewhere.id])
    assert f"<#{parlour.elsewhere.id}>" in panel.embeds[0]["fields"][0]["value"]
    refused = await parlour.wren.slash(parlour.here, "magpie new")
    assert refused.ephemeral
    assert refused.text == f"In this server, games are played in <#{parlour.elsewhere.id}>."
    (games,) = (await parlour.wren.slash(parlour.here, "play")).replies
    assert f"<#{parlour.elsewhere.id}>" in games.embeds[0]["description"]
    thread = parlour.wren.start_thread(parlour.elsewhere, "A short evening")
    assert not (await parlour.wren.slash(thread, "magpie new")).ephemeral
    (change,) = await parlour.db.read(setting_storage.find_changes, parlour.here.server.id, 5)
    assert change == SettingsChange(parlour.robin.id, change.at, "channels", str(parlour.elsewhere.id))
    await parlour.robin.select(panel, "S:channels", [])
    assert not (await parlour.wren.slash(parlour.here, "magpie new")).ephemeral


async def test_a_chosen_role_runs_tournaments(parlour: Parlour) -> None:
    await parlour.robin.slash(parlour.here, "tournament new", game="magpie")
    await parlour.sandbox.until(lambda: bool(parlour.here.public_messages))
    message = parlour.here.public_messages[-1]
    for player in (parlour.robin, parlour.linnet):
        await parlour.press(player, message, "Join")
    refused = await parlour.press(parlour.jay, message, "Start")
    assert "the opener of this tournament or a moderator" in refused.text
    panel = await open_section(parlour, "Tables")
    await parlour.robin.select(panel, "S:moderators", [PLAYERS_ROLE])
    await parlour.press(parlour.jay, message, "Start")
    await parlour.sandbox.until(lambda: "Round 1 of" in message.text)


async def test_a_new_table_gets_a_thread(parlour: Parlour) -> None:
    await choose_setting(parlour.robin, parlour.here, "threads", "on")
    answer = await parlour.wren.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: bool(parlour.sandbox.world.threads))
    (thread,) = parlour.sandbox.world.threads.values()
    await parlour.sandbox.until(lambda: bool(answer.replies) and f"<#{thread.id}>" in answer.replies[-1].text)
    assert (thread.name, thread.parent) == ("Magpie · table 1", parlour.here)
    await parlour.sandbox.until(lambda: len(thread.public_messages) == 1)
    assert parlour.wren.id in thread.members
    (message,) = thread.public_messages
    await parlour.press(parlour.jay, message, "Join")
    await parlour.press(parlour.wren, message, "Start")
    await parlour.sandbox.until(lambda: "to roll" in message.text)
    (line,) = parlour.here.public_messages
    assert (line.author, line.created_thread) == (parlour.sandbox.world.bot, thread), "Discord tells the channel"
    await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: len(parlour.sandbox.world.threads) == 2)
    assert [each.name for each in parlour.sandbox.world.threads.values()] == ["Magpie · table 1", "Magpie · table 2"]


async def test_whoever_is_blocked_gets_no_seat_in_any_server(parlour: Parlour) -> None:
    answer = await parlour.wren.slash(parlour.here, "block", member=parlour.jay)
    assert answer.ephemeral
    message = await parlour.open_table(parlour.wren)
    click = await parlour.press(parlour.jay, message, "Join")
    assert click.text.startswith("The seats at this table are taken or kept for others.")
    assert "block" not in click.text
    assert (await parlour.jay.slash(parlour.here, "unblock")).replies[0].embeds[0]["description"] == "You block no one."
    (blocked,) = (await parlour.wren.slash(parlour.here, "unblock")).replies
    await parlour.wren.select(blocked, "U:1", [str(parlour.jay.id)])
    await parlour.press(parlour.jay, message, "Join")
    await parlour.sandbox.until(lambda: "Jay" in message.text)
