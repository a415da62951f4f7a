"""The checks, each a function that tries one thing on Discord and returns what it measured."""

import asyncio
import contextlib
from functools import partial
from typing import Final

import discord
from discord.http import Route

from bot.commands.live_check.pictures import draw_roll
from bot.commands.live_check.session import Check, CheckFailed, Click, Session
from bot.pictures.gif import count_frames
from bot.pictures.service import PictureFile
from bot.pictures.symbols import COMMON_SYMBOLS, SymbolPainter
from bot.platform.content import DATA
from bot.platform.discord.channels import ThreadRefused, create_thread, edit_thread, missing_for_tables
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.emoji import OWN_EMOJI, Emoji
from bot.platform.discord.http import (
    TOO_MANY_EDITS,
    Request,
    build_attachments_json,
    delete_request,
    edit_request,
    post_request,
)
from bot.platform.discord.rate_limits import Urgency

_UNKNOWN_MESSAGE: Final = 10008
_ARCHIVED: Final = 50083
_EXPIRED: Final = 50027
_TOO_MANY_THREADS: Final = 160006

TOKEN_SECONDS: Final = 15 * 60.0
"""How long Discord takes answers to an interaction."""
OLD_AFTER_SECONDS: Final = 60 * 60.0
"""The age from which Discord limits the edits of a message."""
_SPARE_SECONDS: Final = 30.0
MOST_EDITS: Final = 40
MOST_THREADS: Final = 1001

LATE_SECONDS: Final = 4.0
"""Longer than the three seconds that Discord waits for the first answer to a click."""

_COMPARED: Final = (
    *("name", "description", "description_localizations", "name_localizations"),
    *("type", "value", "required", "autocomplete", "min_value", "max_value"),
)
"""What Discord must keep of a command, of its options and of their choices."""

_READ_ONLY: Final = ("id", "application_id", "guild_id", "version")
"""What Discord adds to a command, and does not need to make it again."""

_EMOJI_NAME: Final = "live_check"


async def check_permissions(session: Session) -> str:
    """Look for missing permissions in the channel."""
    channel = await session.client.fetch_channel(session.channel.id)
    if not isinstance(channel, discord.TextChannel):
        raise CheckFailed("The channel is no text channel any more.")
    given = channel.permissions_for(channel.guild.me)
    if missing := missing_for_tables(given, channel.type, opens_threads=True, opens_private_threads=False):
        raise CheckFailed(f"The bot lacks permissions in this channel: {', '.join(missing)}.")
    return "The bot has all that it needs in this channel."


async def check_commands(session: Session) -> str:
    """Replace the server's commands with all of the bot's, and compare them with what Discord stores."""
    http, application_id, guild_id = session.client.http, session.client.application_id or 0, session.channel.guild.id
    if not session.keeps_commands:
        before = [
            {key: value for key, value in command.items() if key not in _READ_ONLY}
            for command in await _read_commands(session)
        ]
        restore = partial(http.bulk_upsert_guild_commands, application_id, guild_id, payload=before)
        session.remove_later("the commands of this server", restore)
    await http.bulk_upsert_guild_commands(application_id, guild_id, payload=list(session.commands))
    kept = await _read_commands(session)
    found = {command["name"]: command for command in kept}
    sent = {command["name"]: command for command in session.commands}
    if changed := sorted(name for name in sent | found if _reduce(sent.get(name)) != _reduce(found.get(name))):
        raise CheckFailed(f"Discord has not kept these commands as they were sent: {', '.join(changed)}.")
    languages = {code for command in kept for code in command.get("description_localizations") or ()}
    everywhere = {command["name"] for command in await http.get_global_commands(application_id)}
    state = "are" if everywhere == sent.keys() else "are not yet"
    return f"{len(sent)} commands, with descriptions in {len(languages)} languages; they {state} registered everywhere."


async def _read_commands(session: Session) -> list[Json]:
    """Return the commands of the server with their translations, which discord.py does not ask for."""
    path = "/applications/{application_id}/guilds/{guild_id}/commands"
    route = Route("GET", path, application_id=session.client.application_id or 0, guild_id=session.channel.guild.id)
    commands: list[Json] = await session.client.http.request(route, params={"with_localizations": "true"})
    return commands


def _reduce(part: Json | None) -> Json | None:
    """Return the fields of a command, option or choice that Discord must keep; Discord drops defaults and adds ids."""
    if part is None:
        return None
    kept = {key: part[key] for key in _COMPARED if part.get(key)}
    return kept | {key: [_reduce(each) for each in part.get(key) or ()] for key in ("options", "choices")}


async def check_messages(session: Session) -> str:
    """Post a message, edit it, delete it, and edit it once more."""
    message = await session.post(_say("Posted."))
    edit = edit_request(session.channel.id, int(message["id"]), _say("Edited."))
    edited = await session.send(edit)
    if edited["embeds"][0]["description"] != "Edited.":
        raise CheckFailed("Discord has taken an edit, but does not show it.")
    await session.send(delete_request(session.channel.id, int(message["id"])))
    await _expect(session, edit, _UNKNOWN_MESSAGE, "the edit of a deleted message")
    return "Posted, edited and deleted; a deleted message is reported as the bot expects."


async def check_rate_limits(session: Session) -> str:
    """Read which limits Discord names for posts and edits."""
    found = list[str]()
    message_id = int((await session.post(_say("About limits.")))["id"])
    for request in (
        post_request(session.channel.id, _say("About limits.")),
        edit_request(session.channel.id, message_id, _say("About limits of edits.")),
    ):
        async with session.requests.messages.permit(request.method, request.channel_id, Urgency.POST) as permit:
            message_id = int((await session.requests.messages.send(request, permit))["id"])
        if request.method == "POST":
            delete = delete_request(session.channel.id, message_id)
            session.remove_later(f"the message {message_id}", partial(session.send, delete))
        limit, seconds = (permit.headers.get(f"X-RateLimit-{name}") for name in ("Limit", "Reset-After"))
        if limit is None or seconds is None:
            raise CheckFailed(f"Discord names no rate limit for {request.method}.")
        found.append(f"{request.method} {limit} in {seconds} s")
    return f"{', '.join(found)}."


async def check_picture(session: Session) -> str:
    """Post a picture of a table, and download it as Discord stores it and as clients get it."""
    picture, _ = await asyncio.to_thread(draw_roll)
    return await _compare_shown(session, picture)


async def check_animation(session: Session) -> str:
    """Post rolling dice like those of a table, and look whether they still move behind the media proxy."""
    _, animation = await asyncio.to_thread(draw_roll)
    return await _compare_shown(session, animation)


async def _compare_shown(session: Session, picture: PictureFile) -> str:
    """Post a file, and compare it with the file that Discord stores and the one that its media proxy serves."""
    message = await session.post(_say("Look at the dice.").with_picture(picture))
    shown = message["embeds"][0].get("image") or {}
    if not (shown.get("url") and shown.get("proxy_url")):
        raise CheckFailed("Discord's message does not show the file.")
    stored, proxied = [await session.download(shown[address]) for address in ("url", "proxy_url")]
    if stored[:4] != picture.data[:4]:
        raise CheckFailed(f"Discord stores another kind of file, which begins with {stored[:4]!r}.")
    sent, arrived = count_frames(picture.data), count_frames(proxied)
    if not arrived:
        raise CheckFailed(f"Discord's media proxy sends no picture: it begins with {proxied[:4]!r}.")
    if arrived == 1 < sent:
        raise CheckFailed(f"Discord's media proxy makes a still of {sent} frames, so clients show no motion.")
    changes = [
        "unchanged" if data == picture.data else f"changed to {len(data)} bytes that begin with {data[:4]!r}"
        for data in (stored, proxied)
    ]
    what = f"{len(picture.data)} bytes of {picture.media_type}, frames: {sent}"
    return f"{what}; stored {changes[0]}; from the media proxy {changes[1]}, frames: {arrived}."


async def check_alternative_text(session: Session) -> str:
    """Send a file without an embed, and read its alternative text."""
    picture, _ = await asyncio.to_thread(draw_roll)
    attachments = build_attachments_json(picture)
    message = await session.post_request(
        Request("POST", session.channel.id, json={"attachments": attachments}, picture=picture)
    )
    if [file.get("description") for file in message["attachments"]] != [picture.description]:
        raise CheckFailed("The alternative text has not arrived.")
    return "It arrives with the file."


async def check_emoji(session: Session) -> str:
    """Make an emoji of the bot, and show it in a text and on a button."""
    for left in await session.client.fetch_application_emojis():
        if left.name == _EMOJI_NAME:
            await left.delete()
    die = next(symbol for symbol in COMMON_SYMBOLS if symbol.name == "die_6")
    emoji = await session.client.create_application_emoji(name=_EMOJI_NAME, image=SymbolPainter(DATA).draw(die))
    session.remove_later("the emoji live_check", emoji.delete)
    OWN_EMOJI.use({die.text: Emoji(_EMOJI_NAME, emoji.id)})
    try:
        button = Button(f"{die.text} Six", "live-check:emoji")
        message = await session.post(MessageContent({"title": "Live check", "description": die.text}, ((button,),)))
    finally:
        OWN_EMOJI.use({})
    shown = message["components"][0]["components"][0].get("emoji") or {}
    if str(emoji.id) not in message["embeds"][0]["description"] or shown.get("id") != str(emoji.id):
        raise CheckFailed("Discord does not show the bot's own emoji in texts and on buttons.")
    return "It is shown in a text and on a button."


async def check_thread(session: Session) -> str:
    """Open a thread, write in it, archive it, and edit the message in it."""
    try:
        thread = await create_thread(session.channel, "Live check")
    except ThreadRefused as refusal:
        raise CheckFailed(str(refusal)) from refusal
    session.remove_later(f"the thread {thread.id}, which is archived", partial(_remove_thread, session, thread))
    message = await session.send(post_request(thread.id, _say("In a thread.")))
    await edit_thread(session.client, thread.id, archived=True)
    edit = edit_request(thread.id, int(message["id"]), _say("Edited in an archived thread."))
    await _expect(session, edit, _ARCHIVED, "an edit in an archived thread")
    return "Opened, used and archived; an archived thread is reported as the bot expects."


async def _remove_thread(session: Session, thread: discord.Thread) -> None:
    """Delete a thread; without the permission to do so, archive it, and raise Forbidden."""
    try:
        await thread.delete()
    except discord.Forbidden:
        with contextlib.suppress(discord.HTTPException):
            await edit_thread(session.client, thread.id, archived=True)
        raise


async def check_update(session: Session) -> str:
    """Answer a click with the changed message."""
    click = await session.ask_for_click("1 of 4: change this message")
    await session.requests.callbacks.update(click.interaction, _say("Changed. ✓"))
    return click.describe_delay()


async def check_private_answer(session: Session) -> str:
    """Answer a click privately."""
    click = await session.ask_for_click("2 of 4: write to me alone")
    await _answer_privately(session, click)
    return click.describe_delay()


async def check_late_answer(session: Session) -> str:
    """Acknowledge a click, and change the message after the time for a first answer."""
    click = await session.ask_for_click("3 of 4: change this message in four seconds")
    await click.interaction.response.defer()
    delay = click.describe_delay()
    await session.sleep(LATE_SECONDS)
    await session.requests.callbacks.edit_original(click.interaction, _say("Changed after four seconds. ✓"))
    return delay


async def check_rolling_answer(session: Session) -> str:
    """Answer a click with rolling dice."""
    _, animation = await asyncio.to_thread(draw_roll)
    click = await session.ask_for_click("4 of 4: roll two dice here")
    await session.requests.callbacks.update(click.interaction, _say("Rolled. ✓").with_picture(animation))
    return click.describe_delay()


async def check_expired_answer(session: Session) -> str:
    """Edit a private message after Discord has forgotten its click."""
    click = await session.ask_for_click("Write to me alone, and wait")
    await _answer_privately(session, click)
    session.say("Waiting for a quarter of an hour …")
    await session.sleep(TOKEN_SECONDS + _SPARE_SECONDS)
    try:
        await click.interaction.edit_original_response(content="Edited too late.")
    except discord.HTTPException as fault:
        if fault.code != _EXPIRED:
            raise
        return "After 15 minutes Discord refuses edits of a private message, as the bot expects."
    raise CheckFailed("Discord still edits a private message after 15 minutes.")


async def check_full_server(session: Session) -> str:
    """Open threads until Discord refuses one."""
    session.say("Opening a thousand threads …")
    for count in range(MOST_THREADS):
        try:
            thread = await session.channel.create_thread(
                name="Live check", type=discord.ChannelType.public_thread, auto_archive_duration=60
            )
        except discord.HTTPException as fault:
            if fault.code != _TOO_MANY_THREADS:
                raise
            return f"After {count} threads Discord refuses another one, with the code that the bot expects."
        session.remove_later(f"the thread {thread.id}, which is archived", partial(_remove_thread, session, thread))
    raise CheckFailed(f"Discord has opened {MOST_THREADS} threads without refusing one.")


async def check_old_message(session: Session) -> str:
    """Edit a message that is older than an hour until Discord refuses."""
    message_id = int((await session.post(_say("This message grows old.")))["id"])
    session.say("Waiting for an hour …")
    await session.sleep(OLD_AFTER_SECONDS + _SPARE_SECONDS)
    for count in range(MOST_EDITS):
        try:
            await session.send(edit_request(session.channel.id, message_id, _say(f"Edit {count + 1}.")))
        except discord.HTTPException as fault:
            if fault.code != TOO_MANY_EDITS:
                raise
            return f"After {count} edits Discord refuses another one, with the code that the bot expects."
    return f"Discord takes {MOST_EDITS} edits."


def _say(text: str) -> MessageContent:
    return MessageContent({"title": "Live check", "description": text})


async def _answer_privately(session: Session, click: Click) -> None:
    interaction = click.interaction
    await interaction.response.send_message("Only you see this.", ephemeral=True)
    session.remove_later("a private message", interaction.delete_original_response)


async def _expect(session: Session, request: Request, code: int, what: str) -> None:
    """Send a request that Discord must refuse with an error code."""
    try:
        await session.send(request)
    except discord.HTTPException as fault:
        if fault.code != code:
            raise
    else:
        raise CheckFailed(f"Discord takes {what}, which the bot does not expect.")


CHECKS: Final = (
    Check("permissions", check_permissions),
    Check("commands", check_commands),
    Check("messages", check_messages),
    Check("rate limits", check_rate_limits),
    Check("a picture", check_picture),
    Check("an animation", check_animation),
    Check("an alternative text", check_alternative_text),
    Check("own emoji", check_emoji),
    Check("a thread", check_thread),
    Check("a click that changes its message", check_update),
    Check("a click with a private answer", check_private_answer),
    Check("a click with a late answer", check_late_answer),
    Check("a click that rolls dice", check_rolling_answer),
)

LONG_CHECKS: Final = (
    Check("a private message after 15 minutes", check_expired_answer),
    Check("a server full of threads", check_full_server),
    Check("a message after an hour", check_old_message),
)
"""Checks that take two hours together; only the first needs the operator."""
