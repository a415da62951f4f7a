"""Renders tournaments: pairings, standings, winners, and the actions of players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

import discord
from discord.utils import format_dt

from bot.features.tournaments.model import (
    MOST_IN_ROUND_ROBIN,
    CancelledBy,
    Format,
    Grounds,
    PairedTables,
    Pairing,
    Stage,
    Tournament,
)
from bot.features.tournaments.notices import announcement_text
from bot.features.tournaments.pairing import Standing, champions, rank
from bot.features.tournaments.words import (
    FORMAT_NAMES,
    MOST_NAMED,
    describe_game,
    format_halves,
    format_minutes,
    format_points_won,
    format_round_time,
    format_score,
    name_of,
    player_name,
    short_name,
)
from bot.platform.discord.content import (
    Button,
    MessageContent,
    drop_empty_rows,
    join_lines,
    page_buttons,
    page_note,
)
from bot.platform.discord.ids import CustomId
from bot.platform.discord.limits import MAX_DESCRIPTION, MAX_FIELD
from bot.platform.paging import Page, clamp_page
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS
from bot.tables.shown.links import escape_name, message_link
from bot.tables.shown.words import title_of
from bot.words import (
    N_,
    format_number,
    gettext as _,
    join_items,
    ngettext,
    pgettext,
    place_label,
)


class TournamentButton(StrEnum):
    """The buttons about a tournament. Permissions are checked on the click."""

    JOIN = "join"
    LEAVE = "leave"
    CHECK_IN = "here"
    START = "start"
    START_WITHOUT = "anyway"
    """Confirms a start without the players who have not checked in."""
    OPTIONS = "options"
    """Shows organizers the options of the game before the start."""
    ORGANIZE = "organize"
    """Shows organizers their possible actions."""
    WHOLE = "whole"
    """Shows the picture with all players and rounds."""
    ASK_TO_CANCEL = "cancel"
    CANCEL = "really"
    WITHDRAW = "withdraw"
    """Confirms that the user withdraws from a tournament."""


@dataclass(frozen=True)
class TournamentButtonId(CustomId, prefix="tn"):
    """A button about a tournament."""

    tournament: int
    button: TournamentButton


@dataclass(frozen=True)
class TournamentPageId(CustomId, prefix="tp"):
    """The button that shows a page of the standings and pairings."""

    tournament: int
    page: int


@dataclass(frozen=True)
class TournamentGamesId(CustomId, prefix="tw"):
    """The button that shows a page of the games of all rounds."""

    tournament: int
    page: int


@dataclass(frozen=True)
class TakePlaceId(CustomId, prefix="tt"):
    """The button with which a member takes the place of a player."""

    tournament: int
    player_id: int


TournamentComponentId: TypeAlias = TournamentButtonId | TournamentPageId | TournamentGamesId


FORMAT_TEXTS: Final[Mapping[Format | None, str]] = {
    Format.ROUND_ROBIN: N_("Everyone meets everyone once."),
    Format.SWISS: N_("A few rounds between players who do about equally well."),
    Format.KNOCKOUT: N_("One loss and you're out."),
    None: N_("Up to eight players meet everyone once; more play a few rounds between those who do about equally well."),
}


_CANCELLED: Final[Mapping[CancelledBy | None, str]] = {
    CancelledBy.OPENER: N_("{name} cancelled this tournament."),
    CancelledBy.ORGANIZER: N_("An organizer cancelled this tournament."),
    CancelledBy.MODERATOR: N_("A moderator cancelled this tournament."),
    None: N_("This tournament was cancelled."),
}


_PAGE_LENGTH: Final = 16
"""The players, and the pairings, on a page."""


def render_tournament(
    tournament: Tournament,
    tables: PairedTables,
    games: Mapping[str, AnyPackage],
    why_no_threads: str = "",
    number: int = 1,
) -> MessageContent:
    """Render a tournament, with a page of its players and pairings.

    Args:
        tournament: The tournament.
        tables: Its tables.
        games: The installed games.
        why_no_threads: Why its games get no threads, in a sentence; empty if they do.
        number: The number of the page; the nearest one is shown if it does not exist.
    """
    title = f"🏆 {escape_name(name_of(tournament, games))}"
    colour = SEAT_COLOURS[0] if tournament.stage.is_open else PLAIN_COLOUR
    lines = [_headline(tournament, games), *_state_lines(tournament, games)]
    if tournament.format is Format.SWISS and tournament.round:
        lines.append(
            _("Ties are broken by the games among the tied players, then by Buchholz: the points of all opponents.")
        )
    if why_no_threads and tournament.stage.is_open:
        warning = _("⚠️ {why} Until that changes, games are played here, one after another.")
        lines.append(warning.format(why=why_no_threads))
    embed = discord.Embed(title=title, description="\n".join(lines), colour=colour)
    pictured = 0
    # Translators: `/tournament show` is typed.
    footer, pages = [_("Tournament {number} · /tournament show").format(number=tournament.id)], Page(1, 1)
    if tournament.is_checking_in:
        for here, name in ((True, _("Here: {count}")), (False, _("Not here yet: {count}"))):
            names = [short_name(player) for player in tournament.players if player.has_checked_in is here]
            _add_field(embed, name.format(count=format_number(len(names))), names, " · ")
    elif tournament.stage is Stage.JOINING:
        count, most = format_number(len(tournament.players)), format_number(tournament.most_players)
        name = _("Players: {count} of at most {most}").format(count=count, most=most)
        _add_field(embed, name, [short_name(player) for player in tournament.players], " · ")
    elif tournament.round:
        pages = clamp_page(number, len(tournament.players), _PAGE_LENGTH)
        shown = slice((pages.number - 1) * _PAGE_LENGTH, pages.number * _PAGE_LENGTH)
        _add_field(embed, _("Standings"), [_standing_line(tournament, each) for each in rank(tournament)[shown]])
        pictured = len(embed.fields)
        pairings = [pairing for pairing in tournament.pairings if pairing.round == tournament.round]
        name = _round_heading(tournament, tournament.round)
        lines = [_pairing_line(tournament, pairing, tables) for pairing in pairings]
        lines += [_("{name} rests this round").format(name=short_name(player)) for player in tournament.resting]
        if lines[shown]:
            _add_field(embed, name, lines[shown])
        footer.append(page_note(pages))
        if not tournament.stage.is_open:
            pictured = len(embed.fields)
    embed.set_footer(text=" · ".join(filter(None, footer)))
    turning = page_buttons(pages, lambda page: TournamentPageId(tournament.id, page))
    words = embed.to_dict()
    with_picture = {"fields": words.get("fields", [])[pictured:]}
    rows = drop_empty_rows(turning, *_buttons(tournament))
    return MessageContent(words, rows, picture_embed_json=with_picture)


def render_games(
    tournament: Tournament, tables: PairedTables, games: Mapping[str, AnyPackage], page: int | None = None
) -> MessageContent:
    """Render a page of the games of all rounds; without a number, the first page of the present round."""
    pages = [
        (played[0].round, played[start : start + _PAGE_LENGTH])
        for played in (
            [pairing for pairing in tournament.pairings if pairing.round == each]
            for each in range(1, tournament.round + 1)
        )
        for start in range(0, len(played), _PAGE_LENGTH)
    ]
    present = next(place for place, (each, _games) in enumerate(pages, 1) if each == tournament.round)
    nearest = clamp_page(page or present, len(pages), 1)
    number, shown = pages[nearest.number - 1]
    embed = discord.Embed(title=f"🏆 {escape_name(name_of(tournament, games))}", colour=SEAT_COLOURS[0])
    lines = [_pairing_line(tournament, pairing, tables) for pairing in shown]
    _add_field(embed, _round_heading(tournament, number), lines)
    embed.set_footer(text=page_note(nearest))
    turning = page_buttons(nearest, lambda each: TournamentGamesId(tournament.id, each))
    return MessageContent(embed.to_dict(), drop_empty_rows(turning), picture_embed_json={"fields": []})


def _round_heading(tournament: Tournament, number: int) -> str:
    numbers = {"number": format_number(number), "rounds": format_number(tournament.rounds)}
    return _("Round {number} of {rounds}").format(**numbers)


def _headline(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    parts = [f"**{describe_game(tournament, games)}**"]
    if tournament.format is not None:
        parts.append(_(FORMAT_NAMES[tournament.format]))
    parts.append(_("{time} per round").format(time=format_round_time(tournament.round_hours)))
    parts.append(_("opened by {name}").format(name=escape_name(tournament.opener.name)))
    return " · ".join(parts)


def _state_lines(tournament: Tournament, games: Mapping[str, AnyPackage]) -> list[str]:
    match tournament.stage:
        case Stage.JOINING:
            return [_(FORMAT_TEXTS[tournament.format]), *_start_lines(tournament)]
        case Stage.CANCELLED:
            return [_(_CANCELLED[tournament.cancelled_by]).format(name=escape_name(tournament.opener.name))]
        case Stage.FINISHED:
            return [announcement_text(tournament, games)]
        case _ if tournament.is_late:
            return [_("⏰ The time of this round is up. The organizers decide what isn't finished with *Organize*.")]
        case _:
            lines = []
            if tournament.due_at is not None:
                times = {"when": format_dt(tournament.due_at), "left": format_dt(tournament.due_at, "R")}
                lines.append(_("This round ends {when} ({left}).").format(**times))
            if tournament.takes_latecomers:
                lines.append(_("You can still *Join* until the second round is paired. The first one counts as lost."))
            return lines


def _start_lines(tournament: Tournament) -> list[str]:
    """Return how to join a tournament that has not started, and when it starts."""
    name, starts_at = escape_name(tournament.opener.name), tournament.starts_at
    if starts_at is None:
        return [_("Press *Join* to play. {name} starts it once enough have joined.").format(name=name)]
    times = {"when": format_dt(starts_at), "left": format_dt(starts_at, "R")}
    lines = [_("Press *Join* to play. It starts {when} ({left}), or when {name} starts it.").format(name=name, **times)]
    if tournament.is_checking_in:
        lines.append(_("**The check-in is open:** press *I'm here* before the start, or you are not drawn."))
    elif tournament.check_in_minutes:
        text = _("The check-in opens {time} before: press *I'm here* then, or you are not drawn.")
        lines.append(text.format(time=format_minutes(tournament.check_in_minutes)))
    return lines


def _standing_line(tournament: Tournament, standing: Standing) -> str:
    name = f"**{short_name(standing.player)}**"
    if standing.player.has_withdrawn:
        name = _("{name} (withdrawn)").format(name=name)
    label = "•"
    if standing.place is not None and tournament.has_results:
        label = place_label(standing.place, has_medal=standing.has_medal)
    if tournament.format is Format.KNOCKOUT:
        is_out = standing.player.has_withdrawn or any(
            standing.player.user_id in pairing.people
            and pairing.verdict
            and pairing.winner_id != standing.player.user_id
            for pairing in tournament.pairings
        )
        if tournament.stage is Stage.FINISHED:
            return f"{label} {name}"
        state = pgettext("knock-out", "out") if is_out else pgettext("knock-out", "in")
        return f"{label} {name} · {state}"
    points = format_points_won(standing.points)
    if tournament.format is Format.SWISS:
        buchholz = _("Buchholz {points}").format(points=format_halves(standing.tie_break))
        return f"{label} {name} · {points} · {buchholz}"
    games = ngettext("{count} game", "{count} games", standing.games).format(count=format_number(standing.games))
    return f"{label} {name} · {points} · {games}"


def _pairing_line(tournament: Tournament, pairing: Pairing, tables: PairedTables) -> str:
    first = player_name(tournament, pairing.first_id)
    if pairing.second_id is None:
        text = _("{name} has a bye") if pairing.grounds is Grounds.BYE else _("{name} goes on without a game")
        return text.format(name=first)
    second = player_name(tournament, pairing.second_id)
    return f"{first} – {second} · {_outcome(tournament, pairing, tables)}"


def _outcome(tournament: Tournament, pairing: Pairing, tables: PairedTables) -> str:
    """Return how a pairing ended, or the link to its table."""
    if pairing.verdict is not None:
        return format_score(pairing)
    table = tables.get(pairing.part)
    if table is None:
        return _("waits for a table")
    link = message_link(Location(tournament.location.guild_id, table.channel_id), table.message_id)
    place = f"<#{table.channel_id}>" if pairing.thread_id == table.channel_id else link
    return _("not started: {place}").format(place=place) if table.status is Status.LOBBY else place


def _add_field(embed: discord.Embed, title: str, texts: Sequence[str], separator: str = "\n") -> None:
    """Add texts to an embed, in as many fields as their length needs."""
    chunk: list[str] = []
    for text in texts or ["—"]:
        if len(separator.join((*chunk, text))) > MAX_FIELD:
            embed.add_field(name=title, value=separator.join(chunk), inline=False)
            title, chunk = "\u200b", []
        chunk.append(text)
    embed.add_field(name=title, value=separator.join(chunk), inline=False)


def _buttons(tournament: Tournament) -> tuple[tuple[Button, ...], ...]:
    join = tournament_button(tournament, _("Join"), TournamentButton.JOIN, discord.ButtonStyle.primary)
    if tournament.stage is Stage.JOINING:
        here = (check_in_button(tournament),) if tournament.is_checking_in else ()
        everyone = (*here, join, tournament_button(tournament, _("Leave"), TournamentButton.LEAVE))
        organizers = (
            tournament_button(tournament, _("Start"), TournamentButton.START, discord.ButtonStyle.success),
            tournament_button(tournament, _("Options"), TournamentButton.OPTIONS),
            tournament_button(tournament, _("Cancel"), TournamentButton.ASK_TO_CANCEL),
        )
        return everyone, organizers
    row = list[Button]()
    if tournament.stage is Stage.RUNNING:
        organize = tournament_button(tournament, _("Organize"), TournamentButton.ORGANIZE)
        row += (join, organize) if tournament.takes_latecomers else (organize,)
    if tournament.round and len(tournament.players) > MOST_IN_ROUND_ROBIN:
        label = _("Whole bracket") if tournament.format is Format.KNOCKOUT else _("All players")
        row.append(tournament_button(tournament, label, TournamentButton.WHOLE))
    return (tuple(row),)


def tournament_button(
    tournament: Tournament,
    label: str,
    kind: TournamentButton,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:
    """Return a button about a tournament."""
    return Button(label, str(TournamentButtonId(tournament.id, kind)), style)


def check_in_button(tournament: Tournament) -> Button:
    """Return the button with which a player checks in."""
    return tournament_button(tournament, _("I'm here"), TournamentButton.CHECK_IN, discord.ButtonStyle.primary)


def render_list(tournaments: Sequence[Tournament], games: Mapping[str, AnyPackage]) -> MessageContent:
    """Render the tournaments of a server, with the titles of their games."""
    lines = [_list_line(tournament, games) for tournament in tournaments]
    embed = discord.Embed(
        title=_("Tournaments"), description=join_lines(lines, MAX_DESCRIPTION), colour=SEAT_COLOURS[0]
    )
    # Translators: `/tournament show` is typed.
    embed.set_footer(text=_("/tournament show with a number shows one."))
    return MessageContent(embed.to_dict())


def _list_line(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    link = message_link(tournament.location, tournament.message_id)
    name = f"[{escape_name(name_of(tournament, games))}]({link})"
    match tournament.stage:
        case Stage.JOINING:
            state = ngettext("{count} player so far", "{count} players so far", len(tournament.players))
            state = state.format(count=format_number(len(tournament.players)))
        case Stage.RUNNING:
            numbers = {"number": format_number(tournament.round), "rounds": format_number(tournament.rounds)}
            state = _("round {number} of {rounds}").format(**numbers)
        case Stage.CANCELLED:
            state = pgettext("tournament", "cancelled")
        case _:
            winners = champions(tournament)
            names = join_items([short_name(winner) for winner in winners])
            state = _("won by {names}").format(names=names) if winners else _("no one won")
            if len(winners) > MOST_NAMED:
                state = ngettext("shared by {count} player", "shared by {count} players", len(winners))
                state = state.format(count=format_number(len(winners)))
    return f"`{tournament.id}` {name} · {title_of(games, tournament.game)} · {state}"


def render_withdraw_question(tournament: Tournament, games: Mapping[str, AnyPackage]) -> MessageContent:
    """Ask a player for confirmation before withdrawing."""
    text, label = _("Leave **{name}** for good? Your remaining games count as lost."), _("Withdraw")
    if tournament.stage is Stage.JOINING:
        text, label = _("Leave **{name}**? You can join again until it starts."), _("Leave")
    really = tournament_button(tournament, label, TournamentButton.WITHDRAW, discord.ButtonStyle.danger)
    return ask(text.format(name=escape_name(name_of(tournament, games))), really)


def ask(text: str, *buttons: Button) -> MessageContent:
    """Return a question with the buttons that answer it."""
    return MessageContent(discord.Embed(description=text, colour=SEAT_COLOURS[0]).to_dict(), (buttons,))
