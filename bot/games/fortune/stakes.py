"""The stakes in words: what stopping, a bust and the Island bring."""

from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import format_dice
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import DICE_COUNT, MAX_SKULLS, MIN_ROLLED_DICE, Ending, Face, Turn
from bot.games.fortune.scoring import Score, points_of, score_of, toll_of
from bot.words import format_number, format_odds, format_signed, gettext as _


def worth_lines(turn: Turn) -> tuple[str, ...]:
    """Describe what stopping and a bust bring."""
    if not turn.faces:
        return (_first_roll_line(turn),)
    if turn.island:
        line = _("🏝️ Island of Skulls: **{skulls}** skulls cost every opponent **{toll}** so far.")
        return line.format(skulls=turn.skulls, toll=format_number(toll_of(turn))), *island_lines(turn)
    score = score_of(turn.card, turn.faces)
    if turn.is_in_doubt:
        line = _("💀 Third skull! The Sorceress can still save **{points}**{parts}.")
        return (line.format(points=format_number(score.total), parts=_format_parts(turn, score)),)
    worth = _("💰 Worth now: **{points}**{parts}").format(
        points=format_signed(score.total), parts=_format_parts(turn, score)
    )
    if not turn.rolls_left:
        return worth, _("🌊 Storm: no rolls left.")
    storm = (_("🌊 Storm: one roll left."),) if turn.card.kind is CardKind.STORM else ()
    return (worth, _risk_line(turn), *storm)


def island_lines(turn: Turn) -> tuple[str, ...]:
    """Explain the Island while its player can roll. Rules FO-9 and FO-C2."""
    if not turn.island or not turn.rolls_left or len(turn.free) < MIN_ROLLED_DICE:
        return ()
    line = _(
        "🏝️ Each skull costs every opponent **{price}**, and you score nothing. "
        "A roll without a new skull ends your turn."
    )
    return (line.format(price=format_number(toll_of(turn) // turn.skulls)),)


def _first_roll_line(turn: Turn) -> str:
    odds = odds_of(turn, DICE_COUNT)
    line = _("🎲 First roll: {third} bust, {island} Island") if odds.island else _("🎲 First roll: {third} bust")
    if turn.spell:
        line = _("🎲 First roll: {third} three skulls (the Sorceress can free one), {island} Island")
    third = odds.revivable if turn.spell else odds.bust
    return line.format(third=format_odds(third), island=format_odds(odds.island))


def _format_parts(turn: Turn, score: Score) -> str:
    """Return the parts of the points, or an empty text without parts."""
    parts = [f"{each.count} {format_dice(each.faces)} {format_number(each.points)}" for each in score.sets]
    if score.treasure:
        parts.append(_("🪙 💎 {points}").format(points=format_number(score.treasure)))
    if score.full_chest:
        parts.append(_("full chest {points}").format(points=format_number(score.full_chest)))
    if score.factor > 1:
        parts.append(_("all doubled"))
    if score.battle > 0:
        parts.append(_("battle won {points}").format(points=format_number(score.battle)))
    if score.battle < 0:
        line = _("{swords} of {wanted} ⚔️ for the battle")
        parts.append(line.format(swords=turn.faces.count(Face.SWORD), wanted=turn.card.swords))
    if score.penalty:
        parts.append(_("swords in a Truce"))
    return _(" ({parts})").format(parts=" · ".join(parts)) if parts else ""


def _risk_line(turn: Turn) -> str:
    """Return the number of skulls and what a bust brings."""
    line = _("💀 {skulls} of {most} skulls. {bust}")
    return line.format(skulls=turn.skulls, most=MAX_SKULLS + 1, bust=_bust_text(turn))


def _bust_text(turn: Turn) -> str:
    if turn.card.kind is CardKind.TREASURE_CHEST:
        return _chest_line(turn)
    left = points_of(turn, Ending.DISQUALIFIED)
    line = _("A bust brings **{points}**.")
    if left == points_of(turn, Ending.STOPPED):
        line = _("A bust brings **{points}**, too. Nothing to lose: roll!")
    return line.format(points=format_signed(left))


def _chest_line(turn: Turn) -> str:
    """Return the dice in the chest and their points. Rule FO-C1."""
    if not turn.chest:
        return _("The chest is empty: a bust leaves you nothing.")
    dice = format_dice(tuple(turn.faces[place - 1] for place in turn.chest))
    line = _("A bust leaves you the chest: {dice}, **{points}**.")
    return line.format(dice=dice, points=format_number(points_of(turn, Ending.DISQUALIFIED)))
