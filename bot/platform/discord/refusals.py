"""The platform's reasons for refusing commands and clicks of any feature."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.refusals import RefusalFacts, RefusalReason
from bot.words import N_


class ClickReason(RefusalReason):
    """A reason for refusing a command or click of any feature."""

    APPS_CANNOT_PLAY = "apps_cannot_play"
    NO_GUESTS_HERE = "no_guests_here"
    NOT_A_MEMBER = "not_a_member"
    CANNOT_SEE = "cannot_see"
    UNKNOWN_BUTTON = "unknown_button"
    OPTION_NOT_A_CHOICE = "option_not_a_choice"
    OPTION_RANGE = "option_range"
    OPTION_LENGTH = "option_length"
    OPTION_UNKNOWN = "option_unknown"
    MISSING_PERMISSIONS = "missing_permissions"
    NO_PLACE = "no_place"
    NEEDS_THIS_SERVER = "needs_this_server"
    NEEDS_A_SERVER = "needs_a_server"
    TOO_QUICK = "too_quick"
    TOO_MANY_LONG_ANSWERS = "too_many_long_answers"


CLICK_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ClickReason.APPS_CANNOT_PLAY: N_("Apps can't play. The menu *Opponents* at the table has computer players."),
    ClickReason.NO_GUESTS_HERE: N_(
        "No one else can join in a direct message. Open a table in a server's channel to invite others."
    ),
    ClickReason.NOT_A_MEMBER: N_("They aren't in this server. Invite them to the server first."),
    ClickReason.CANNOT_SEE: N_(
        "They can't see this channel. Open a table in one they can see, or ask a moderator to let them in."
    ),
    ClickReason.UNKNOWN_BUTTON: N_(
        "This button is from another version of Parlour. `/table show` posts the table with fresh buttons."
    ),
    ClickReason.OPTION_NOT_A_CHOICE: N_(
        "The option `{option}` takes only one of these: {choices}. Choose one from the list."
    ),
    ClickReason.OPTION_RANGE: N_(
        "The option `{option}` takes a whole number from {least} to {most}. Type one of those."
    ),
    ClickReason.OPTION_LENGTH: N_(
        "The text for `{option}` is too short or too long. Its length in characters: {least} to {most}."
    ),
    ClickReason.OPTION_UNKNOWN: N_(
        "I can't find what you chose as `{option}`. Choose something that Discord suggests."
    ),
    ClickReason.MISSING_PERMISSIONS: N_(
        "I'm missing permissions in this channel: **{permissions}**. Ask someone who runs this server to "
        "allow them, or open the table elsewhere."
    ),
    ClickReason.NO_PLACE: N_(
        "I can't open a table here. Try a server's channel or thread, or a direct message with me."
    ),
    ClickReason.NEEDS_THIS_SERVER: N_(
        "That needs Parlour in this server. Ask a person who manages the server to [add it]({link})."
    ),
    ClickReason.NEEDS_A_SERVER: N_(
        "That needs a server with Parlour. You can [add Parlour]({link}) to a server that you manage."
    ),
    ClickReason.TOO_QUICK: N_("You're too fast for me. Wait a few seconds, then try again."),
    ClickReason.TOO_MANY_LONG_ANSWERS: N_(
        "I'm still working on two answers for you. Ask again when one of them has arrived."
    ),
}
"""The sentence for each reason."""


@dataclass(frozen=True)
class PermissionFacts(RefusalFacts):
    """The missing permissions, as a list in words."""

    permissions: str


@dataclass(frozen=True)
class InstallFacts(RefusalFacts):
    """The address with which a person adds the bot to a server."""

    link: str


@dataclass(frozen=True)
class OptionFacts(RefusalFacts):
    """The name of a command's option."""

    option: str


@dataclass(frozen=True)
class OptionChoiceFacts(OptionFacts):
    """The choices of an option, as a list in words."""

    choices: str


@dataclass(frozen=True)
class OptionRangeFacts(OptionFacts):
    """The bounds of an option, in words."""

    least: str
    most: str
