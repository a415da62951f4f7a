"""Explains what the bot stores, and asks for confirmation before deleting it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import discord

from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import CustomId
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.words import N_, gettext as _


class PrivacyButton(StrEnum):
    """The actions of buttons about data; those that delete data ask once or twice more."""

    SHOW = "show"
    EXPORT = "export"
    DELETE = "delete"
    DELETE_REALLY = "delete_really"
    SERVER = "server"
    SERVER_REALLY = "server_really"
    SERVER_FOREVER = "server_forever"


@dataclass(frozen=True)
class PrivacyId(CustomId, prefix="privacy"):
    """A button about data. The click tells the person and the server."""

    button: PrivacyButton


_KEPT: Final = N_(
    "**What I keep:** your Discord id and the name you had when you played; the tables you sat at, your moves and "
    "when you made them; your tournaments; your results and what is added up from them; your answers to puzzles and "
    "your attempts at the daily and weekly challenges; what you have chosen for yourself, such as the people you "
    "have blocked, your quiet hours with their time zone, and the hour of your daily ping; the language in which you "
    "use Discord, if I speak it; which server settings you have changed; bans that keep you from playing in a server, "
    "with their reasons; invitations and reminders while they are needed. The ids of your clicks are deleted after a "
    "day, except one for each seat, from which the rolls and draws are made.\n"
    "**What I don't keep:** your messages, which I can't read; your e-mail, your age or your address.\n"
    "**Who sees it:** the people of a server see what was played there, and never what was played in another one. "
    "The people who run this bot can read the database. It is never sold or given away.\n"
    "**How long:** until you delete it. After two years without a game, your name is deleted. When I leave "
    "a server, what was played there is deleted after 30 days."
)
_QUESTION: Final = N_(
    "**This can't be undone.** Your name and id are deleted everywhere, with your answers to puzzles and "
    "everything that you have chosen. You leave lobbies and tournaments, resign from games with others, and games "
    "that you play alone are closed.\n"
    "In finished games your seat stays as *Deleted player*, so that the others keep their results and every roll "
    "can still be checked. Messages that stand in channels already stay until someone deletes them there, and "
    "backups made by the people who run this bot keep what they held. A ban from playing in a server stays, with "
    "your id and without its reason, until it ends.\n"
    "If you play again later, you start from scratch."
)
_SERVER_QUESTION: Final = N_(
    "**This deletes everything about this server:** its tables, tournaments, results, ratings, boards, seasons, "
    "bans and settings, for everyone who played here. Games that are being played are closed, and tournaments end. "
    "What people did in other servers stays, and they keep their badges, challenges and answers to puzzles.\n"
    "I stay in the server. If you remove me instead, the same happens by itself after 30 days."
)


def render_privacy(*, manages_server: bool) -> MessageContent:
    """Render what the bot stores, with the actions that the user can take."""
    buttons = [
        _button(_("Export my data"), PrivacyButton.EXPORT),
        _button(_("Delete my data"), PrivacyButton.DELETE, discord.ButtonStyle.danger),
    ]
    if manages_server:
        buttons.append(delete_server_button())
    return _content(_("Your data"), _(_KEPT), *buttons)


def delete_server_button() -> Button:
    """Return the button that asks whether the server's data should be deleted."""
    return _button(_("Delete this server's data"), PrivacyButton.SERVER, discord.ButtonStyle.danger)


def render_question() -> MessageContent:
    """Render the question before a person's data is deleted."""
    return _content(
        _("Delete everything about you?"),
        _(_QUESTION),
        _button(_("Keep my data"), PrivacyButton.SHOW),
        _button(_("Delete everything"), PrivacyButton.DELETE_REALLY, discord.ButtonStyle.danger),
    )


def render_deleting() -> MessageContent:
    """Render that a person's data is being deleted."""
    text = _(
        "Your data is being deleted. That takes some seconds, or some minutes if you have played a lot. Wait "
        "until then before you play: new games would be deleted, too."
    )
    return _content(_("Deleting everything about you"), text)


def render_server_question(*, is_last: bool) -> MessageContent:
    """Render one of the two questions before a server's data is deleted."""
    keep = _button(_("Keep the data"), PrivacyButton.SHOW)
    if not is_last:
        go_on = _button(_("Delete this server's data now"), PrivacyButton.SERVER_REALLY, discord.ButtonStyle.danger)
        return _content(_("Delete this server's data?"), _(_SERVER_QUESTION), keep, go_on)
    text = _("It can't be brought back, not even by the people who run this bot. Are you sure?")
    sure = _button(_("Yes, delete everything here"), PrivacyButton.SERVER_FOREVER, discord.ButtonStyle.danger)
    return _content(_("Really everything?"), text, keep, sure)


def render_deleting_server() -> MessageContent:
    """Render that a server's data is being deleted."""
    text = _("The data of this server is being deleted. That takes a minute, or a few if a lot was played here.")
    return _content(_("Deleting this server's data"), text)


def render_export(*, is_complete: bool) -> str:
    """Render the line above an exported file."""
    if is_complete:
        return _(
            "Here is what I keep about you, as JSON. It leaves out other people's ids and names, the people who have "
            "blocked you, and the reasons of bans."
        )
    return _(
        "Here is what I keep about you, as far as it fits into a file. Ask the people who run this bot for the rest."
    )


def _content(title: str, text: str, *buttons: Button) -> MessageContent:
    embed = discord.Embed(title=title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), rows=(buttons,) if buttons else ())


def _button(label: str, pressed: PrivacyButton, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Button:
    return Button(label, str(PrivacyId(pressed)), style)
