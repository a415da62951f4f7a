"""Renders tournaments: who plays, who plays whom, how it stands, and who has won."""

from collections.abc import Mapping, Sequence
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.tournaments.ids import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import (
    DECIDE_WITHIN,
    START_WITHIN,
    Format,
    Grounds,
    PairedTables,
    Pairing,
    Player,
    Stage,
    Tournament,
    TournamentReason,
    UserId,
    Verdict,
)
from bot.features.tournaments.pairing import Standing, champions, rank
from bot.platform.discord.content import Button, MessageContent
from bot.platform.places import Location
from bot.rules.refusals import RefusalReason
from bot.tables.model import Status
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS
from bot.tables.shown.links import escape_name, message_link, sanitize_name
from bot.words import N_, format_number, gettext as _, join_items, ngettext, place_label, truncate

TOURNAMENT_ERROR_MESSAGES: dict[RefusalReason, str] = {
    TournamentReason.UNKNOWN: N_("I don't know that tournament. `/tournament list` shows those of this server."),
    TournamentReason.NONE_HERE: N_("There's no tournament here yet. `/tournament new` opens one."),
    TournamentReason.ONLY_IN_SERVERS: N_("Tournaments need a server's channel."),
    TournamentReason.ONE_SEAT: N_("{game} is played alone, so there's no tournament of it. Choose another game."),
    TournamentReason.HAS_STARTED: N_("This tournament has started, so its players are settled."),
    TournamentReason.NOT_RUNNING: N_("This tournament isn't being played now."),
    TournamentReason.OVER: N_("This tournament is over. `/tournament new` opens another."),
    TournamentReason.FULL: N_("This tournament is full."),
    TournamentReason.TOO_FEW: N_("A tournament needs at least two players. Wait until someone joins."),
    TournamentReason.TOO_MANY_OPEN: N_(
        "This server has ten open tournaments, which is the limit. Finish or cancel one first."
    ),
    TournamentReason.NOT_ORGANIZER: N_("Only the opener of this tournament or a moderator can do that."),
    TournamentReason.NOT_IN_IT: N_("You don't play in this tournament, or have left it already."),
    TournamentReason.THEY_ARE_NOT_IN_IT: N_("They don't play in this tournament, or have left it already."),
    TournamentReason.NOT_LATE: N_("This round still has time. You can decide games once its time is up."),
}


_MAX_NAME: Final = 20

FORMAT_NAMES: Final[Mapping[Format, str]] = {
    Format.ROUND_ROBIN: N_("Round robin"),
    Format.SWISS: N_("Swiss"),
    Format.KNOCKOUT: N_("Knock-out"),
}
FORMAT_TEXTS: Final[Mapping[Format | None, str]] = {
    Format.ROUND_ROBIN: N_("Everyone meets everyone once."),
    Format.SWISS: N_("A few rounds between players who do about equally well."),
    Format.KNOCKOUT: N_("One loss and you're out."),
    None: N_("Up to eight players meet everyone once; more play a few rounds between those who do about equally well."),
}


def format_round_time(hours: int) -> str:
    """Return how long a round lasts."""
    if hours % 24:
        return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    return ngettext("{count} day", "{count} days", hours // 24).format(count=hours // 24)


def format_points_won(halves: int) -> str:
    """Return points, given in halves."""
    whole = format_number(halves // 2) if halves != 1 else ""
    # "½ point" and "1 point", but "1½ points".
    points = ngettext("{points} point", "{points} points", 1 if 0 < halves < 3 else halves)
    return points.format(points=f"**{whole}{'½' if halves % 2 else ''}**")


def player_name(tournament: Tournament, user_id: UserId | None) -> str:
    """Return the name of a player, shortened and escaped."""
    player = None if user_id is None else tournament.player(user_id)
    return _("Someone") if player is None else short_name(player)


def short_name(player: Player) -> str:
    """Return the name of a player, escaped, and short enough for 32 players in a message."""
    return escape_name(truncate(player.name, _MAX_NAME))


def plain_player_name(tournament: Tournament, user_id: UserId | None) -> str:
    """Return the name of a player for places without Markdown."""
    player = None if user_id is None else tournament.player(user_id)
    return _("Someone") if player is None else sanitize_name(player.name)


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
