"""The buttons and menus of Mr. Houdini's Baggage.

Placements and bank cards are buttons while there is room, those without bonuses first; the rest are in menus. If a menu
would be too long, an item is chosen first: the draft holds its index among the free items, and the page.

Only a move that can't be worse than the others is recommended, because values take a search, too long for a click. Such
is another card while nothing fits: stopping ends the turn with nothing, and even a twin brings a card for the bank.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import Assignment, Card, Item
from bot.games.houdinis_baggage.facts import TwinOdds
from bot.games.houdinis_baggage.legality import bank_moves, can_place, free_items, place_moves, shift_moves
from bot.games.houdinis_baggage.pieces import (
    DONE,
    OPEN,
    STOP,
    Bank,
    Keep,
    Phase,
    Place,
    Player,
    Shift,
    Spot,
    State,
    Take,
)
from bot.games.houdinis_baggage.rules import card_on
from bot.games.houdinis_baggage.words import (
    bonus_label,
    card_name,
    card_symbols,
    format_uses,
    item_name,
)
from bot.rules.screen import (
    MAX_MENU_LINES,
    MAX_ROWS,
    Control,
    ControlRow,
    Draft,
    Menu,
    Play,
    Toggle,
    Tone,
    page_of,
    wrap_rows,
)
from bot.words import (
    format_number,
    format_points,
    gettext as _,
    ngettext,
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


def build_controls(view: State, draft: Draft) -> tuple[tuple[Menu, ...], tuple[ControlRow, ...]]:
    """Return the menus and the rows of buttons."""
    if view.mover is None:
        return (), ()
    match view.phase:
        case Phase.SEARCH:
            return (), (_search_row(view),)
        case Phase.TWIN:
            cards = [
                _keep_control(card, is_short=len(view.open) > _MOST_NAMED_CARDS) for card in dict.fromkeys(view.open)
            ]
            return (), wrap_rows(_emphasize_single(cards), _BUTTONS_IN_ROW)
        case Phase.PLACE:
            return _place_controls(view, view.players[view.mover], draft)
        case _:
            return (), (_emphasize_single([_take_control(each) for each in view.row]),)


def _emphasize_single(controls: Sequence[Control]) -> ControlRow:
    """Highlight a control that is the only one."""
    return (replace(controls[0], tone=Tone.MAIN),) if len(controls) == 1 else tuple(controls)


def _search_row(view: State) -> ControlRow:
    if not view.open:
        return (Control("open", _("Open a card"), Play(str(OPEN)), Tone.MAIN),)
    label = _("Open another card ({share} twin)").format(share=TwinOdds.from_state(view).share)
    stop, tone = (_("Stop and place"), Tone.QUIET) if can_place(view) else (_("Stop: nothing fits"), Tone.MAIN)
    return Control("open", label, Play(str(OPEN)), tone), Control("stop", stop, Play(str(STOP)))


def _keep_control(card: Card, *, is_short: bool) -> Control:
    label = card_symbols(card) if is_short else f"{card_symbols(card)} {card_name(card)}"
    return Control(f"keep_{card}", label, Play(str(Keep(card))))


def _take_control(assignment: Assignment) -> Control:
    label = _("#{number}: {points}").format(number=assignment.number, points=format_points(assignment.points))
    return Control(f"take_{assignment.number}", label, Play(str(Take(assignment.number))))


def _place_controls(view: State, player: Player, draft: Draft) -> tuple[tuple[Menu, ...], tuple[ControlRow, ...]]:
    """Return the controls of phase 2: placements, bank cards, moves of baggage, and the end."""
    supply, items = supply_of(view), dict(free_items(player.tasks))
    ways = [
        _placement_option(view, items, at, place)
        for at, place in enumerate(place_moves(view.open, player.tasks, supply))
    ]
    bank = bank_moves(view.open, player.bank)
    moves = [_shift_control(view, items, at, shift) for at, shift in enumerate(shift_moves(player.tasks, supply))]
    lone, listed_moves = (moves, []) if len(moves) == 1 else ([], moves)
    buttons = {way: _to_button(view, items, way) for way in ways if len(way[0].uses) <= _MAX_BONUSES_ON_BUTTON}
    bank_buttons = [_bank_control(move, _("{card} from bank").format(card=card_symbols(move.card))) for move in bank]
    places, cards = _choose_buttons(ways, buttons, bank_buttons, others=lone, has_moves=bool(listed_moves))
    menus = (
        *_place_menus(items, [way for way in ways if way not in places], draft),
        *_build_menu("shift", _("🧳 Move baggage with a bonus …"), listed_moves),
        *_build_menu("bank", _("🏦 Add a card from the bank …"), [] if cards else _bank_lines(bank)),
    )
    done = Control("done", _done_label(player), Play(str(DONE)), Tone.QUIET if ways or bank or moves else Tone.MAIN)
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
        bonuses = ", ".join(bonus_label(view.find_assignment(use.copied or use.number).bonus) for use in place.uses)
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
    lines = tuple(
        _item_toggle(items[spot], spot, token, len(by_spot[spot]), is_chosen=spot == chosen)
        for spot, token in tokens.items()
    )
    first = Menu("item", _("🎩 Choose an item to fill …"), lines)
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


def _item_toggle(item: Item, spot: Spot, token: int, ways: int, *, is_chosen: bool) -> Control:
    label = _("{item} ({spot})").format(item=item_name(item), spot=spot)
    description = ngettext("{count} way to fill it", "{count} ways to fill it", ways).format(count=format_number(ways))
    toggle = Toggle(token, instead_of=_ITEM_TOKENS.union(_PAGE_TOKENS) - {token})
    return Control(f"item_{spot}", label, toggle, Tone.CHOSEN if is_chosen else Tone.QUIET, description)


def _placement_option(view: State, items: FreeItems, at: int, place: Place) -> PlacementOption:
    """Return a placement with a control that names its card, item and bonuses."""
    label = _("{sign} {card} on {item} ({spot})").format(
        sign=card_symbols(place.card), card=card_name(place.card), item=item_name(items[place.spot]), spot=place.spot
    )
    why = format_uses(view, place.uses) if place.uses else _("without a bonus")
    return place, Control(f"place_{at}", label, Play(str(place)), description=truncate(why, _MAX_DESCRIPTION_LENGTH))


def _bank_lines(moves: Sequence[Bank]) -> list[Control]:
    return [_bank_control(move, f"{card_symbols(move.card)} {card_name(move.card)}") for move in moves]


def _bank_control(move: Bank, label: str) -> Control:
    return Control(f"bank_{move.card}", label, Play(str(move)))


def _shift_control(view: State, items: FreeItems, at: int, shift: Shift) -> Control:
    card = card_on(view.players[view.mover or 0].tasks, shift.start)
    label = _("🧳 Move {card} from {start} to {item} ({end})").format(
        card=card_name(card or 0), start=shift.start, item=item_name(items[shift.end]), end=shift.end
    )
    return Control(f"shift_{at}", label, Play(str(shift)), Tone.QUIET, format_uses(view, (shift.use,)))
