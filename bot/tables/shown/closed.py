"""Error messages for a channel that already has a table."""

import discord

from bot.platform.discord.content import Button, MessageContent
from bot.tables.handlers.ids import ResumeId
from bot.tables.model import Status
from bot.tables.shown.buttons import with_buttons
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.parts import NO_PARTS, Place, TableParts
from bot.tables.table import Table
from bot.words import N_, gettext as _

PLAYED_HERE = N_(
    "There's a game of {game} in this channel: {link}\n"
    "Watch it, or open your table in another channel or thread. A moderator can close this one with "
    "`/table cancel`."
)
_PLAYED_BY_YOU = N_(
    "You are playing {game} in this channel: {link}\n"
    "Finish it first, give it up with `/table resign`, or open another table in a different channel or thread."
)
_CLOSABLE_BY_YOU = N_(
    "You are playing {game} in this channel: {link}\n"
    "Finish it first, close it with `/table cancel`, or open another table in a different channel or thread."
)
PLAYED_ALONE = N_(
    "You are already playing {game} here: {link}\n"
    "Finish it first, close it with `/table cancel`, or play in another channel or in a direct message with me."
)
_CLOSABLE_DIRECTLY = N_(
    "You are already playing {game} here: {link}\nFinish it first, or close it with `/table cancel`."
)
_PLAYED_DIRECTLY = N_(
    "You are already playing {game} here: {link}\nFinish it first, or give it up with `/table resign`."
)
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


def channel_taken_message(table: Table, asker_id: int) -> str:
    """Return the message for a user who tries to open a table where there is one already."""
    match table.header.status:
        case Status.LOBBY:
            return _(_lobby_message(table, asker_id))
        case Status.HELD:
            return _(_HELD)
        case _:
            return _(_game_message(table, asker_id))


def _lobby_message(table: Table, asker_id: int) -> str:
    if table.is_for_one_person:
        return _READY
    if table.seat_of(asker_id) is not None:
        return _SEATED
    is_full = len(table.seats) >= table.package.game.info.most_seats
    return _FULL if is_full or table.is_fixed else _WAITING


def _game_message(table: Table, asker_id: int) -> str:
    location = table.header.location
    if location.solo_id:
        return PLAYED_ALONE if location.guild_id else _CLOSABLE_DIRECTLY
    is_closable = table.header.opener_id == asker_id and not table.needs_agreement
    if location.guild_id is None:
        return _CLOSABLE_DIRECTLY if is_closable else _PLAYED_DIRECTLY
    seat = table.seat_of(asker_id)
    if seat is None or seat in table.seat_status.resigned:
        return PLAYED_HERE
    return _CLOSABLE_BY_YOU if is_closable else _PLAYED_BY_YOU


def render_closed(table: Table, text: str, parts: TableParts = NO_PARTS) -> MessageContent:
    """Render a table that ended without a result or can't go on."""
    embed = discord.Embed(title=table.package.game.info.title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), with_buttons((), *parts.buttons(Place.PROOF_BUTTON, table)))


def render_put_aside(table: Table) -> MessageContent:
    """Render a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table, since no one had played for a while.\n"
        "Nothing is lost. Any of its players can bring it back with *Resume* or `/table resume` once "
        "this channel is free."
    )
    resume = Button(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return MessageContent(render_closed(table, text).text_embed_json, ((resume,),))
