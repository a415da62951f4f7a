"""Renders hints."""

from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.features.hints.service import offers_hint
from bot.features.settings.all_settings import HINTS
from bot.features.settings.kinds import Chosen
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import CustomId
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import Hint, Hints, RankedMove
from bot.tables.model import TableId
from bot.tables.results import can_be_rated
from bot.tables.shown.embeds import SEAT_COLOURS, SMALL_PRINT
from bot.tables.shown.words import ROUGH_VALUES
from bot.tables.table import Table
from bot.words import N_, format_odds, format_percentage, format_signed, gettext as _, round_chance

_SAME: Final = 1e-6
"""Values that differ by less than this count as equal."""

_UNRANKED: Final = N_(
    "A hint makes this an unranked game: no rating, no record, and only badges for playing, such as First Game. "
    "Show it?"
)
_NO_RECORD: Final = N_(
    "With a hint, this game sets no record and earns only badges for playing, such as First Game. Show it?"
)
"""The price of a hint where nobody's rating is at stake."""

_FEW_POINTS: Final = 10
"""With a best value below this, moves differ by tenths of a point."""


@dataclass(frozen=True)
class HintId(CustomId, prefix="H"):
    """The button that gives the player to move a hint, shown at a step."""

    table_id: TableId
    step: int


@dataclass(frozen=True)
class ShowHintId(CustomId, prefix="Hs"):
    """The button with which a player accepts the price of their first hint in a game."""

    table_id: TableId
    step: int


def explain_hints(table: Table) -> str:
    """Return an explanation of hints and their cost for the opener, who can turn hints off."""
    if can_be_rated(table):
        return _("**Hints:** The player to move can ask for the best moves. A game with hints is unranked.")
    return _("**Hints:** The player to move can ask for the best moves. A game with hints sets no record.")


def hint_buttons(table: Table, chosen: Chosen | None) -> tuple[Button, ...]:
    """Return the button that gives the player to move a hint.

    Args:
        table: The table.
        chosen: The settings of its server. While they are unknown, the button is offered; a click may then be refused.
    """
    if not offers_hint(table) or (chosen is not None and not chosen.get(HINTS)):
        return ()
    return (Button(_("Hint"), str(HintId(table.id, table.header.step))),)


def render_hint_question(table: Table) -> MessageContent:
    """Render the price of a hint with the button that accepts it, for a player whose result still counts."""
    embed = discord.Embed(
        title=_("{game} · hint").format(game=_(table.package.game.info.title)),
        description=_(_UNRANKED if can_be_rated(table) else _NO_RECORD),
        colour=SEAT_COLOURS[table.header.to_move or 0],
    )
    show = Button(_("Show the hint"), str(ShowHintId(table.id, table.header.step)))
    return MessageContent(embed.to_dict(), ((show,),))


def render_hint(table: Table, hints: Hints[Any, Any], hint: Hint[Any], *, is_rough: bool) -> MessageContent:
    """Render what to do, why, and then the numbers: the odds that matter and what the best moves are worth.

    Args:
        table: The table.
        hints: The game's wording of hints.
        hint: The hint.
        is_rough: Whether an evaluator weaker than the strongest player made the values.
    """
    (first, *others), told = hint.best, hint.explanation
    value = _value_text(first.value, first.value, hint.evaluation, hints)
    lines = [
        f"**{first.text}**",
        told.reason,
        *(f"🎲 {line}" for line in told.odds),
        (_("That's {value}. The next best:") if others else _("That's {value}.")).format(value=value),
        *(_move_line(number, ranked, first, hint.evaluation, hints) for number, ranked in enumerate(others, 2)),
        SMALL_PRINT + " ".join([*([_(ROUGH_VALUES)] if is_rough else []), _("Only you see this.")]),
    ]
    embed = discord.Embed(
        title=_("{game} · hint").format(game=_(table.package.game.info.title)),
        description="\n".join(lines),
        colour=SEAT_COLOURS[table.header.to_move or 0],
    )
    return MessageContent(embed.to_dict())


def _move_line(
    number: int, ranked: RankedMove[Any], best: RankedMove[Any], evaluation: Evaluation, hints: Hints[Any, Any]
) -> str:
    value, text = _value_text(ranked.value, best.value, evaluation, hints), ranked.text
    # Discord turns lines that begin with a plain number into a list, so the number is bold.
    line, loss = _("**{number}.** {value} ({loss}) · {move}"), _loss_text(best.value, ranked.value, evaluation)
    return line.format(number=number, move=text, value=value, loss=loss)


def _value_text(value: float, best: float, evaluation: Evaluation, hints: Hints[Any, Any]) -> str:
    """Return a value in the game's own unit."""
    shown = _rounded(value, best, evaluation)
    if evaluation.unit is not Unit.WINS:
        points = hints.format_points(shown)
        return points if evaluation.is_exact else _("about {points}").format(points=points)
    odds = format_percentage(value) if evaluation.is_exact else format_odds(min(max(value, 0.0), 1.0))
    is_about = not evaluation.is_exact and odds[0].isdigit()
    return (_("about {odds} to win") if is_about else _("{odds} to win")).format(odds=odds)


def _loss_text(best: float, value: float, evaluation: Evaluation) -> str:
    """Return the difference between a value and the best, as both are shown."""
    if best - value < _SAME:
        return _("just as good")
    loss = round(_rounded(best, best, evaluation) - _rounded(value, best, evaluation), 1)
    if not loss:
        return _("hardly less")
    return format_percentage(-loss / 100) if evaluation.unit is Unit.WINS else format_signed(-loss)


def _rounded(value: float, best: float, evaluation: Evaluation) -> float:
    """Return a value as shown, in percent or points: inexact values are whole, unless there are few points."""
    if evaluation.unit is Unit.WINS:
        return round_chance(value, is_exact=evaluation.is_exact)
    return round(value, 1) if evaluation.is_exact or abs(best) < _FEW_POINTS else round(value)
