"""Why a block is refused."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class BlockReason(RefusalReason):
    """Why a block is refused."""

    BLOCKED_YOURSELF = "blocked_yourself"
    BLOCKED_COMPUTER = "blocked_computer"
    TOO_MANY_BLOCKS = "too_many_blocks"
    NOT_BLOCKED = "not_blocked"


BLOCK_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    BlockReason.BLOCKED_YOURSELF: N_("That's you. You can only block others."),
    BlockReason.BLOCKED_COMPUTER: N_("That's a bot. You can only block people."),
    BlockReason.TOO_MANY_BLOCKS: N_("You block {most} people already, which is the limit. `/unblock` makes room."),
    BlockReason.NOT_BLOCKED: N_("You don't block them. `/unblock` without a name shows whom you block."),
}
"""What is said for each reason."""
