"""The screen of Mr. Houdini's Baggage: the open cards, what they allow, the seats and the row of assignments."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import MAX_POINTS, Trait, trait_values
from bot.games.houdinis_baggage.controls import build_controls
from bot.games.houdinis_baggage.facts import TwinOdds
from bot.games.houdinis_baggage.legality import bank_moves, can_place, free_items, place_moves, shift_moves
from bot.games.houdinis_baggage.news import newest_step, news_lines, summarize_turn
from bot.games.houdinis_baggage.pieces import (
    CardOpened,
    GameEvent,
    LastRound,
    Phase,
    State,
    Task,
)
from bot.games.houdinis_baggage.rules import places_of
from bot.games.houdinis_baggage.words import (
    END_MESSAGES,
    TRAIT_TEXTS,
    bonus_symbol,
    card_symbols,
    item_symbol,
)
from bot.rules.game import Seat
from bot.rules.screen import (
    Draft,
    Field,
    News,
    Screen,
)
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    format_number,
    format_points,
    game_over_title,
    gettext as _,
    ranking_rows,
    seat_emoji,
)

_GAP = "\u2002"
"""The separator of items, which are wide symbols."""

_DOT = " · "

_TITLES = {
    Phase.SEARCH: N_("Baggage · {name} searches"),
    Phase.TWIN: N_("Baggage · {name} drew a twin"),
    Phase.PLACE: N_("Baggage · {name} places"),
    Phase.CHOOSE: N_("Baggage · {name} chooses"),
}


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Return the screen of a position."""
    if view.mover is None:
        return _end_screen(view, news, names)
    menus, rows = build_controls(view, draft)
    latest, advice = news_lines(view, news), _advice_text(view)
    return Screen(
        title=_(_TITLES[view.phase]).format(name=names[view.mover]),
        text="\n".join((*latest, *_open_card_lines(view), *_fillable_lines(view), advice)),
        fields=_fields(view, names),
        controls=rows,
        menus=menus,
        note=_note_text(view),
        accent=view.mover,
        summary="\n".join(filter(None, _summary_lines(view, news, advice))),
    )


def _summary_lines(view: State, news: Sequence[News[GameEvent]], advice: str) -> tuple[str, ...]:
    """Return what is next to the picture, which shows the cards: the last turn, or the newest step of this one."""
    match view.phase:
        case Phase.SEARCH if not view.open:
            return (summarize_turn(view, news) or advice,)
        case Phase.SEARCH | Phase.CHOOSE:
            # The button has the odds of a twin.
            return (newest_step(view, news),)
        case Phase.PLACE if news and not isinstance(news[-1].event, CardOpened):
            # The buttons say what can be done.
            return (newest_step(view, news), "" if can_place(view) else advice)
        case _:
            return (advice,)


def _fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of the row and the seats; the one that matters now, nearest to the buttons, comes last."""
    count = len(view.players)
    order = [((view.mover or 0) + step) % count for step in range(1, count + 1)]
    seats = [_seat_field(view, seat, names[seat]) for seat in order]
    if view.phase is Phase.CHOOSE:
        return (*seats, _row_field(view))
    return (_row_field(view), *seats)


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned table, without advice for the mover."""
    seats = (_seat_field(view, seat, name) for seat, name in enumerate(names))
    table = Field(_("On the table"), "\n".join((*_open_card_lines(view), _note_text(view))))
    return (table, *seats, _row_field(view))


def _fillable_lines(view: State) -> Iterator[str]:
    """Yield the items that can be filled, or could be if the search ended now."""
    items = _format_fillable_items(view) if view.open and view.phase in (Phase.SEARCH, Phase.PLACE) else ""
    if view.open and view.phase is Phase.SEARCH:
        yield _("Would fit now: {items}").format(items=items or _("nothing"))
    elif items:
        yield _("Fits now: {items}").format(items=items)


def _open_card_lines(view: State) -> Iterator[str]:
    """Yield the open cards and their values."""
    if not view.open:
        return
    yield _("Open: {cards}").format(cards=" ".join(map(card_symbols, view.open)))
    values = " ".join(
        f"{TRAIT_TEXTS[trait].symbol}{count}"
        for trait, count in zip(Trait, trait_values(view.open), strict=True)
        if count
    )
    yield _("Values: {values}").format(values=values)


def _advice_text(view: State) -> str:
    """Return what the mover can do now."""
    match view.phase:
        case Phase.SEARCH:
            if not view.open:
                return _("👯 Two open cards that look alike end the turn.")
            odds = TwinOdds.from_state(view)
            line = _("🎲 **{share}** chance of a twin ({twins} of {left})")
            return line.format(share=odds.share, twins=format_number(odds.twins), left=format_number(odds.left))
        case Phase.TWIN:
            if len(set(view.open)) == 1:
                return _("👯 One card goes to your bank.")
            return _("👯 A twin! Choose one card to keep in your bank.")
        case Phase.PLACE:
            return _placing_advice_text(view)
        case _:
            return _("👉 Choose your next assignment.")


def _placing_advice_text(view: State) -> str:
    """Return what can be done in phase 2."""
    player, supply = view.players[view.mover or 0], supply_of(view)
    if place_moves(view.open, player.tasks, supply):
        return _("👉 Place a card where it fits.")
    match bool(bank_moves(view.open, player.bank)), bool(shift_moves(player.tasks, supply)):
        case True, True:
            return _("👉 Add a card, or move baggage.")
        case True, False:
            return _("👉 Add a card from your bank.")
        case False, True:
            return _("👉 Move baggage, or end your turn.")
        case _:
            return _("👉 Nothing fits.")


def _format_fillable_items(view: State) -> str:
    """List the items that can be filled; those that need a bonus have a 🎁."""
    tasks = view.players[view.mover or 0].tasks
    places = place_moves(view.open, tasks, supply_of(view))
    items, free = dict(free_items(tasks)), {place.spot for place in places if not place.uses}
    spots = dict.fromkeys(place.spot for place in places)
    return _DOT.join(f"{item_symbol(items[spot])} `{spot}`{'' if spot in free else ' 🎁'}" for spot in spots)


def _seat_field(view: State, seat: Seat, name: str) -> Field:
    """Return the assignments, bonuses and bank of a seat."""
    player = view.players[seat]
    bank = _("Bank: {cards}").format(cards=" ".join(map(card_symbols, player.bank))) if player.bank else ""
    texts = []
    for each in player.completed:
        text = f"`{each.number}`{NO_BREAK_SPACE}{bonus_symbol(each.bonus)}"
        texts.append(f"~~{text}~~" if each.number in view.spent else text)
    bonuses = _("Bonuses: {bonuses}").format(bonuses=_GAP.join(texts)) if texts else ""
    lines = filter(None, (*map(_task_line, player.tasks), bonuses, bank))
    return Field(f"{seat_emoji(seat)} {name} · {format_points(player.score)}", "\n".join(lines) or _("no assignment"))


def _task_line(task: Task) -> str:
    cells = [
        item_symbol(item) if card is None else f"✓{card_symbols(card)}"
        for item, card in zip(task.assignment.items, task.cards, strict=True)
    ]
    assignment, items = task.assignment, _GAP.join(cells)
    return _("`{number}` **{points}** for {items} 🎁\u00a0{bonus}").format(
        number=assignment.number, points=assignment.points, items=items, bonus=bonus_symbol(assignment.bonus)
    )


def _row_field(view: State) -> Field:
    """Return the open assignments."""
    title = _("Open assignments ({count} more)").format(count=format_number(len(view.deck)))
    return Field(title, "\n".join(_task_line(Task.empty(each)) for each in view.row) or _("none left"))


def _note_text(view: State) -> str:
    cards = _("Cards: {left} left, {gone} discarded").format(
        left=format_number(sum(view.baggage)), gone=format_number(sum(view.discards))
    )
    target = _("first to {target} points").format(target=format_number(view.options.target))
    line = _("{cards} · {target}") if view.end is None else _("{cards} · {target} · last round")
    return line.format(cards=cards, target=target)


def _end_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    places, scores = places_of(view.players), [player.score for player in view.players]
    winners = [names[seat] for seat, place in enumerate(places) if place == 1]
    texts = [f"{name}: **{format_points(score)}**" for name, score in zip(names, scores, strict=True)]
    is_in_news = any(isinstance(each.event, LastRound) for each in news)
    ending = _(END_MESSAGES[view.end]) if view.end and not is_in_news else ""
    is_tie = len(winners) < scores.count(max(scores))
    tie = _("Points are tied, so the most valuable completed assignments decide.") if is_tie else ""
    latest = news_lines(view, news)
    return Screen(
        title=game_over_title(_("Baggage"), winners),
        text="\n".join(filter(None, (*latest, ending, tie))),
        fields=(
            Field(
                _("Final scores · first to {target} points").format(target=view.options.target),
                ranking_rows(places, texts),
            ),
            Field(_("Completed assignments"), _completed_field(view)),
            *(_seat_field(view, seat, name) for seat, name in enumerate(names)),
            _row_field(view),
        ),
        accent=places.index(1),
        summary="\n".join(filter(None, (*latest[-1:], ending, tie))) or None,
        verdict=tie,
    )


def _completed_field(view: State) -> str:
    """Count each seat's completed assignments by their points, highest first."""
    lines = []
    for seat, player in enumerate(view.players):
        points = [each.points for each in player.completed]
        counted = [f"{points.count(value)} × {value}" for value in range(MAX_POINTS, 0, -1) if value in points]
        lines.append(f"{seat_emoji(seat)} {', '.join(counted) or _('none')}")
    return "\n".join(lines)
