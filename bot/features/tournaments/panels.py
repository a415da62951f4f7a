"""Renders what only an organizer, or one player, sees of a tournament."""

from collections.abc import Collection, Mapping
from typing import Final

import discord

from bot.features.tournaments.ids import DecisionId, TournamentButton, TournamentButtonId
from bot.features.tournaments.messages import format_round_time, plain_player_name, player_name
from bot.features.tournaments.model import Pairing, Tournament, UserId, Verdict
from bot.platform.discord.content import Button, MessageContent
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name
from bot.words import gettext as _, ngettext, truncate

MOST_DECISIONS: Final = 4
"""A row of buttons each, and one for the rest: Discord allows five."""

_MAX_LABEL: Final = 32


def render_organizing(tournament: Tournament, moved: Mapping[Pairing, Collection[UserId]]) -> MessageContent:
    """Render what an organizer can do: decide the first pairings whose time is up, with who has moved in each."""
    in_play, rows = tournament.in_play, list[tuple[Button, ...]]()
    last: tuple[Button, ...] = (_button(tournament, _("Cancel the tournament"), TournamentButton.ASK_TO_CANCEL),)
    if tournament.is_late:
        lines = [_("The time of this round is up. No one loses by itself: give more time, or decide.")]
        for pairing, movers in moved.items():
            lines.append(_pairing_line(tournament, pairing, movers))
            rows.append(_decisions(tournament, pairing))
        if len(in_play) > len(moved):
            more = len(in_play) - len(moved)
            lines.append(ngettext("… and {count} more", "… and {count} more", more).format(count=more))
        label = _("Give {time} more").format(time=format_round_time(tournament.round_hours))
        last = (_button(tournament, label, TournamentButton.MORE_TIME, discord.ButtonStyle.primary), *last)
    else:
        count = len(in_play)
        line = ngettext("{count} game of this round is still played.", "{count} games are still played.", count)
        lines = [line.format(count=count), _("You can decide games once the time of the round is up.")]
    lines.append(_("`/tournament withdraw` with a member takes out someone who can't go on."))
    embed = discord.Embed(title=escape_name(tournament.name), description="\n".join(lines), colour=SEAT_COLOURS[0])
    return MessageContent(embed.to_dict(), (*rows, last))


def render_cancel_question(tournament: Tournament) -> MessageContent:
    """Ask whether a tournament is to be cancelled."""
    text = _("Cancel **{name}**? Its open games are closed and don't count; finished games stay as they are.")
    really = _button(tournament, _("Cancel it"), TournamentButton.CANCEL, discord.ButtonStyle.danger)
    return _question(text.format(name=escape_name(tournament.name)), really)


def render_withdraw_question(tournament: Tournament) -> MessageContent:
    """Ask whether a player gives up the rest of a tournament."""
    text = _("Leave **{name}** for good? Your open game is closed, and your opponents win without a game.")
    really = _button(tournament, _("Withdraw"), TournamentButton.WITHDRAW, discord.ButtonStyle.danger)
    return _question(text.format(name=escape_name(tournament.name)), really)


def _question(text: str, button: Button) -> MessageContent:
    return MessageContent(discord.Embed(description=text, colour=SEAT_COLOURS[0]).to_dict(), ((button,),))


def _pairing_line(tournament: Tournament, pairing: Pairing, movers: Collection[UserId]) -> str:
    """Say who of a pairing has moved."""
    absent = [each for each in pairing.people if each not in movers]
    if len(absent) == len(pairing.people):
        state = _("neither has made a move")
    elif absent:
        state = _("{name} has never made a move").format(name=player_name(tournament, absent[0]))
    else:
        state = _("both have moved, and the game goes on")
    names = " – ".join(player_name(tournament, each) for each in (pairing.first_id, pairing.second_id))
    return f"**{names}**: {state}"


def _decisions(tournament: Tournament, pairing: Pairing) -> tuple[Button, ...]:
    def button(label: str, verdict: Verdict) -> Button:
        decision = DecisionId(tournament.id, pairing.round, pairing.board, verdict)
        return Button(label, str(decision))

    names = [plain_player_name(tournament, each) for each in (pairing.first_id, pairing.second_id)]
    first, second = (_("{name} wins").format(name=truncate(name, _MAX_LABEL)) for name in names)
    return (
        button(first, Verdict.FIRST),
        button(second, Verdict.SECOND),
        button(_("Both lose"), Verdict.NEITHER),
    )


def _button(
    tournament: Tournament,
    label: str,
    kind: TournamentButton,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:
    return Button(label, str(TournamentButtonId(tournament.id, kind)), style)
