"""Fortune's table in plain words, and the description of its picture."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Result,
    Stage,
    card_note,
    gain_of_stopping,
    last_round_crosser,
    moment_of,
    score_parts,
    stage_of,
    trace_of,
)
from bot.games.fortune.pieces import (
    DICE_COUNT,
    CardKind,
    Ending,
    Face,
    GameEvent,
    State,
    Turn,
    faces_at,
)
from bot.games.fortune.scoring import points_of, toll_of, winners_of
from bot.games.fortune.words import (
    CARD_TEXTS,
    FACE_TEXTS,
    card_effect,
    describe_face_count,
    describe_faces,
    describe_options,
    describe_pile,
    word_first_roll_risk,
    word_part,
    word_result,
)
from bot.words import (
    N_,
    format_number,
    format_odds,
    format_percentage,
    format_signed,
    game_over_text,
    gettext as _,
    join_items,
    list_facts,
    with_note,
)

_TURNS = {
    Stage.FIRST_ROLL: N_("It's {name}'s turn. They roll all eight dice."),
    Stage.ROLLING: N_("It's {name}'s turn. They can roll two or more of the dice without a skull ({count}), or stop."),
    Stage.IN_DOUBT: N_(
        "It's {name}'s turn. They have a third skull. They can have the Sorceress free a skull and roll "
        "it, alone or with other dice, or stop without points."
    ),
    Stage.ROLLS_MADE: N_("It's {name}'s turn. They can only stop."),
    Stage.VOYAGE: N_(
        "It's {name}'s turn, on the Island of Skulls. They can roll all dice without a skull ({count}), or stop."
    ),
}
_SPELL_TURN = N_(
    "It's {name}'s turn. They can roll two or more of the dice without a skull ({count}), have the "
    "Sorceress free a skull and roll it, alone or with other dice, or stop."
)
_CHEST_TURN = N_(
    "It's {name}'s turn. They can roll two or more of the dice without a skull ({count}) and put "
    "others in the chest, or stop."
)

_FIRST_ROLL_RISKS = {
    FirstRollRisk.BUST: N_("The chance to bust on the first roll is {third}."),
    FirstRollRisk.BUST_OR_ISLAND: N_(
        "On the first roll, the chance to bust is {third}, and that of the Island {island}."
    ),
    FirstRollRisk.SPELL_OR_ISLAND: N_(
        "On the first roll, the chance of three skulls is {third}, and that of the Island {island}."
    ),
}

_CARD_NOTES = {
    CardNote.SPELL_USED: N_("{card} Already used this turn."),
    CardNote.NO_SPELL_ON_ISLAND: N_("{card} She is no help on the Island."),
    CardNote.ONE_ROLL_LEFT: N_("{card} One roll is left."),
    CardNote.NO_ROLLS_LEFT: N_("{card} No rolls are left."),
}

_ENDS = {
    Result.POINTS: N_("{name} stopped: {points}."),
    Result.TOLL: N_("{name} left the Island: everyone else lost {toll}."),
    Result.CHEST_SAVED: N_("{name} bust, but the chest saved {points}."),
    Result.BATTLE_LOST: N_("{name} bust and lost the battle: {points}."),
    Result.DICE_LOST: N_("{name} bust: {lost} lost."),
    Result.NOTHING: N_("{name} bust: no points."),
}

_PARTS = {
    Part.SET: "{named} {points}",
    Part.TREASURE: N_("gold and diamonds {points}"),
    Part.FULL_CHEST: N_("the full chest {points}"),
    Part.DOUBLED: N_("all doubled"),
    Part.BATTLE_WON: N_("the battle won {points}"),
    Part.SWORDS_MISSING: N_("too few swords ({swords} of {wanted})"),
    Part.TRUCE: N_("swords in a Truce"),
}


def build_reading(view: State, names: Sequence[str]) -> str:
    """Describe the turn, the card, the dice, the stakes and the scores."""
    if view.mover is None:
        parts = [_end_text(view, names), _card(view.turn), describe_pile(view), _dice(view.turn)]
    else:
        parts = [_turn_text(view, names[view.mover]), *_state_text(view)]
    have, scores = _("{name} has {score}"), map(format_number, view.scores)
    told = [have.format(name=name, score=score) for name, score in zip(names, scores, strict=True)]
    parts.append(_scores(view, told))
    if (crosser := last_round_crosser(view)) is not None:
        line = _("The line is crossed. Everyone but {name} gets one last turn.")
        parts[-1] = f"{parts[-1]} {line.format(name=names[crosser])}"
    if options := describe_options(view.options):
        parts.append(_("Options: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


def describe_picture(view: State, events: Sequence[GameEvent], risk: float | None) -> str:
    """Describe the picture, which numbers the players instead of naming them.

    Args:
        view: What it shows.
        events: The newest events.
        risk: The risk of the next roll that it shows, if it shows one.
    """
    turn, card = view.turn, _(CARD_TEXTS[view.turn.card.kind].name)
    found = moment_of(view, events)
    parts = []
    if found is not None:
        end = found[1]
        parts.append(word_result(end, _("Player {number}").format(number=end.seat + 1), _ENDS))
    if view.mover is None:
        text = _end_text(view, [_("player {number}").format(number=seat + 1) for seat in range(len(view.scores))])
    elif not turn.faces:
        text = _("Player {number} has the card {card} and eight dice to roll.")
    else:
        text = _("Player {number} has the card {card}, and the dice show {faces}.")
    parts.append(text.format(number=(view.mover or 0) + 1, card=card, faces=describe_faces(turn.faces)))
    if view.mover is not None and turn.faces:
        if turn.island:
            parts.append(_("Every opponent loses {toll}.").format(toll=format_number(toll_of(turn))))
        else:
            parts.append(_("Stopping brings {points}.").format(points=format_signed(gain_of_stopping(turn))))
    if risk is not None:
        line = _("The next roll: {odds} bust.")
        if turn.island:
            line = _("The chance of a skull in the next roll is {odds}.")
        parts.append(line.format(odds=format_odds(risk)))
    have = _("player {number} has {score}")
    scores = [
        with_note(have.format(number=seat + 1, score=format_number(score)), _word_trace(*trace_of(view, seat, events)))
        for seat, score in enumerate(view.scores)
    ]
    parts.append(_scores(view, scores))
    if (crosser := last_round_crosser(view)) is not None:
        line = _("The line is crossed. Everyone but player {number} gets one last turn.")
        parts.append(line.format(number=crosser + 1))
    return " ".join(parts)


def _word_trace(change: int | None, lost: int) -> str:
    """Return what the last turn of a seat brought or cost it."""
    if not lost and change is None:
        return ""
    return _("lost {points}").format(points=format_number(lost)) if lost else format_signed(change or 0)


def _end_text(view: State, names: Sequence[str]) -> str:
    """Name the winners. Rules FO-8 and FO-E3."""
    winners = [names[seat] for seat in winners_of(view)]
    if view.nine is not None:
        return _("The game is over: {names} wins with nine of a kind.").format(names=join_items(winners))
    return game_over_text(winners)


def _turn_text(view: State, name: str) -> str:
    """Describe the turn and the possible moves. Rules FO-2 to FO-4, FO-9, FO-C3 and FO-C8."""
    turn, stage = view.turn, stage_of(view.turn)
    line = _TURNS[stage]
    if stage is Stage.ROLLING and turn.spell and len(turn.free) < DICE_COUNT:
        line = _SPELL_TURN
    elif stage is Stage.ROLLING and turn.card.kind is CardKind.TREASURE_CHEST:
        line = _CHEST_TURN
    return _(line).format(name=name, count=len(turn.free))


def _state_text(view: State) -> Iterator[str]:
    """Describe the card, the pile, the dice and the stakes."""
    turn = view.turn
    yield _card(turn)
    yield describe_pile(view)
    if not turn.faces:
        yield word_first_roll_risk(turn, _FIRST_ROLL_RISKS, format_percentage)
        return
    yield _dice(turn)
    if turn.chest:
        line = _("In the chest: {faces}, worth {points} even after a bust.")
        saved = format_number(points_of(turn, Ending.DISQUALIFIED))
        yield line.format(faces=describe_faces(faces_at(turn.faces, turn.chest)), points=saved)
    if turn.island:
        line = _("When the voyage ends, every opponent loses {toll}. A roll without a new skull ends it.")
        yield line.format(toll=format_number(toll_of(turn)))
    else:
        yield _worth(turn)


def _card(turn: Turn) -> str:
    """Describe the remaining effect of the card. Rules FO-C3 and FO-C8."""
    line = _("The card is {card}: {effect}")
    text = line.format(card=_(CARD_TEXTS[turn.card.kind].name), effect=card_effect(turn.card))
    note = card_note(turn)
    return _(_CARD_NOTES[note]).format(card=text) if note else text


def _dice(turn: Turn) -> str:
    shown = list_facts(_(FACE_TEXTS[face].name) for face in turn.faces)
    line = _("The dice, first to eighth: {faces}. In total: {counted}.")
    text = line.format(faces=shown, counted=describe_faces(turn.faces))
    if not turn.card.skulls:
        return text
    line = _("{dice} With the card: {skulls}.")
    return line.format(dice=text, skulls=describe_face_count(Face.SKULL, turn.skulls))


def _worth(turn: Turn) -> str:
    """Describe what stopping and a bust bring."""
    parts = [word_part(each, _PARTS) for each in score_parts(turn)]
    line = _("The dice are worth {points}: {parts}.") if parts else _("The dice are worth {points}.")
    text = line.format(points=format_signed(points_of(turn, Ending.STOPPED)), parts=join_items(parts))
    if stage_of(turn) is not Stage.ROLLING or turn.card.kind is CardKind.TREASURE_CHEST:
        return text
    line = _("At 3 skulls it's a bust, which brings {points}.")
    return f"{text} {line.format(points=format_signed(points_of(turn, Ending.DISQUALIFIED)))}"


def _scores(view: State, scores: Sequence[str]) -> str:
    line = _("Score to beat: {target}; {scores}.")
    return line.format(target=format_number(view.options.target), scores=join_items(scores))
