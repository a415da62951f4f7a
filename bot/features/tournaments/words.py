"""The words of tournaments: formats, points and players."""

from collections.abc import Mapping
from typing import Final

from bot.features.tournaments.model import Format, Player, Tournament, UserId
from bot.tables.shown.links import escape_name, sanitize_name
from bot.words import N_, format_number, gettext as _, ngettext, truncate

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
