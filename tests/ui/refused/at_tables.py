"""How each refusal of the host and of Magpie is raised."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.features.fairness.handlers import DiceProofs
from bot.features.help.handlers import Guides
from bot.features.help.messages import GuidePageId
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import (
    MAX_INVITATIONS,
    MAX_INVITATIONS_A_DAY,
    InvitationReason,
    require_invitable,
)
from bot.features.invitations.service import store_invitation
from bot.features.profiles.commands import Profiles
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import INVITATIONS
from bot.games.magpie.pieces import MagpieOptions, MagpieReason, Roll
from bot.platform.discord.context import guest_of, location_of, require_permissions, require_posting
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables import closing, lobby, opening, turns
from bot.tables.aside import put_aside, resume
from bot.tables.closing import propose_close
from bot.tables.control_entries import AgreeToClose, AskForSubstitute, Resign, Substitute
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import (
    Occupant,
    OpeningLimits,
    SeriesLink,
    SeriesLinkKind,
    Status,
)
from bot.tables.refusals import HostReason
from bot.tables.removal import take_out
from bot.tables.seats import ABSENT_AFTER, come_back, resign_seat, substitute_absent, take_back
from bot.tables.series import continue_series
from bot.tables.service import HostSettings, TableService
from bot.tables.shown.words import find_game
from bot.tables.table import Table, apply_control_entry
from cogs.magpie import parse_dice
from tests.support.chosen_settings import chosen
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    NOON,
    ROBIN,
    STRANGER,
    WREN,
    as_solo,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.magpie_series import SERIES_REGISTRY, as_second_game, make_finished_table, play_new_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest
from tests.ui.refused.listing import raises

PLAYING = make_table(status=Status.PLAYING)
MOVER = PLAYING.seats[PLAYING.header.to_move or 0]
WAITING = next(who for who in PLAYING.seats if who is not MOVER)
RESIGNED = apply_control_entry(PLAYING, 1, Resign())
SUBSTITUTED = apply_control_entry(PLAYING, 0, Substitute(PLAYING.header.to_move or 0))
MOVING = Person(MOVER.user_id or 0, MOVER.name)
ASKER = next(seat for seat in (1, 2) if seat != PLAYING.header.to_move)
ASKED = apply_control_entry(PLAYING, ASKER, AskForSubstitute(PLAYING.header.to_move or 0))
ALONE = as_solo(PLAYING)
ACTED = replace(PLAYING, acted=frozenset(range(3)))
AMONG_COMPUTERS = replace(
    make_table(lobby.make_occupant(ROBIN, 1), Occupant(level="random", contribution="c"), status=Status.PLAYING),
    acted=frozenset({0, 1}),
)
PAIRED = make_table(link=SeriesLink(7, SeriesLinkKind.PAIRING, 101_001))
AGAINST_COMPUTERS = make_table(lobby.make_occupant(ROBIN, 1), location=replace(HERE, solo_id=ROBIN.id))
FULL = make_table(*(lobby.make_occupant(Person(at, f"P{at}"), at) for at in range(1, 7)))


def interaction(**more: Any) -> Any:
    return make_command(ROBIN, **more)


def person_in(who: Any) -> Person:
    return Person(who.user_id, who.name)


def play_magpie(seat: int, text: str, *, over: bool = False) -> None:
    game = PLAYING.package.game
    state = replace(PLAYING.state, mover=None, trigger=0) if over else PLAYING.state
    game.play(state, seat, game.parse_move(text), ScriptedChance(()))


MISSING = discord.Permissions(view_channel=True)
SEAT = PLAYING.header.to_move or 0


AT_ONCE: Sequence[tuple[RefusalReason, Callable[[], object]]] = (
    (HostReason.NOT_SEATED, lambda: turns.require_turn(PLAYING, STRANGER, 0)),
    (HostReason.NOT_A_PLAYER, lambda: lobby.play_again(make_finished_table(30, 20), STRANGER, 1)),
    (HostReason.NOT_YOUR_TURN, lambda: turns.require_turn(PLAYING, person_in(WAITING), 0)),
    (HostReason.ALREADY_SEATED, lambda: lobby.join(make_table(), WREN, 1)),
    (HostReason.TABLE_FULL, lambda: lobby.join(FULL, STRANGER, 1)),
    (HostReason.FOR_ONE_PERSON, lambda: lobby.require_seat_for_person(AGAINST_COMPUTERS)),
    (HostReason.ALREADY_STARTED, lambda: lobby.join(PLAYING, STRANGER, 1)),
    (HostReason.NOT_STARTED, lambda: turns.require_turn(make_table(), WREN, 0)),
    (HostReason.NOT_OPENER, lambda: lobby.remove_computers(make_table(), WREN, 1)),
    (HostReason.NOT_YOUR_GAME, lambda: lobby.start(as_solo(make_table()), STRANGER, 1, NOON)),
    (HostReason.NOT_OPENER_NOR_MODERATOR, lambda: closing.cancel(make_table(), WREN, is_moderator=False)),
    (HostReason.NOTHING_FOLLOWS, lambda: continue_series(make_finished_table(30, 20), ROBIN, 1)),
    (HostReason.NOT_TIED, lambda: continue_series(make_finished_table(30, 30, 20), JAY, 1)),
    (HostReason.SEATS_FIXED, lambda: lobby.leave(as_second_game(make_table()), ROBIN)),
    (HostReason.OF_TOURNAMENT, lambda: lobby.leave(PAIRED, ROBIN)),
    (HostReason.TABLE_OVER, lambda: lobby.leave(make_table(status=Status.FINISHED), ROBIN)),
    (HostReason.RESIGNED, lambda: turns.require_turn(RESIGNED, WREN, 1)),
    (HostReason.SUBSTITUTED, lambda: turns.require_turn(SUBSTITUTED, MOVING, 1)),
    (HostReason.NOT_SUBSTITUTED, lambda: come_back(PLAYING, WREN)),
    (HostReason.OWN_TURN, lambda: substitute_absent(PLAYING, MOVING, NOON)),
    (HostReason.NOBODY_AWAITED, lambda: substitute_absent(SUBSTITUTED, person_in(WAITING), NOON)),
    (HostReason.NOT_ABSENT, lambda: substitute_absent(PLAYING, person_in(WAITING), NOON - ABSENT_AFTER)),
    (HostReason.ALREADY_ASKED, lambda: substitute_absent(ASKED, person_in(PLAYING.seats[ASKER]), NOON)),
    (HostReason.NOTHING_TO_TAKE_BACK, lambda: take_back(PLAYING, WREN)),
    (HostReason.NO_SUCH_CHOICE, lambda: lobby.choose_option(make_table(), ROBIN, "target", "9", "")),
    (InvitationReason.NO_SEAT_TO_INVITE_FROM, lambda: require_invitable(make_table(), STRANGER, ROBIN.id)),
    (InvitationReason.INVITED_YOURSELF, lambda: require_invitable(make_table(), ROBIN, ROBIN.id)),
    (HostReason.THEY_HAVE_A_SEAT, lambda: require_invitable(make_table(), ROBIN, WREN.id)),
    (ClickReason.APPS_CANNOT_PLAY, lambda: guest_of(interaction(), make_guest(discord.Member, bot=True))),
    (ClickReason.NO_GUESTS_HERE, lambda: guest_of(interaction(guild_id=None), make_guest(discord.Member))),
    (ClickReason.NOT_A_MEMBER, lambda: guest_of(interaction(), make_guest(discord.User))),
    (
        ClickReason.CANNOT_SEE,
        lambda: guest_of(interaction(), make_guest(discord.Member, permissions=discord.Permissions.none())),
    ),
    (HostReason.THEY_HAVE_NO_SEAT, lambda: lobby.kick(make_table(), ROBIN, 99)),
    (HostReason.ONLY_LEAVE, lambda: lobby.kick(make_table(), ROBIN, ROBIN.id)),
    (HostReason.NOT_FINISHED, lambda: lobby.play_again(PLAYING, ROBIN, 1)),
    (HostReason.NOT_STARTER, lambda: lobby.start(make_table(), WREN, 1)),
    (HostReason.NEEDS_AGREEMENT, lambda: closing.cancel(ACTED, ROBIN, is_moderator=False)),
    (HostReason.ALREADY_AGREED, lambda: propose_close(apply_control_entry(ACTED, 0, AgreeToClose()), ROBIN)),
    (HostReason.ONLY_RESIGN, lambda: propose_close(AMONG_COMPUTERS, ROBIN)),
    (HostReason.ALONE, lambda: resign_seat(ALONE, ROBIN)),
    (HostReason.TABLE_HELD, lambda: turns.require_turn(make_table(status=Status.HELD), WREN, 0)),
    (ClickReason.MISSING_PERMISSIONS, lambda: require_permissions(interaction(app_permissions=MISSING))),
    (HostReason.UNKNOWN_GAME, lambda: find_game(GAMES, "chess {0}")),
    (ClickReason.NO_PLACE, lambda: location_of(interaction(channel_id=None))),
    (ClickReason.NEEDS_THIS_SERVER, lambda: require_posting(interaction(is_outside=True))),
    (ClickReason.NEEDS_A_SERVER, lambda: require_posting(interaction(is_outside=True, guild_id=None))),
    (CommonReason.UNREADABLE, lambda: parse_dice("{fly}")),
    (CommonReason.UNREADABLE, lambda: play_magpie(SEAT, "fly")),
    (CommonReason.NOT_TO_MOVE, lambda: play_magpie((SEAT + 1) % 3, "roll 1")),
    (CommonReason.GAME_OVER, lambda: play_magpie(SEAT, "roll 1", over=True)),
    (MagpieReason.NO_DICE, lambda: play_magpie(SEAT, "roll")),
    (MagpieReason.NO_SUCH_DIE, lambda: play_magpie(SEAT, "roll 2 7")),
    (
        MagpieReason.OUT_OF_ORDER,
        lambda: PLAYING.package.game.play(PLAYING.state, SEAT, Roll((3, 1)), ScriptedChance(())),
    ),
    (MagpieReason.DIE_TWICE, lambda: play_magpie(SEAT, "roll 3 3")),
)
"""What is refused without a host."""


@raises(HostReason.UNKNOWN_TABLE)
async def unknown_table(adapter: Adapter) -> None:
    await adapter.service.table(12345)


@raises(HostReason.GAME_GONE)
async def game_gone(adapter: Adapter) -> None:
    table = await open_lobby(make_service(adapter.db), JAY)
    adapter.db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    await open_lobby(adapter.service, ROBIN)


@raises(HostReason.NO_TABLE_HERE)
async def no_table_here(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN))  # type: ignore[arg-type]


@raises(HostReason.NO_TABLE_YET)
async def no_table_yet(adapter: Adapter) -> None:
    await adapter.app.service(DiceProofs).show_here(make_command(ROBIN))  # type: ignore[arg-type]


@raises(HostReason.OTHER_GAME_HERE)
async def other_game_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN), "chess")  # type: ignore[arg-type]


@raises(HostReason.CHANNEL_TAKEN)
async def channel_taken(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await open_lobby(adapter.service, JAY)


@raises(HostReason.CHANNEL_IDLE)
async def channel_silent(adapter: Adapter) -> None:
    await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


@raises(HostReason.GAME_GONE_IDLE)
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


@raises(HostReason.PUT_ASIDE)
async def join_put_aside(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.join(table.id, ROBIN, 1)


@raises(HostReason.ONLY_ASIDE_HERE)
async def only_aside_here(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.app.service(TableCommands).table_here(make_command(ROBIN))  # type: ignore[arg-type]


@raises(HostReason.NOTHING_ASIDE)
async def nothing_aside(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.app.service(IdleTableCommands).resume_here(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(HostReason.RESUME_TAKEN)
async def resume_taken(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await open_lobby(adapter.service, ROBIN)
    await resume(adapter.service, table.id, JAY, is_moderator=False)


@raises(HostReason.NOT_YOURS_TO_RESUME)
async def not_yours_to_resume(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await resume(adapter.service, table.id, ROBIN, is_moderator=False)


@raises(HostReason.SOLO_TAKEN)
async def solo_taken(adapter: Adapter) -> None:
    own = replace(HERE, solo_id=ROBIN.id)
    await open_lobby(adapter.service, ROBIN, location=own)
    await opening.open_game(adapter.service, "magpie", MagpieOptions(), ROBIN, own, click_id=999)


@raises(InvitationReason.ALREADY_INVITED)
async def already_invited(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for click_id in (1, 2):
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, JAY.id, click_id)


@raises(HostReason.KICKED)
async def kicked(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.kick(table.id, ROBIN, WREN.id, 1)
    await adapter.service.join(table.id, WREN, 2)


@raises(HostReason.THEY_WERE_KICKED)
async def they_were_kicked(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN, JAY)
    await adapter.service.kick(table.id, ROBIN, WREN.id, 1)
    await store_invitation(adapter.service, adapter.db, table.id, JAY, WREN.id, 2)


@raises(HostReason.TOO_MANY_TABLES)
async def too_many_tables(adapter: Adapter) -> None:
    limited = TableService(adapter.db, GAMES, HostSettings(max_open_tables=1))
    for channel_id in (70, 71):
        await open_lobby(limited, ROBIN, location=replace(HERE, channel_id=channel_id))


@raises(HostReason.REMOVED)
async def removed(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    await take_out(adapter.service, table.id, WREN.id)
    await adapter.service.apply_seat_action(table.id, WREN, come_back, 2)


@raises(HostReason.SERVER_FULL)
async def server_full(adapter: Adapter) -> None:
    opened = await open_lobby(adapter.service, ROBIN)
    header = replace(opened.header, location=replace(HERE, channel_id=71))
    await opening.open_table(adapter.service, replace(opened, header=header), OpeningLimits(most_in_server=1))


@raises(ClickReason.TOO_QUICK)
async def too_quick(_adapter: Adapter) -> None:
    # The answer of the client to too many clicks.
    raise Refusal(ClickReason.TOO_QUICK)


@raises(ClickReason.TOO_MANY_LONG_ANSWERS)
async def too_many_long_answers(_adapter: Adapter) -> None:
    # The answer to an export while two reviews are being made.
    raise Refusal(ClickReason.TOO_MANY_LONG_ANSWERS)


@raises(InvitationReason.INVITED_TODAY)
async def invited_today(adapter: Adapter) -> None:
    for click_id, place in enumerate((HERE, replace(HERE, channel_id=HERE.channel_id + 1))):
        table = await open_lobby(adapter.service, ROBIN, location=place)
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, JAY.id, click_id)


@raises(InvitationReason.INVITED_MANY_TODAY)
async def invited_many_today(adapter: Adapter) -> None:
    for guest_id in range(200, 201 + MAX_INVITATIONS_A_DAY):
        channel_id = HERE.channel_id + guest_id // MAX_INVITATIONS
        table = await adapter.service.open_table_in(channel_id)
        if table is None:
            table = await open_lobby(adapter.service, ROBIN, location=replace(HERE, channel_id=channel_id))
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, guest_id, guest_id)


@raises(InvitationReason.TOO_MANY_INVITATIONS)
async def too_many_invitations(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for guest_id in range(200, 206):
        await store_invitation(adapter.service, adapter.db, table.id, ROBIN, guest_id, guest_id)


@raises(InvitationReason.INVITATIONS_REFUSED)
async def invitations_refused(adapter: Adapter) -> None:
    adapter.db.chosen[JAY.id] = chosen({INVITATIONS: False})
    await already_invited(adapter)


@raises(InvitationReason.INVITATIONS_OFF)
async def invitations_off(adapter: Adapter) -> None:
    await adapter.db.write(setting_storage.change, HERE.scope_id, INVITATIONS, lambda _: False)
    await already_invited(adapter)


@raises(InvitationReason.NOT_YOUR_INVITATION)
async def not_your_invitation(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    pressed = InvitationId(table.id, JAY.id, InvitationButton.JOIN)
    await adapter.app.service(InvitationCommands).press(make_click(STRANGER, pressed), table, pressed)  # type: ignore[arg-type]


@raises(HostReason.NO_SOLO_GAME)
async def no_solo_game(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).cancel(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


@raises(HostReason.NOT_MODERATOR)
async def not_moderator(adapter: Adapter) -> None:
    await adapter.app.service(TableCommands).cancel(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


@raises(HostReason.GOES_ON_THERE)
async def goes_on_there(adapter: Adapter) -> None:
    service = make_service(adapter.db, SERIES_REGISTRY)
    table = await play_new_game(service, ROBIN, WREN, games=3)
    for click_id in (1, 2):
        await opening.continue_series(service, table.id, ROBIN, click_id)


@raises(ClickReason.UNKNOWN_BUTTON)
async def unknown_button(adapter: Adapter) -> None:
    click: Any = make_click(ROBIN, GuidePageId("magpie", 1, ()))
    await adapter.app.service(Guides).turn_page(click, GuidePageId("magpie", 1, ("nonsense",)))


@raises(HostReason.ONLY_YOURSELF)
async def only_yourself(adapter: Adapter) -> None:
    asking: Any = make_command(ROBIN, guild_id=None)
    await adapter.app.service(Profiles).profile(asking, WREN)
