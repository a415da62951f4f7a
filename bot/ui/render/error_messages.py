"""Error messages for refusals: what is wrong, and what to do instead."""

from collections.abc import Mapping

from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables.refusal_facts import PlaceTakenFacts, TableFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.table import Table
from bot.ui.render.absences import missing_agreements, seat_names
from bot.ui.render.channel_taken import PLAYED_ALONE, PLAYED_HERE, channel_taken_message
from bot.ui.render.links import escape_name, table_link
from bot.words import N_, gettext as _

KERNEL_ERROR_MESSAGES: dict[RefusalReason, str] = {
    CommonReason.UNREADABLE: N_(
        "That is not a move of this game. Use the buttons of the table, or the command's suggestions."
    ),
    CommonReason.NOT_TO_MOVE: N_("It is not your turn."),
    CommonReason.GAME_OVER: N_("This game is over. Open a new table with the game's `new` command."),
}

HOST_ERROR_MESSAGES: dict[RefusalReason, str] = {
    HostReason.UNKNOWN_TABLE: N_("This table does not exist any more. Open a new one with a game's `new` command; `/help` lists them."),
    HostReason.GAME_GONE: N_(
        "The table in this channel plays a game that I don't host any more. Whoever opened it, or a moderator, can close it with "
        "`/table cancel`; then another can be opened here."
    ),
    HostReason.NO_TABLE_HERE: N_("There is no open table in this channel. Open one with a game's `new` command; `/help` lists them."),
    HostReason.NO_TABLE_YET: N_("There has been no table in this channel yet, so there are no dice to check. `/help` lists the games."),
    HostReason.NO_SOLO_GAME: N_("{name} plays no solo game in this channel. `/table cancel` without a name closes the channel's table."),
    HostReason.OTHER_GAME_HERE: N_(
        "The table in this channel plays {game}: {link}\n"
        "Its commands begin with `/{command}`. For another game open a table in a different channel or thread."
    ),
    HostReason.TOO_MANY_TABLES: N_(
        "You have as many tables open here as one person may have at a time ({most}). Finish one, or type `/table cancel` in its "
        "channel, then open another."
    ),
    HostReason.CHANNEL_TAKEN: PLAYED_HERE,
    HostReason.CHANNEL_SILENT: N_(
        "A game of {game} stands in this channel, but nobody has played for a while: {link}\n"
        "You can put it aside: it keeps everything, and its players bring it back with `/table resume`."
    ),
    HostReason.GONE_SILENT: N_(
        "The table in this channel plays a game that I don't host any more, and nobody has played for a while. "
        "You can put it aside: it keeps everything."
    ),
    HostReason.SET_ASIDE: N_(
        "This game was put aside to make room for another table. Nothing is lost: `/table resume` brings it back once this channel is free."
    ),
    HostReason.ONLY_ASIDE_HERE: N_(
        "There is no open table in this channel. A game was put aside here: its players bring it back with `/table resume`. "
        "To open another, use a game's `new` command."
    ),
    HostReason.NOTHING_ASIDE: N_("No game of yours was put aside in this channel, so there is nothing to resume."),
    HostReason.RESUME_TAKEN: N_(
        "There is a table of {game} in this channel now: {link}\n"
        "Your game stays as it is. Once that one is over, `/table resume` brings yours back."
    ),
    HostReason.NOT_YOURS_TO_RESUME: N_("Only somebody who plays in this game, or a moderator, can bring it back."),
    HostReason.SOLO_TAKEN: PLAYED_ALONE,
    HostReason.NOT_SEATED: N_(
        "You have no seat at this table, so you can only watch. Press *Join* while a table waits for players, or open your own with "
        "a game's `new` command."
    ),
    HostReason.NOT_YOUR_TURN: N_("It is {mover}'s turn. The table shows when it is yours."),
    HostReason.ALREADY_SEATED: N_("You already have a seat at this table."),
    HostReason.TABLE_FULL: N_("Every seat at this table is taken. Open another one in a different channel or thread."),
    HostReason.NO_COMPUTER: N_("There is no computer player at this table. *Add computer* gives a free seat to one."),
    HostReason.UNKNOWN_LEVEL: N_("Computer players of {game} play at these levels: {levels}."),
    HostReason.NO_SUCH_CHOICE: N_("{game} can't be played like that. Choose one of the options that the table offers."),
    HostReason.NO_SUCH_PICTURES: N_("Tables can't look like that. Choose from the list that Discord shows at `/settings pictures:`."),
    HostReason.THEY_HAVE_NO_SEAT: N_("They have no seat at this table, so there is nothing to take away."),
    HostReason.ONLY_LEAVE: N_("That is your own seat. Press Leave at the table to give it up."),
    HostReason.NO_SEAT_TO_INVITE_FROM: N_("Only somebody with a seat can invite others. Press *Join* at the table first: {link}"),
    HostReason.INVITED_YOURSELF: N_("That is you, and you have a seat already. Name somebody else."),
    HostReason.INVITED_COMPUTER: N_("Apps can't sit down. `/table computer` gives a free seat to a computer player."),
    HostReason.THEY_HAVE_A_SEAT: N_("They already have a seat at this table, so there is no need to invite them."),
    HostReason.ALREADY_INVITED: N_("They have been invited to this table, and nobody is asked twice. Show them the way yourself: {link}"),
    HostReason.INVITED_TODAY: N_("You have invited them within the last day, and once a day is enough. Ask them yourself: {link}"),
    HostReason.TOO_MANY_INVITATIONS: N_("Five people have been invited to this table, which is the most. Show others the way yourself: {link}"),
    HostReason.INVITATIONS_REFUSED: N_("They would rather not be invited through me, so I have not asked them. They are still welcome to join: {link}"),
    HostReason.INVITATIONS_OFF: N_("This server has turned invitations off. Show people the way yourself: {link}"),
    HostReason.NOT_YOUR_INVITATION: N_("This invitation is for somebody else. While there is a free seat, press *Join* at the table: {link}"),
    HostReason.NO_GUESTS_HERE: N_("Nobody else can come into a direct message. Open a table in a server's channel to invite others."),
    HostReason.NOT_A_MEMBER: N_("They are not in this server, so they can't sit down here. Invite them to the server first."),
    HostReason.CANNOT_SEE: N_("They can't see this channel. Open a table in a channel that they see, or ask a moderator to let them in."),
    HostReason.NOT_FINISHED: N_("This table is not finished, so there is nothing to play again: {link}"),
    HostReason.NOTHING_FOLLOWS: N_("No other game follows this one. *Play again* opens a new table with the same seats: {link}"),
    HostReason.GOES_ON_THERE: N_("It has gone on at another table already: {link}"),
    HostReason.NOT_TIED: N_("Only those who share the win play for it. You can watch: {link}"),
    HostReason.SEATS_FIXED: N_(
        "This table goes on from an earlier one, so its seats and options stay as they are. Who can't play any more resigns "
        "once it has started; the opener or a moderator can close it with `/table cancel`."
    ),
    HostReason.ALREADY_STARTED: N_(
        "This game has already started, so its seats and options stay as they are. You can watch it, or open another table in a "
        "different channel or thread."
    ),
    HostReason.NOT_STARTED: N_("This game has not started yet: {opener} starts it with the button at the table."),
    HostReason.NOT_OPENER: N_("Only {opener}, who starts the game, can do that."),
    HostReason.NOT_STARTER: N_("Only {opener} starts the game; once nothing was heard of them for five minutes, anybody who has a seat can."),
    HostReason.NOT_YOUR_GAME: N_("This is {opener}'s own game, so only they deal. Open yours beside it with `/{command} new`."),
    HostReason.NOT_OPENER_NOR_MODERATOR: N_("Only {opener} or a moderator can close this table."),
    HostReason.NEEDS_AGREEMENT: N_(
        "Everybody has played, so this game closes without a result only when all who play agree. Propose it with `/table cancel`, or "
        "give up your seat with `/table resign`."
    ),
    HostReason.ALREADY_AGREED: N_("You have agreed to close this game already. Still missing: {missing}."),
    HostReason.ONLY_RESIGN: N_("Nobody else plays here who could agree, so leaving the game counts as a loss. `/table resign` gives it up."),
    HostReason.NOT_MODERATOR: N_(
        "Only a moderator (Manage Messages) can end somebody else's solo game. `/table cancel` without a name closes your own, or else "
        "the table of this channel if you opened it."
    ),
    HostReason.TABLE_OVER: N_("This table is closed. Open a new one with `/{command} new`."),
    HostReason.RESIGNED: N_("You have resigned from this game, so you can only watch it. Open another with `/{command} new` in a different channel or thread."),
    HostReason.ALONE: N_("You play alone, so there is nobody to resign to. `/table cancel` ends the game."),
    HostReason.SUBSTITUTED: N_("A computer player stands in for you. Press *I'm back* at the table, or type `/table back`, and you play on."),
    HostReason.NOT_SUBSTITUTED: N_("Nobody stands in for you: only somebody whose seat a computer player keeps can come back to it."),
    HostReason.OWN_TURN: N_("It is your own turn. Play with the buttons of the table."),
    HostReason.NOBODY_AWAITED: N_("A computer player is to move, so there is nobody to stand in for."),
    HostReason.NOT_ABSENT: N_("{mover} has not been silent for two minutes yet. Wait a little, then ask again."),
    HostReason.ALREADY_ASKED: N_("You have asked for this already. Somebody else who plays here has to ask as well."),
    HostReason.NOTHING_TO_TAKE_BACK: N_(
        "You have nothing to take back. A move can be taken back by whoever made it, as long as nothing was rolled, drawn or "
        "revealed and nobody else has acted since."
    ),
    HostReason.TABLE_HELD: N_(
        "This table is held: its recorded moves no longer lead to the same position, so it can't be played on. "
        "{opener} or a moderator can end it with `/table cancel`."
    ),
    HostReason.UNKNOWN_BUTTON: N_("This button is from another version of Parlour. `/table show` brings the table with fresh buttons."),
    HostReason.MISSING_PERMISSIONS: N_(
        "I am missing permissions in this channel: **{permissions}**. "
        "Ask somebody who runs this server to allow them for me, or open the table elsewhere."
    ),
    HostReason.NO_PLACE: N_("Tables can stand in a server's channel or thread, or in a direct message with me. Try it there."),
    HostReason.UNKNOWN_GAME: N_("I don't know that game. I host: {games}."),
    HostReason.NOTHING_TO_REPLAY: N_("No game has been finished here yet, so there is nothing to replay. `/help` lists what there is to play."),
    HostReason.UNKNOWN_REPLAY: N_("No such game was played here. Choose one of those that `/table replay` suggests, or none for the newest."),
    HostReason.NOT_OVER: N_("This game is not finished, so there is nothing to replay yet: {link}"),
    HostReason.NO_REPLAY: N_("This game was played by rules that have changed since, so it can't be played again step by step."),
    HostReason.NOT_MANAGER: N_("Only somebody who may manage this server (Manage Server) can see and change its settings."),
    HostReason.TOO_QUICK: N_("You are quicker than I can follow. Wait a few seconds, then try again."),
    HostReason.ONLY_YOURSELF: N_("In a direct message I show nobody's games but yours. For others, use `/profile` in a server."),
}  # fmt: skip

UNEXPECTED = N_(
    "Something went wrong on my side. Every move that was shown is saved; please try again. "
    "If it happens again, tell whoever hosts me this number, which is in my log: `{trace}`"
)
SAVED = N_("Done. If you can't see it yet, type `/table show`.")
OUTDATED = N_("This command has changed. Please choose it again from Discord's list; it may need a moment to appear.")
STORE_UNAVAILABLE = N_("I can't save anything right now, so nothing was done. Please try again in a moment.")
OUTCOME_UNKNOWN = N_("I can't tell yet whether that was saved. Look at the table in a minute, before you try again.")


class ErrorMessages:
    """The error messages of the host and of all games."""

    def __init__(self, games: Mapping[str, AnyPackage]) -> None:
        # Reasons of different games may share a value, so the enum's type is part of the key.
        self._messages: dict[tuple[type[RefusalReason], str], str] = {}
        for source in (
            KERNEL_ERROR_MESSAGES,
            HOST_ERROR_MESSAGES,
            *(package.error_messages for package in games.values()),
        ):
            self._messages |= {(type(reason), reason.value): text for reason, text in source.items()}

    def of(self, refusal: Refusal) -> str:
        """Return the error message of a refusal."""
        facts = refusal.facts
        if isinstance(facts, PlaceTakenFacts):
            message = channel_taken_message(facts.table, facts.asker_id)
        else:
            message = _(self._messages[type(refusal.reason), refusal.reason.value])
        words = facts.by_name()
        if isinstance(facts, TableFacts):
            words = {**words, **_table_words(facts.table)}
        return message.format_map(words)


def _table_words(table: Table) -> dict[str, str]:
    opener = next((who.name for who in table.seats if who.user_id == table.header.opener_id), _("its opener"))
    return {
        "game": table.package.game.info.title,
        "command": table.package.game.info.command,
        "mover": "" if table.header.to_move is None else seat_names(table)[table.header.to_move],
        "opener": escape_name(opener),
        "missing": missing_agreements(table),
        "link": table_link(table),
    }
