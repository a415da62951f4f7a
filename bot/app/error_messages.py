"""Error messages for refusals: what is wrong, and what to do instead."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.features.blocks.reasons import BLOCK_ERROR_MESSAGES
from bot.features.boards.model import BOARD_ERROR_MESSAGES
from bot.features.daily_bag.model import DAILY_BAG_ERROR_MESSAGES
from bot.features.hints.reasons import HINT_ERROR_MESSAGES
from bot.features.invitations.model import INVITATION_ERROR_MESSAGES
from bot.features.lessons.messages import awaited_label
from bot.features.puzzles.model import PUZZLE_ERROR_MESSAGES
from bot.features.reminders.model import PING_ERROR_MESSAGES
from bot.features.replays.reasons import REPLAY_ERROR_MESSAGES
from bot.features.reviews.model import REVIEW_ERROR_MESSAGES
from bot.features.settings.reasons import SETTING_ERROR_MESSAGES
from bot.features.tournaments.messages import TOURNAMENT_ERROR_MESSAGES
from bot.platform.discord.refusals import CLICK_ERROR_MESSAGES
from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables.refusals import PlaceTakenFacts, TableFacts
from bot.tables.registry import AnyPackage
from bot.tables.shown.closed import channel_taken_message
from bot.tables.shown.host_error_messages import HOST_ERROR_MESSAGES
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.story import missing_agreements, seat_names
from bot.tables.table import Table
from bot.words import N_, gettext as _

KERNEL_ERROR_MESSAGES: dict[RefusalReason, str] = {
    CommonReason.UNREADABLE: N_(
        "That's not a move in this game. Use the table's buttons, or the command's suggestions."
    ),
    CommonReason.NOT_TO_MOVE: N_("It's not your turn."),
    CommonReason.GAME_OVER: N_("This game is over. Open a new table with the game's `new` command."),
}


UNEXPECTED = N_(
    "Something went wrong on my side. Every move you've seen is saved; please try again. If it keeps "
    "happening, send this number to the people who run this bot: `{trace}`"
)
SAVED = N_("That's saved, but I can't show you the result right now. Please look again in a moment.")
OUTDATED = N_("This command has changed. Please choose it again from Discord's list; it may take a moment to appear.")
BEGUN = N_("I could save only a part of that. Please try again in a moment.")
STORE_UNAVAILABLE = N_("I can't save right now, so nothing was done. Please try again in a moment.")
OUTCOME_UNKNOWN = N_("I don't know yet whether that was saved. Look again in a minute before you try it again.")

HOST_SENTENCES: Final[Sequence[Mapping[RefusalReason, str]]] = (
    BLOCK_ERROR_MESSAGES,
    BOARD_ERROR_MESSAGES,
    CLICK_ERROR_MESSAGES,
    DAILY_BAG_ERROR_MESSAGES,
    HINT_ERROR_MESSAGES,
    HOST_ERROR_MESSAGES,
    INVITATION_ERROR_MESSAGES,
    KERNEL_ERROR_MESSAGES,
    PING_ERROR_MESSAGES,
    PUZZLE_ERROR_MESSAGES,
    REPLAY_ERROR_MESSAGES,
    REVIEW_ERROR_MESSAGES,
    SETTING_ERROR_MESSAGES,
    TOURNAMENT_ERROR_MESSAGES,
)
"""What the host says for each reason, by the room of the reason."""


class ErrorMessages:
    """The error messages of the host and of all games."""

    def __init__(self, games: Mapping[str, AnyPackage]) -> None:
        # Reasons of different games may share a value, so the enum's type is part of the key.
        self._messages: dict[tuple[type[RefusalReason], str], str] = {}
        for source in (*HOST_SENTENCES, *(package.error_messages for package in games.values())):
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
    opener = next((who.name for who in table.seats if who.user_id == table.header.opener_id), _("its host"))
    return {
        "game": table.package.game.info.title,
        "command": table.package.game.info.command,
        "mover": "" if table.header.to_move is None else seat_names(table)[table.header.to_move],
        "opener": escape_name(opener),
        "missing": missing_agreements(table),
        "link": table_link(table),
        "awaited": awaited_label(table),
    }
