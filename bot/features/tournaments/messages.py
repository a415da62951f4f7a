"""Renders tournaments: who plays, who plays whom, how it stands, and who has won."""

from collections.abc import Sequence
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.tournaments.ids import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import Format, Grounds, PairedTables, Pairing, Player, Stage, Tournament, Verdict
from bot.features.tournaments.schedule import DECIDE_WITHIN, START_WITHIN
from bot.features.tournaments.standings import Standing, champions, rank
from bot.features.tournaments.words import (
    FORMAT_NAMES,
    FORMAT_TEXTS,
    format_points_won,
    format_round_time,
    player_name,
    short_name,
)
from bot.platform.discord.content import Button, MessageContent
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS
from bot.tables.shown.links import escape_name, message_link
from bot.words import format_number, gettext as _, join_items, ngettext, place_label

_MAX_FIELD: Final = 1024
"""Discord's limit."""

_MOST_NAMED: Final = 3
"""More winners than this are only counted in a list."""


def render_tournament(
    tournament: Tournament, tables: PairedTables, game: str, why_no_threads: str = ""
) -> MessageContent:
    """Render a tournament for its channel.

    Args:
        tournament: The tournament.
        tables: Its tables.
        game: The title of the game.
        why_no_threads: Why its games get no threads, in a sentence; empty if they do.
    """
    title = f"🏆 {escape_name(tournament.name)}"
    colour = SEAT_COLOURS[0] if tournament.stage.is_open else PLAIN_COLOUR
    lines = [_headline(tournament, game), *_state_lines(tournament), *_thread_lines(tournament, why_no_threads)]
    embed = discord.Embed(title=title, description="\n".join(lines), colour=colour)
    if tournament.stage is Stage.JOINING:
        _add_lines(embed, _players_title(tournament), [short_name(each) for each in tournament.players])
    elif tournament.round:
        _add_lines(embed, _("Standings"), [_standing_line(tournament, each) for each in rank(tournament)])
        pairings = [each for each in tournament.pairings if each.round == tournament.round]
        name = _("Round {number} of {rounds}").format(number=tournament.round, rounds=tournament.rounds)
        _add_lines(embed, name, [_pairing_line(tournament, each, tables) for each in pairings])
    embed.set_footer(text=_("Tournament {number} · /tournament show").format(number=tournament.id))
    return MessageContent(embed.to_dict(), _buttons(tournament))


def announcement_text(tournament: Tournament) -> str:
    """Return the text that tells how a tournament ended."""
    winners = [f"**{short_name(each)}**" for each in champions(tournament)]
    name = escape_name(tournament.name)
    if not winners:
        return _("🏆 {name} is over, and no one has won it.").format(name=name)
    line = ngettext("🏆 {winners} wins {name}!", "🏆 {winners} share first place in {name}!", len(winners))
    return line.format(winners=join_items(winners), name=name)


def closed_text(tournament: Tournament) -> str:
    """Return the text that tells that a tournament was closed because it was forgotten."""
    if tournament.round:
        text = _("{name} was cancelled: the time of round {number} was up {count} days ago, and no one decided it.")
        days = DECIDE_WITHIN.days
    else:
        text, days = _("{name} was cancelled: no one started it within {count} days."), START_WITHIN.days
    name = f"🏆 {escape_name(tournament.name)}"
    return text.format(name=name, number=tournament.round, count=format_number(days))


def _headline(tournament: Tournament, game: str) -> str:
    parts = [f"**{game}**"]
    if tournament.format is not None:
        parts.append(_(FORMAT_NAMES[tournament.format]))
    parts.append(_("{time} per round").format(time=format_round_time(tournament.round_hours)))
    parts.append(_("opened by {name}").format(name=escape_name(tournament.opener.name)))
    return " · ".join(parts)


def _state_lines(tournament: Tournament) -> list[str]:
    match tournament.stage:
        case Stage.JOINING:
            return [
                _(FORMAT_TEXTS[tournament.format]),
                _("Press *Join* to play. {name} starts it once enough have joined.").format(
                    name=escape_name(tournament.opener.name)
                ),
            ]
        case Stage.CANCELLED:
            return [_("This tournament was cancelled.")]
        case Stage.FINISHED:
            return [announcement_text(tournament)]
        case _ if tournament.is_late:
            return [_("⏰ The time of this round is up. The organizers decide what isn't finished with *Organize*.")]
        case _:
            if tournament.due_at is None:
                return []
            times = {"when": format_dt(tournament.due_at), "left": format_dt(tournament.due_at, "R")}
            return [_("This round ends {when} ({left}).").format(**times)]


def _thread_lines(tournament: Tournament, why_no_threads: str) -> list[str]:
    if not why_no_threads or not tournament.stage.is_open:
        return []
    return [_("⚠️ {why} Until that changes, games are played here, one after another.").format(why=why_no_threads)]


def _players_title(tournament: Tournament) -> str:
    return _("{count} of at most {most} players").format(count=len(tournament.players), most=tournament.most_players)


def _standing_line(tournament: Tournament, standing: Standing) -> str:
    name = f"**{short_name(standing.player)}**"
    if standing.player.has_withdrawn:
        name = _("{name} (withdrawn)").format(name=name)
    has_begun = any(each.grounds not in (None, Grounds.BYE) for each in tournament.pairings)
    label = (
        "•" if standing.place is None or not has_begun else place_label(standing.place, has_medal=standing.has_medal)
    )
    if tournament.format is Format.KNOCKOUT:
        is_out = standing.player.has_withdrawn or any(
            standing.player.user_id in each.people and each.verdict and each.winner_id != standing.player.user_id
            for each in tournament.pairings
        )
        return f"{label} {name} · {_('out') if is_out else _('in')}"
    games = ngettext("{count} game", "{count} games", standing.games).format(count=standing.games)
    return f"{label} {name} · {format_points_won(standing.points)} · {games}"


def _pairing_line(tournament: Tournament, pairing: Pairing, tables: PairedTables) -> str:
    first = player_name(tournament, pairing.first_id)
    if pairing.second_id is None:
        text = _("{name} has a bye") if pairing.grounds is Grounds.BYE else _("{name} goes on without a game")
        return text.format(name=first)
    second = player_name(tournament, pairing.second_id)
    return f"{first} – {second} · {_outcome(tournament, pairing, tables)}"


def _outcome(tournament: Tournament, pairing: Pairing, tables: PairedTables) -> str:
    """Return how a pairing ended, or where it is played."""
    if pairing.verdict is not None:
        score = {
            Verdict.FIRST: "1 : 0",
            Verdict.SECOND: "0 : 1",
            Verdict.DRAW: "½ : ½",
            Verdict.NEITHER: "0 : 0",
        }[pairing.verdict]
        return _("{score} without a game").format(score=score) if pairing.grounds is Grounds.WALKOVER else score
    table = tables.get(pairing.part)
    if table is None:
        return _("waits for a table")
    link = message_link(Location(tournament.location.guild_id, table.channel_id), table.message_id)
    place = f"<#{table.channel_id}>" if pairing.thread_id == table.channel_id else link
    return _("not started: {place}").format(place=place) if table.status is Status.LOBBY else place


def _add_lines(embed: discord.Embed, title: str, lines: Sequence[str]) -> None:
    """Add fields with lines: as many as the limit of their length needs."""
    chunk: list[str] = []
    for line in lines or ["—"]:
        if sum(len(each) + 1 for each in (*chunk, line)) > _MAX_FIELD:
            embed.add_field(name=title, value="\n".join(chunk), inline=False)
            title, chunk = "\u200b", []
        chunk.append(line)
    embed.add_field(name=title, value="\n".join(chunk), inline=False)


def _buttons(tournament: Tournament) -> tuple[tuple[Button, ...], ...]:
    def button(
        label: str, kind: TournamentButton, style: discord.ButtonStyle = discord.ButtonStyle.secondary
    ) -> Button:
        return Button(label, str(TournamentButtonId(tournament.id, kind)), style)

    if tournament.stage is Stage.JOINING:
        everyone = (
            button(_("Join"), TournamentButton.JOIN, discord.ButtonStyle.primary),
            button(_("Leave"), TournamentButton.LEAVE),
        )
        organizers = (
            button(_("Start"), TournamentButton.START, discord.ButtonStyle.success),
            button(_("Cancel"), TournamentButton.ASK_TO_CANCEL),
        )
        return everyone, organizers
    return ((button(_("Organize"), TournamentButton.ORGANIZE),),) if tournament.stage is Stage.RUNNING else ()


def render_list(tournaments: Sequence[Tournament], titles: Sequence[str]) -> MessageContent:
    """Render the tournaments of a server, with the titles of their games."""
    lines = [_list_line(each, title) for each, title in zip(tournaments, titles, strict=True)]
    embed = discord.Embed(title=_("Tournaments"), description="\n".join(lines), colour=SEAT_COLOURS[0])
    embed.set_footer(text=_("/tournament show with a number shows one."))
    return MessageContent(embed.to_dict())


def _list_line(tournament: Tournament, game: str) -> str:
    link = message_link(tournament.location, tournament.message_id)
    name = f"[{escape_name(tournament.name)}]({link})"
    match tournament.stage:
        case Stage.JOINING:
            state = ngettext("{count} player so far", "{count} players so far", len(tournament.players))
            state = state.format(count=len(tournament.players))
        case Stage.RUNNING:
            state = _("round {number} of {rounds}").format(number=tournament.round, rounds=tournament.rounds)
        case Stage.CANCELLED:
            state = _("cancelled")
        case _:
            state = _champions_line(champions(tournament))
    return f"`{tournament.id}` {name} · {game} · {state}"


def _champions_line(winners: Sequence[Player]) -> str:
    if len(winners) > _MOST_NAMED:
        return _("shared by {count}").format(count=len(winners))
    names = join_items([short_name(each) for each in winners])
    return _("won by {names}").format(names=names) if winners else _("no one won")
