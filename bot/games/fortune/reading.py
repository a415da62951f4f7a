"""Fortune's table in plain words, and the description of its picture."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.facts import odds_of
from bot.games.fortune.pieces import DICE_COUNT, MAX_SKULLS, MIN_ROLLED_DICE, CardKind, Ending, Face, State, Turn
from bot.games.fortune.scoring import Score, SetScore, places_of, points_of, score_of, toll_of
from bot.games.fortune.words import (
    CARD_TEXTS,
    FACE_TEXTS,
    card_effect,
    describe_face_count,
    describe_faces,
    describe_options,
    describe_pile,
)
from bot.words import format_number, format_percentage, format_signed, game_over_text, gettext as _, join_items


def build_reading(view: State, names: Sequence[str]) -> str:
    """Describe the turn, the card, the dice, the stakes and the scores."""
    if view.mover is None:
        parts = [_end_text(view, names), _card(view.turn), describe_pile(view), _dice(view.turn)]
    else:
        parts = [_turn_text(view, names[view.mover]), *_state_text(view)]
    parts.append(_scores(view, names))
    if options := describe_options(view.options):
        parts.append(_("Options: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


def describe_picture(view: State) -> str:
    """Describe the picture, which numbers the players instead of naming them."""
    card = _(CARD_TEXTS[view.turn.card.kind].name)
    seats = [_("player {number}").format(number=seat + 1) for seat in range(len(view.scores))]
    if view.mover is None:
        text = _end_text(view, seats)
    elif not view.turn.faces:
        text = _("Player {number} has the card {card} and eight dice to roll.")
    else:
        text = _("Player {number} has the card {card}, and the dice show {faces}.")
    first = text.format(number=(view.mover or 0) + 1, card=card, faces=describe_faces(view.turn.faces))
    return f"{first} {_scores(view, seats)}"


def _end_text(view: State, names: Sequence[str]) -> str:
    """Name the winners. Rules FO-8 and FO-E3."""
    winners = [name for name, place in zip(names, places_of(view), strict=True) if place == 1]
    if view.nine is not None:
        return _("The game is over: {names} wins with nine of a kind.").format(names=join_items(winners))
    return game_over_text(winners)


def _turn_text(view: State, name: str) -> str:
    """Describe the turn and the possible moves. Rules FO-2 to FO-4, FO-9, FO-C3 and FO-C8."""
    turn = view.turn
    if not turn.faces:
        line = _("It's {name}'s turn. They roll all eight dice.")
    elif turn.is_in_doubt:
        line = _(
            "It's {name}'s turn. They have a third skull. They can have the Sorceress free a skull and roll "
            "it, alone or with other dice, or stop without points."
        )
    elif turn.rolls_left and len(turn.free) >= MIN_ROLLED_DICE:
        line = _rolling(turn)
    elif turn.spell and not turn.island:
        line = _("It's {name}'s turn. They can have the Sorceress free a skull and roll it, or stop.")
    else:
        line = _("It's {name}'s turn. They can only stop.")
    return line.format(name=name, count=len(turn.free))


def _rolling(turn: Turn) -> str:
    if turn.island:
        return _(
            "It's {name}'s turn, on the Island of Skulls. They can roll all {count} dice without a skull, or stop."
        )
    if turn.spell and len(turn.free) < DICE_COUNT:
        return _(
            "It's {name}'s turn. They can roll two or more of the {count} dice without a skull, have the "
            "Sorceress free a skull and roll it, alone or with other dice, or stop."
        )
    if turn.card.kind is CardKind.TREASURE_CHEST:
        return _(
            "It's {name}'s turn. They can roll two or more of the {count} dice without a skull and put "
            "others in the chest, or stop."
        )
    return _("It's {name}'s turn. They can roll two or more of the {count} dice without a skull, or stop.")


def _state_text(view: State) -> Iterator[str]:
    """Describe the card, the pile, the dice and the stakes."""
    turn = view.turn
    yield _card(turn)
    yield describe_pile(view)
    if not turn.faces:
        yield _first_odds(turn)
        return
    yield _dice(turn)
    if turn.chest:
        dice = tuple(turn.faces[place - 1] for place in turn.chest)
        line = _("In the chest: {faces}, worth {points} even after a bust.")
        yield line.format(faces=describe_faces(dice), points=format_number(points_of(turn, Ending.DISQUALIFIED)))
    yield _island(turn) if turn.island else _worth(turn)


def _card(turn: Turn) -> str:
    """Describe the remaining effect of the card. Rules FO-C3 and FO-C8."""
    line = _("The card is {card}: {effect}")
    text = line.format(card=_(CARD_TEXTS[turn.card.kind].name), effect=card_effect(turn.card))
    if turn.card.kind is CardKind.SORCERESS and not turn.spell:
        line = _("{card} She is no help on the Island.") if turn.island else _("{card} Already used this turn.")
        return line.format(card=text)
    if turn.card.kind is CardKind.STORM and turn.faces:
        rolls = _("{card} One roll is left.") if turn.rolls_left else _("{card} No rolls are left.")
        return rolls.format(card=text)
    return text


def _first_odds(turn: Turn) -> str:
    """Describe the odds of the first roll. Rules FO-9, FO-10, FO-C3 and FO-C4."""
    odds = odds_of(turn, DICE_COUNT)
    line = _("The first roll has a {third} chance to bust.")
    if turn.spell:
        line = _("The first roll has a {third} chance of three skulls and a {island} chance of the Island.")
    elif odds.island:
        line = _("The first roll has a {third} chance to bust and a {island} chance of the Island.")
    return line.format(
        third=format_percentage(odds.revivable if turn.spell else odds.bust), island=format_percentage(odds.island)
    )


def _dice(turn: Turn) -> str:
    shown = ", ".join(_(FACE_TEXTS[face].name) for face in turn.faces)
    line = _("The dice, first to eighth: {faces}. In total: {counted}.")
    text = line.format(faces=shown, counted=describe_faces(turn.faces))
    if not turn.card.skulls:
        return text
    line = _("{dice} With the card: {skulls}.")
    return line.format(dice=text, skulls=describe_face_count(Face.SKULL, turn.skulls))


def _island(turn: Turn) -> str:
    line = _("When the voyage ends, every opponent loses {toll}. A roll without a new skull ends it.")
    return line.format(toll=format_number(toll_of(turn)))


def _worth(turn: Turn) -> str:
    """Describe what stopping and a bust bring."""
    score = score_of(turn.card, turn.faces)
    line = _("The dice are worth {points}{parts}.")
    text = line.format(points=format_signed(score.total), parts=_parts(turn, score))
    if turn.is_in_doubt or not turn.rolls_left or turn.card.kind is CardKind.TREASURE_CHEST:
        return text
    line = _("{worth} At {most} skulls it's a bust, which brings {points}.")
    return line.format(worth=text, most=MAX_SKULLS + 1, points=format_signed(points_of(turn, Ending.DISQUALIFIED)))


def _parts(turn: Turn, score: Score) -> str:
    """Return the parts of the points, or an empty text without parts."""
    line = _("{faces} {points}")
    parts = [line.format(faces=_set_text(each), points=format_number(each.points)) for each in score.sets]
    if score.treasure:
        parts.append(_("gold and diamonds {points}").format(points=format_number(score.treasure)))
    if score.full_chest:
        parts.append(_("the full chest {points}").format(points=format_number(score.full_chest)))
    if score.factor > 1:
        parts.append(_("all doubled"))
    if score.battle > 0:
        parts.append(_("the battle won {points}").format(points=format_number(score.battle)))
    if score.battle < 0:
        swords = turn.faces.count(Face.SWORD)
        parts.append(_("only {swords} of {wanted} swords").format(swords=swords, wanted=turn.card.swords))
    if score.penalty:
        parts.append(_("swords in a Truce"))
    return f": {join_items(parts)}" if parts else ""


def _set_text(found: SetScore) -> str:
    if len(found.faces) > 1:
        return _("{count} monkeys and parrots").format(count=found.count)
    return describe_face_count(found.faces[0], found.count)


def _scores(view: State, names: Sequence[str]) -> str:
    have = [
        _("{name} has {score}").format(name=name, score=format_number(score))
        for name, score in zip(names, view.scores, strict=True)
    ]
    line = _("Score to beat: {target}; {scores}.")
    text = line.format(target=format_number(view.options.target), scores=join_items(have))
    if view.crosser is None or view.mover is None:
        return text
    line = _("{scores} The line is crossed. Everyone but {name} gets one last turn.")
    return line.format(scores=text, name=names[view.crosser])
