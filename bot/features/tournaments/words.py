"""Words about tournaments that their messages, notices and pictures share."""

from collections.abc import Mapping
from typing import Final

from bot.features.tournaments.model import Format, Grounds, Pairing, Player, Tournament, UserId, Verdict
from bot.rules.options import load_options
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import drawn_name, escape_name, sanitize_name
from bot.tables.shown.words import changed_options_line, title_of, write_date
from bot.words import N_, format_number, gettext as _, ngettext, pgettext, plural_number, truncate, with_note

MOST_NAMED: Final = 3
"""The most winners named; more are counted."""

_MAX_NAME: Final = 20

FORMAT_NAMES: Final[Mapping[Format, str]] = {
    Format.ROUND_ROBIN: N_("Round robin"),
    Format.SWISS: N_("Swiss"),
    Format.KNOCKOUT: N_("Knock-out"),
}


def name_of(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return a tournament's title or, if it has none, its usual name: its game and the date of its opening."""
    if tournament.title:
        return tournament.title
    date = write_date(tournament.opened_at, "MMMMd")
    return _("{game} tournament, {date}").format(game=title_of(games, tournament.game), date=date)


def describe_game(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the title of a tournament's game, with the options that are not the defaults."""
    title, package = title_of(games, tournament.game), games.get(tournament.game)
    changed = (
        "" if package is None else changed_options_line(load_options(package.game.info.options, tournament.options))
    )
    return with_note(title, changed)


def format_minutes(minutes: int) -> str:
    """Return a duration in words."""
    if minutes % 60:
        return ngettext("{count} minute", "{count} minutes", minutes).format(count=format_number(minutes))
    return format_round_time(minutes // 60)


def format_round_time(hours: int) -> str:
    """Return the duration of a round, in words."""
    if hours % 24:
        return ngettext("{count} hour", "{count} hours", hours).format(count=format_number(hours))
    return ngettext("{count} day", "{count} days", hours // 24).format(count=format_number(hours // 24))


def format_halves(halves: int) -> str:
    """Return a number given in halves, such as 1½."""
    whole = format_number(halves // 2) if halves != 1 else ""
    return f"{whole}{'½' if halves % 2 else ''}"


def format_points_won(halves: int, *, mark: str = "**") -> str:
    """Return a number of points, given in half points, with the number between marks."""
    # "½ point" and "1 point", but "1½ points".
    points = pgettext("half a point", "{points} point")
    if halves != 1:
        points = ngettext("{points} point", "{points} points", plural_number(halves / 2))
    return points.format(points=f"{mark}{format_halves(halves)}{mark}")


def player_name(tournament: Tournament, user_id: UserId | None) -> str:
    """Return the name of a player, shortened and escaped."""
    player = None if user_id is None else tournament.player(user_id)
    return _("Someone") if player is None else short_name(player)


def short_name(player: Player) -> str:
    """Return the name of a player, escaped and short, with the number in the draw that stands for it in pictures."""
    name = escape_name(truncate(player.name, _MAX_NAME))
    return name if drawn_name(player.name) or not player.number else with_note(name, f"#{player.number}")


def plain_player_name(tournament: Tournament, user_id: UserId | None) -> str:
    """Return the name of a player, for places without Markdown."""
    player = None if user_id is None else tournament.player(user_id)
    return _("Someone") if player is None else sanitize_name(player.name)


def format_score(pairing: Pairing) -> str:
    """Return the result of a decided pairing."""
    score = {
        Verdict.FIRST: "1 : 0",
        Verdict.SECOND: "0 : 1",
        Verdict.DRAW: "½ : ½",
        Verdict.NEITHER: "0 : 0",
    }[pairing.verdict or Verdict.NEITHER]
    return _("{score} without a game").format(score=score) if pairing.grounds is Grounds.WALKOVER else score
