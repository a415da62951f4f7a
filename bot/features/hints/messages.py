"""Renders hints."""

from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.features.hints.service import offers_hint
from bot.features.settings.all_settings import HINTS, Chosen
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import CustomId
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import Hint, Hints, RankedMove
from bot.tables.model import TableId
from bot.tables.results import can_be_rated
from bot.tables.shown.embeds import SEAT_COLOURS, SMALL_PRINT
from bot.tables.shown.words import ROUGH_VALUES
from bot.tables.table import Table
from bot.words import N_, format_number, format_odds, format_percentage, gettext as _, round_chance

_SAME: Final = 1e-6
"""Values that differ by less than this count as equal."""

COST: Final = N_(
    "With hints, this game counts for you only as one more game played: no win, best score, streak, badge or place on "
    "a leaderboard. Your result shows that you used hints."
)
COST_OF_OTHERS: Final = N_("Nobody's rating changes, and `/versus` leaves the game out.")
"""The price of a hint for the other players, as in docs/ratings.md."""

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
        return _(
            "**Hints:** Players to move can ask for the best moves. The result shows who did; for them the game "
            "only counts as played, and it changes nobody's rating."
        )
    return _(
        "**Hints:** Players to move can ask for the best moves. The result shows who did; for them the game only "
        "counts as played."
    )


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
        title=_("{game} · hint").format(game=table.package.game.info.title),
        description=f"{_cost(table)} {_('You are asked once in each game.')}",
        colour=SEAT_COLOURS[table.header.to_move or 0],
    )
    show = Button(_("Show the hint"), str(ShowHintId(table.id, table.header.step)))
    return MessageContent(embed.to_dict(), ((show,),))


def render_hint(table: Table, hints: Hints[Any, Any], hint: Hint[Any], *, is_rough: bool) -> MessageContent:
    """Render the best moves with their values, the odds that matter, and why the first one is best.

    Args:
        table: The table.
        hints: The game's wording of hints.
        hint: The hint.
        is_rough: Whether an evaluator weaker than the strongest player made the values.
    """
    best, told = hint.best, hint.explanation
    moves = (_move_line(number, ranked, best[0], hint.evaluation, hints) for number, ranked in enumerate(best, 1))
    lines = [*moves, "", *(f"🎲 {line[:1].upper()}{line[1:]}" for line in told.odds), f"💡 {told.reason}"]
    small = f"{_('Only you see this.')} {_cost(table)}"
    if is_rough:
        small = f"{_(ROUGH_VALUES)} {small}"
    embed = discord.Embed(
        title=_("{game} · hint").format(game=table.package.game.info.title),
        description="\n".join((*lines, f"{SMALL_PRINT}{small}")),
        colour=SEAT_COLOURS[table.header.to_move or 0],
    )
    return MessageContent(embed.to_dict())


def _cost(table: Table) -> str:
    """Say what hints cost; mention ratings only where the game could have been rated."""
    return f"{_(COST)} {_(COST_OF_OTHERS)}" if can_be_rated(table) else _(COST)


def _move_line(
    number: int, ranked: RankedMove[Any], best: RankedMove[Any], evaluation: Evaluation, hints: Hints[Any, Any]
) -> str:
    value, text = _value_text(ranked.value, best.value, evaluation, hints), ranked.text
    if number == 1:
        return _("**{number}. {move}** · {value}").format(number=number, move=text, value=value)
    # Discord turns lines that begin with a plain number into a list, so the number is bold.
    line, loss = _("**{number}.** {move} · {value} ({loss})"), _loss_text(best.value, ranked.value, evaluation)
    return line.format(number=number, move=text, value=value, loss=loss)


def _value_text(value: float, best: float, evaluation: Evaluation, hints: Hints[Any, Any]) -> str:
    """Return a value in the game's own unit."""
    shown = _rounded(value, best, evaluation)
    if evaluation.unit is not Unit.WINS:
        text = hints.format_points(shown)
    else:
        odds = format_percentage(value) if evaluation.is_exact else format_odds(min(max(value, 0.0), 1.0))
        text = _("{odds} to win").format(odds=odds)
        if not odds[0].isdigit():
            return text
    return text if evaluation.is_exact else _("about {value}").format(value=text)


def _loss_text(best: float, value: float, evaluation: Evaluation) -> str:
    """Return the difference between a value and the best, as both are shown."""
    if best - value < _SAME:
        return _("just as good")
    loss = round(_rounded(best, best, evaluation) - _rounded(value, best, evaluation), 1)
    if not loss:
        return _("hardly less")
    line = _("−{loss}%") if evaluation.unit is Unit.WINS else _("−{loss}")
    return line.format(loss=format_number(loss))


def _rounded(value: float, best: float, evaluation: Evaluation) -> float:
    """Return a value as shown, in percent or points: inexact values are whole, unless there are few points."""
    if evaluation.unit is Unit.WINS:
        return round_chance(value, is_exact=evaluation.is_exact)
    return round(value, 1) if evaluation.is_exact or abs(best) < _FEW_POINTS else round(value)
