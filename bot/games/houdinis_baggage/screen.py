"""The screen of Mr. Houdini's Baggage: the open cards, what they allow, the seats, the assignments, and the controls.

Placements and bank cards are buttons while there is room, those without bonuses first; the rest are in menus. If a menu
would be too long, an item is chosen first: the draft holds its index among the free items, and the page.

Only a move that can't be worse than the others is recommended, because values take a search, too long for a click. Such
is another card while nothing fits: stopping ends the turn with nothing, and even a twin brings a card for the bank.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from bot.games.houdinis_baggage.cards import Item
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
from bot.games.houdinis_baggage.legality import (
    can_place,
    free_items,
    ways_of,
)
from bot.games.houdinis_baggage.news import news_lines
from bot.games.houdinis_baggage.pieces import (
    DONE,
    OPEN,
    STOP,
    GameEvent,
    Keep,
    LastRound,
    Phase,
    Place,
    Player,
    Shift,
    Spot,
    State,
    Take,
    Task,
)
from bot.games.houdinis_baggage.rules import card_on, places_of
from bot.games.houdinis_baggage.words import (
    END_MESSAGES,
    TRAIT_TEXTS,
    bonus_label,
    bonus_symbol,
    card_name,
    card_symbols,
    format_card,
    format_uses,
    item_name,
    item_symbol,
)
from bot.rules.game import Seat
from bot.rules.screen import (
    MAX_MENU_LINES,
    MAX_ROWS,
    Control,
    ControlRow,
    Draft,
    Field,
    Menu,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    page_of,
    wrap_rows,
)
from bot.words import (
    N_,
    NO_BREAK_SPACE,
    format_number,
    format_points,
    game_over_title,
    gettext as _,
    ngettext,
    ranking_rows,
    seat_emoji,
    truncate,
)

PlacementOption: TypeAlias = tuple[Place, Control]
"""A placement and its control."""

FreeItems: TypeAlias = Mapping[Spot, Item]
"""The free items of the mover's assignments."""

_BUTTONS_IN_ROW = 4
"""How many buttons are side by side: two fit into a line on a phone."""

_MOST_NAMED_CARDS = 8
"""With more cards to choose from, their buttons have symbols alone, which leaves the message on a phone's screen."""

_MAX_BONUSES_ON_BUTTON = 2
"""The most bonuses that fit on a button."""

_LINE_PIXELS, _MENU_PIXELS, _MAX_PIXELS = 40, 50, 250
"""The height of a line of buttons and of a menu on a phone, and that of all of them."""

_MAX_HALF_LENGTH, _MAX_LINE_LENGTH = 15, 38
"""How long the labels of two buttons in a line may be, and of one; a button with a longer label is as high as two."""

_MAX_DESCRIPTION_LENGTH = 100

_ITEM_TOKENS: Draft = frozenset(range(10))
"""The tokens of free items: two assignments have at most ten items."""

_PAGE_TOKENS = range(10, 20)
"""The tokens of the pages after the first."""

_GAP = "\u2002"
"""The separator of items, which are wide symbols."""

_DOT = " · "

_TITLES = {
    Phase.SEARCH: N_("{name}, open a card"),
    Phase.TWIN: N_("Twins! Keep one card for later"),
    Phase.PLACE: N_("{name}, place your cards"),
    Phase.CHOOSE: N_("{name}, take an assignment"),
}


_ADVICE = {
    Situation.FIRST_CARD: N_("👯 Two open cards that look alike end the turn."),
    Situation.NEXT_CARD: N_("🎲 **{share}** chance of a twin ({twins} of {left})"),
    Situation.ONLY_TWINS: N_("👯 One card goes to your bank."),
    Situation.TWIN: N_("👯 A twin! Choose one card to keep in your bank."),
    Situation.CHOOSING: N_("👉 Choose your next assignment."),
}

_OTHER_WAYS: Mapping[tuple[Way, ...], str] = {
    (Way.BANK, Way.SHIFT): N_("👉 Add a card, or move baggage."),
    (Way.BANK,): N_("👉 Add a card from your bank."),
    (Way.SHIFT,): N_("👉 Move baggage, or end your turn."),
    (): N_("👉 Nothing fits."),
}
"""The advice where no card can be placed."""

_RULES = {
    Situation.FIRST_CARD: N_("A card that looks like an open one ends it"),
    Situation.NEXT_CARD: N_("{share} chance of a twin"),
    Situation.ONLY_TWINS: N_("The next card is a twin: one goes to your bank"),
    Situation.TWIN: N_("The other cards are lost"),
    Situation.CHOOSING: N_("Choose your next assignment"),
}
"""What matters before cards are placed, in a line."""

_PLACING_RULES: Mapping[tuple[Way, ...], str] = {
    (Way.BANK,): N_("Nothing fits yet. A card from the bank may"),
    (): N_("Nothing else fits"),
}
"""What matters where no card can be placed, in a line."""

_FITTING = {Phase.SEARCH: N_("Would fit now: {items}"), Phase.PLACE: N_("Fits now: {items}")}


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Return the screen of a position."""
    if view.mover is None:
        return _end_screen(view, news, names)
    menus, rows = build_controls(view, draft)
    latest, advice = news_lines(view, news), _advice_text(view)
    mover, *others = turn_order(view)
    seats = [_seat_field(view, seat, names[seat]) for seat in (*others, mover)]
    return Screen(
        title=_(_TITLES[view.phase]).format(name=names[view.mover]),
        text="\n".join((*latest, *_open_card_lines(view), *_fillable_lines(view), advice)),
        # The field that matters now, nearest to the buttons, comes last.
        fields=(*seats, _row_field(view)) if view.phase is Phase.CHOOSE else (_row_field(view), *seats),
        controls=rows,
        menus=menus,
        note=_note_text(view),
        accent=view.mover,
        busy=_("{name} is searching …").format(name=names[view.mover]),
        rule=_rule_of(view),
    )


def _rule_of(view: State) -> str:
    """Return what the mover should know, in a line."""
    situation = situation_of(view)
    if situation is Situation.PLACING:
        return _(_PLACING_RULES.get(open_ways(view), ""))
    odds = TwinOdds.from_state(view).words() if situation is Situation.NEXT_CARD else {}
    return _(_RULES[situation]).format(**odds)


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
        f"{item_symbol(view.item_at(spot))} `{spot}`{'' if spot in free else ' 🎁'}"
        for spot in dict.fromkeys(place.spot for place in places)
    ]
    yield _(_FITTING[view.phase]).format(items=_DOT.join(items) or _("nothing"))


def _advice_text(view: State) -> str:
    """Return what the mover can do now."""
    situation = situation_of(view)
    if situation is Situation.PLACING:
        ways = open_ways(view)
        return _("👉 Place a card where it fits.") if Way.PLACE in ways else _(_OTHER_WAYS[ways])
    odds = TwinOdds.from_state(view).words() if situation is Situation.NEXT_CARD else {}
    return _(_ADVICE[situation]).format(**odds)


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
    winners = [names[seat] for seat in winners_of(view)]
    texts = [f"{name}: **{format_points(score)}**" for name, score in zip(names, scores, strict=True)]
    is_in_news = any(isinstance(each.event, LastRound) for each in news)
    ending = _(END_MESSAGES[view.end]) if view.end and not is_in_news else ""
    is_tie = len(winners) < scores.count(max(scores))
    tie = _("Points are tied, so the most valuable completed assignments decide.") if is_tie else ""
    latest, counted = news_lines(view, news), []
    for seat, player in enumerate(view.players):
        counts = ", ".join(f"{count} × {points}" for points, count in completed_counts(player))
        counted.append(f"{seat_emoji(seat)} {counts or _('none')}")
    return Screen(
        title=game_over_title(winners),
        text="\n".join(filter(None, (*latest, ending, tie))),
        fields=(
            Field(
                _("Final scores · first to {target} points").format(target=view.options.target),
                ranking_rows(places, texts),
            ),
            Field(_("Completed assignments"), "\n".join(counted)),
            *(_seat_field(view, seat, name) for seat, name in enumerate(names)),
            _row_field(view),
        ),
        accent=winners_of(view)[0],
        verdict=tie,
    )


def build_controls(view: State, draft: Draft) -> tuple[tuple[Menu, ...], tuple[ControlRow, ...]]:
    """Return the menus and the rows of buttons."""
    if view.mover is None:
        return (), ()
    match view.phase:
        case Phase.SEARCH:
            return (), (_search_row(view),)
        case Phase.TWIN:
            name = card_symbols if len(view.open) > _MOST_NAMED_CARDS else format_card
            cards = [Control(f"keep_{card}", name(card), Play(str(Keep(card)))) for card in dict.fromkeys(view.open)]
            return (), wrap_rows(_emphasize_single(cards), _BUTTONS_IN_ROW)
        case Phase.PLACE:
            return _place_controls(view, draft)
        case _:
            label = _("#{number}: {points}")
            takes = [
                Control(
                    f"take_{each.number}",
                    label.format(number=each.number, points=format_points(each.points)),
                    Play(str(Take(each.number))),
                )
                for each in view.row
            ]
            return (), (_emphasize_single(takes),)


def _emphasize_single(controls: Sequence[Control]) -> ControlRow:
    """Highlight a control that is the only one."""
    return (replace(controls[0], tone=Tone.MAIN),) if len(controls) == 1 else tuple(controls)


def _search_row(view: State) -> ControlRow:
    if not view.open:
        return (Control("open", _("Open a card"), Play(str(OPEN)), Tone.MAIN),)
    label = _("Open another card ({share} twin)").format(**TwinOdds.from_state(view).words())
    stop, tone = (_("Stop and place"), Tone.QUIET) if can_place(view) else (_("Stop: nothing fits"), Tone.MAIN)
    return Control("open", label, Play(str(OPEN)), tone), Control("stop", stop, Play(str(STOP)))


def _place_controls(view: State, draft: Draft) -> tuple[tuple[Menu, ...], tuple[ControlRow, ...]]:
    """Return the controls of phase 2: placements, bank cards, moves of baggage, and the end."""
    offered, items = ways_of(view), dict(free_items(view.acting.tasks))
    ways = [_placement_option(view, at, place) for at, place in enumerate(offered.places)]
    moves = [_shift_control(view, at, shift) for at, shift in enumerate(offered.shifts)]
    lone, listed_moves = (moves, []) if len(moves) == 1 else ([], moves)
    buttons = {way: _to_button(view, items, way) for way in ways if len(way[0].uses) <= _MAX_BONUSES_ON_BUTTON}
    bank, bank_lines = (
        [Control(f"bank_{move.card}", label.format(card=name(move.card)), Play(str(move))) for move in offered.banks]
        for label, name in ((_("{card} from bank"), card_symbols), ("{card}", format_card))
    )
    places, cards = _choose_buttons(ways, buttons, bank, others=lone, has_moves=bool(listed_moves))
    menus = (
        *_place_menus(items, [way for way in ways if way not in places], draft),
        *_build_menu("shift", _("🧳 Move baggage with a bonus …"), listed_moves),
        *_build_menu("bank", _("🏦 Add a card from the bank …"), [] if cards else bank_lines),
    )
    tone = Tone.QUIET if any(offered) else Tone.MAIN
    done = Control("done", _done_label(view.acting), Play(str(DONE)), tone)
    return menus, wrap_rows([*[buttons[way] for way in places], *cards, *lone, done], _BUTTONS_IN_ROW)


def _done_label(player: Player) -> str:
    """Name what ending the turn brings: the points of the filled assignments."""
    points = sum(task.assignment.points for task in player.tasks if task.is_filled)
    if not points:
        return _("Done")
    return ngettext("Done: +{points} point", "Done: +{points} points", points).format(points=format_number(points))


def _to_button(view: State, items: FreeItems, way: PlacementOption) -> Control:
    """Return the short button of a placement, with its bonuses, and its place if there are several such items."""
    place, control = way
    item = item_name(items[place.spot])
    is_alone = [item_name(each) for each in items.values()].count(item) == 1
    label = _("{card} on {item}") if is_alone else _("{card} on {item} ({spot})")
    label = label.format(card=card_symbols(place.card), item=item, spot=place.spot)
    if place.uses:
        bonuses = ", ".join(bonus_label(view.bonus_of(use)) for use in place.uses)
        label = _("{placement}: {bonuses}").format(placement=label, bonuses=bonuses)
    return replace(control, label=label)


def _choose_buttons(
    ways: Sequence[PlacementOption],
    buttons: Mapping[PlacementOption, Control],
    bank: Sequence[Control],
    *,
    others: Sequence[Control],
    has_moves: bool,
) -> tuple[Sequence[PlacementOption], ControlRow]:
    """Choose the placements and bank cards that are shown as buttons; the rest go into menus.

    Args:
        ways: All placements.
        buttons: The buttons of those with few bonuses.
        bank: All bank cards.
        others: The other buttons, except for the one that ends the turn.
        has_moves: Whether there is a menu of moves of baggage.

    Returns:
        As many as fit: placements with the fewest bonuses first, and of these the cards with the fewest places, then
        the bank cards, if all of them fit.
    """
    choices = Counter(place.card for place, _control in ways)
    likely = sorted(buttons, key=lambda way: (len(way[0].uses), choices[way[0].card]))
    cards = tuple(bank)
    for count, added in product(range(len(likely), -1, -1), (cards, ())):
        # Reserve the row of a second menu, so that the buttons do not change when it opens.
        of_places = min(2, -(-(len(ways) - count) // MAX_MENU_LINES))
        menus = of_places + has_moves + (added != cards)
        chosen = [*[buttons[way] for way in likely[:count]], *added, *others]
        is_low = menus * _MENU_PIXELS + _count_lines(chosen) * _LINE_PIXELS <= _MAX_PIXELS
        if is_low and menus + len(chosen) // _BUTTONS_IN_ROW + 1 < MAX_ROWS:
            return [way for way in ways if way in likely[:count]], added
    return [], ()


def _count_lines(controls: Sequence[Control]) -> int:
    """Return how many lines buttons take on a phone."""
    lengths = [len(each.label) for each in controls]
    halves = sum(length <= _MAX_HALF_LENGTH for length in lengths)
    return len(lengths) - halves + -(-halves // 2) + sum(length > _MAX_LINE_LENGTH for length in lengths)


def _build_menu(key: str, label: str, controls: Sequence[Control]) -> tuple[Menu, ...]:
    """Return a menu of controls, or nothing if there are none."""
    return (Menu(key, label, tuple(controls)),) if controls else ()


def _place_menus(items: FreeItems, ways: Sequence[PlacementOption], draft: Draft) -> tuple[Menu, ...]:
    """Return a menu of placements; if they are too many, a menu of items and one for the chosen item."""
    if not ways:
        return ()
    if len(ways) <= MAX_MENU_LINES:
        return (Menu("place", _("🎩 Place a card …"), tuple(control for _place, control in ways)),)
    by_spot: dict[Spot, list[Control]] = {}
    for place, control in ways:
        by_spot.setdefault(place.spot, []).append(control)
    # An item keeps its token for the whole step.
    tokens = {spot: token for token, spot in enumerate(items) if spot in by_spot}
    chosen = next((spot for spot, token in tokens.items() if token in draft), None)
    lines = []
    for spot, token in tokens.items():
        count, label = len(by_spot[spot]), _("{item} ({spot})").format(item=item_name(items[spot]), spot=spot)
        ways_text = ngettext("{count} way to fill it", "{count} ways to fill it", count)
        toggle = Toggle(token, instead_of=_ITEM_TOKENS.union(_PAGE_TOKENS) - {token})
        tone = Tone.CHOSEN if spot == chosen else Tone.QUIET
        lines.append(Control(f"item_{spot}", label, toggle, tone, ways_text.format(count=format_number(count))))
    first = Menu("item", _("🎩 Choose an item to fill …"), tuple(lines))
    if chosen is None:
        return (first,)
    title = _("🎩 Place a card on {spot} …").format(spot=chosen)
    ways_page = page_of(
        by_spot[chosen],
        draft,
        _PAGE_TOKENS,
        key="ways",
        next_label=_("More …"),
        first_label=_("‹ Back to the first"),
    )
    return (first, Menu("place", title, ways_page))


def _placement_option(view: State, at: int, place: Place) -> PlacementOption:
    """Return a placement with a control that names its card, item and bonuses."""
    label = _("{sign} {card} on {item} ({spot})").format(
        sign=card_symbols(place.card),
        card=card_name(place.card),
        item=item_name(view.item_at(place.spot)),
        spot=place.spot,
    )
    why = format_uses(view, place.uses) if place.uses else _("without a bonus")
    return place, Control(f"place_{at}", label, Play(str(place)), description=truncate(why, _MAX_DESCRIPTION_LENGTH))


def _shift_control(view: State, at: int, shift: Shift) -> Control:
    card = card_on(view.acting.tasks, shift.start)
    label = _("🧳 Move {card} from {start} to {item} ({end})").format(
        card=card_name(card or 0), start=shift.start, item=item_name(view.item_at(shift.end)), end=shift.end
    )
    return Control(f"shift_{at}", label, Play(str(shift)), Tone.QUIET, format_uses(view, (shift.use,)))
