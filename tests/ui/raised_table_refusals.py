"""Refusals about tables, places, seats and invitations as they are raised, with their words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.features.fairness.handlers import DiceProofs
from bot.features.help.handlers import Guides
from bot.features.help.messages import GuidePageId
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.features.profiles.commands import Profiles
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import INVITATIONS
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.aside import put_aside, resume
from bot.tables.handlers.commands import TableCommands
from bot.tables.opening import continue_series, open_game
from bot.tables.refusals import HostReason
from bot.tables.service import HostSettings, TableService
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fakes import GAMES, HERE, JAY, ROBIN, STRANGER, WREN, make_service, open_lobby, start_game
from tests.support.magpie_series import SERIES_REGISTRY, play_new_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest

LINK = "https://discord.com/channels/3/70"


async def unknown_table(adapter: Adapter) -> None:
    await adapter.service.table(12345)


async def game_gone(adapter: Adapter) -> None:
    table = await open_lobby(make_service(adapter.db), JAY)
    adapter.db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    await open_lobby(adapter.service, ROBIN)


async def no_table_here(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN))  # type: ignore[arg-type]


async def no_table_yet(adapter: Adapter) -> None:
    await adapter.app.service(DiceProofs).show_here(make_command(ROBIN))  # type: ignore[arg-type]


async def other_game_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN), "chess")  # type: ignore[arg-type]


async def channel_taken(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await open_lobby(adapter.service, JAY)


async def channel_silent(adapter: Adapter) -> None:
    await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


async def game_gone_idle(adapter: Adapter) -> None:
    table = await start_game(make_service(adapter.db), JAY, WREN)
    adapter.db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


async def a_game_aside(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await put_aside(adapter.service, table.id, HERE.channel_id)
    return table


async def join_put_aside(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.join(table.id, ROBIN, 1)


async def only_aside_here(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN))  # type: ignore[arg-type]


async def nothing_aside(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.app.service(IdleTableCommands).resume_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def resume_taken(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await open_lobby(adapter.service, ROBIN)
    await resume(adapter.service, table.id, JAY, is_moderator=False)


async def not_yours_to_resume(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await resume(adapter.service, table.id, ROBIN, is_moderator=False)


async def solo_taken(adapter: Adapter) -> None:
    own = replace(HERE, solo_id=ROBIN.id)
    await open_lobby(adapter.service, ROBIN, location=own)
    await open_game(adapter.service, "magpie", MagpieOptions(), ROBIN, own, click_id=999)


async def already_invited(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for click_id in (1, 2):
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, JAY.id, click_id)


async def kicked(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.kick(table.id, ROBIN, WREN.id, 1)
    await adapter.service.join(table.id, WREN, 2)


async def they_were_kicked(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN, JAY)
    await adapter.service.kick(table.id, ROBIN, WREN.id, 1)
    await store_invitation(adapter.service, adapter.db, table.id, JAY, WREN.id, 2)


async def too_many_tables(adapter: Adapter) -> None:
    limited = TableService(adapter.db, GAMES, HostSettings(max_open_tables=1))
    for channel_id in (70, 71):
        await open_lobby(limited, ROBIN, location=replace(HERE, channel_id=channel_id))


async def too_quick(_adapter: Adapter) -> None:
    # The answer of the client to too many clicks.
    raise Refusal(ClickReason.TOO_QUICK)


async def too_many_long_answers(_adapter: Adapter) -> None:
    # The answer to an export while two reviews are being made.
    raise Refusal(ClickReason.TOO_MANY_LONG_ANSWERS)


async def invited_today(adapter: Adapter) -> None:
    for click_id, place in enumerate((HERE, replace(HERE, channel_id=HERE.channel_id + 1))):
        table = await open_lobby(adapter.service, ROBIN, location=place)
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, JAY.id, click_id)


async def too_many_invitations(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for guest_id in range(200, 206):
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, guest_id, guest_id)


async def invitations_refused(adapter: Adapter) -> None:
    adapter.db.chosen[JAY.id] = chosen({INVITATIONS: False})
    await already_invited(adapter)


async def invitations_off(adapter: Adapter) -> None:
    await adapter.db.write(setting_storage.change, HERE.scope_id, INVITATIONS, lambda _: False)
    await already_invited(adapter)


async def not_your_invitation(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    pressed = InvitationId(table.id, JAY.id, InvitationButton.JOIN)
    await adapter.app.service(InvitationCommands).press(make_click(STRANGER, pressed), table, pressed)  # type: ignore[arg-type]


async def no_solo_game(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).cancel(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


async def not_moderator(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).cancel(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def goes_on_there(adapter: Adapter) -> None:
    service = make_service(adapter.db, SERIES_REGISTRY)
    table = await play_new_game(service, ROBIN, WREN, games=3)
    for click_id in (1, 2):
        await continue_series(service, table.id, ROBIN, click_id)


async def unknown_button(adapter: Adapter) -> None:
    click: Any = make_click(ROBIN, GuidePageId("magpie", 1, ()))
    await adapter.app.service(Guides).turn_page(click, GuidePageId("magpie", 1, ("nonsense",)))


async def only_yourself(adapter: Adapter) -> None:
    asking: Any = make_command(ROBIN, guild_id=None, in_own_dm=True)
    await adapter.app.service(Profiles).profile(asking, WREN)


TABLE_REFUSALS: Mapping[RefusalReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    HostReason.UNKNOWN_TABLE: (unknown_table, "no longer exists"),
    HostReason.GAME_GONE: (game_gone, "can close it with `/table cancel`"),
    HostReason.NO_TABLE_HERE: (no_table_here, "no open table in this channel"),
    HostReason.NO_TABLE_YET: (no_table_yet, "a table in this channel yet"),
    HostReason.OTHER_GAME_HERE: (other_game_here, f"plays Magpie: {LINK}"),
    HostReason.CHANNEL_TAKEN: (channel_taken, f"Magpie is waiting for players in this channel: {LINK}"),
    HostReason.SOLO_TAKEN: (solo_taken, f"Your table of Magpie is waiting here: {LINK}"),
    HostReason.CHANNEL_IDLE: (
        channel_silent,
        "You can put it aside. Nothing is lost: its players can bring it back",
    ),
    HostReason.GAME_GONE_IDLE: (game_gone_idle, "I no longer have, and no one has played for a while"),
    HostReason.PUT_ASIDE: (join_put_aside, "Nothing is lost: `/table resume` brings it back"),
    HostReason.ONLY_ASIDE_HERE: (only_aside_here, "Its players can bring it back with `/table resume`"),
    HostReason.NOTHING_ASIDE: (nothing_aside, "You have no game to resume"),
    HostReason.RESUME_TAKEN: (resume_taken, "Your game is safe. Once that one is over, `/table resume`"),
    HostReason.NOT_YOURS_TO_RESUME: (not_yours_to_resume, "Only its players or a moderator"),
    HostReason.ALREADY_INVITED: (already_invited, f"once is the limit. Send them the link yourself: {LINK}"),
    HostReason.TOO_MANY_TABLES: (too_many_tables, "open tables here as allowed (1)"),
    ClickReason.TOO_QUICK: (too_quick, "Wait a few seconds"),
    ClickReason.TOO_MANY_LONG_ANSWERS: (too_many_long_answers, "Ask again when one of them is there"),
    InvitationReason.INVITED_TODAY: (invited_today, "once a day is the limit. Send them the link yourself: https://"),
    InvitationReason.TOO_MANY_INVITATIONS: (too_many_invitations, "Five people have been invited to this table"),
    InvitationReason.INVITATIONS_REFUSED: (invitations_refused, f"for others whom you'd like to ask: {LINK}"),
    InvitationReason.INVITATIONS_OFF: (
        invitations_off,
        f"turned invitations off. Send people the link yourself: {LINK}",
    ),
    InvitationReason.NOT_YOUR_INVITATION: (not_your_invitation, f"press *Join* at the table: {LINK}"),
    HostReason.NO_SOLO_GAME: (no_solo_game, "has no solo game in this channel"),
    HostReason.NOT_MODERATOR: (not_moderator, "Only a moderator can end"),
    HostReason.GOES_ON_THERE: (goes_on_there, f"continues at another table: {LINK}"),
    HostReason.KICKED: (kicked, "You were removed from this table"),
    HostReason.THEY_WERE_KICKED: (they_were_kicked, "only its host, Robin, can invite them"),
    ClickReason.UNKNOWN_BUTTON: (unknown_button, "another version"),
    HostReason.ONLY_YOURSELF: (only_yourself, "the command in a server"),
}
