"""Renders hints."""

from typing import Any, Final

import discord

from bot.rules.evaluation import Evaluation, Unit
from bot.rules.hints import Hint, Hints, RankedMove
from bot.tables.table import Table
from bot.ui.render.embeds import SEAT_COLOURS, SMALL_PRINT
from bot.ui.render.levels import ROUGH_VALUES
from bot.ui.render.message import MessageContent
from bot.words import format_odds, format_percentage, format_tenths, gettext as _

_SAME: Final = 1e-6
"""Values that differ by less are equal."""

_PERCENT: Final = 100


def render_hint(table: Table, hints: Hints[Any, Any], hint: Hint[Any], *, is_rough: bool) -> MessageContent:
    """Render the best moves with their values, the odds that matter, and why the first is the best.

    Args:
        table: The table.
        hints: How the game words hints.
        hint: The hint.
        is_rough: Whether its values are not those of the strongest player.
    """
    best, told = hint.best, hint.explanation
    moves = (_move_line(number, each, best[0], hint.evaluation, hints) for number, each in enumerate(best, 1))
    lines = [*moves, "", *(f"🎲 {_capitalized(line)}" for line in told.odds), f"💡 {told.reason}"]
    small = _(
        "Only you see this. Your result will show that you used hints. It counts on no leaderboard, "
        "and this game changes nobody's rating."
    )
    if is_rough:
        small = f"{_(ROUGH_VALUES)} {small}"
    embed = discord.Embed(
        title=_("{game} · hint").format(game=table.package.game.info.title),
        description="\n".join((*lines, f"{SMALL_PRINT}{small}")),
        colour=SEAT_COLOURS[table.header.to_move or 0],
    )
    return MessageContent(embed.to_dict())


def _move_line(
    number: int, ranked: RankedMove[Any], best: RankedMove[Any], evaluation: Evaluation, hints: Hints[Any, Any]
) -> str:
    value, text = _value_text(ranked.value, evaluation, hints), ranked.text
    if number == 1:
        return _("**{number}. {move}** · {value}").format(number=number, move=text, value=value)
    # Without bold print, lines that begin with a number are a list on Discord.
    line, loss = _("**{number}.** {move} · {value} ({loss})"), _loss_text(best.value, ranked.value, evaluation.unit)
    return line.format(number=number, move=text, value=value, loss=loss)


def _value_text(value: float, evaluation: Evaluation, hints: Hints[Any, Any]) -> str:
    """Return a value in the game's own unit; a chance that is only about right has no decimals."""
    if evaluation.unit is not Unit.WINS:
        text = hints.format_points(value)
    else:
        odds = format_percentage(value) if evaluation.is_exact else format_odds(min(max(value, 0.0), 1.0))
        text = _("{odds} to win").format(odds=odds)
    return text if evaluation.is_exact else _("about {value}").format(value=text)


def _loss_text(best: float, value: float, unit: Unit) -> str:
    """Return how much less a value is than the best, as they are shown."""
    if best - value < _SAME:
        return _("just as good")
    scale = _PERCENT if unit is Unit.WINS else 1
    loss = round(round(best * scale, 1) - round(value * scale, 1), 1)
    return f"−{format_tenths(loss)}" if loss else _("hardly less")


def _capitalized(line: str) -> str:
    return line[:1].upper() + line[1:]
