"""What the dice are worth, what a bust would cost and how likely it is, in words."""

from dataclasses import replace

from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import signs
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import DICE, MOST_SKULLS, Ending, Face, Places, Turn
from bot.games.fortune.scoring import Score, points_of, score_of, toll_of
from bot.words import gettext as _, number, percent


def signed(points: int) -> str:
    """Write points that are won or lost."""
    return f"+{number(points)}" if points > 0 else f"−{number(-points)}" if points < 0 else number(0)


def worth_lines(turn: Turn, picked: Places) -> tuple[str, ...]:
    """Tell what stopping brings and what a bust would cost, with these dice picked."""
    if not turn.faces:
        return (_first_odds(turn),)
    if turn.island:
        line = _("🏝️ Island of Skulls: **{skulls}** skulls, which cost every opponent **{toll}** so far.")
        return (line.format(skulls=turn.skulls, toll=number(toll_of(turn))),)
    score = score_of(turn.card, turn.faces)
    if turn.is_in_doubt:
        line = _("💀 The third skull! The Sorceress can save you: the dice are worth **{points}**.")
        return (line.format(points=number(score.total)),)
    worth = _("💰 Worth now: **{points}**{parts}").format(points=signed(score.total), parts=_parts(turn, score))
    return (worth, _risk(turn, picked)) if turn.rolls_left else (worth, _("🌊 Both rolls of the Storm are made."))


def _first_odds(turn: Turn) -> str:
    odds = odds_of(turn, DICE)
    line = _("🎲 First roll: disqualified {bust}, the Island {island}").format(
        bust=percent(odds.bust), island=percent(odds.island)
    )
    if not odds.asked:
        return line
    return _("{odds}, saved by the Sorceress {asked}").format(odds=line, asked=percent(odds.asked))


def _parts(turn: Turn, score: Score) -> str:
    """Write how the points come about; nothing where there is nothing to tell."""
    parts = [f"{each.count} {signs(each.faces)} {number(each.points)}" for each in score.sets]
    if score.treasure:
        parts.append(_("🪙 💎 {points}").format(points=number(score.treasure)))
    if score.full_chest:
        parts.append(_("full chest {points}").format(points=number(score.full_chest)))
    if score.factor > 1:
        parts.append(_("all of it doubled"))
    if score.battle > 0:
        parts.append(_("battle won {points}").format(points=number(score.battle)))
    if score.battle < 0:
        line = _("{swords} of {wanted} ⚔️ for the battle")
        parts.append(line.format(swords=turn.faces.count(Face.SWORD), wanted=turn.card.swords))
    if score.penalty:
        parts.append(_("swords under the Truce"))
    return _(" ({parts})").format(parts=" · ".join(parts)) if parts else ""


def _risk(turn: Turn, picked: Places) -> str:
    """Say how many skulls there are, and what one too many would cost."""
    chest = picked if turn.card.kind is CardKind.TREASURE_CHEST else ()
    left = points_of(replace(turn, chest=chest), Ending.DISQUALIFIED)
    cost = points_of(turn, Ending.STOPPED) - left
    if cost > 0:
        line = _("a bust would cost **{cost}**").format(cost=number(cost))
    elif cost < 0:
        line = _("a bust would spare you **{cost}**").format(cost=number(-cost))
    else:
        line = _("a bust would cost nothing")
    if left:
        line = _("{cost} and leave {left}").format(cost=line, left=signed(left))
    told = _("💀 {skulls} of {most} skulls; {cost}.")
    return told.format(skulls=turn.skulls, most=MOST_SKULLS + 1, cost=line)
