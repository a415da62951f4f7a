"""Renders the help: short texts with buttons that lead on."""

from collections.abc import Iterable, Sequence

import discord

from bot.features.help.game_list_messages import game_list_picture, render_game_list
from bot.features.help.ids import HelpId, HelpTopic, LessonId
from bot.platform.discord.content import Button, MessageContent, embed_fields
from bot.rules.screen import Field
from bot.tables.handlers.ids import GuideId
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.words import N_, gettext as _, ngettext

_MAX_CREDITS_LENGTH = 3600
"""Leaves room for the text above them: an embed's description has at most 4096 characters."""


_START = N_(
    "Tabletop games to play together, right here in the channel.\n\n"
    "1. Press *Play* and pick a game: its table opens here.\n"
    "2. Others press *Join*, and you press *Start*. You can also play the computer.\n"
    "3. From then on, the buttons under the table do everything.\n\n"
    "One table at a time per channel or thread. Solo games and lessons don't count."
)
_DIRECT_START = N_(
    "Tabletop games to play alone or against the computer here, and with others in a server.\n\n"
    "1. Press *Play* and pick a game: its table opens here.\n"
    "2. Press *Play the computer*, or *Deal* in a solo game.\n"
    "3. From then on, the buttons under the table do everything.\n\n"
    "One table at a time here. Solo games and lessons don't count."
)


def render_help(packages: Sequence[AnyPackage], *, is_direct: bool) -> MessageContent:
    """Render what Parlour is and how to begin, in a server or in a direct message, with a picture of the games."""
    text = _(_DIRECT_START if is_direct else _START)
    buttons = (
        Button(_("Play"), str(HelpId(HelpTopic.PLAY)), discord.ButtonStyle.success),
        Button(_("Learn"), str(HelpId(HelpTopic.LEARN)), discord.ButtonStyle.primary),
        Button(_("How to play"), str(HelpId(HelpTopic.GUIDES)), discord.ButtonStyle.primary),
        Button(_("Commands and settings"), str(HelpId(HelpTopic.COMMANDS))),
        Button(_("About"), str(HelpId(HelpTopic.ABOUT))),
    )
    return MessageContent(_embed_json(_("Parlour"), text), (buttons,), make_picture=game_list_picture(packages))


def render_guide_list(packages: list[AnyPackage]) -> MessageContent:
    """Render a list of the games that leads to their guides."""
    return render_game_list(packages, lambda package: GuideId(package.game.info.key), _("Which game?"), _back_button())


def render_lesson_list(packages: list[AnyPackage]) -> MessageContent:
    """Render a list of the games that have a lesson, which opens it."""
    text = _(
        "Pick a game to learn it by playing, with every step explained. It doesn't count, and the channel stays free."
    )
    taught = [package for package in packages if package.lesson is not None]
    return render_game_list(taught, lambda package: LessonId(package.game.info.key), text, _back_button())


def render_commands() -> MessageContent:
    """Render where things are."""
    fields = (
        Field(
            _("At a table"),
            _(
                "`/table show` brings the table back to the end of the channel.\n"
                "`/table invite` invites someone to a free seat.\n"
                "`/table read` describes the table in plain words.\n"
                "`/table undo` takes back the newest move, if it's yours and nothing was rolled, drawn or revealed. "
                "*Take back* does the same.\n"
                "`/table news` tells what happened. *What happened* does the same.\n"
                "`/table resign` gives up: you rank last. A computer player plays on for you, or the game ends if "
                "too few players are left.\n"
                "`/table cancel` closes the table; once everyone has moved, all players must agree."
            ),
        ),
        Field(
            _("Every day"),
            _(
                "`/daily` is one Magic Bag a day with the same dice for everyone.\n"
                "`/puzzle` asks for the best move of a position. One puzzle a day is the same for everyone."
            ),
        ),
        Field(
            _("Tournaments"),
            _("`/tournament new` opens one in the channel: I pair the players, open their tables and keep the score."),
        ),
        Field(
            _("After the game"),
            _(
                "`/table replay` replays a finished game, and `/table verify` checks that it was fair.\n"
                "`/leaderboard`, `/profile` and `/history` show who has won and played what."
            ),
        ),
        Field(
            _("Settings"),
            _(
                "*Options* in the lobby changes a table's rules.\n"
                "`/settings show` is for server managers, and for you in direct messages: where games are played, by "
                "whom, and how.\n"
                "`/block` keeps you and someone else at different tables; they aren't told."
            ),
        ),
    )
    return MessageContent(_embed_json(_("Commands and settings"), "", fields), ((_back_button(),),))


def render_about(packages: Iterable[AnyPackage]) -> MessageContent:
    """Render what Parlour promises, and the credits of the games."""
    text = _(
        "Every move is saved before anyone sees it, so games survive restarts.\n"
        "Every game is provably fair: its rolls and draws are sealed before it and opened after it. Press "
        "*Check fairness* once a game is over.\n"
        "Parlour stores no messages."
    )
    lines = [
        _("**{game}:** {credits}").format(game=package.game.info.title, credits=_(package.game.info.credits))
        for package in packages
    ]
    return MessageContent(_embed_json(_("About Parlour"), f"{text}\n\n{_join_while_room(lines)}"), ((_back_button(),),))


def _join_while_room(lines: Sequence[str]) -> str:
    """Join lines; those that do not fit into an embed are counted instead."""
    shown = list(lines)
    while len("\n".join(shown)) > _MAX_CREDITS_LENGTH:
        shown.pop()
    if left := len(lines) - len(shown):
        shown.append(ngettext("… and {count} more game", "… and {count} more games", left).format(count=left))
    return "\n".join(shown)


def _back_button() -> Button:
    return Button(_("◀ Help"), str(HelpId(HelpTopic.START)))


def _embed_json(title: str, text: str, fields: Iterable[Field] = ()) -> dict[str, object]:
    embed = discord.Embed(title=title, description=text or None, colour=SEAT_COLOURS[0])
    return {**embed.to_dict(), "fields": embed_fields(fields)}
