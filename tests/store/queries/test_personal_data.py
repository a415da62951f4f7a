"""Every column is classified, and deleting and exporting follow from that, on every database."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, Executable, func, insert, select, update

from bot.app.databases import SCHEMA
from bot.features.blocks.service import Blocks
from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.idle_tables.storage import announcements
from bot.features.invitations.storage import invitations
from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.model import Erasure, PersonRows
from bot.features.privacy.personal_data import PERSONAL_DATA, Erasing, Kind, Leaving
from bot.features.privacy.service import LEFT_SERVER, SERVER_ERASURE, PersonalDataService, ServerDataService
from bot.features.reminders import storage as reminder_storage
from bot.features.results.rebuild import rebuild
from bot.features.results.storage import encounters, ratings
from bot.features.settings.storage import settings
from bot.features.tournaments import storage as tournament_storage
from bot.features.tournaments.model import ADVANCE_KIND, Format, Stage, Tournament
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import LEASE
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.tables import storage as table_storage
from bot.tables.model import Company, Occupant, Status
from bot.tables.results import results
from bot.tables.schema import DELETED_NAME, seats
from bot.tables.service import TableService
from tests.store.every_column import AT, fill_database, find_everywhere, sample_row
from tests.store.samples import Connect, load_header, make_header
from tests.support.apps import shared_app
from tests.support.fakes import FakeClock
from tests.support.finished_games import play_to_end
from tests.support.games import load_games_once

ROBIN_ID, WREN_ID = 110011001100110011, 220022002200220022
ROBIN, WREN = Person(ROBIN_ID, "Robin"), Person(WREN_ID, "Wren")
PSEUDONYM = -4711
KEPT = ["bans.user_id"]
"""Where the id of an erased person stays: a ban must outlast the deletion."""
STAYING = ["greetings.guild_id", "jobs.guild_id", "jobs.key"]
"""Where the id of a deleted server stays: in the running job, and for a day in the note of the greeting."""
SERVER_ID, OTHER_SERVER_ID = 330033003300330033, 440044004400440044


def make_service(db: Database) -> TableService:
    service = TableService(db, load_games_once(), clock=FakeClock(AT))
    service.hooks = shared_app().tables.hooks
    return service


def make_services(db: Database) -> tuple[PersonalDataService, ServerDataService]:
    service = make_service(db)
    tournaments = TournamentService(db, Blocks(db, service.clock), service.clock)
    return (
        PersonalDataService(db, service, tournaments.leave_all, service.cache.clear),
        ServerDataService(db, service, tournaments.close_in, reminder_storage.forget_in_server),
    )


def fill(connection: Connection) -> None:
    for number, user_id, name, server in ((1, ROBIN_ID, "Robin", SERVER_ID), (2, WREN_ID, "Wren", OTHER_SERVER_ID)):
        fill_database(
            connection, number, person=user_id, name=name, server=server, place=server + 1, text=f"of {user_id}"
        )


async def execute(db: Database, statement: Executable, rows: list[dict[str, object]] | None = None) -> None:
    def work(connection: Connection) -> None:
        connection.execute(statement, rows)

    await db.write(work)


async def search(db: Database, *wanted: object) -> list[str]:
    return await db.read(lambda connection: sorted(set(find_everywhere(connection, *wanted))))


async def erase(db: Database, user_id: int) -> None:
    people, _ = make_services(db)
    asked = Erasure(user_id, PSEUDONYM, AT)
    await db.write(privacy_storage.ask, asked, job := Job("erasure", str(PSEUDONYM), AT))
    assert await people.erase(job) is None


def test_every_column_is_classified() -> None:
    assert PERSONAL_DATA.keys() == SCHEMA.tables.keys()
    for name, table in SCHEMA.tables.items():
        assert PERSONAL_DATA[name].kinds.keys() == set(table.columns.keys()), name


def test_every_person_name_and_text_has_a_rule() -> None:
    for name, data in PERSONAL_DATA.items():
        personal = any(kind in (Kind.PERSON, Kind.NAME, Kind.TEXT) for kind in data.kinds.values())
        assert not personal or data.erasing is not Erasing.NONE, name
        if data.erasing is Erasing.CLEAR:
            assert all(column.nullable for column in data.columns(Kind.PERSON)), name
        assert Kind.SERVER not in data.kinds.values() or data.leaving is not Leaving.NONE, name


def find_names(connection: Connection) -> list[tuple[int, str]]:
    """Return who sat somewhere, by seats and by results."""
    found = [connection.execute(select(table.c.user_id, table.c.name)) for table in (seats, results)]
    return [(row.user_id, row.name) for rows in found for row in rows]


def find_titles(connection: Connection) -> list[tuple[int, str]]:
    """Return the tournaments' titles and those who gave them."""
    stored = tournament_storage.tournaments.c
    return [(row.opener_id, row.title) for row in connection.execute(select(stored.opener_id, stored.title))]


@pytest.mark.every_database
async def test_deleting_a_person_leaves_no_trace_and_other_people_alone(db: Database) -> None:
    await db.write(fill)
    assert await search(db, ROBIN_ID, "Robin")
    others = await search(db, WREN_ID, "Wren")
    await erase(db, ROBIN_ID)
    assert await search(db, ROBIN_ID, "Robin") == KEPT
    assert await search(db, WREN_ID, "Wren") == others
    assert set(await db.read(find_names)) == {(PSEUDONYM, DELETED_NAME), (WREN_ID, "Wren")}, "what others have stays"
    assert set(await db.read(find_titles)) == {(PSEUDONYM, ""), (WREN_ID, "Wren")}, "the tournament gets its usual name"


async def test_nothing_leads_to_the_direct_messages_of_someone_erased_even_where_the_game_is_gone(db: Database) -> None:
    channel_id = 550055005500550055
    header = replace(make_header(), status=Status.PLAYING, game="chess", location=Location(None, channel_id))
    opened = await db.write(table_storage.open_table, header, [Occupant("Robin", ROBIN_ID, None, "7")])
    notice = {"table_id": opened.id, "channel_id": channel_id, "since": AT, "noted_at": AT, "message_id": 7}
    await db.write(lambda connection: connection.execute(insert(announcements).values(**notice, stands=True)).rowcount)
    await erase(db, ROBIN_ID)
    assert await search(db, ROBIN_ID, str(channel_id)) == []


async def test_a_removal_from_a_lobby_or_a_kept_seat_is_forgotten_alone(db: Database) -> None:
    longer = int(f"{ROBIN_ID}1")
    people = frozenset({ROBIN_ID, WREN_ID, longer})
    header = replace(make_header(), status=Status.LOBBY, kicked=people, kept=people)
    opened = await db.write(table_storage.open_table, header, [Occupant("Jay", 33, None, "7")])
    await erase(db, ROBIN_ID)
    stored = await load_header(db, opened.id)
    assert stored.kicked == stored.kept == {WREN_ID, longer}
    assert stored.revision > header.revision, "whoever has read it before must not write it back"


async def test_an_erasure_goes_on_after_a_restart_with_the_same_pseudonym(connect: Connect) -> None:
    first, second = await connect(), await connect()
    await first.write(fill)
    asked = Erasure(ROBIN_ID, PSEUDONYM, AT)
    await first.write(privacy_storage.ask, asked, Job("erasure", str(PSEUDONYM), AT))
    await first.write(privacy_storage.ask, Erasure(ROBIN_ID, PSEUDONYM - 1, AT), Job("erasure", str(PSEUDONYM - 1), AT))
    assert (await first.maintain(privacy_storage.erase_from_tables, asked, 1)).count == 1
    (job,) = await second.maintain(job_storage.claim, second.shards, ["erasure"], AT, AT + timedelta(minutes=5), 10)
    people, _ = make_services(second)
    assert await people.erase(job) is None
    assert await search(second, ROBIN_ID, "Robin") == KEPT
    people_left = await second.read(lambda c: set(c.execute(select(results.c.user_id)).scalars()))
    assert people_left == {PSEUDONYM, WREN_ID}


async def test_many_rows_are_deleted_in_short_transactions(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await db.write(fill)
    rows = [sample_row("results", 1, person=ROBIN_ID, name="Robin") | {"seat": 100 + n} for n in range(250)]
    await execute(db, insert(results), rows)
    sizes = []
    erase_rows = privacy_storage.erase_rows

    def note_size(connection: Connection, asked: Erasure, found: PersonRows) -> None:
        sizes.append(len(found.keys))
        erase_rows(connection, asked, found)

    monkeypatch.setattr(privacy_storage, "erase_rows", note_size)
    await erase(db, ROBIN_ID)
    assert max(sizes) == 200
    assert sum(sizes) > 250
    assert await search(db, ROBIN_ID) == KEPT


@pytest.mark.every_database
async def test_an_export_has_what_is_about_the_person_and_nothing_of_others(db: Database) -> None:
    await db.write(fill)
    people, _ = make_services(db)
    exported = await people.export(ROBIN_ID)
    document = json.loads(exported.data)
    assert exported.is_complete
    assert document["person"] == str(ROBIN_ID)
    expected = {name for name, data in PERSONAL_DATA.items() if data.exported_by} | {"moves", "reminders"}
    assert document["data"].keys() == expected
    assert all(len(rows) == 1 for rows in document["data"].values())
    assert "Wren" not in exported.data.decode()
    assert str(WREN_ID) not in exported.data.decode()
    assert "seed" not in document["data"]["tables"][0]
    assert "digest" not in document["data"]["moves"][0]


async def test_an_export_hides_the_other_person_of_a_row(db: Database) -> None:
    await db.write(fill)
    await execute(db, update(invitations).values(inviter_id=ROBIN_ID))
    people, _ = make_services(db)
    rows = json.loads((await people.export(ROBIN_ID)).data)["data"]["invitations"]
    assert sorted(row["user_id"] for row in rows) == sorted([str(ROBIN_ID), "someone else"])
    assert [row["inviter_id"] for row in rows] == [str(ROBIN_ID)] * 2


@pytest.mark.every_database
async def test_a_server_is_deleted_when_asked_for_and_others_stay(db: Database) -> None:
    await db.write(fill)
    others = await search(db, OTHER_SERVER_ID)
    _, servers = make_services(db)
    await servers.ask_erasure(SERVER_ID)
    assert await servers.erase_asked(Job(SERVER_ERASURE, str(SERVER_ID), AT)) is None
    assert await search(db, SERVER_ID, SERVER_ID + 1) == STAYING
    assert await search(db, OTHER_SERVER_ID) == others


async def test_a_tournament_is_cancelled_some_seconds_before_its_server_is_deleted(db: Database) -> None:
    opened = Tournament(0, "Cup", "magpie", "{}", Location(SERVER_ID, 7), Person(5, "Robin"), AT, 24, Format.SWISS)
    added = await db.write(tournament_storage.add, opened, 1, [])
    _, servers = make_services(db)
    job = Job(SERVER_ERASURE, str(SERVER_ID), AT)
    assert await servers.erase_asked(job) == AT + timedelta(seconds=15)
    found = await db.read(tournament_storage.find, added.id)
    assert found is not None
    assert found.stage is Stage.CANCELLED
    (shown,) = await db.maintain(job_storage.claim, db.shards, [ADVANCE_KIND], AT, AT + LEASE, 10)
    assert shown.key == str(added.id)
    assert await servers.erase_asked(job) is None
    assert await db.read(tournament_storage.find, added.id) is None


@pytest.mark.every_database
async def test_a_server_that_was_left_is_deleted_after_30_days_unless_the_bot_is_back(db: Database) -> None:
    await db.write(fill)
    _, servers = make_services(db)
    await servers.note_present([OTHER_SERVER_ID])
    await servers.note_left(OTHER_SERVER_ID)
    await servers.note_joined([OTHER_SERVER_ID])
    assert not await db.maintain(
        job_storage.claim, db.shards, [LEFT_SERVER], AT + timedelta(days=29), AT + timedelta(days=30), 10
    )
    due = AT + timedelta(days=30)
    (job,) = await db.maintain(job_storage.claim, db.shards, [LEFT_SERVER], due, due + timedelta(minutes=5), 10)
    assert job.key == str(SERVER_ID)
    assert await servers.erase_left(job) == AT + timedelta(minutes=1), "nobody knows where the bot is"
    servers.find_membership = lambda _: True
    assert await servers.erase_left(job) is None
    assert len(await search(db, SERVER_ID)) > 1
    servers.find_membership = lambda _: False
    assert await servers.erase_left(job) is None
    assert await search(db, SERVER_ID) == STAYING


SERVER_TABLES = [name for name, data in PERSONAL_DATA.items() if data.leaving in (Leaving.DELETE, Leaving.CLEAR)]


async def test_a_server_is_found_by_whatever_is_kept_of_it(db: Database) -> None:
    for number, name in enumerate(SERVER_TABLES, 1):
        row = sample_row(name, number, server=SERVER_ID + number)
        await execute(db, insert(SCHEMA.tables[name]), [row | ({"owner_id": None} if "owner_id" in row else {})])
    direct = sample_row("settings", 1, server=OTHER_SERVER_ID) | {"owner_id": ROBIN_ID}
    await execute(db, insert(settings), [direct])
    assert await db.read(privacy_storage.find_servers, db.shards) == [
        SERVER_ID + number for number, _ in enumerate(SERVER_TABLES, 1)
    ]


def count_duels(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(encounters)).scalar_one()


async def test_ratings_of_others_stay_and_come_out_the_same_when_they_are_made_again(db: Database) -> None:
    jay = Person(33, "Jay")
    for channel, people in enumerate(((ROBIN, WREN), (WREN, jay), (ROBIN, jay, WREN)), 1):
        await play_to_end(make_service(db), Location(SERVER_ID, channel), *people)

    async def rated() -> dict[int, tuple[float, float, int]]:
        found = await db.read(lambda connection: connection.execute(select(ratings)).all())
        return {row.user_id: (row.mu, row.sigma, row.games) for row in found}

    before = await rated()
    await erase(db, ROBIN_ID)
    assert await rated() == {PSEUDONYM if who == ROBIN_ID else who: rating for who, rating in before.items()}
    after, duels = await rated(), await db.read(count_duels)
    assert duels == 2
    await db.run_exclusively(rebuild)
    assert await rated() == after
    assert await db.read(count_duels) == duels
    assert await search(db, ROBIN_ID, "Robin") == []


async def test_accounts_made_anew_in_the_middle_of_an_erasure_do_not_stop_it(db: Database) -> None:
    for channel in (1, 2):
        await play_to_end(make_service(db), Location(SERVER_ID, channel), ROBIN, WREN)
    asked = Erasure(ROBIN_ID, PSEUDONYM, AT)
    await db.maintain(privacy_storage.erase_from_tables, asked, 200)
    half = await db.read(privacy_storage.find_rows, ROBIN_ID, 1)
    assert half is not None
    assert half.table == "results"
    await db.maintain(privacy_storage.erase_rows, asked, half)
    await db.run_exclusively(rebuild)
    await erase(db, ROBIN_ID)
    assert await search(db, ROBIN_ID, "Robin") == []


async def test_boards_show_somebody_whose_data_is_being_deleted_without_a_name(db: Database) -> None:
    table = await play_to_end(make_service(db), Location(SERVER_ID, 1), ROBIN, WREN)
    found = await db.read(privacy_storage.find_rows, ROBIN_ID, 10)
    assert found is not None
    assert found.table == "results"
    await db.maintain(privacy_storage.erase_rows, Erasure(ROBIN_ID, PSEUDONYM, AT), found)
    key = BoardKey(SERVER_ID, table.header.game, Company.PEOPLE, BoardOrder.WINS)
    shown = await db.read(board_storage.standings, key, WREN_ID, 0, 10)
    assert {row.name for row in shown.rows} == {DELETED_NAME, "Wren"}
