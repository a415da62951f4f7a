CREATE TABLE alive (
	shard_count INTEGER NOT NULL, 
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	noted_at DATETIME NOT NULL, 
	PRIMARY KEY (shard_count, first)
)
 WITHOUT ROWID;
CREATE TABLE animations (
	table_id BIGINT NOT NULL, 
	language TEXT NOT NULL, 
	theme TEXT NOT NULL, 
	file BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE announcements (
	table_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	noted_at DATETIME NOT NULL, 
	message_id BIGINT, 
	stands BOOLEAN NOT NULL, 
	since DATETIME NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE attempts (
	user_id BIGINT NOT NULL, 
	cadence TEXT NOT NULL, 
	day INTEGER NOT NULL, 
	table_id BIGINT NOT NULL, 
	guild_id BIGINT, 
	name TEXT NOT NULL, 
	started_at DATETIME NOT NULL, 
	ended_at DATETIME, 
	score INTEGER, 
	counted_on INTEGER, 
	is_shown BOOLEAN NOT NULL, 
	PRIMARY KEY (user_id, cadence, day)
)
 WITHOUT ROWID;
CREATE TABLE badges_earned (
	user_id BIGINT NOT NULL, 
	badge TEXT NOT NULL, 
	table_id BIGINT NOT NULL, 
	earned_at DATETIME NOT NULL, 
	guild_id BIGINT, 
	PRIMARY KEY (user_id, badge)
)
 WITHOUT ROWID;
CREATE TABLE bans (
	guild_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	by_id BIGINT, 
	reason TEXT NOT NULL, 
	tells_reason BOOLEAN NOT NULL, 
	banned_at DATETIME NOT NULL, 
	ends_at DATETIME, 
	number INTEGER NOT NULL, 
	PRIMARY KEY (guild_id, user_id)
)
 WITHOUT ROWID;
CREATE TABLE blocks (
	blocker_id BIGINT NOT NULL, 
	blocked_id BIGINT NOT NULL, 
	blocked_at DATETIME NOT NULL, 
	PRIMARY KEY (blocker_id, blocked_id)
)
 WITHOUT ROWID;
CREATE TABLE board_consents (
	user_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	given_at DATETIME NOT NULL, 
	PRIMARY KEY (user_id)
)
 WITHOUT ROWID;
CREATE TABLE boards (
	id INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	company TEXT NOT NULL, 
	period TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE compacted_moves (
	table_id INTEGER NOT NULL, 
	entries BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE daily_answers (
	user_id BIGINT NOT NULL, 
	day INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	puzzle TEXT NOT NULL, 
	choice INTEGER NOT NULL, 
	is_right BOOLEAN NOT NULL, 
	guild_id BIGINT, 
	name TEXT NOT NULL, 
	answered_at DATETIME NOT NULL, 
	PRIMARY KEY (user_id, day)
)
 WITHOUT ROWID;
CREATE TABLE daily_pings (
	user_id BIGINT NOT NULL, 
	hour INTEGER NOT NULL, 
	zone TEXT NOT NULL, 
	due_at DATETIME NOT NULL, 
	PRIMARY KEY (user_id)
)
 WITHOUT ROWID;
CREATE TABLE daily_posts (
	guild_id BIGINT NOT NULL, 
	posted_on INTEGER NOT NULL, 
	stopped TEXT, 
	channel_id BIGINT, 
	PRIMARY KEY (guild_id)
)
 WITHOUT ROWID;
CREATE TABLE downtimes (
	began_at DATETIME NOT NULL, 
	ended_at DATETIME NOT NULL, 
	shard_count INTEGER NOT NULL, 
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	PRIMARY KEY (began_at, shard_count, first)
)
 WITHOUT ROWID;
CREATE TABLE encounters (
	guild_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	other_id BIGINT NOT NULL, 
	finished_at DATETIME NOT NULL, 
	table_id BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	outcome INTEGER NOT NULL, 
	PRIMARY KEY (guild_id, user_id, other_id, finished_at, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE greetings (
	guild_id BIGINT NOT NULL, 
	joined_at DATETIME NOT NULL, 
	PRIMARY KEY (guild_id)
)
 WITHOUT ROWID;
CREATE TABLE identifies (
	bucket INTEGER NOT NULL, 
	free_at DATETIME NOT NULL, 
	PRIMARY KEY (bucket)
)
 WITHOUT ROWID;
CREATE TABLE invitations (
	table_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	noted_at DATETIME NOT NULL, 
	message_id BIGINT, 
	stands BOOLEAN NOT NULL, 
	user_id BIGINT NOT NULL, 
	inviter_id BIGINT NOT NULL, 
	click_id BIGINT NOT NULL, 
	most_seats INTEGER NOT NULL, 
	PRIMARY KEY (table_id, user_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE jobs (
	kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	due_at DATETIME NOT NULL, 
	claimed_until DATETIME, 
	guild_id BIGINT, 
	counts_from DATETIME, 
	PRIMARY KEY (kind, "key")
)
 WITHOUT ROWID;
CREATE TABLE moves (
	table_id BIGINT NOT NULL, 
	step INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	click_id BIGINT, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (table_id, step), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE notes (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
)
 WITHOUT ROWID;
CREATE TABLE pairings (
	tournament_id BIGINT NOT NULL, 
	round INTEGER NOT NULL, 
	board INTEGER NOT NULL, 
	first_user_id BIGINT NOT NULL, 
	second_user_id BIGINT, 
	verdict TEXT, 
	grounds TEXT, 
	thread_id BIGINT, 
	attempt INTEGER NOT NULL, 
	is_reminded BOOLEAN NOT NULL, 
	PRIMARY KEY (tournament_id, round, board)
)
 WITHOUT ROWID;
CREATE TABLE ping_people (
	user_id BIGINT NOT NULL, 
	zone TEXT, 
	quiet_from INTEGER, 
	quiet_until INTEGER, 
	refuses_direct BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (user_id)
)
 WITHOUT ROWID;
CREATE TABLE pings (
	user_id BIGINT NOT NULL, 
	table_id BIGINT NOT NULL, 
	mode TEXT NOT NULL, 
	delay INTEGER NOT NULL, 
	PRIMARY KEY (user_id, table_id)
)
 WITHOUT ROWID;
CREATE TABLE played_days (
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	day INTEGER NOT NULL, 
	tables INTEGER NOT NULL, 
	PRIMARY KEY (guild_id, channel_id, day)
)
 WITHOUT ROWID;
CREATE TABLE puzzle_answers (
	user_id BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	puzzle TEXT NOT NULL, 
	is_right BOOLEAN NOT NULL, 
	answered_at DATETIME NOT NULL, 
	PRIMARY KEY (user_id, game, puzzle)
)
 WITHOUT ROWID;
CREATE TABLE rating_changes (
	table_id BIGINT NOT NULL, 
	seat INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	user_id BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	mu_before DOUBLE NOT NULL, 
	sigma_before DOUBLE NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	finished_at DATETIME NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE ratings (
	guild_id BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	user_id BIGINT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	games INTEGER NOT NULL, 
	counted_at DATETIME, 
	PRIMARY KEY (guild_id, game, user_id)
)
 WITHOUT ROWID;
CREATE TABLE reminders (
	table_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	noted_at DATETIME NOT NULL, 
	message_id BIGINT, 
	stands BOOLEAN NOT NULL, 
	seat INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	since DATETIME NOT NULL, 
	stage TEXT NOT NULL, 
	send_at DATETIME, 
	user_id BIGINT, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE results (
	table_id BIGINT NOT NULL, 
	seat INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	company TEXT NOT NULL, 
	guild_id BIGINT, 
	channel_id BIGINT NOT NULL, 
	user_id BIGINT, 
	name TEXT NOT NULL, 
	level TEXT, 
	place INTEGER NOT NULL, 
	is_shared BOOLEAN NOT NULL, 
	score INTEGER NOT NULL, 
	seats INTEGER NOT NULL, 
	steps INTEGER NOT NULL, 
	opened_at DATETIME NOT NULL, 
	finished_at DATETIME NOT NULL, 
	reason TEXT NOT NULL, 
	departure TEXT, 
	used_hints BOOLEAN DEFAULT 0 NOT NULL, 
	had_substitute BOOLEAN DEFAULT 0 NOT NULL, 
	resigned_early BOOLEAN DEFAULT 0 NOT NULL, 
	counted_at DATETIME, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE reviews (
	table_id BIGINT NOT NULL, 
	review TEXT NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE season_champions (
	guild_id BIGINT NOT NULL, 
	period TEXT NOT NULL, 
	game TEXT NOT NULL, 
	user_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	value INTEGER NOT NULL, 
	PRIMARY KEY (guild_id, period, game, user_id)
)
 WITHOUT ROWID;
CREATE TABLE seasons (
	guild_id BIGINT NOT NULL, 
	period TEXT NOT NULL, 
	ended_at DATETIME NOT NULL, 
	PRIMARY KEY (guild_id, period)
)
 WITHOUT ROWID;
CREATE TABLE seats (
	table_id BIGINT NOT NULL, 
	seat INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	user_id BIGINT, 
	level TEXT, 
	contribution TEXT NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;
CREATE TABLE settings (
	scope_id BIGINT NOT NULL, 
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	owner_id BIGINT, 
	PRIMARY KEY (scope_id, "key")
)
 WITHOUT ROWID;
CREATE TABLE settings_changes (
	scope_id BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	user_id BIGINT, 
	changed_at DATETIME NOT NULL, 
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (scope_id, number)
)
 WITHOUT ROWID;
CREATE TABLE shard_leases (
	shard_count INTEGER NOT NULL, 
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	owner TEXT NOT NULL, 
	expires_at DATETIME NOT NULL, 
	is_ready BOOLEAN NOT NULL, 
	PRIMARY KEY (shard_count, first)
)
 WITHOUT ROWID;
CREATE TABLE shared_seeds (
	cadence TEXT NOT NULL, 
	day INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	commitment TEXT NOT NULL, 
	committed_at DATETIME NOT NULL, 
	published_at DATETIME, 
	PRIMARY KEY (cadence, day)
)
 WITHOUT ROWID;
CREATE TABLE streak_days (
	guild_id BIGINT NOT NULL, 
	day INTEGER NOT NULL, 
	PRIMARY KEY (guild_id, day)
)
 WITHOUT ROWID;
CREATE TABLE tables (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	guild_id BIGINT, 
	channel_id BIGINT NOT NULL, 
	solo_id BIGINT NOT NULL, 
	opener_id BIGINT NOT NULL, 
	seed BLOB NOT NULL, 
	salt TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	status TEXT NOT NULL, 
	step INTEGER NOT NULL, 
	to_move INTEGER, 
	revision INTEGER NOT NULL, 
	published INTEGER NOT NULL, 
	message_id BIGINT, 
	updated_at DATETIME NOT NULL, 
	awaits_computer BOOLEAN DEFAULT 0 NOT NULL, 
	awaited_since DATETIME DEFAULT '1970-01-01 00:00:00.000000' NOT NULL, 
	lobby_click_id BIGINT, 
	first_id BIGINT, 
	link_kind TEXT, 
	part INTEGER, 
	carried TEXT, 
	allows_hints BOOLEAN DEFAULT 1 NOT NULL, 
	pace TEXT DEFAULT 'calm' NOT NULL, 
	hinted INTEGER DEFAULT '0' NOT NULL, 
	is_private BOOLEAN DEFAULT 0 NOT NULL, 
	clock TEXT DEFAULT 'none' NOT NULL, 
	clock_ends_at DATETIME, 
	is_time_up BOOLEAN DEFAULT 0 NOT NULL, 
	is_own_thread BOOLEAN DEFAULT 0 NOT NULL, 
	is_outside BOOLEAN DEFAULT 0 NOT NULL, 
	kicked TEXT DEFAULT '' NOT NULL, 
	kept TEXT DEFAULT '' NOT NULL, 
	closed_by TEXT
);
CREATE TABLE totals (
	board_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	games INTEGER NOT NULL, 
	wins INTEGER NOT NULL, 
	shared_wins INTEGER NOT NULL, 
	points BIGINT NOT NULL, 
	highest INTEGER, 
	lowest INTEGER, 
	streak INTEGER NOT NULL, 
	longest_streak INTEGER NOT NULL, 
	rating INTEGER, 
	rated_games INTEGER NOT NULL, 
	share DOUBLE NOT NULL, 
	average DOUBLE NOT NULL, 
	is_lifetime BOOLEAN NOT NULL, 
	PRIMARY KEY (board_id, user_id), 
	FOREIGN KEY(board_id) REFERENCES boards (id)
)
 WITHOUT ROWID;
CREATE TABLE tournament_offers (
	tournament_id BIGINT NOT NULL, 
	guest_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	offered_at DATETIME NOT NULL, 
	is_open BOOLEAN NOT NULL, 
	PRIMARY KEY (tournament_id, guest_id)
)
 WITHOUT ROWID;
CREATE TABLE tournament_players (
	tournament_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	click_id BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	has_withdrawn BOOLEAN NOT NULL, 
	has_checked_in BOOLEAN NOT NULL, 
	is_taken_out BOOLEAN NOT NULL, 
	PRIMARY KEY (tournament_id, user_id)
)
 WITHOUT ROWID;
CREATE TABLE tournaments (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	title TEXT NOT NULL, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	opener_id BIGINT NOT NULL, 
	opener_name TEXT NOT NULL, 
	opened_at DATETIME NOT NULL, 
	is_by_organizer BOOLEAN NOT NULL, 
	round_hours INTEGER NOT NULL, 
	check_in_minutes INTEGER NOT NULL, 
	is_checking_in BOOLEAN NOT NULL, 
	format TEXT, 
	stage TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	round INTEGER NOT NULL, 
	rounds INTEGER NOT NULL, 
	is_late BOOLEAN NOT NULL, 
	announced INTEGER NOT NULL, 
	announced_in BIGINT, 
	cancelled_by TEXT, 
	revision INTEGER NOT NULL, 
	message_id BIGINT, 
	busy_until DATETIME
);
CREATE UNIQUE INDEX attempts_at ON attempts (table_id);
CREATE INDEX attempts_in ON attempts (guild_id, cadence, day, score, user_id) WHERE score IS NOT NULL;
CREATE INDEX attempts_open ON attempts (cadence, day, started_at) WHERE ended_at IS NULL;
CREATE INDEX attempts_scored ON attempts (cadence, day, score) WHERE score IS NOT NULL;
CREATE INDEX attempts_shown ON attempts (cadence, day, score, user_id, is_shown) WHERE score IS NOT NULL AND is_shown;
CREATE INDEX badges_earned_at_tables ON badges_earned (table_id);
CREATE INDEX badges_earned_in ON badges_earned (guild_id);
CREATE INDEX bans_by ON bans (by_id) WHERE by_id IS NOT NULL;
CREATE INDEX bans_changed ON bans (number);
CREATE INDEX bans_of ON bans (user_id);
CREATE INDEX blocks_of ON blocks (blocked_id);
CREATE INDEX boards_in ON boards (period, guild_id);
CREATE UNIQUE INDEX boards_of ON boards (guild_id, game, company, period);
CREATE INDEX daily_answers_in ON daily_answers (guild_id, day, is_right, user_id);
CREATE INDEX daily_pings_due ON daily_pings (due_at);
CREATE INDEX invitations_by ON invitations (inviter_id, user_id);
CREATE INDEX invitations_standing ON invitations (table_id) WHERE stands;
CREATE INDEX jobs_due ON jobs (due_at);
CREATE INDEX rating_changes_of_people ON rating_changes (user_id, guild_id, game, finished_at, table_id, number);
CREATE INDEX reminders_held ON reminders (send_at) WHERE stands AND send_at IS NOT NULL;
CREATE INDEX reminders_standing ON reminders (user_id) WHERE stands;
CREATE INDEX results_alone ON results (user_id, guild_id, game, finished_at, table_id) WHERE company = 'alone' AND NOT used_hints;
CREATE INDEX results_for_badges ON results (user_id, game, company, finished_at, place, departure, used_hints, reason) WHERE user_id IS NOT NULL AND departure IS NULL AND reason <> 'resigned';
CREATE INDEX results_of_people ON results (user_id, guild_id, finished_at, table_id, channel_id) WHERE user_id IS NOT NULL;
CREATE INDEX results_of_tables ON results (guild_id, channel_id, finished_at, table_id) WHERE seat = 0;
CREATE INDEX seats_of ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX settings_changes_by ON settings_changes (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX settings_of ON settings (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX tables_aside ON tables (channel_id, id) WHERE status IN ('aside', 'held_aside');
CREATE INDEX tables_awaited ON tables (awaited_since, id) WHERE status = 'playing' AND NOT awaits_computer AND solo_id = 0 AND guild_id IS NOT NULL;
CREATE INDEX tables_awaiting ON tables (id) WHERE awaits_computer;
CREATE INDEX tables_idle ON tables (updated_at, id) WHERE status IN ('playing', 'held', 'aside', 'held_aside');
CREATE INDEX tables_in ON tables (channel_id, solo_id, id);
CREATE INDEX tables_in_lobby ON tables (id) WHERE status = 'lobby';
CREATE UNIQUE INDEX tables_linked ON tables (first_id, link_kind, part) WHERE first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'abandoned');
CREATE INDEX tables_of_servers ON tables (guild_id);
CREATE UNIQUE INDEX tables_open ON tables (channel_id, solo_id) WHERE status IN ('lobby', 'playing', 'held') AND NOT is_private;
CREATE INDEX tables_open_in ON tables (guild_id, is_private) WHERE status IN ('lobby', 'playing', 'held') AND NOT is_private;
CREATE INDEX tables_opened ON tables (opener_id, guild_id) WHERE status IN ('lobby', 'playing', 'held');
CREATE INDEX tables_unshown ON tables (id) WHERE published < revision;
CREATE INDEX totals_by_highest ON totals (board_id, highest DESC, average DESC, user_id) WHERE highest IS NOT NULL;
CREATE INDEX totals_by_lowest ON totals (board_id, lowest, average, user_id) WHERE lowest IS NOT NULL;
CREATE INDEX totals_by_points ON totals (board_id, points DESC, user_id);
CREATE INDEX totals_by_rating ON totals (board_id, rating DESC, user_id) WHERE rating IS NOT NULL;
CREATE INDEX totals_by_wins ON totals (board_id, wins DESC, share DESC, user_id);
CREATE INDEX totals_of_people ON totals (user_id, board_id) WHERE is_lifetime;
CREATE INDEX tournament_offers_to ON tournament_offers (guest_id);
CREATE INDEX tournament_players_by ON tournament_players (user_id);
CREATE INDEX tournaments_in ON tournaments (guild_id, id);
CREATE INDEX tournaments_in_channels ON tournaments (channel_id);
