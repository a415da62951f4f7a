"""The sentences for the host's refusals at tables."""

from typing import Final

from bot.rules.refusals import RefusalReason
from bot.tables.closing import may_cancel
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.words import N_, gettext as _

_PLAYED_HERE = N_(
    "There's a game of {game} in this channel: {link}\n"
    "Watch it, or open your table in another channel or thread. A moderator can close this one with "
    "`/table cancel`."
)
_PLAYED_BY_YOU = N_(
    "You are playing {game} in this channel: {link}\n"
    "Finish it first, give it up with `/table resign`, or open another table in a different channel or thread."
)
_CLOSABLE_BY_YOU = N_(
    "Your game of {game} in this channel goes on: {link}\n"
    "Finish it, close it with `/table cancel`, or open another table in a different channel or thread."
)
_PLAYED_ALONE = N_(
    "Your game of {game} here goes on: {link}\n"
    "Finish it, close it with `/table cancel`, or play in another channel or in a direct message with me."
)
_PLAYED_AGAINST_COMPUTERS = N_(
    "Your game of {game} here goes on: {link}\n"
    "Finish it, give it up with `/table resign`, or play in another channel or in a direct message with me."
)
_CLOSABLE_DIRECTLY = N_("Your game of {game} here goes on: {link}\nFinish it, or close it with `/table cancel`.")
_PLAYED_DIRECTLY = N_("Your game of {game} here goes on: {link}\nFinish it, or give it up with `/table resign`.")
_WAITING = N_(
    "{game} is waiting for players in this channel: {link}\n"
    "Press *Join* there, or open your table in another channel or thread."
)
_FULL = N_("A full table of {game} is about to start in this channel: {link}\nOpen yours in another channel or thread.")
_SEATED = N_(
    "You already have a seat at a table of {game} in this channel: {link}\n"
    "It hasn't started yet. {opener} can start it, or close it with `/table cancel`."
)
_READY = N_(
    "Your table of {game} is waiting here: {link}\nStart it, or close it with `/table cancel` and open another."
)
_HELD = N_(
    "The table of {game} in this channel is on hold and can't continue: {link}\n"
    "{opener} or a moderator can close it with `/table cancel` to make room for another."
)

# Nobody may learn from this sentence that they are blocked, so full tables use it too; it also fits a free seat.
_NO_SEAT: Final = N_(
    "The seats at this table are taken or kept for others. Open one of your own with `/play`, in a different channel or "
    "thread."
)

HOST_ERROR_MESSAGES: dict[RefusalReason, str] = {
    HostReason.UNKNOWN_TABLE: N_("This table no longer exists. Open a new one with `/play`."),
    HostReason.GAME_GONE: N_(
        "The table in this channel plays a game I no longer have. Its host or a "
        "moderator can close it with `/table cancel` to make room for another."
    ),
    HostReason.NO_TABLE_HERE: N_("There's no open table in this channel. Open one with `/play`."),
    HostReason.NO_TABLE_YET: N_(
        "There hasn't been a table in this channel yet, so there's nothing to check. `/play` lists the games."
    ),
    HostReason.NO_SOLO_GAME: N_(
        "{name} has no solo game in this channel. `/table cancel` without a name closes the channel's table."
    ),
    HostReason.OTHER_GAME_HERE: N_(
        "The table in this channel plays {game}: {link}\n"
        "Its commands start with `/{command}`. For another game, open a table in a different channel or "
        "thread."
    ),
    HostReason.TOO_MANY_TABLES: N_(
        "You already have as many open tables here as allowed ({most}). Finish one, or close it with "
        "`/table cancel` in its channel, then open another."
    ),
    HostReason.SERVER_FULL: N_(
        "As many tables are open in this server as it allows ({most}). Join one of them, or try again when one is over."
    ),
    HostReason.CHANNEL_TAKEN: _PLAYED_HERE,
    HostReason.CHANNEL_IDLE: N_(
        "There's a game of {game} in this channel, but no one has played for a while: {link}\n"
        "You can put it aside. Nothing is lost: its players can bring it back with `/table resume`."
    ),
    HostReason.GAME_GONE_IDLE: N_(
        "The table in this channel plays a game I no longer have, and no one has played for a while. You "
        "can put it aside; nothing is lost."
    ),
    HostReason.PUT_ASIDE: N_(
        "This game was put aside to make room for another table. Nothing is lost: `/table resume` brings it back once this channel is free."
    ),
    HostReason.ONLY_ASIDE_HERE: N_(
        "There's no open table in this channel, but a game was put aside here. Its players can bring it "
        "back with `/table resume`. To open another, use a game's `new` command."
    ),
    HostReason.NOTHING_ASIDE: N_("You have no game to resume in this channel."),
    HostReason.RESUME_TAKEN: N_(
        "There's a table of {game} in this channel now: {link}\n"
        "Your game is safe. Once that one is over, `/table resume` brings yours back."
    ),
    HostReason.NOT_YOURS_TO_RESUME: N_("Only its players or a moderator can bring this game back."),
    HostReason.SOLO_TAKEN: _PLAYED_ALONE,
    HostReason.NOT_SEATED: N_(
        "You have no seat at this table, so you can only watch. Press *Join* while a table is waiting "
        "for players, or open your own with `/play`."
    ),
    HostReason.NOT_A_PLAYER: N_(
        "Only this game's players can open the next one from here. `/play` opens a table of your own."
    ),
    # The message stays in view, so it must remain true.
    HostReason.NOT_YOUR_TURN: N_("It's {mover}'s turn."),
    HostReason.ALREADY_SEATED: N_("You already have a seat at this table."),
    HostReason.KICKED: N_(
        "You were removed from this table, so you can't take a seat here again unless its host invites you. `/play` "
        "opens a table of your own."
    ),
    HostReason.THEY_WERE_KICKED: N_("They were removed from this table, so only its host, {opener}, can invite them."),
    HostReason.TABLE_FULL: _NO_SEAT,
    HostReason.FOR_ONE_PERSON: N_(
        "Only {opener} and computers play at this table. To play with others, open a table without computers: "
        "`/{command} new`."
    ),
    HostReason.NO_SEAT_FOR_YOU: _NO_SEAT,
    HostReason.NO_SUCH_CHOICE: N_("{game} doesn't have that option. Choose one that the table offers."),
    HostReason.FIXED_BY_SERVER: N_(
        "Hosts can't change that in this server: its managers have fixed it for all tables."
    ),
    HostReason.THEY_HAVE_NO_SEAT: N_("They have no seat at this table."),
    HostReason.ONLY_LEAVE: N_("That's your own seat. To give it up, press *More …*, then *Leave*."),
    HostReason.THEY_HAVE_A_SEAT: N_("They already have a seat at this table."),
    HostReason.NOT_FINISHED: N_("This table isn't finished yet: {link}"),
    HostReason.NOTHING_FOLLOWS: N_(
        "No game follows this one. *Play again* opens a new table with the same options: {link}"
    ),
    HostReason.GOES_ON_THERE: N_("This one continues at another table: {link}"),
    HostReason.NOT_TIED: N_("Only the players who tied play the tie-break. You can watch: {link}"),
    HostReason.SEATS_FIXED: N_(
        "This table continues an earlier one, so its seats and options are fixed. If you can't play, "
        "resign once it has started; the host or a moderator can close it with `/table cancel`."
    ),
    HostReason.ALREADY_STARTED: N_(
        "This game has already started, so its seats and options are fixed. Watch it, or open another "
        "table in a different channel or thread."
    ),
    HostReason.NOT_STARTED: N_("This game hasn't started yet. {opener} can start it at the table."),
    HostReason.NOT_OPENER: N_("Only {opener}, the host, can do that."),
    HostReason.NOT_STARTER: N_("{opener} starts the game. If nothing happens for 5 minutes, you can."),
    HostReason.NOT_YOUR_GAME: N_("This is {opener}'s game. Open your own with `/{command} new`."),
    HostReason.NOT_OPENER_NOR_MODERATOR: N_("Only {opener} or a moderator can close this table."),
    HostReason.OF_TOURNAMENT: N_(
        "This game belongs to a tournament: its seats are fixed, and only a moderator can close it. `/table resign` gives "
        "up a game that has started, and `/tournament withdraw` leaves the tournament."
    ),
    HostReason.NEEDS_AGREEMENT: N_(
        "Everyone has made a move, so this game only closes without a result if all players agree. "
        "Propose it with `/table cancel`, or give up your seat with `/table resign`."
    ),
    HostReason.ALREADY_AGREED: N_("You've already agreed to close this game. Still missing: {missing}."),
    HostReason.ONLY_RESIGN: N_(
        "There's no one else here to agree, so leaving counts as a loss. `/table resign` gives the game up."
    ),
    HostReason.NOT_MODERATOR: N_(
        "Only a moderator can end someone else's solo game. `/table cancel` without a "
        "name closes your own, or this channel's table if you're its host."
    ),
    HostReason.TABLE_OVER: N_("This table is closed. Open a new one with `/{command} new`."),
    HostReason.RESIGNED: N_(
        "You've resigned from this game, so you can only watch. Open another with `/{command} new` in a "
        "different channel or thread."
    ),
    HostReason.REMOVED: N_(
        "A moderator has given your seat to a computer player, so you can only watch. Open another table with "
        "`/{command} new` in a different channel or thread."
    ),
    HostReason.ALONE: N_("You're playing alone, so you can't resign. `/table cancel` ends the game."),
    HostReason.SUBSTITUTED: N_(
        "A computer player is standing in for you. Press *I'm back* at the table, or type `/table back`, to play on."
    ),
    HostReason.NOT_SUBSTITUTED: N_("You're already in your seat."),
    HostReason.OWN_TURN: N_("It's your own turn. Play with the table's buttons."),
    HostReason.NOBODY_AWAITED: N_("It's a computer player's turn, so there's no one to stand in for."),
    HostReason.NOT_ABSENT: N_("{mover} hasn't been quiet for two minutes yet. Wait a little, then ask again."),
    HostReason.ALREADY_ASKED: N_("You've already asked. Another player has to ask, too."),
    HostReason.CLOCK_RUNS: N_(
        "{mover} still has time: this table has a turn clock, which shows when it ends. After that, any other player "
        "can let a computer player stand in."
    ),
    HostReason.NOTHING_TO_TAKE_BACK: N_(
        "There's nothing you can take back. You can take back the moves of your turn, the newest first, until something "
        "was rolled, drawn or revealed, or someone else has acted."
    ),
    HostReason.TABLE_HELD: N_(
        "This table is on hold because I can no longer follow its moves. {opener} or a moderator can end it with "
        "`/table cancel`."
    ),
    HostReason.NO_THREAD: N_("I couldn't open a thread for your table. Please try again in a moment."),
    HostReason.UNKNOWN_GAME: N_("I don't know that game. I have: {games}."),
    HostReason.NOT_YOURS_TO_SHARE: N_("Only the players of this game can share it."),
    HostReason.ALREADY_SHARED: N_("This has been shared already: {link}"),
    HostReason.NOT_MANAGER_OF_DATA: N_("Only server managers (Manage Server) can delete a server's data."),
    HostReason.ONLY_YOURSELF: N_(
        "In a direct message I only show your own results. To see those of others, use the command in a server."
    ),
    HostReason.ONLY_IN_SERVERS: N_("That works in servers only. In a direct message, `/profile` shows your own games."),
    HostReason.VERSUS_YOURSELF: N_("Name another member. Your own games are in `/profile`."),
}


def channel_taken_message(table: Table, asker_id: int) -> str:
    """Return the message for a user who tries to open a table in an occupied place."""
    if table.header.status is Status.HELD:
        return _(_HELD)
    return _(_waiting_text(table, asker_id) if table.header.status is Status.LOBBY else _playing_text(table, asker_id))


def _waiting_text(table: Table, asker_id: int) -> str:
    if table.is_for_one_person or asker_id == table.header.opener_id:
        return _READY
    if table.seat_of(asker_id) is not None:
        return _SEATED
    is_full = len(table.seats) >= table.package.game.info.most_seats
    return _FULL if is_full or table.is_fixed else _WAITING


def _playing_text(table: Table, asker_id: int) -> str:
    location, seat = table.header.location, table.seat_of(asker_id)
    is_closable = may_cancel(table, asker_id, is_moderator=False)
    if location.solo_id and location.guild_id is not None:
        return _PLAYED_ALONE if is_closable else _PLAYED_AGAINST_COMPUTERS
    if location.guild_id is None:
        return _CLOSABLE_DIRECTLY if is_closable else _PLAYED_DIRECTLY
    if seat is None or seat in table.seat_status.resigned:
        return _PLAYED_HERE
    return _CLOSABLE_BY_YOU if is_closable else _PLAYED_BY_YOU
