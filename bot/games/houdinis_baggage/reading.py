"""Mr. Houdini's Baggage for screen readers: the whole table in sentences, and a short description of the picture."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.facts import (
    Situation,
    TwinOdds,
    Way,
    bonuses_of,
    completed_counts,
    fitting_places,
    latest_events,
    open_values,
    open_ways,
    situation_of,
    turn_order,
    winners_of,
)
from bot.games.houdinis_baggage.pieces import BaggageEnd, CardKept, GameEvent, Phase, State, Task, TurnPlayed
from bot.games.houdinis_baggage.words import (
    bonus_name,
    card_name,
    describe_options,
    format_uses,
    item_name,
    name_number,
    spot_name,
)
from bot.rules.game import Seat
from bot.words import (
    N_,
    format_number,
    format_points,
    game_over_text,
    gettext as _,
    join_groups,
    join_items,
    ngettext,
    pgettext,
)

_MAX_PLACEMENTS = 12
"""The most placements that are listed."""

_TWIN_TEXT = N_(
    "It's {name}'s turn, and two open cards look alike. They keep one open card in their bank, lose "
    "the others, and the turn is over."
)

_TURN_TEXTS = {
    Situation.FIRST_CARD: N_("It's {name}'s turn. They open a card."),
    Situation.NEXT_CARD: N_(
        "It's {name}'s turn. They open another card, or stop and place what is open. The chance that the "
        "next card is a twin, which ends the turn, is {share} ({twins} of {left})."
    ),
    Situation.ONLY_TWINS: _TWIN_TEXT,
    Situation.TWIN: _TWIN_TEXT,
    Situation.CHOOSING: N_("It's {name}'s turn. They choose one of the open assignments."),
}

_WAYS = {
    Way.PLACE: N_("place a card on an item"),
    Way.BANK: N_("add a card from the bank"),
    Way.SHIFT: N_("move baggage with a bonus"),
}

_FITTING = {Phase.SEARCH: N_("Would fit now: {ways}."), Phase.PLACE: N_("Fits now: {ways}.")}

_LAST_ROUND_TEXTS = {
    BaggageEnd.TARGET_REACHED: N_("The target of {target} is reached. This is the last round."),
    BaggageEnd.NOTHING_LEFT: N_("No assignments are left. This is the last round. The target is {target}."),
}


def build_reading(view: State, names: Sequence[str]) -> str:
    """Describe the turn, the open cards, the seats, and the open assignments."""
    if view.mover is None:
        parts = [_end_text(view, names)]
    else:
        parts = [_turn_text(view, names[view.mover]), *_open_cards_text(view), *_placements_text(view)]
    parts += [_seat_text(view, seat, names[seat]) for seat in turn_order(view)]
    row = [_("No assignments are left to choose.")]
    if view.row:
        title = _("Open assignments (in the deck: {count}):").format(count=len(view.deck))
        row = [title, *(_task_text(Task.empty(each)) for each in view.row)]
    return "\n\n".join((*parts, "\n".join(row), *_goal_text(view)))


def describe_picture(view: State, events: Sequence[GameEvent]) -> str:
    """Describe the picture, in which players have numbers."""
    seats = [_("player {number}").format(number=seat + 1) for seat in range(len(view.players))]
    scores = [
        _("{name} has {score}").format(name=name, score=format_points(player.score))
        for name, player in zip(seats, view.players, strict=True)
    ]
    line = _("Below are the assignments of the player to move, and what the others have nearly done: {scores}.")
    if view.mover is None:
        line = _("Below is what the players have nearly done: {scores}.")
    if view.mover is None:
        parts = [_end_text(view, seats)]
    else:
        parts = [*_moment_text(events, seats), _turn_text(view, seats[view.mover])]
        parts += _open_cards_text(view) if view.open else ()
    return " ".join((*parts, line.format(scores=join_items(scores))))


def _moment_text(events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[str]:
    """Tell how the last turn ended, if the picture shows that."""
    for event in latest_events(events):
        match event:
            case CardKept():
                line = ngettext(
                    "Twins ended the turn of {name}. Kept: {card}; one card is lost.",
                    "Twins ended the turn of {name}. Kept: {card}; {count} cards are lost.",
                    len(event.lost),
                )
                yield line.format(name=names[event.seat], card=card_name(event.card), count=len(event.lost))
            case TurnPlayed() if event.completed:
                line = _("Completed by {name}: {points}.")
                yield line.format(name=names[event.seat], points=format_points(event.points))
            case _:
                pass


def _end_text(view: State, names: Sequence[str]) -> str:
    """Name the winners."""
    return game_over_text([names[seat] for seat in winners_of(view)])


def _turn_text(view: State, name: str) -> str:
    """Describe the turn and what the player can do."""
    situation = situation_of(view)
    if situation is Situation.PLACING:
        ways = [_(_WAYS[way]) for way in open_ways(view)]
        if not ways:
            return _("It's {name}'s turn. Nothing fits, so they can only end it.").format(name=name)
        return _("It's {name}'s turn. They can: {ways}; end the turn.").format(name=name, ways=join_groups(ways))
    odds = TwinOdds.from_state(view).words() if situation is Situation.NEXT_CARD else {}
    return _(_TURN_TEXTS[situation]).format(name=name, **odds)


def _open_cards_text(view: State) -> Iterator[str]:
    """Describe the open cards and their values. Rule HB-2."""
    if not view.open:
        yield _("No card is open.")
        return
    line = ngettext("One card is open: {cards}.", "{count} cards are open: {cards}.", len(view.open))
    yield line.format(count=len(view.open), cards=join_items(list(map(card_name, view.open))))
    values = [name_number(trait, value) for trait, value in open_values(view)]
    yield _("Values: {values}; everything else is 0.").format(values=join_items(values))


def _placements_text(view: State) -> Iterator[str]:
    """List what fits now. Rules HB-6 and HB-12."""
    places = fitting_places(view)
    if places is None:
        return
    texts = []
    for place in places[:_MAX_PLACEMENTS]:
        line = _("{card} on {item} with {bonuses}") if place.uses else _("{card} on {item}")
        item, bonuses = spot_name(view, place.spot), format_uses(view, place.uses)
        texts.append(line.format(card=card_name(place.card), item=item, bonuses=bonuses))
    if left := len(places) - len(texts):
        texts.append(ngettext("{count} more way", "{count} more ways", left).format(count=left))
    yield _(_FITTING[view.phase]).format(ways=join_groups(texts) or pgettext("that fits", "nothing"))


def _seat_text(view: State, seat: Seat, name: str) -> str:
    """Describe the points, assignments, bonuses and bank of a seat."""
    player = view.players[seat]
    lines = [_("{name} has {score}.").format(name=name, score=format_points(player.score))]
    if view.mover is None:
        done = [f"{count} × {format_points(points)}" for points, count in completed_counts(player)]
        completed = _("Completed assignments: {assignments}.").format(
            assignments=join_items(done) or pgettext("assignments", "none")
        )
        lines[0] += f" {completed}"
    lines += map(_task_text, player.tasks)
    if not player.tasks:
        lines.append(_("No unfinished assignment."))
    lines += _bonuses_text(view, seat)
    if player.bank:
        lines.append(_("In the bank: {cards}.").format(cards=join_items(list(map(card_name, player.bank)))))
    return "\n".join(lines)


def _task_text(task: Task) -> str:
    """Describe an unfinished assignment with the cards on its items."""
    line = _("Assignment {number}, {points}: {items}; its bonus: {bonus}.")
    assignment = task.assignment
    items = []
    for _spot, item, card in task.cells():
        name = item_name(item)
        items.append(name if card is None else _("{item} (filled with {card})").format(item=name, card=card_name(card)))
    return line.format(
        number=assignment.number,
        points=format_points(assignment.points),
        items=join_items(items),
        bonus=bonus_name(assignment.bonus),
    )


def _bonuses_text(view: State, seat: Seat) -> Iterator[str]:
    """List the bonuses of a seat, those used this turn apart."""
    bonuses = bonuses_of(view, seat)
    line = _("{bonus} (assignment {number})")
    free, used = (
        [
            line.format(bonus=bonus_name(each.bonus), number=each.number)
            for each, is_used in bonuses
            if is_used is wanted
        ]
        for wanted in (False, True)
    )
    if free:
        yield _("Bonuses: {bonuses}.").format(bonuses=join_items(free))
    if used:
        yield _("Used this turn: {bonuses}.").format(bonuses=join_items(used))


def _goal_text(view: State) -> Iterator[str]:
    """Describe the target, the cards left, and the options. Rules HB-5, HB-10 and HB-E1."""
    if view.end is None:
        line = _("The first to reach {target} starts the last round.")
    elif view.mover is None:
        line = _("The target was {target}.")
    else:
        line = _(_LAST_ROUND_TEXTS[view.end])
    goal = line.format(target=format_number(view.options.target))
    line = _("{goal} Cards left to open: {left}; discarded: {gone}.")
    yield line.format(goal=goal, left=format_number(sum(view.baggage)), gone=format_number(sum(view.discards)))
    if options := describe_options(view.options):
        yield _("Options: {options}.").format(options=join_items(options))
