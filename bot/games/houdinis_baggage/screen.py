"""The screen of Mr. Houdini's Baggage: the open cards, what they allow, the seats, and the assignments."""

from collections.abc import Iterator, Mapping, Sequence

from bot.games.houdinis_baggage.controls import build_controls
from bot.games.houdinis_baggage.facts import (
    Situation,
    TwinOdds,
    Way,
    bonuses_of,
    completed_counts,
    fitting_places,
    open_values,
    open_ways,
    situation_of,
    turn_order,
    winners_of,
)
from bot.games.houdinis_baggage.news import news_lines
from bot.games.houdinis_baggage.pieces import CardPlaced, GameEvent, LastRound, Phase, State, Task
from bot.games.houdinis_baggage.rules import places_of, scores_of
from bot.games.houdinis_baggage.words import (
    END_MESSAGES,
    TRAIT_TEXTS,
    bonus_symbol,
    card_symbols,
    describe_goal,
    item_symbol,
    spot_symbol,
)
from bot.rules.game import Seat
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.rules.story import newest_turn
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    format_number,
    format_points,
    game_over_title,
    gettext as _,
    list_facts,
    pgettext,
    ranking_rows,
    seat_emoji,
    with_label,
)

_GAP = "\u2002"
"""The separator of items, which are wide symbols."""

_DOT = " · "

_TITLES = {
    Situation.FIRST_CARD: N_("{name}, open a card"),
    Situation.NEXT_CARD: N_("{name}, one more card?"),
    Situation.ONLY_TWINS: N_("Twins! Keep one card for later"),
    Situation.TWIN: N_("Twins! Keep one card for later"),
    Situation.CHOOSING: N_("{name}, take an assignment"),
}

_PLACING_TITLES: Mapping[Way | None, str] = {
    Way.PLACE: N_("{name}, place your cards"),
    Way.BANK: N_("{name}, use your bank?"),
    Way.SHIFT: N_("{name}, move baggage?"),
    None: N_("{name}, end your turn"),
}
"""The titles of phase 2, by the first way to go on."""

_BUSY_TITLES = {
    Phase.SEARCH: N_("{name} is searching …"),
    Phase.TWIN: N_("{name} found twins …"),
    Phase.PLACE: N_("{name} is packing …"),
    Phase.CHOOSE: N_("{name} is choosing …"),
}

_ADVICE = {
    Situation.FIRST_CARD: N_("👯 A second card of the same colour and shape ends your turn."),
    Situation.NEXT_CARD: N_("🎲 **{share}** chance of a twin ({twins} of {left})"),
    Situation.ONLY_TWINS: N_("👯 One card goes to your bank."),
    Situation.TWIN: N_("👯 A twin! Choose one card to keep in your bank."),
    Situation.CHOOSING: N_("👉 Choose your next assignment."),
}

_OTHER_WAYS: Mapping[tuple[Way, ...], str] = {
    (Way.BANK, Way.SHIFT): N_("You may add a card from your bank, move baggage, or end."),
    (Way.BANK,): N_("You may add a card from your bank, or end."),
    (Way.SHIFT,): N_("You may move baggage, or end."),
}
"""The advice where no card can be placed, but something else can be done."""

_RULES = {
    Situation.FIRST_CARD: N_("The same card twice ends your turn"),
    Situation.NEXT_CARD: N_("A twin costs all open cards but one"),
    Situation.ONLY_TWINS: N_("One goes to your bank, the other is lost"),
    Situation.TWIN: N_("The other cards are lost"),
    Situation.CHOOSING: N_("Complete it, and its bonus is yours"),
}
"""What matters before cards are placed, in a line."""

_FITTING = {Phase.SEARCH: N_("Would fit now: {items}"), Phase.PLACE: N_("Fits now: {items}")}


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Return the screen of a position."""
    if view.mover is None:
        return _end_screen(view, news, names)
    controls, has_placed = build_controls(view, draft), _has_placed(news)
    latest, advice = news_lines(view, news), _advice_text(view, has_placed=has_placed)
    mover, *others = turn_order(view)
    seats = [_seat_field(view, seat, names[seat]) for seat in (*others, mover)]
    return Screen(
        title=_title_of(view).format(name=names[view.mover]),
        text="\n".join((*latest, *_open_card_lines(view), *_fillable_lines(view), advice)),
        # The field that matters now, nearest to the buttons, comes last.
        fields=(*seats, _row_field(view)) if view.phase is Phase.CHOOSE else (_row_field(view), *seats),
        controls=controls.rows,
        menus=controls.menus,
        note=_note_text(view),
        accent=view.mover,
        busy=_(_BUSY_TITLES[view.phase]).format(name=names[view.mover]),
        rule=_rule_of(view, has_placed=has_placed, has_begun=bool(news)),
    )


def _has_placed(news: Sequence[News[GameEvent]]) -> bool:
    """Return whether a card was placed in the newest turn."""
    return any(isinstance(event, CardPlaced) for event in newest_turn(events_of(news)))


def _title_of(view: State) -> str:
    """Return what the mover is to do."""
    situation = situation_of(view)
    if situation is Situation.PLACING:
        return _(_PLACING_TITLES[next(iter(open_ways(view)), None)])
    if situation is Situation.NEXT_CARD and not open_ways(view):
        return _("{name}, open one more")
    return _(_TITLES[situation])


def _rule_of(view: State, *, has_placed: bool, has_begun: bool) -> str:
    """Return what the mover should know, in a line; nothing before a search, so that the last turns have both lines.

    Args:
        view: The view.
        has_placed: Whether a card was placed in this turn.
        has_begun: Whether a move was made in the game.
    """
    situation, ways = situation_of(view), open_ways(view)
    if situation is Situation.PLACING:
        if Way.PLACE in ways:
            return "" if has_placed else _("A placed card is used up: high first")
        return _nothing_fits(has_placed=has_placed, is_open=bool(ways))
    if situation is Situation.FIRST_CARD and has_begun:
        return _last_round_rule(view) if view.end is not None else ""
    if situation is Situation.NEXT_CARD and not ways:
        return _nothing_fits(has_placed=False, is_open=True)
    # A twin of a single card costs no other card.
    is_first_at_risk = situation is Situation.NEXT_CARD and len(view.open) == 1
    return _(_RULES[Situation.FIRST_CARD if is_first_at_risk else situation])


def _last_round_rule(view: State) -> str:
    """Name the score that the mover has to beat in the last round. Rule HB-E1."""
    scores = scores_of(view)
    if scores[view.mover or 0] == max(scores):
        return _("🏁 Last round: you are ahead")
    return _("🏁 Last round: beat {score}!").format(score=format_number(max(scores)))


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned table, without advice for the mover."""
    seats = (_seat_field(view, seat, name) for seat, name in enumerate(names))
    table = Field(_("On the table"), "\n".join((*_open_card_lines(view), _note_text(view))))
    return (table, *seats, _row_field(view))


def _open_card_lines(view: State) -> Iterator[str]:
    """Yield the open cards and their values."""
    if not view.open:
        return
    yield _("Open: {cards}").format(cards=" ".join(map(card_symbols, view.open)))
    values = " ".join(f"{TRAIT_TEXTS[trait].symbol}{value}" for trait, value in open_values(view))
    yield _("Values: {values}").format(values=values)


def _fillable_lines(view: State) -> Iterator[str]:
    """Yield the items that can be filled, or could be if the search ended now; those that need a bonus have a 🎁."""
    places = fitting_places(view)
    if places is None or (view.phase is Phase.PLACE and not places):
        return
    free = {place.spot for place in places if not place.uses}
    items = [
        f"{spot_symbol(view, spot)}{'' if spot in free else ' 🎁'}"
        for spot in dict.fromkeys(place.spot for place in places)
    ]
    yield _(_FITTING[view.phase]).format(items=_DOT.join(items) or pgettext("that fits", "nothing"))


def _advice_text(view: State, *, has_placed: bool) -> str:
    """Return what the mover can do now.

    Args:
        view: The view.
        has_placed: Whether a card was placed in this turn.
    """
    situation = situation_of(view)
    if situation is not Situation.PLACING:
        odds = TwinOdds.from_state(view).words() if situation is Situation.NEXT_CARD else {}
        return _(_ADVICE[situation]).format(**odds)
    ways = open_ways(view)
    if Way.PLACE in ways:
        advice = _("👉 Place a card where the value is exactly the number.")
        order = _("A card you place is used up: start with the highest numbers.")
        return advice if has_placed else f"{advice} {order}"
    nothing = f"👉 {_nothing_fits(has_placed=has_placed, is_open=bool(ways))}"
    return nothing + " · " + _(_OTHER_WAYS[ways]) if ways else nothing


def _nothing_fits(*, has_placed: bool, is_open: bool) -> str:
    """Say that no value is the number of an item.

    Args:
        has_placed: Whether a card was placed in this turn.
        is_open: Whether something else can be done.
    """
    if has_placed:
        return _("Nothing else fits exactly")
    return _("Nothing fits exactly yet") if is_open else _("Nothing fits exactly")


def _seat_field(view: State, seat: Seat, name: str) -> Field:
    """Return the assignments, bonuses and bank of a seat."""
    player = view.players[seat]
    bank = _("Bank: {cards}").format(cards=" ".join(map(card_symbols, player.bank))) if player.bank else ""
    texts = []
    for each, is_used in bonuses_of(view, seat):
        text = f"`{each.number}`{NO_BREAK_SPACE}{bonus_symbol(each.bonus)}"
        texts.append(f"~~{text}~~" if is_used else text)
    bonuses = _("Bonuses: {bonuses}").format(bonuses=_GAP.join(texts)) if texts else ""
    lines = filter(None, (*map(_task_line, player.tasks), bonuses, bank))
    return Field(f"{seat_emoji(seat)} {name} · {format_points(player.score)}", "\n".join(lines) or _("no assignment"))


def _task_line(task: Task) -> str:
    cells = [item_symbol(item) if card is None else f"✓{card_symbols(card)}" for _spot, item, card in task.cells()]
    assignment, items = task.assignment, _GAP.join(cells)
    return _("`{number}` **{points}** for {items} 🎁\u00a0{bonus}").format(
        number=assignment.number, points=assignment.points, items=items, bonus=bonus_symbol(assignment.bonus)
    )


def _row_field(view: State) -> Field:
    """Return the open assignments."""
    title = _("Open assignments · {count} in the deck").format(count=format_number(len(view.deck)))
    return Field(title, "\n".join(_task_line(Task.empty(each)) for each in view.row) or _("none left"))


def _note_text(view: State) -> str:
    cards = _("Cards: {left} left, {gone} discarded").format(
        left=format_number(sum(view.baggage)), gone=format_number(sum(view.discards))
    )
    parts = (cards, describe_goal(view.options), _("last round") if view.end is not None else "")
    return _DOT.join(filter(None, parts))


def _end_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    places, scores = places_of(view.players), [player.score for player in view.players]
    winners = [names[seat] for seat in winners_of(view)]
    texts = [with_label(name, f"**{format_points(score)}**") for name, score in zip(names, scores, strict=True)]
    is_in_news = any(isinstance(each.event, LastRound) for each in news)
    ending = _(END_MESSAGES[view.end]) if view.end and not is_in_news else ""
    is_tie = len(winners) < scores.count(max(scores))
    tie = _("Points are tied, so the most valuable completed assignments decide.") if is_tie else ""
    latest, counted = news_lines(view, news), []
    for seat, player in enumerate(view.players):
        counts = list_facts(f"{count} × {points}" for points, count in completed_counts(player))
        text = counts or pgettext("assignments", "none")
        counted.append(f"{seat_emoji(seat)} {text}")
    return Screen(
        title=game_over_title(winners),
        text="\n".join(filter(None, (*latest, ending, tie))),
        fields=(
            Field(
                _("Final scores · first to {target}").format(target=view.options.target),
                ranking_rows(places, texts),
            ),
            Field(_("Completed assignments"), "\n".join(counted)),
            *(_seat_field(view, seat, name) for seat, name in enumerate(names)),
            _row_field(view),
        ),
        accent=winners_of(view)[0],
        verdict=tie,
    )
