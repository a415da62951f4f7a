"""Mr. Houdini's Baggage in words: open cards and their values, everybody's assignments, and what became of it."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.assignments import MAX_POINTS, Assignment
from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import Trait, counts_of
from bot.games.houdinis_baggage.controls import TwinOdds, build_controls
from bot.games.houdinis_baggage.events import LastRound
from bot.games.houdinis_baggage.guide import (
    END_MESSAGES,
    TRAIT_SYMBOLS,
    bonus_sign,
    card_sign,
    item_sign,
)
from bot.games.houdinis_baggage.news import news_lines
from bot.games.houdinis_baggage.pieces import Phase, Player, State, Task
from bot.games.houdinis_baggage.placement import bank_moves, free_items, place_moves, shift_moves
from bot.games.houdinis_baggage.ranking import places_of
from bot.rules.game import Seat
from bot.rules.screen import Draft, Field, News, Screen
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

_GAP, _THIN = "\u2002", "\u2009"
"""Between items, which are wide signs: what there is room for, and what just tells them apart."""

_DOT = " · "

_TITLES = {
    Phase.SEARCH: N_("Baggage · {name} searches"),
    Phase.TWIN: N_("Baggage · a twin for {name}"),
    Phase.PLACE: N_("Baggage · {name} places"),
    Phase.CHOOSE: N_("Baggage · {name} chooses"),
}


def build_screen(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Make the screen that everybody sees."""
    if view.mover is None:
        return _end_screen(view, news, names)
    menus, rows = build_controls(view, draft)
    lines = (*news_lines(view, news), *_table_lines(view), _advice_text(view))
    return Screen(
        title=_(_TITLES[view.phase]).format(name=names[view.mover]),
        text="\n".join(lines),
        fields=_fields(view, names),
        controls=rows,
        menus=menus,
        note=_note_text(view),
        accent=view.mover,
    )


def _fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Show the row and everybody's assignments; what matters now comes last."""
    seats = len(view.players)
    following = [((view.mover or 0) + step) % seats for step in range(1, seats + 1)]
    about = [_seat_field(view, seat, names[seat]) for seat in following]
    if view.phase is Phase.CHOOSE:
        return (*about, _row_field(view))
    return (_row_field(view), *about)


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Show what lies there, seat by seat, without what the one to move could do."""
    seats = tuple(_seat_field(view, seat, name) for seat, name in enumerate(names))
    lying = Field(_("On the table"), "\n".join((*_open_card_lines(view), _note_text(view))))
    return (lying, *seats, _row_field(view))


def _table_lines(view: State) -> Iterator[str]:
    """Show the open cards, their values, and the items that can be filled as they lie."""
    yield from _open_card_lines(view)
    if view.open and view.phase is Phase.SEARCH:
        yield _("Would fit now: {items}").format(items=_format_fillable_items(view) or _("nothing"))


def _open_card_lines(view: State) -> Iterator[str]:
    """Show the open cards and their values."""
    if not view.open:
        return
    yield _("Open: {cards}").format(cards=" ".join(map(card_sign, view.open)))
    values = " ".join(
        f"{TRAIT_SYMBOLS[trait]}{count}" for trait, count in zip(Trait, counts_of(view.open), strict=True) if count
    )
    yield _("Values: {values}").format(values=values)


def _advice_text(view: State) -> str:
    """Say what can be done now, and what the next card may do."""
    match view.phase:
        case Phase.SEARCH:
            return _odds_line(view)
        case Phase.TWIN:
            return _("👯 A twin! Choose one card to keep in your bank; your turn is over.")
        case Phase.PLACE:
            return _placing_advice_text(view)
        case _:
            return _("👉 Choose your next assignment.")


def _placing_advice_text(view: State) -> str:
    """Say whether anything can be done before the placement is ended."""
    player, supply = view.players[view.mover or 0], supply_of(view)
    if fitting := _format_fillable_items(view):
        return _("👉 Place a card where it fits: {items}").format(items=fitting)
    if bank_moves(view.open, player.bank) or shift_moves(player.tasks, supply):
        return _("👉 Nothing fits right now. Add a card from your bank, move baggage, or end your turn.")
    return _("👉 Nothing fits. Press *Done* to end your turn.")


def _odds_line(view: State) -> str:
    """Say how likely the next card is to be a twin."""
    if not view.open:
        return _("👉 Open cards one by one. Stop before two look alike.")
    odds = TwinOdds.from_state(view)
    told = _("🎲 **{share}** chance of a twin ({twins} of {left})")
    return told.format(share=odds.share, twins=format_number(odds.twins), left=format_number(odds.left))


def _format_fillable_items(view: State) -> str:
    """List the items that can be filled; with a gift those that need a bonus."""
    tasks = view.players[view.mover or 0].tasks
    places = place_moves(view.open, tasks, supply_of(view))
    items, free = dict(free_items(tasks)), {place.spot for place in places if not place.uses}
    spots = dict.fromkeys(place.spot for place in places)
    return _DOT.join(f"{item_sign(items[spot])} `{spot}`{'' if spot in free else ' 🎁'}" for spot in spots)


def _seat_field(view: State, seat: Seat, name: str) -> Field:
    """Show what lies before a seat; beside the picture in as few signs as can be."""
    player = view.players[seat]
    title = f"{seat_emoji(seat)} {name} · {format_points(player.score)}"
    lines = [_task_line(task) for task in player.tasks]
    if player.completed:
        bonuses = [_format_bonus(each, is_used=each.number in view.spent) for each in player.completed]
        lines.append(_("Bonuses: {bonuses}").format(bonuses=_GAP.join(bonuses)))
    bank = _("Bank: {cards}").format(cards=" ".join(map(card_sign, player.bank))) if player.bank else ""
    nothing = _("no assignment")
    brief = (
        *map(_brief_task_line, player.tasks),
        _DOT.join(filter(None, (_format_bonuses_briefly(view, player), bank))),
    )
    return Field(title, "\n".join(filter(None, (*lines, bank))) or nothing, "\n".join(filter(None, brief)) or nothing)


def _format_bonus(assignment: Assignment, *, is_used: bool) -> str:
    """Write a bonus with its number; one that is used up in this turn is struck out."""
    return _strike_if_used(f"`{assignment.number}`{NO_BREAK_SPACE}{bonus_sign(assignment.bonus)}", is_used=is_used)


def _strike_if_used(text: str, *, is_used: bool) -> str:
    return f"~~{text}~~" if is_used else text


def _format_bonuses_briefly(view: State, player: Player) -> str:
    """Write the bonuses of a seat without their numbers."""
    signs = [_strike_if_used(bonus_sign(each.bonus), is_used=each.number in view.spent) for each in player.completed]
    return _("Bonuses: {bonuses}").format(bonuses=" ".join(signs)) if signs else ""


def _task_line(task: Task) -> str:
    return _assignment_line(task.assignment, _item_cells(task))


def _item_cells(task: Task) -> list[str]:
    """Write the items of an assignment; of one that is filled, what lies there."""
    return [
        item_sign(item) if card is None else f"✓{card_sign(card)}"
        for item, card in zip(task.assignment.items, task.cards, strict=True)
    ]


def _brief_task_line(task: Task) -> str:
    """Write an assignment in one line of a phone: number, points, items, bonus."""
    assignment, items = task.assignment, _THIN.join(_item_cells(task))
    return f"`{assignment.number}` **{assignment.points}** {items} 🎁{NO_BREAK_SPACE}{bonus_sign(assignment.bonus)}"


def _assignment_line(assignment: Assignment, cells: Sequence[str]) -> str:
    return _("`{number}` **{points}** for {items} 🎁\u00a0{bonus}").format(
        number=assignment.number, points=assignment.points, items=_GAP.join(cells), bonus=bonus_sign(assignment.bonus)
    )


def _row_field(view: State) -> Field:
    """Show the open assignments."""
    title = _("Open assignments ({count} more)").format(count=format_number(len(view.deck)))
    tasks = [Task(each, (None,) * len(each.items)) for each in view.row]
    whole, brief = ("\n".join(map(tell, tasks)) or _("none left") for tell in (_task_line, _brief_task_line))
    return Field(title, whole, brief)


def _note_text(view: State) -> str:
    cards = _("Cards: {left} left, {gone} discarded").format(
        left=format_number(sum(view.baggage)), gone=format_number(sum(view.discards))
    )
    target = _("first to {target} points").format(target=format_number(view.options.target))
    line = _("{cards} · {target}") if view.end is None else _("{cards} · {target} · last round")
    return line.format(cards=cards, target=target)


def _end_screen(view: State, news: Sequence[News], names: Sequence[str]) -> Screen:
    """Show the ranking and what decided it."""
    places, scores = places_of(view.players), [player.score for player in view.players]
    winners = [names[seat] for seat, place in enumerate(places) if place == 1]
    texts = [f"{name}: **{format_points(score)}**" for name, score in zip(names, scores, strict=True)]
    is_told = any(isinstance(each.event, LastRound) for each in news)
    ending = _(END_MESSAGES[view.end]) if view.end and not is_told else ""
    is_tie = len(winners) < scores.count(max(scores))
    tie = _("Points are tied, so the most valuable completed assignments decide.") if is_tie else ""
    return Screen(
        title=game_over_title(_("Mr. Houdini's Baggage"), winners),
        text="\n".join(filter(None, (*news_lines(view, news), ending, tie))),
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
    )


def _completed_field(view: State) -> str:
    """Count everybody's assignments by their points, the dearest first."""
    lines = []
    for seat, player in enumerate(view.players):
        points = [each.points for each in player.completed]
        counted = [f"{points.count(worth)} × {worth}" for worth in range(MAX_POINTS, 0, -1) if worth in points]
        lines.append(f"{seat_emoji(seat)} {', '.join(counted) or _('none')}")
    return "\n".join(lines)
