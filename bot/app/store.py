"""The store: implements the ports of tables and community over a database."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from bot.features.badges import storage as badges
from bot.features.blocks import storage as blocks
from bot.features.boards import storage as boards
from bot.features.daily_bag import storage as daily_bag
from bot.features.host_news import storage as host_news
from bot.features.idle_tables import storage as announcements
from bot.features.invitations import storage as invitations
from bot.features.my_tables import storage as my_tables
from bot.features.privacy import erasure, exports, retention_storage as retention, server_erasure
from bot.features.profiles import storage as profiles
from bot.features.puzzles import storage as puzzles
from bot.features.reminders import ping_storage as pings, storage as reminders, unanswerable_pings
from bot.features.replays import animation_storage as animations
from bot.features.results import storage as result_queries
from bot.features.results.accounts import ratings, rebuild
from bot.features.reviews import storage as reviews
from bot.features.seasons import storage as seasons
from bot.features.settings import people_storage as people, storage as preferences
from bot.features.tournaments import storage as tournaments
from bot.features.turn_clocks import storage as clocks
from bot.platform.database import key_values
from bot.platform.database.backends import database_at
from bot.platform.database.database import Database
from bot.platform.database.import_file import import_sqlite_file
from bot.platform.database.methods import (
    read_method,
    read_method_of_shards,
    upkeep_method,
    upkeep_method_of_shards,
    write_method,
)
from bot.platform.database.migrate import check, migrate
from bot.platform.jobs import downtimes, due_work_storage as due_work, shard_storage as shards, storage as jobs
from bot.platform.jobs.shard_ranges import ALL_SHARDS
from bot.tables import (
    compaction_storage as compaction,
    open_tables,
    storage as stored_tables,
    sweep,
    usage_storage as usage,
)
from bot.tables.model import Award, PublishedRevision, Status, TableUpdate
from bot.tables.ports import ChannelTaken, Conflict


class SqlStore:
    """Stores tables in a database. When a method that writes returns, its work is on disk.

    The ports describe the methods: `bot.tables.ports` and `bot.app.ports`.
    """

    def __init__(self, database_url: str) -> None:
        self.database: Database = database_at(database_url)
        self.shards = ALL_SHARDS
        """The shards of this process, whose work it looks for."""

    async def upgrade(self) -> None:
        """Create the database or upgrade its schema; several processes may do so at once."""
        await migrate(self.database)

    async def check(self) -> None:
        """Check that this version of Parlour can use or upgrade the database, and change nothing."""
        await self.database.read(check)

    async def import_sqlite_file(self, file: Path) -> int:
        """Copy an SQLite file into this database, and return the number of tables imported.

        Raises:
            CannotImport: The database holds more than the bot writes when it starts, or the file is unsuitable.
        """
        return await import_sqlite_file(self.database, file)

    async def rebuild_accounts(self) -> int:
        """Recalculate ratings and totals from the results, while no table can end; return how many have ended."""
        return await self.database.run_exclusively(rebuild.rebuild)

    async def close(self) -> None:
        """Finish running transactions and disconnect."""
        await self.database.close()

    open_table = write_method(open_tables.open_table)
    count_opened = read_method(open_tables.count_opened)
    load = read_method(stored_tables.load)
    find_open = read_method(open_tables.find_open)
    find_newest = read_method(stored_tables.find_newest)
    list_aside_tables = read_method(open_tables.find_put_aside)
    list_open_tables = read_method(sweep.find_open_in_scope)
    idle_lobbies = read_method_of_shards(sweep.idle_lobbies)
    list_pending_tables = read_method_of_shards(sweep.find_pending)
    count_open_tables = read_method(sweep.count_open_by_game)

    compact_tables = upkeep_method(compaction.compact_tables)

    add_block = write_method(blocks.add)
    remove_block = write_method(blocks.remove)
    list_blocked = read_method(blocks.find_blocked)
    find_blocks = read_method(blocks.find_between)

    add_invitation = write_method(invitations.add)
    withdraw_invitation = upkeep_method(invitations.withdraw)
    set_invitation_message = upkeep_method(invitations.set_message)
    lapsed_invitations = read_method_of_shards(invitations.find_lapsed)
    mark_invitation_removed = upkeep_method(invitations.mark_removed)
    prune_invitations = upkeep_method(invitations.prune)
    refuses_invitations = read_method(invitations.refuses_invitations)
    set_refuses_invitations = write_method(invitations.set_refuses_invitations)

    look_for_work = read_method_of_shards(due_work.look)

    due_reminders = read_method_of_shards(reminders.find_due)
    claim_reminder = upkeep_method(reminders.claim)
    set_reminder_message = upkeep_method(reminders.set_message)
    lapsed_reminders = read_method_of_shards(reminders.find_lapsed)
    mark_reminder_removed = upkeep_method(reminders.mark_removed)
    held_reminders = read_method_of_shards(reminders.find_held)
    load_reminder = read_method(reminders.find)
    release_reminder = upkeep_method(reminders.release)
    forget_server_pings = upkeep_method(unanswerable_pings.forget_in_server)
    find_ping_channels = read_method(unanswerable_pings.find_channels)
    forget_channel_pings = upkeep_method(unanswerable_pings.forget_in_channel)

    load_pings = read_method(pings.find)
    choose_ping = write_method(pings.choose)
    choose_quiet_hours = write_method(pings.choose_quiet_hours)
    note_refused_direct = upkeep_method(pings.note_refused_direct)
    running_clocks = read_method(clocks.find_running)
    my_tables = read_method(my_tables.find)

    tables_to_announce = read_method_of_shards(announcements.find_unannounced)
    claim_announcement = upkeep_method(announcements.claim)
    set_announcement_message = upkeep_method(announcements.set_message)
    delete_announcement = upkeep_method(announcements.remove)
    tables_to_abandon = read_method_of_shards(announcements.find_announced)
    lapsed_announcements = read_method_of_shards(announcements.find_lapsed)

    standings = read_method(boards.standings)
    person_record = read_method(profiles.person_record)
    versus = read_method(profiles.versus)
    finished_tables = read_method(result_queries.played_tables)
    newest_tables = read_method(result_queries.newest_tables)
    latest_tables = read_method(result_queries.latest_tables)
    rating_changes = read_method(ratings.find_changes)

    servers_of_season = read_method(seasons.servers_of_season)
    end_season = upkeep_method(seasons.end_season)
    past_seasons = read_method(seasons.past_seasons)
    prune_totals = upkeep_method(seasons.prune_totals)

    badges_of = read_method(badges.badges_of)

    load_review = read_method(reviews.find)
    save_review = upkeep_method(reviews.put)
    load_animation = read_method(animations.find)
    save_animation = upkeep_method(animations.put)

    answer_daily = write_method(puzzles.answer_daily)
    find_daily = read_method(puzzles.find_daily)
    note_answer = write_method(puzzles.note_answer)
    find_answered = read_method(puzzles.find_answered)
    person_streak = read_method(puzzles.person_streak)
    daily_board = read_method(puzzles.daily_board)

    commit_bag = upkeep_method(daily_bag.commit_bag)
    find_bags = read_method(daily_bag.find_bags)
    publish_bag = upkeep_method(daily_bag.publish_bag)
    has_open_attempt = read_method(daily_bag.has_open_attempt)
    find_attempt = read_method(daily_bag.find_attempt)
    load_daily_facts = read_method(daily_bag.load_facts)
    load_daily_scores = read_method(daily_bag.load_scores)
    find_daily_board = read_method(daily_bag.find_board)
    set_daily_consent = write_method(daily_bag.set_consent)

    schedule_job = upkeep_method(jobs.put)
    add_job = write_method(jobs.add)
    cancel_jobs = upkeep_method(jobs.remove)
    claim_jobs = upkeep_method_of_shards(jobs.claim)
    reschedule_job = upkeep_method(jobs.put_unless_claimed)
    prolong_claim = upkeep_method(jobs.prolong)
    finish_job = upkeep_method(jobs.finish)
    note_alive = upkeep_method_of_shards(downtimes.note_alive)
    load_downtimes = read_method_of_shards(downtimes.find_all)

    acquire_lease = upkeep_method(shards.acquire_lease)
    renew_lease = upkeep_method(shards.renew_lease)
    release_lease = upkeep_method(shards.release_lease)
    find_leases = read_method(shards.find_leases)
    reserve_identify = upkeep_method(shards.reserve_identify)

    add_tournament = write_method(tournaments.add)
    load_tournament = read_method(tournaments.find)
    save_tournament = write_method(tournaments.save)
    claim_tournament = upkeep_method(tournaments.claim)
    prolong_tournament = upkeep_method(tournaments.prolong)
    release_tournament = upkeep_method(tournaments.release)
    set_tournament_message = upkeep_method(tournaments.set_message)
    list_tournaments = read_method(tournaments.find_in_server)
    paired_tables = read_method(tournaments.find_tables)

    load_preferences = read_method(preferences.find)
    change_preferences = write_method(preferences.change)
    list_settings_changes = read_method(preferences.find_changes)
    load_person = read_method(people.find)
    change_personal_preferences = write_method(people.change)
    get_value = read_method(key_values.get_value)
    set_value = upkeep_method(key_values.set_value)

    find_open_channels = read_method(host_news.find_open_channels)
    claim_note = upkeep_method(host_news.claim_note)
    find_notes = read_method(host_news.find_notes)
    delete_notes = upkeep_method(host_news.delete_notes)
    count_all = read_method(usage.count_all)
    read_usage = read_method(usage.read_page)

    ask_erasure = write_method(erasure.ask)
    find_erasure = read_method(erasure.find)
    find_unfinished_tables = read_method(erasure.find_unfinished_tables)
    find_open_tournaments = read_method(erasure.find_open_tournaments)
    erase_from_tables = upkeep_method(erasure.erase_from_tables)
    find_rows = read_method(erasure.find_rows)
    erase_rows = upkeep_method(erasure.erase_rows)
    erase_openers = upkeep_method(erasure.erase_openers)
    finish_erasure = upkeep_method(erasure.finish)
    count_erasures = read_method(erasure.count_erasures)
    clear_caches = upkeep_method(erasure.clear_caches)
    exported_tables = exports.EXPORTED_TABLES
    export_rows = read_method(exports.export_rows)
    find_servers = read_method_of_shards(server_erasure.find_servers)
    find_server_tables = read_method(server_erasure.find_tables)
    find_server_tournaments = read_method(server_erasure.find_tournaments)
    erase_server_tables = upkeep_method(server_erasure.erase_tables)
    erase_server_rows = upkeep_method(server_erasure.erase_rows)
    finish_server_erasure = upkeep_method(server_erasure.finish)
    walk_tables = read_method(retention.walk_tables)
    find_quiet_people = read_method(retention.find_quiet_people)
    clear_click_ids = upkeep_method(retention.clear_click_ids)
    delete_tables = upkeep_method(server_erasure.delete_tables)
    forget_name = upkeep_method(retention.forget_name)

    async def save(self, change: TableUpdate) -> Sequence[Award]:
        """Save a change of a table, and return the badges that it awards.

        Columns fixed when a table is opened (game, version, place, seed, creation) are not written. What is shown is
        written by `mark_published` alone, so a save never overwrites it. With an entry of a game that goes on, only the
        columns that entries change are written.
        """
        header, entry = change.header, change.entry
        is_alone = change.seats is None and not (change.results or change.daily_end or change.starts_clock)
        if entry is not None and is_alone and header.status is Status.PLAYING:
            await self.database.save_move(header, entry)
            return ()
        try:
            return await self.database.write(stored_tables.save, change)
        except IntegrityError as error:
            # A resumed table may find another table in its place.
            taken = await self.find_open(header.location.channel_id, header.location.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        """Store published revisions."""
        if shown:
            await self.database.write(stored_tables.mark_published, shown)
