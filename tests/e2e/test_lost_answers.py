"""A process dies between storing what a click did and answering it: what the person sees then, through the sandbox."""

from pathlib import Path

from bot.platform.database.database import open_database
from bot.platform.places import Person
from bot.sandbox import Sandbox
from bot.sandbox.people.person import Person as SandboxPerson
from bot.tables.handlers.ids import LobbyButton, LobbyId, OptionMenuId
from bot.tables.host import Host
from bot.tables.lobby import digest_of_options
from bot.tables.model import TableId
from bot.tables.service import TableService
from tests.support.games import load_games_once
from tests.support.parlour import button_id, run_parlour, shows_moves


async def join_without_answer(file: Path, table_id: TableId, who: SandboxPerson) -> None:
    """Do what a process does with a click on *Join* that dies before it shows anything."""
    db = open_database(f"sqlite+aiosqlite:///{file}")
    await TableService(db, load_games_once()).join(table_id, Person(who.id, who.name), click_id=1)
    await db.close()


async def test_the_next_click_in_another_process_shows_who_has_joined(sandbox: Sandbox, tmp_path: Path) -> None:
    """That process had read the table before."""
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as parlour:
        lobby = await parlour.open_table(parlour.robin)
        await join_without_answer(file, (await parlour.table()).id, parlour.wren)
        answer = await parlour.wren.click(lobby, button_id(lobby, "Join"))
        assert not answer.replies
        assert "Wren" in lobby.text
        await parlour.press(parlour.robin, lobby, "Start")
        await sandbox.until(lambda: shows_moves(lobby))


async def test_a_button_of_a_lobby_counts_in_a_process_that_has_read_an_older_one(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """The process that seated Wren had shown that before it died."""
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as parlour:
        lobby = await parlour.open_table(parlour.robin)
        table = await parlour.table()
        await join_without_answer(file, table.id, parlour.wren)
        leave = LobbyId(table.id, table.header.revision + 1, LobbyButton.LEAVE)
        await parlour.wren.click(lobby, str(leave), forged=True)
        assert [seat.name for seat in (await parlour.client.app.service(Host).service.reload(table.id)).seats] == [
            "Robin"
        ]


async def test_a_button_without_a_revision_is_judged_by_the_lobby_as_it_is_now(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """Another process has made Wren the host, and this one has read the lobby before."""
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as parlour:
        lobby = await parlour.open_table(parlour.robin)
        await parlour.press(parlour.wren, lobby, "Join")
        table_id = (await parlour.table()).id
        options = f"o:{table_id}"
        db = open_database(f"sqlite+aiosqlite:///{file}")
        await TableService(db, load_games_once()).leave(table_id, Person(parlour.robin.id, parlour.robin.name))
        await db.close()
        panel = await parlour.wren.click(lobby, options, forged=True)
        assert any(each.selects for each in panel.replies)
        refused = await parlour.robin.click(lobby, options, forged=True)
        assert "Only Wren, the host, can do that" in refused.text


async def test_a_choice_on_a_panel_that_another_process_has_shown_is_made(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as parlour:
        lobby = await parlour.open_table(parlour.robin)
        table = await parlour.table()
        panel = await parlour.open_options(parlour.robin, lobby)
        db = open_database(f"sqlite+aiosqlite:///{file}")
        other = TableService(db, load_games_once())
        robin = Person(parlour.robin.id, parlour.robin.name)
        changed = await other.choose_option(table.id, robin, "target", "200", digest_of_options(table))
        shown_by_other = OptionMenuId(table.id, digest_of_options(changed), "double_big_rolls")
        (switch,) = [each for each in panel.selects if each.custom_id.endswith("double_big_rolls")]
        (on,) = [option["value"] for option in switch.options if not option["default"]]
        await parlour.robin.select(panel, str(shown_by_other), [on], forged=True)
        options = (await other.reload(table.id)).options.model_dump()
        await db.close()
        assert (options["target"], options["double_big_rolls"]) == (200, True)
