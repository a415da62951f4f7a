"""Renders what organizers can do with a running tournament."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

import discord
from discord.utils import format_dt

from bot.features.tournaments.messages import TournamentButton, ask, tournament_button
from bot.features.tournaments.model import (
    ROUND_HOURS,
    Format,
    Pairing,
    Tournament,
    UserId,
    Verdict,
    deadline_of,
)
from bot.features.tournaments.words import format_round_time, name_of, plain_player_name, player_name
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows, page_buttons
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.paging import clamp_page
from bot.rules.game import Options
from bot.rules.options import encode_value, load_options, option_values, set_option
from bot.rules.screen import MAX_MENU_LINES
from bot.tables.registry import AnyPackage
from bot.tables.series import single_game
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name
from bot.tables.shown.option_menus import option_menu
from bot.tables.shown.words import explain_options
from bot.words import format_number, gettext as _, ngettext, pgettext, truncate, with_label

MOST_LISTED: Final = 10
"""The most unfinished games with what is known about them; menus have all."""

OPTIONS_PER_PAGE: Final = 4
"""A message has five rows: four menus, and one row of buttons."""

_MAX_LABEL: Final = 32


class DecisionStep(StrEnum):
    """The steps of deciding a game."""

    ASK = "ask"
    DECIDE = "decide"


@dataclass(frozen=True)
class MoreTimeId(CustomId, prefix="tm"):
    """The menu that gives a round more time, and the deadline that it extends."""

    tournament: int
    round: int
    period: int
    """As `deadline_of` has it."""


@dataclass(frozen=True)
class PickGameId(CustomId, prefix="tg"):
    """A menu of the games that can be decided; a round may need several."""

    tournament: int
    round: int
    page: int


@dataclass(frozen=True)
class DecisionId(CustomId, prefix="td"):
    """The button that decides a game, or asks first."""

    tournament: int
    round: int
    board: int
    verdict: Verdict
    decision_step: DecisionStep


@dataclass(frozen=True)
class GameOptionId(CustomId, prefix="to"):
    """The menu of an option of the game."""

    tournament: int
    option: str


@dataclass(frozen=True)
class GameOptionsPageId(CustomId, prefix="tq"):
    """The button that shows a page of the options of the game."""

    tournament: int
    page: int


OrganizerId: TypeAlias = MoreTimeId | PickGameId | DecisionId | GameOptionId | GameOptionsPageId


def options_of(tournament: Tournament, package: AnyPackage) -> Options:
    """Return the options of a tournament's games."""
    return single_game(package, load_options(package.game.info.options, tournament.options))


def offered_options(package: AnyPackage) -> Sequence[str]:
    """Return the options of single games: those that make a series of games have no effect in a tournament."""
    usual = package.game.info.options()
    return [
        name
        for name in type(usual).model_fields
        if all(
            single_game(package, chosen) == chosen
            for chosen in (set_option(usual, name, encode_value(value)) for value in option_values(usual, name))
        )
    ]


def render_options(tournament: Tournament, package: AnyPackage, page: int) -> MessageContent:
    """Render the page of the game's options nearest to a number, with a menu for each."""
    options, names = options_of(tournament, package), offered_options(package)
    nearest = clamp_page(page, len(names), OPTIONS_PER_PAGE)
    shown = names[(nearest.number - 1) * OPTIONS_PER_PAGE :][:OPTIONS_PER_PAGE]
    text = explain_options(type(options), shown) or _("There is nothing to choose here.")
    title = _("{game} · options").format(game=_(package.game.info.title))
    embed = discord.Embed(title=title, description=text, colour=SEAT_COLOURS[0])
    embed.set_footer(text=_("All games of the tournament have these."))
    buttons = page_buttons(nearest, lambda number: GameOptionsPageId(tournament.id, number))
    menus = tuple(option_menu(options, name, GameOptionId(tournament.id, name)) for name in shown)
    return MessageContent(embed.to_dict(), drop_empty_rows(buttons), menus)


def render_organizing(
    tournament: Tournament, moved: Mapping[Pairing, Collection[UserId]], games: Mapping[str, AnyPackage]
) -> MessageContent:
    """Render an organizer's actions, and unfinished games with the players who have moved."""
    lines = [_("The time of this round is up. No one loses automatically: give more time, or decide.")]
    if tournament.due_at is not None and not tournament.is_late:
        when, left = format_dt(tournament.due_at), format_dt(tournament.due_at, "R")
        lines = [_("This round ends {when} ({left}).").format(when=when, left=left)]
    lines += [_describe(tournament, pairing, movers) for pairing, movers in moved.items()]
    if (more := len(tournament.in_play) - len(moved)) > 0:
        lines.append(
            ngettext("… and {count} more game", "… and {count} more games", more).format(count=format_number(more))
        )
    lines.append(
        _(
            "`/tournament replace` offers the place of someone who can't go on to another member; "
            "`/tournament withdraw` with a member takes the player out."
        )
    )
    embed = discord.Embed(
        title=escape_name(name_of(tournament, games)), description="\n".join(lines), colour=SEAT_COLOURS[0]
    )
    cancel = tournament_button(tournament, _("Cancel the tournament"), TournamentButton.ASK_TO_CANCEL)
    return MessageContent(embed.to_dict(), ((cancel,),), (*_game_menus(tournament), _time_menu(tournament)))


def render_decision(tournament: Tournament, pairing: Pairing, movers: Collection[UserId]) -> MessageContent:
    """Render the ways to decide a game."""
    names = [
        truncate(plain_player_name(tournament, each), _MAX_LABEL) for each in (pairing.first_id, pairing.second_id)
    ]
    labels = {
        Verdict.FIRST: pgettext("verdict", "{name} wins").format(name=names[0]),
        Verdict.SECOND: pgettext("verdict", "{name} wins").format(name=names[1]),
        Verdict.DRAW: pgettext("verdict", "Draw"),
        Verdict.NEITHER: pgettext("verdict", "Both lose"),
    }
    buttons = tuple(
        Button(label, str(DecisionId(tournament.id, pairing.round, pairing.board, verdict, DecisionStep.ASK)))
        for verdict, label in labels.items()
        if may_decide(tournament, verdict)
    )
    text = _describe(tournament, pairing, movers)
    return MessageContent(ask(text).text_embed_json, (buttons, (_back(tournament),)))


def render_decision_question(tournament: Tournament, pairing: Pairing, verdict: Verdict) -> MessageContent:
    """Ask for confirmation before deciding a game."""
    text = _(
        "Decide this game: **{outcome}**? If its table is open, it is closed, and what was played there doesn't count."
    )
    really = DecisionId(tournament.id, pairing.round, pairing.board, verdict, DecisionStep.DECIDE)
    button = Button(_("Decide it"), str(really), discord.ButtonStyle.danger)
    return ask(
        text.format(outcome=describe_verdict(tournament, replace(pairing, verdict=verdict))), button, _back(tournament)
    )


def may_decide(tournament: Tournament, verdict: Verdict) -> bool:
    """Return whether the tournament's format has a verdict: a knock-out has no draws."""
    return verdict is not Verdict.DRAW or tournament.format is not Format.KNOCKOUT


def describe_verdict(tournament: Tournament, pairing: Pairing) -> str:
    """Return the outcome of a decided game in words."""
    text = {
        Verdict.FIRST: _("{first} wins against {second}"),
        Verdict.SECOND: _("{second} wins against {first}"),
        Verdict.DRAW: _("{first} and {second} draw"),
        Verdict.NEITHER: _("{first} and {second} both lose"),
    }[pairing.verdict or Verdict.NEITHER]
    first, second = (player_name(tournament, each) for each in (pairing.first_id, pairing.second_id))
    return text.format(first=first, second=second)


def render_cancel_question(tournament: Tournament, games: Mapping[str, AnyPackage]) -> MessageContent:
    """Ask for confirmation before cancelling a tournament."""
    text = _("Cancel **{name}**? Its open games are closed and don't count; finished games stay as they are.")
    really = tournament_button(tournament, _("Cancel it"), TournamentButton.CANCEL, discord.ButtonStyle.danger)
    return ask(text.format(name=escape_name(name_of(tournament, games))), really)


def _back(tournament: Tournament) -> Button:
    return tournament_button(tournament, _("◀ Organize"), TournamentButton.ORGANIZE)


def _game_menus(tournament: Tournament) -> tuple[SelectMenu, ...]:
    """Return menus of the unfinished games, with as many lines as Discord allows."""
    games = tournament.in_play
    pages = [games[start : start + MAX_MENU_LINES] for start in range(0, len(games), MAX_MENU_LINES)]
    return tuple(
        SelectMenu(
            _("Decide a game …"),
            str(PickGameId(tournament.id, tournament.round, number)),
            tuple(
                SelectOption(
                    " – ".join(plain_player_name(tournament, each) for each in pairing.people), str(pairing.board)
                )
                for pairing in page
            ),
        )
        for number, page in enumerate(pages, 1)
    )


def _time_menu(tournament: Tournament) -> SelectMenu:
    options = (
        SelectOption(_("{time} more").format(time=format_round_time(hours)), str(hours)) for hours in ROUND_HOURS
    )
    menu_id = MoreTimeId(tournament.id, tournament.round, deadline_of(tournament))
    return SelectMenu(_("More time …"), str(menu_id), tuple(options))


def _describe(tournament: Tournament, pairing: Pairing, movers: Collection[UserId]) -> str:
    """Return an unfinished pairing, and which of its players have moved."""
    absent = [user_id for user_id in pairing.people if user_id not in movers]
    if len(absent) == len(pairing.people):
        state = _("neither has made a move")
    elif absent:
        state = _("{name} has never made a move").format(name=player_name(tournament, absent[0]))
    else:
        state = _("both have moved, and the game goes on")
    names = " – ".join(player_name(tournament, each) for each in (pairing.first_id, pairing.second_id))
    return with_label(f"**{names}**", state)


def render_start_question(tournament: Tournament, games: Mapping[str, AnyPackage]) -> MessageContent:
    """Ask an organizer for confirmation before starting without the players who have not checked in."""
    missing = len(tournament.players) - len(tournament.drawn)
    text = ngettext(
        "Start **{name}** now? {count} player has not checked in and would be left out.",
        "Start **{name}** now? {count} players have not checked in and would be left out.",
        missing,
    )
    really = tournament_button(tournament, _("Start"), TournamentButton.START_WITHOUT, discord.ButtonStyle.danger)
    return ask(text.format(name=escape_name(name_of(tournament, games)), count=format_number(missing)), really)
