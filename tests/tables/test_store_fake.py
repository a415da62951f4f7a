"""The fake store keeps the same promises as the real one."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app.store import SqlStore
from bot.tables.model import NEVER_SHOWN, Entry, Header, Location, Occupant, PublishedRevision, Status, TableUpdate
from bot.tables.notifications import Invitation, Reminder
from bot.tables.ports import AlreadyContinued, AlreadyInvited, ChannelTaken, Conflict, HostStore as Store, NotInvitable
from bot.tables.refusals import HostReason
from bot.tables.series_link import SeriesLink, SeriesLinkKind
from tests.support.databases import SqliteFiles
from tests.support.fake_store import FakeStore
from tests.support.fakes import NOON, make_table

HOUR = timedelta(hours=1)
SEATS = (Occupant("Robin", user_id=11, contribution="1"), Occupant("Computer", level="normal"))
LOBBY = make_table(*SEATS, id=0).header
GAME = replace(LOBBY, status=Status.PLAYING, salt="5a")


@pytest.fixture(params=["fake", "sqlite"])
async def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "fake":
        yield FakeStore()
        return
    store = SqlStore(SqliteFiles(tmp_path).migrated())
    yield store
    await store.close()


async def load_table(store: Store, table_id: int) -> Header:
    record = await store.load(table_id)
    assert record is not None
    return record.header


def after_move(header: Header, step: int) -> tuple[Header, Entry]:
    after = replace(header, step=step, to_move=1, revision=header.revision + 1)
    return after, Entry(step, 0, f"roll {step}", f"digest {step}", 77, NOON)


async def test_a_save_that_expects_another_revision_conflicts_and_writes_nothing(any_store: Store) -> None:
    header = await any_store.open_table(GAME, SEATS)
    after, entry = after_move(header, 1)
    for revision in (1, 3):
        with pytest.raises(Conflict):
            await any_store.save(TableUpdate(replace(after, revision=revision), entry, ()))
    record = await any_store.load(header.id)
    assert record is not None
    assert (record.header, record.seats, record.entries) == (header, SEATS, ())


async def test_a_taken_step_conflicts(any_store: Store) -> None:
    header = await any_store.open_table(GAME, SEATS)
    after, entry = after_move(header, 1)
    await any_store.save(TableUpdate(after, entry))
    with pytest.raises(Conflict):
        await any_store.save(TableUpdate(replace(after, revision=3), entry))


async def test_a_save_leaves_fixed_columns_and_the_published_revision(any_store: Store) -> None:
    header = await any_store.open_table(LOBBY, SEATS)
    await any_store.mark_published([PublishedRevision(header.id, 1, 70)])
    await any_store.save(
        TableUpdate(
            replace(header, game="other", location=Location(1, 1), seed=b"x", published=0, message_id=None, revision=2)
        )
    )
    expected = replace(header, revision=2, published=1, message_id=70)
    assert await load_table(any_store, header.id) == expected


async def test_the_published_revision_never_moves_back(any_store: Store) -> None:
    header = await any_store.open_table(LOBBY, SEATS)
    for revision, message_id, expected in [(2, 70, (2, 70)), (1, 71, (2, 70)), (2, 72, (2, 72))]:
        await any_store.mark_published([PublishedRevision(header.id, revision, message_id)])
        shown = await load_table(any_store, header.id)
        assert (shown.published, shown.message_id) == expected


@pytest.mark.parametrize(
    ("replaces", "revision", "expected"),
    [
        (3, 5, (5, 72)),
        (3, 3, (3, 72)),
        (1, 3, (3, 72)),  # both processes show the same
        (1, 5, (NEVER_SHOWN, 72)),
        (1, 2, (NEVER_SHOWN, 71)),
    ],
)
async def test_a_table_that_two_processes_have_shown_counts_as_never_shown(
    any_store: Store, replaces: int, revision: int, expected: tuple[int, int]
) -> None:
    header = await any_store.open_table(LOBBY, SEATS)
    for note in (
        PublishedRevision(header.id, 3, 71, replaces=NEVER_SHOWN),
        PublishedRevision(header.id, revision, 72, replaces=replaces),
    ):
        await any_store.mark_published([note])
    shown = await load_table(any_store, header.id)
    assert (shown.published, shown.message_id) == expected
    await any_store.mark_published([PublishedRevision(header.id, 6, 72, replaces=revision)])
    is_known = shown.published == revision
    assert (await load_table(any_store, header.id)).published == (6 if is_known else NEVER_SHOWN), (
        "it has not read that"
    )
    await any_store.mark_published([PublishedRevision(header.id, 6, 72, replaces=shown.published)])
    assert (await load_table(any_store, header.id)).published == 6


@pytest.mark.parametrize(("revision", "expected"), [(3, 3), (4, NEVER_SHOWN)])
async def test_a_table_that_both_have_shown_counts_as_never_shown_if_one_has_gone_on(
    any_store: Store, revision: int, expected: int
) -> None:
    """What the other one shows next may be there already, and have been overwritten with the older picture."""
    header = await any_store.open_table(LOBBY, SEATS)
    await any_store.mark_published([PublishedRevision(header.id, 3, 71, replaces=NEVER_SHOWN)])
    for saved in range(2, revision + 1):
        await any_store.save(TableUpdate(replace(header, revision=saved)))
    await any_store.mark_published([PublishedRevision(header.id, 3, 71, replaces=1)])
    assert (await load_table(any_store, header.id)).published == expected
    await any_store.mark_published([PublishedRevision(header.id, 4, 71, replaces=3)])
    is_known = expected == 3
    assert (await load_table(any_store, header.id)).published == (4 if is_known else NEVER_SHOWN)


async def test_a_channel_has_one_open_table(any_store: Store) -> None:
    header = await any_store.open_table(LOBBY, SEATS)
    with pytest.raises(ChannelTaken) as taken:
        await any_store.open_table(LOBBY, SEATS)
    assert taken.value.table_id == header.id
    assert await any_store.find_open(header.location.channel_id) == header.id
    await any_store.save(TableUpdate(replace(header, status=Status.CANCELLED, revision=2)))
    assert await any_store.find_open(header.location.channel_id) is None
    assert await any_store.find_newest(header.location.channel_id) == header.id
    newer = await any_store.open_table(LOBBY, SEATS)
    assert newer.id != header.id
    assert await any_store.find_newest(header.location.channel_id) == newer.id
    assert await any_store.find_newest(header.location.channel_id + 1) is None
    solo = await any_store.open_table(replace(LOBBY, location=replace(LOBBY.location, solo_id=5)), SEATS)
    assert await any_store.find_newest(header.location.channel_id, 5) == solo.id
    assert await any_store.find_newest(header.location.channel_id, 6) == newer.id


async def test_each_part_of_a_series_has_one_table(any_store: Store) -> None:
    linked = replace(LOBBY, link=SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2, (3, 4)))
    header = await any_store.open_table(linked, SEATS)
    with pytest.raises(AlreadyContinued) as continued:
        await any_store.open_table(linked, SEATS)
    assert continued.value.table_id == header.id
    changed = replace(header, status=Status.CANCELLED, revision=2, link=None)
    await any_store.save(TableUpdate(changed))
    assert (await load_table(any_store, header.id)).link == linked.link
    assert (await any_store.open_table(linked, SEATS)).id != header.id


async def test_tables_to_show_and_computers_to_move_are_pending(any_store: Store) -> None:
    header = await any_store.open_table(GAME, SEATS)
    assert list(await any_store.list_pending_tables({"magpie"}, 0, 9)) == [header.id]
    await any_store.mark_published([PublishedRevision(header.id, 9, 70)])
    assert list(await any_store.list_pending_tables({"magpie"}, 0, 9)) == []
    after, entry = after_move(header, 1)
    await any_store.save(TableUpdate(replace(after, awaits_computer=True), entry))
    assert list(await any_store.list_pending_tables({"magpie"}, 0, 9)) == [header.id]
    await any_store.save(TableUpdate(replace(after, to_move=0, revision=3)))
    assert list(await any_store.list_pending_tables({"magpie"}, 0, 9)) == []


async def test_an_invitation_counts_for_a_day_and_lapses(any_store: Store) -> None:
    header = await any_store.open_table(LOBBY, SEATS)
    other = await any_store.open_table(replace(LOBBY, location=replace(LOBBY.location, channel_id=71)), SEATS)
    invitation = Invitation(header.id, header.location, 11, 12, 5, 6, NOON)
    await any_store.add_invitation(invitation, NOON - HOUR, 2)
    await any_store.withdraw_invitation(replace(invitation, click_id=6))
    with pytest.raises(AlreadyInvited) as earlier:
        await any_store.add_invitation(replace(invitation, click_id=6), NOON - HOUR, 2)
    assert earlier.value.click_id == 5
    await any_store.withdraw_invitation(invitation)
    await any_store.add_invitation(invitation, NOON - HOUR, 2)
    again = replace(invitation, table_id=other.id, location=other.location)
    assert await not_invitable(any_store, again, 2) is HostReason.INVITED_TODAY
    assert await not_invitable(any_store, replace(invitation, user_id=13), 1) is HostReason.TOO_MANY_INVITATIONS
    kept = replace(invitation, message_id=70)
    assert await any_store.set_invitation_message(kept)
    assert list(await any_store.lapsed_invitations(9)) == []
    await any_store.save(TableUpdate(replace(header, revision=2, status=Status.EXPIRED)))
    assert list(await any_store.lapsed_invitations(9)) == [kept]
    await any_store.mark_invitation_removed(invitation)
    assert list(await any_store.lapsed_invitations(9)) == [kept], "this caller did not know of the message"
    await any_store.mark_invitation_removed(kept)
    assert list(await any_store.lapsed_invitations(9)) == []
    await any_store.prune_invitations(NOON - HOUR)
    assert await not_invitable(any_store, again, 2) is HostReason.INVITED_TODAY
    await any_store.prune_invitations(NOON)
    await any_store.set_refuses_invitations(12, refuses=True)
    assert await any_store.refuses_invitations(12)
    assert await not_invitable(any_store, again, 2) is HostReason.INVITATIONS_REFUSED
    await any_store.set_refuses_invitations(12, refuses=False)
    await any_store.add_invitation(again, NOON - HOUR, 2)
    await any_store.set_refuses_invitations(12, refuses=True)
    assert list(await any_store.lapsed_invitations(9)) == [again]


async def not_invitable(store: Store, invitation: Invitation, most: int) -> HostReason:
    with pytest.raises(NotInvitable) as caught:
        await store.add_invitation(invitation, NOON - HOUR, most)
    return caught.value.reason


async def test_a_turn_is_reminded_of_once(any_store: Store) -> None:
    header = await any_store.open_table(GAME, SEATS)
    after, entry = after_move(header, 1)
    header = replace(after, to_move=0)
    await any_store.save(TableUpdate(header, entry))
    (due,) = await any_store.due_reminders({"magpie"}, NOON - HOUR, {2: NOON}, 9)
    assert due == Reminder(header.id, header.location, 0, 1, NOON)
    assert await any_store.due_reminders({"magpie"}, NOON, {2: NOON + HOUR}, 9) == []
    due = replace(due, noted_at=NOON + HOUR, message_id=70)
    assert not await any_store.claim_reminder(replace(due, seat=1))
    assert await any_store.claim_reminder(due)
    assert not await any_store.claim_reminder(due)
    assert await any_store.set_reminder_message(due)
    assert await any_store.due_reminders({"magpie"}, NOON - HOUR, {2: NOON}, 9) == []
    assert await any_store.lapsed_reminders(9) == []
    header = replace(header, step=2, revision=header.revision + 1, awaited_since=NOON + HOUR)
    await any_store.save(TableUpdate(header, replace(entry, step=2)))
    assert await any_store.lapsed_reminders(9) == [due]
    await any_store.mark_reminder_removed(due)
    assert await any_store.lapsed_reminders(9) == []
    assert not await any_store.set_reminder_message(due)
    assert await any_store.due_reminders({"magpie"}, NOON, {2: NOON + HOUR}, 9) == [], "the turn goes on"
    header = replace(header, step=3, revision=header.revision + 1)
    await any_store.save(TableUpdate(header, replace(entry, step=3, seat=1)))
    (passed,) = await any_store.lapsed_reminders(9)
    assert (passed.stands, passed.message_id) == (False, None)
    await any_store.mark_reminder_removed(passed)
    (again,) = await any_store.due_reminders({"magpie"}, NOON, {2: NOON + HOUR}, 9)
    assert again.step == 3
