"""What is kept of a person: told, exported, and deleted everywhere."""

import asyncio
import json
import logging
import struct
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from bot.features.fairness.verification import make_record_in_slices, verify_record_in_slices
from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.platform.database.backup import NeedsPgDump, back_up
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import jobs
from bot.platform.observability.logs import Redactor, TextFormatter
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person as SandboxPerson
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.schema import DELETED_NAME
from tests.e2e.test_puzzles import TODAY, answer_daily
from tests.store.every_column import find_everywhere
from tests.support.databases import Databases
from tests.support.parlour import Parlour, run_parlour, shows_moves
from tests.support.postgres import PostgresServer
from tests.support.random_play import finish_at_random

pytestmark = pytest.mark.usefixtures("frequent_checks")

NEVER = datetime(2000, 1, 1, tzinfo=UTC)
ERASURE_JOBS = select(jobs).where(jobs.c.kind.in_(("erasure", "server erasure")))
LEFT_JOBS = select(jobs).where(jobs.c.kind == "left server")


async def open_privacy(who: SandboxPerson, parlour: Parlour) -> Message:
    answer = await who.slash(parlour.elsewhere, "privacy")
    assert answer.ephemeral
    return answer.replies[0]


async def press(who: SandboxPerson, message: Message, button: PrivacyButton) -> Interaction:
    return await who.click(message, str(PrivacyId(button)))


async def delete_everything(who: SandboxPerson, parlour: Parlour) -> Message:
    """Delete a person's data by the buttons, and wait until that is done."""
    message = await open_privacy(who, parlour)
    await press(who, message, PrivacyButton.DELETE)
    before = await parlour.db.read(privacy_storage.count_erasures)
    await press(who, message, PrivacyButton.DELETE_REALLY)
    await wait_for_erasure(parlour, before)
    return message


async def wait_for_erasure(parlour: Parlour, before: int) -> None:
    await wait_for(lambda: has_erased(parlour, before))
    await parlour.wait_until_settled()


async def has_erased(parlour: Parlour, before: int) -> bool:
    def is_waiting(connection: Connection) -> bool:
        return connection.execute(ERASURE_JOBS).first() is not None

    return await parlour.db.read(privacy_storage.count_erasures) != before and not await parlour.db.read(is_waiting)


async def wait_for(is_met: Callable[[], Awaitable[bool]]) -> None:
    """Wait until the database says so."""
    while not await is_met():  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.01)


async def traces_in(parlour: Parlour, *wanted: object) -> list[str]:
    return await parlour.db.read(lambda connection: sorted(set(find_everywhere(connection, *wanted))))


def backup_of(address: str, folder: Path, request: pytest.FixtureRequest) -> bytes:
    """Return a backup as the docs say how to make one, every page of it."""
    file = folder / "backup"
    try:
        back_up(address, file)
    except NeedsPgDump as needed:
        server: PostgresServer = request.getfixturevalue("postgres")
        server.run_client("pg_dump", f"--file={file}", needed.command[-1], cwd=folder)
    return file.read_bytes()


@pytest.mark.slow
async def test_deleting_leaves_no_trace_in_the_database_the_log_and_a_backup(
    sandbox: Sandbox,
    databases: Databases,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    request: pytest.FixtureRequest,
) -> None:
    address = databases.migrated()
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, logger="bot")
    async with run_parlour(sandbox, address) as parlour:
        robin, wren, jay = parlour.robin, parlour.wren, parlour.jay
        over = [
            await finish_at_random(parlour, game, parlour.here.id, robin, wren)
            for game in parlour.client.app.service(Host).service.games
        ]
        await answer_daily(parlour, robin, TODAY, right=True)
        parlour.advance_clock(minutes=0)
        message = await parlour.start_game(robin, wren, jay)
        assert {"daily_answers.name", "results.name", "seats.user_id", "tables.opener_id", "tables.solo_id"} <= set(
            await traces_in(parlour, robin.id, robin.name)
        )

        await delete_everything(robin, parlour)
        await parlour.sandbox.until(lambda: "Robin" not in message.text)
        assert await traces_in(parlour, robin.id, robin.name) == []
        assert await traces_in(parlour, wren.name), "others stay"
        backup = backup_of(address, tmp_path, request)
        assert wren.name.encode() in backup
        for form in (robin.name.encode(), str(robin.id).encode(), struct.pack(">q", robin.id)):
            assert form not in backup
        for table in over:
            await verify(parlour, table.id)
    written = TextFormatter(Redactor(()))
    logged = [written.format(each) for each in caplog.records if not each.name.startswith("bot.sandbox")]
    assert {"bot", "discord"} <= {each.name.split(".")[0] for each in caplog.records}
    assert not [line for line in logged if robin.name in line or str(robin.id) in line]


async def verify(parlour: Parlour, table_id: int) -> None:
    """Check the record of a table: its seat is anonymous, and every number still holds."""
    service = parlour.client.app.service(Host).service
    stored = await service.load_stored(table_id)
    record = await service.time_slices.run_to_end(make_record_in_slices(stored, service.games[stored.header.game]))
    assert [seat.name for seat in record.seats].count(DELETED_NAME) == 1
    result = await service.time_slices.run_to_end(verify_record_in_slices(record, service.games))
    assert result.numbers > 0


async def test_tables_in_progress_go_on_or_end_by_the_usual_rules(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    service = parlour.client.app.service(Host).service
    game = await parlour.start_game(robin, wren, parlour.jay)
    playing = await parlour.table()
    lobby_message = (await wren.slash(parlour.elsewhere, "magpie new")).replies[0]
    await parlour.press(robin, lobby_message, "Join")
    lobby = await parlour.table(parlour.elsewhere)
    solo_message = (await robin.slash(parlour.elsewhere, "magic-bag new")).replies[0]
    solo_id = await service.newest_table_id_in(parlour.elsewhere.id, robin.id)
    assert solo_id is not None

    await delete_everything(robin, parlour)
    playing = await service.table(playing.id)
    assert playing.header.status is Status.PLAYING
    assert [seat.name for seat in playing.seats] == [DELETED_NAME, "Wren", "Jay"]
    assert playing.seat_status.resigned == {0}
    lobby = await service.table(lobby.id)
    assert [seat.name for seat in lobby.seats] == ["Wren"]
    assert (await service.table(solo_id)).header.status is Status.CANCELLED
    await parlour.sandbox.until(lambda: not any("Robin" in each.text for each in (game, lobby_message, solo_message)))


async def test_who_clicks_again_starts_anew(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    await parlour.start_game(robin, wren)
    await delete_everything(robin, parlour)
    profile = await robin.slash(parlour.here, "profile")
    assert "`/play` lists the games" in profile.text
    message = await parlour.open_table(robin)
    assert "Robin" in message.text
    table = await parlour.table()
    assert [seat.user_id for seat in table.seats] == [robin.id]


async def test_nothing_is_deleted_before_it_is_confirmed(parlour: Parlour) -> None:
    robin = parlour.robin
    await parlour.open_table(robin)
    message = await open_privacy(robin, parlour)
    await press(robin, message, PrivacyButton.DELETE)
    await press(robin, message, PrivacyButton.SHOW)
    for kept in ("What I keep", "tournaments", "challenges", "blocked", "time zone", "server settings"):
        assert kept in message.text
    assert await parlour.db.maintain(job_storage.claim, parlour.db.shards, ["erasure"], NEVER, NEVER, 10) == []
    assert await traces_in(parlour, robin.id)


async def test_an_export_is_a_private_file_with_everything_about_who_asks(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    await finish_at_random(parlour, "magpie", parlour.here.id, robin, wren)
    message = await open_privacy(robin, parlour)
    answer = await press(robin, message, PrivacyButton.EXPORT)
    assert answer.ephemeral
    (file,) = answer.replies[0].attachments
    document = json.loads(file.content)
    assert document["person"] == str(robin.id)
    assert [row["name"] for row in document["data"]["results"]] == ["Robin"]
    assert document["data"]["moves"]
    assert "Wren" not in file.content.decode()


async def test_settings_of_direct_messages_are_exported_and_deleted_from_anywhere(parlour: Parlour) -> None:
    robin = parlour.robin
    for who in (robin, parlour.wren):
        await who.slash(who.direct_channel, "settings set", setting="pictures", value="dark")
    message = await open_privacy(robin, parlour)
    (file,) = (await press(robin, message, PrivacyButton.EXPORT)).replies[0].attachments
    (row,) = json.loads(file.content)["data"]["settings"]
    assert (row["scope_id"], row["key"], row["value"]) == (str(robin.direct_channel.id), "pictures", "dark")
    await delete_everything(robin, parlour)
    assert await traces_in(parlour, robin.direct_channel.id) == []
    assert await traces_in(parlour, parlour.wren.direct_channel.id) == ["settings.scope_id"]


async def test_a_server_is_deleted_by_who_manages_it_after_two_questions(parlour: Parlour) -> None:
    owner = parlour.sandbox.person("Robin")
    assert parlour.sandbox.world.server.owner.id == owner.id
    await finish_at_random(parlour, "magpie", parlour.here.id, parlour.wren, parlour.jay)
    running = await parlour.start_game(parlour.wren, parlour.jay)
    message = await open_privacy(owner, parlour)
    before = await parlour.db.read(privacy_storage.count_erasures)
    await press(owner, message, PrivacyButton.SERVER)
    for deleted in ("tables", "tournaments", "results", "ratings", "boards", "seasons", "settings"):
        assert deleted in message.text
    await press(owner, message, PrivacyButton.SERVER_REALLY)
    assert "Are you sure?" in message.text
    await press(owner, message, PrivacyButton.SERVER_FOREVER)
    await parlour.sandbox.until(lambda: not shows_moves(running))
    parlour.advance_clock(minutes=1)
    await wait_for_erasure(parlour, before)
    await wait_for(partial(is_server_gone, parlour))


async def is_server_gone(parlour: Parlour) -> bool:
    return not await traces_in(parlour, parlour.sandbox.world.server.id, "Wren")


@pytest.mark.usefixtures("soon_ready")
async def test_leaving_a_server_deletes_its_data_later_unless_the_bot_comes_back(parlour: Parlour) -> None:
    world = parlour.sandbox.world

    async def is_to_be_deleted() -> bool:
        return await parlour.db.read(lambda connection: connection.execute(LEFT_JOBS).first() is not None)

    async def is_kept() -> bool:
        return not await is_to_be_deleted()

    await parlour.client.wait_until_ready()
    world.remove_bot(world.server)
    await wait_for(is_to_be_deleted)
    world.add_bot(world.server)
    await wait_for(is_kept)
