"""Error messages for what the host refuses at tables."""

from typing import Final

from bot.rules.refusals import RefusalReason
from bot.tables.refusals import HostReason
from bot.tables.shown.closed import PLAYED_ALONE, PLAYED_HERE
from bot.words import N_

# Who is blocked must not find out by it, so a full table refuses people with the same words, which fit one with a free seat.
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
    HostReason.CHANNEL_TAKEN: PLAYED_HERE,
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
    HostReason.SOLO_TAKEN: PLAYED_ALONE,
    HostReason.NOT_SEATED: N_(
        "You have no seat at this table, so you can only watch. Press *Join* while a table is waiting "
        "for players, or open your own with `/play`."
    ),
    HostReason.NOT_A_PLAYER: N_(
        "Only those who played this game can open the next one from here. `/play` opens a table of your own."
    ),
    HostReason.NO_HINTS: N_("I have no hints for {game}."),
    HostReason.NO_HINTS_IN_LESSONS: N_("A lesson has no hints: its text tells you what to do."),
    HostReason.NO_HINTS_IN_TOURNAMENTS: N_("There are no hints in tournaments: titles are won without help."),
    HostReason.NO_HINTS_IN_DAILY_BAGS: N_("The daily bag has no hints. Once it's over, *Review* says what was best."),
    HostReason.HINTS_OFF_HERE: N_(
        "Hints are off at this table. For the next one, its host can turn them on with *Options* before the start."
    ),
    HostReason.HINTS_OFF_IN_SERVER: N_("Hints are off here. A server manager can turn them on with `/settings show`."),
    HostReason.HINT_FAILED: N_("I couldn't work out a hint just now, and none was counted. Try again in a moment."),
    # It stays in view, so it must not become untrue.
    HostReason.NOT_YOUR_TURN: N_("It was {mover}'s turn just then. You can move when it's yours."),
    HostReason.ALREADY_SEATED: N_("You already have a seat at this table."),
    HostReason.KICKED: N_(
        "You were removed from this table, so you can't take a seat here again unless its host invites you. `/play` "
        "opens a table of your own."
    ),
    HostReason.THEY_WERE_KICKED: N_("They were removed from this table, so only its host, {opener}, can invite them."),
    HostReason.TABLE_FULL: _NO_SEAT,
    HostReason.NO_SEAT_FOR_YOU: _NO_SEAT,
    HostReason.YOU_BLOCK_SOMEONE: N_(
        "Someone whom you block has a seat at this table, so you got none. No one else sees this. `/unblock` shows "
        "whom you block."
    ),
    HostReason.YOU_BLOCK_THEM: N_("You block them, so they can't be invited by you. `/unblock` changes that."),
    HostReason.BLOCKED_YOURSELF: N_("That's you. You can only block others."),
    HostReason.BLOCKED_COMPUTER: N_("That's a bot. You can only block people."),
    HostReason.TOO_MANY_BLOCKS: N_("You block {most} people already, which is the limit. `/unblock` makes room."),
    HostReason.NOT_BLOCKED: N_("You don't block them. `/unblock` without a name shows whom you block."),
    HostReason.NO_COMPUTER: N_("There's no computer player at this table. Press *Add computer* to add one."),
    HostReason.NO_SUCH_CHOICE: N_("{game} doesn't have that option. Choose one that the table offers."),
    HostReason.NO_SUCH_SETTING: N_("You can't change that here. `/settings show` shows what you can."),
    HostReason.TOO_MANY_CHOSEN: N_("That would be more than 25, which is the limit. Remove one first."),
    HostReason.EVERYONE_OPENS: N_(
        "Everyone has that role, and everyone may open tables while no role is chosen. Leave the list empty instead."
    ),
    HostReason.EVERYONE_MODERATES: N_(
        "Everyone has that role, so everyone could close the tables of others. Choose a role that only some have."
    ),
    HostReason.THEY_HAVE_NO_SEAT: N_("They have no seat at this table."),
    HostReason.ONLY_LEAVE: N_("That's your own seat. Press *Leave* at the table to give it up."),
    HostReason.NO_SEAT_TO_INVITE_FROM: N_(
        "Only players with a seat can invite others. Press *Join* at the table first: {link}"
    ),
    HostReason.INVITED_YOURSELF: N_("That's you, and you already have a seat. Name someone else."),
    HostReason.THEY_HAVE_A_SEAT: N_("They already have a seat at this table."),
    HostReason.ALREADY_INVITED: N_(
        "They've already been invited to this table, and once is the limit. Send them the link yourself: {link}"
    ),
    HostReason.INVITED_TODAY: N_(
        "You've already invited them in the last day, and once a day is the limit. Send them the link yourself: {link}"
    ),
    HostReason.TOO_MANY_INVITATIONS: N_(
        "Five people have been invited to this table, which is the limit. Send others the link yourself: {link}"
    ),
    HostReason.INVITATIONS_REFUSED: N_(
        "They can't be invited, so I didn't ask them. Here is the table, for others whom you'd like to ask: {link}"
    ),
    HostReason.INVITATIONS_OFF: N_("This server has turned invitations off. Send people the link yourself: {link}"),
    HostReason.NOT_YOUR_INVITATION: N_(
        "This invitation is for someone else. If there's a free seat, press *Join* at the table: {link}"
    ),
    HostReason.NOT_FINISHED: N_("This table isn't finished yet: {link}"),
    HostReason.NOTHING_FOLLOWS: N_(
        "No game follows this one. *Play again* opens a new table with the same players: {link}"
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
    HostReason.NOT_STARTER: N_(
        "Only {opener}, the host, can start this game, against the computer too. Anyone can *Join* and play; after "
        "five quiet minutes, any player can start."
    ),
    HostReason.NOT_YOUR_GAME: N_("This is {opener}'s game. Open your own with `/{command} new`."),
    HostReason.NOT_OPENER_NOR_MODERATOR: N_("Only {opener} or a moderator can close this table."),
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
    HostReason.NO_PINGS_HERE: N_("There are no pings here: no one else is waiting, or the game is over."),
    HostReason.UNKNOWN_ZONE: N_("I don't know that time zone. Choose one from the list, such as `Europe/Berlin`."),
    HostReason.NO_QUIET_HOURS: N_("Quiet hours must end at another hour than they begin. `/ping anytime` ends them."),
    HostReason.NOTHING_TO_TAKE_BACK: N_(
        "There's nothing you can take back. Only the newest move at the table can be taken back, and only once: if "
        "it's yours and nothing was rolled, drawn or revealed."
    ),
    HostReason.OFF_SCRIPT: N_(
        "Not yet: the lesson asks for {awaited} first. *Skip the lesson* lets you make any move, but the lesson ends."
    ),
    HostReason.NO_LESSON: N_("{game} has no lesson. `/rules` explains how to play it."),
    HostReason.TABLE_HELD: N_(
        "This table is on hold because I can no longer follow its moves. {opener} or a moderator can end it with "
        "`/table cancel`."
    ),
    HostReason.NO_THREAD: N_("I couldn't open a thread for your table. Please try again in a moment."),
    HostReason.PLAYED_ELSEWHERE: N_("In this server, games are played in {channels}."),
    HostReason.NOT_PLAYED_HERE: N_("In this server, no games are played in this channel."),
    HostReason.MAY_NOT_OPEN: N_(
        "In this server, only some roles open tables: {roles}. You can join the tables of others."
    ),
    HostReason.GAME_OFF: N_("{game} is switched off in this server. `/play` shows the games to choose from."),
    HostReason.UNKNOWN_GAME: N_("I don't know that game. I have: {games}."),
    HostReason.NOTHING_TO_REPLAY: N_(
        "No one has finished a game here yet, so there's nothing to replay. `/play` lists the games."
    ),
    HostReason.UNKNOWN_REPLAY: N_(
        "That game wasn't played here. Choose one that `/table replay` suggests, or leave it out for the newest."
    ),
    HostReason.NOT_YOURS_TO_SHARE: N_("Only the players of this game can share its result."),
    HostReason.ALREADY_SHARED: N_("This result has been shared already: {link}"),
    HostReason.NO_BOARD_YET: N_("No one here is on a leaderboard yet. `/play` lists the games."),
    HostReason.BOARD_POSTED: N_("This page was posted here within the last ten minutes: {link}"),
    HostReason.NO_REVIEW: N_("There is nothing to review in this game. *Replay* shows how it went."),
    HostReason.REVIEW_FAILED: N_("Something went wrong while I reviewed this game. Please try again in a minute."),
    HostReason.NO_ANIMATION: N_("This game has no pictures here. *Share* below its result posts it in words."),
    HostReason.NO_ANIMATION_OF_DAILY_BAGS: N_(
        "Its replay would show the dice to people who haven't played this bag. *Share* below its result posts it "
        "without them."
    ),
    HostReason.NOT_OVER: N_("This game isn't finished, so there's nothing to replay yet: {link}"),
    HostReason.NO_REPLAY: N_("The rules have changed since this game was played, so it can't be replayed."),
    HostReason.NOT_MANAGER: N_("Only server managers (Manage Server) can see and change the settings."),
    HostReason.NOT_MANAGER_OF_DATA: N_("Only server managers (Manage Server) can delete what is kept of a server."),
    HostReason.ONLY_YOURSELF: N_(
        "In a direct message I only show what is yours. For others, use the command in a server."
    ),
    HostReason.NO_DAILY_BAG: N_("There's no daily bag today. `/magic-bag new` opens one of your own."),
    HostReason.DAILY_BAG_OPEN: N_(
        "Your attempt at this bag is still open: {link}\nYou can practise with the same bag once it's over."
    ),
    HostReason.DAILY_BAG_SEALED: N_(
        "Until its seed is published, this bag is shown only to people who have finished it. `/daily` shows today's, "
        "and when its seed is published."
    ),
    HostReason.ONLY_IN_SERVERS: N_("That works in servers only. In a direct message, `/profile` shows your own games."),
    HostReason.VERSUS_YOURSELF: N_("Name another member. Your own games are in `/profile`."),
    HostReason.NO_PUZZLES: N_("I have no such puzzles at the moment."),
    HostReason.UNKNOWN_PUZZLE: N_("This puzzle can't be answered here any more. `/puzzle` shows today's."),
    HostReason.PUZZLE_NOT_ANSWERED: N_("You haven't answered this puzzle. `/puzzle` shows today's."),
}
