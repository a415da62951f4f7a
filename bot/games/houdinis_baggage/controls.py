"""The buttons and menus of Mr. Houdini's Baggage.

All steps are in a menu, and the best on buttons as well. If the menu would be too long, an item is chosen first: the
draft holds its index among the free items, and the page. There are always a menu and two rows, each a line on a phone,
so that nothing moves: a menu without lines and a disabled button stay in their place.

After the search, buttons make the best moves by the values of hints; whether to open another card is decided by a quick
look.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.cards import Item, Use
from bot.games.houdinis_baggage.facts import TwinOdds, Way, open_ways
from bot.games.houdinis_baggage.legality import Ways, can_place, free_items, ways_of
from bot.games.houdinis_baggage.minds.outlook import evaluate_outlook
from bot.games.houdinis_baggage.minds.plans import PlannedPlacements, always_opens, plan_placements
from bot.games.houdinis_baggage.pieces import (
    DONE,
    OPEN,
    STOP,
    Bank,
    Keep,
    Move,
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
    bonus_name,
    card_label,
    card_name,
    card_symbols,
    format_card,
    format_uses,
    item_name,
    spot_name,
)
from bot.rules.screen import (
    MAX_MENU_LINES,
    Control,
    ControlRow,
    Draft,
    Menu,
    Play,
    Toggle,
    Tone,
    find_clear_best,
    make_fillers,
    page_of,
    wrap_rows,
)
from bot.words import N_, format_number, format_points, gettext as _, list_facts, ngettext, truncate

FreeItems: TypeAlias = Mapping[Spot, Item]
"""The free items of the mover's assignments."""

_ROWS = 2
"""The rows of buttons, in which as many assignments, or cards to keep, as there are fit into a line on a phone."""

_MOST_BEST = 3
"""The most steps that are on buttons besides the menu, as far as they fit into a line."""

_MOST_KEPT = 4
"""With more cards to keep one of, all are in a menu, and the most useful on buttons as well."""

_MAX_LABEL_LENGTH = 36
"""The letters that fit on a button, with the symbols of its card: if its bonuses don't, it counts them."""

_HALF_LINE = 17
"""Two buttons with so many letters fit into a line."""

_CLEAR_LEAD = 0.02
"""A step is clearly the best if it wins that much more often."""

_CACHE_SIZE = 64

_MAX_DESCRIPTION_LENGTH = 100

_ITEM_TOKENS: Draft = frozenset(range(10))
"""The tokens of free items: two assignments have at most ten items."""

_OTHERS_TOKEN = 20
"""The token of what is in a long menu besides placements."""

_PAGE_TOKENS = range(10, 20)
"""The tokens of the pages after the first."""

_STOP_LABELS: Mapping[Way | None, str] = {
    Way.PLACE: N_("Stop and place"),
    Way.BANK: N_("Stop and use the bank"),
    Way.SHIFT: N_("Stop and move baggage"),
    None: N_("Stop · nothing fits"),
}
"""What stopping is for if no placement is worth a card, by the first way to go on."""


class Controls(NamedTuple):
    """What the mover can press or choose."""

    rows: tuple[ControlRow, ...] = ()
    menus: tuple[Menu, ...] = ()


def build_controls(view: State, draft: Draft) -> Controls:
    """Return what the mover can press or choose."""
    if view.mover is None:
        return Controls()
    match view.phase:
        case Phase.SEARCH:
            return Controls(_search_rows(view), (_menu_of(()),))
        case Phase.TWIN:
            return _keep_controls(view)
        case Phase.PLACE:
            return _place_controls(view, draft)
        case Phase.CHOOSE:
            return Controls(_spread(_take_buttons(view)), (_take_menu(view),))


def _spread(buttons: Sequence[Control]) -> tuple[ControlRow, ...]:
    """Return buttons in as many rows as there always are; a single one stands above a disabled one."""
    rows = wrap_rows(buttons, -(-len(buttons) // _ROWS))
    return rows if len(rows) == _ROWS else (*rows, make_fillers((_("No other choice"),), 1))


def _search_rows(view: State) -> tuple[ControlRow, ...]:
    """Return the choices of the search, the end of it first.

    Another card is recommended while nothing fits: stopping ends the turn with nothing, and even a twin brings a card
    for the bank. The second card is, too, unless the first one completes an assignment. A card that can't be a twin
    is the safe choice, unless stopping completes an assignment.
    """
    if not view.open:
        opening = Control("open", _("Open a card"), Play(str(OPEN)), Tone.CHOSEN)
        return make_fillers((_("Nothing to place yet"),), 1), (opening,)
    planned, odds = plan_placements(view), TwinOdds.from_state(view)
    is_best = always_opens(view) and not planned.points
    stop = Control("stop", _stop_label(view, planned), Play(str(STOP)))
    label = _("Open a card · {share} twin").format(share=odds.words()["share"])
    another = Control("open", label, Play(str(OPEN)), Tone.MAIN if is_best else Tone.QUIET)
    if not (odds.twins or planned.points):
        return (stop,), (replace(another, tone=Tone.CHOSEN),)
    return (replace(stop, tone=Tone.CHOSEN if can_place(view) else Tone.QUIET),), (another,)


def _stop_label(view: State, planned: PlannedPlacements) -> str:
    """Name how many cards can be placed if the search ends, and the points of what they complete."""
    if not planned.cards:
        return _(_STOP_LABELS[next(iter(open_ways(view)), None)])
    stop = _("Stop and place {count}").format(count=planned.cards)
    if not planned.points:
        return stop
    return f"{stop} · {_gain_text(planned.points)}"


def _keep_controls(view: State) -> Controls:
    """Return the cards that can be banked; the one of most use is coloured."""
    cards = tuple(dict.fromkeys(view.open))
    values = _value_moves(view, tuple(map(Keep, cards)))
    ranked = sorted(cards, key=lambda card: -values[Keep(card)])
    lines = {
        card: Control(f"keep_{card}", f"{card_symbols(card)} {card_label(card)}", Play(str(Keep(card))))
        for card in cards
    }
    shown = cards if len(cards) <= _MOST_KEPT else ranked[:_MOST_KEPT]
    buttons = [replace(lines[card], tone=Tone.CHOSEN) if card == ranked[0] else lines[card] for card in shown]
    every = [replace(line, key=f"any_{line.key}") for line in lines.values()] if len(cards) > _MOST_KEPT else ()
    return Controls(_spread(buttons), (Menu("keep", _("👯 Keep a card …"), tuple(every)),))


def _take_buttons(view: State) -> ControlRow:
    """Return the assignments on offer; the one of most use is coloured."""
    values = _value_moves(view, tuple([Take(each.number) for each in view.row]))
    best = max(view.row, key=lambda each: values[Take(each.number)])
    return tuple(
        [
            Control(
                f"take_{each.number}",
                f"{each.number} · +{each.points}",
                Play(str(Take(each.number))),
                Tone.CHOSEN if each == best else Tone.QUIET,
            )
            for each in view.row
        ]
    )


def _take_menu(view: State) -> Menu:
    """Return the assignments on offer, with what their bonuses do in words."""
    lines = [
        Control(
            f"about_{each.number}",
            f"{each.number} · {format_points(each.points)}",
            Play(str(Take(each.number))),
            description=_("Brings: {bonus}").format(bonus=bonus_name(each.bonus)),
        )
        for each in view.row
    ]
    return Menu("take", _("🎁 Assignments and their bonuses …"), tuple(lines))


def _place_controls(view: State, draft: Draft) -> Controls:
    """Return the controls of phase 2: placements, bank cards, moves of baggage, and the end."""
    offered, items = ways_of(view), dict(free_items(view.acting.tasks))
    steps = _rank_steps(view, (*offered.places, DONE, *offered.banks, *offered.shifts))
    is_clear = (
        any(offered) and find_clear_best([(worth, step) for step, worth in steps.items()], _CLEAR_LEAD) is not None
    )
    tone, best = Tone.MAIN if is_clear else Tone.CHOSEN, next(iter(steps))
    buttons = {step: _step_button(view, items, at, step) for at, step in enumerate(steps)}
    buttons[DONE] = Control("done", _done_label(view.acting), Play(str(DONE)))
    buttons[best] = replace(buttons[best], tone=tone)
    done = buttons.pop(DONE)
    above = _take_line([*buttons.values()]) or make_fillers((_("Nothing fits"),), 1)
    below = _take_line([done, *[*buttons.values()][len(above) :]])
    return Controls((above, below), (_menu_of_steps(view, items, offered, draft),))


def _take_line(buttons: Sequence[Control]) -> ControlRow:
    """Return the first button, and the second if both are short enough for a line on a phone."""
    shown = tuple(buttons[:2])
    return shown if all(len(each.label) <= _HALF_LINE for each in shown) else shown[:1]


def _done_label(player: Player) -> str:
    """Name what ending the turn brings: the points of the filled assignments."""
    points = sum(task.assignment.points for task in player.tasks if task.is_filled)
    return " · ".join([_("Done"), *([_gain_text(points)] if points else [])])


def _gain_text(points: int) -> str:
    return ngettext("+{points} point", "+{points} points", points).format(points=format_number(points))


@lru_cache(_CACHE_SIZE)
def _value_moves(view: State, moves: tuple[Move, ...]) -> Mapping[Move, float]:
    """Return the chance of winning after each move, as hints tell it."""
    return dict(zip(moves, evaluate_outlook(view, moves).values, strict=True))


def _rank_steps(view: State, moves: tuple[Move, ...]) -> Mapping[Move, float]:
    """Return the best steps with their values, the best first.

    Of steps worth the same, one that uses no bonus comes first, then the one on the highest number, since values fall.
    Of cards that fill an item in the same way only the best is there, as their buttons would have equal words.
    """

    def rank(move: Move) -> tuple[float, int, int]:
        if not isinstance(move, Place):
            return -values[move], 0, 0
        return -values[move], len(move.uses), -view.item_at(move.spot).number

    values, found = _value_moves(view, moves), dict[tuple[Spot, tuple[Use, ...]] | Move, Move]()
    for move in sorted(moves, key=rank)[:_MOST_BEST]:
        found.setdefault((move.spot, move.uses) if isinstance(move, Place) else move, move)
    return {move: values[move] for move in found.values()}


def _bank_label(card: str) -> str:
    return _("{card} from the bank").format(card=card)


def _shift_control(view: State, at: int, shift: Shift) -> Control:
    card = card_on(view.acting.tasks, shift.start)
    label = _("Move {card} from {start} to {end}").format(
        card=card_name(card or 0), start=spot_name(view, shift.start), end=spot_name(view, shift.end)
    )
    description = "" if shift.use.copied is None else format_uses(view, (shift.use,))
    return Control(f"shift_{at}", label, Play(str(shift)), description=description)


def _step_button(view: State, items: FreeItems, at: int, step: Move) -> Control:
    """Return the button of a step: a placement with its bonuses, a card of the bank, or baggage that moves."""
    label = ""
    match step:
        case Place():
            label = _placement_label(view, items, step)
        case Bank():
            label = _bank_label(card_symbols(step.card))
        case Shift(start, end):
            line, card = _("Move {card} to {end}"), card_on(view.acting.tasks, start)
            label = line.format(card=card_label(card or 0), end=spot_name(view, end))
        case _:
            pass
    return Control(f"best_{at}", label, Play(str(step)))


def _placement_label(view: State, items: FreeItems, place: Place) -> str:
    """Name a placement with its bonuses, and its assignment if both have such an item."""
    is_alone = list(items.values()).count(items[place.spot]) == 1
    item = item_name(items[place.spot]) if is_alone else spot_name(view, place.spot)
    label = _("{card} on {item}").format(card=card_symbols(place.card), item=item)
    if not place.uses:
        return label
    bonuses = list_facts(bonus_label(view.bonus_of(use)) for use in place.uses)
    named = f"{label} · {bonuses}"
    if len(named) <= _MAX_LABEL_LENGTH:
        return named
    count = ngettext("{count} bonus", "{count} bonuses", len(place.uses)).format(count=format_number(len(place.uses)))
    return f"{label} · {count}"


def _menu_of(lines: Sequence[Control]) -> Menu:
    return Menu("place", _("🎩 Cards, bank and baggage …"), tuple(lines))


def _menu_of_steps(view: State, items: FreeItems, offered: Ways, draft: Draft) -> Menu:
    """Return the menu of all steps; if they are too many, a menu of items, or of the ways to fill the chosen one.

    What is no placement is chosen like an item. The first line below a chosen item leads back to the items.
    """
    others = (
        *(Control(f"bank_{each.card}", _bank_label(format_card(each.card)), Play(str(each))) for each in offered.banks),
        *(_shift_control(view, at, each) for at, each in enumerate(offered.shifts)),
    )
    lines = {place: _placement_line(view, at, place) for at, place in enumerate(offered.places)}
    if len(lines) + len(others) <= MAX_MENU_LINES:
        return _menu_of((*lines.values(), *others))
    by_token: dict[int, list[Control]] = {}
    # An item keeps its token for the whole step.
    tokens = {spot: token for token, spot in enumerate(items)}
    for place, line in lines.items():
        by_token.setdefault(tokens[place.spot], []).append(line)
    if others:
        by_token[_OTHERS_TOKEN] = [*others]
    chosen = next((token for token in by_token if token in draft), None)
    names = {token: spot_name(view, spot) for spot, token in tokens.items()} | {_OTHERS_TOKEN: _("Bank and baggage")}
    if chosen is None:
        counted = [_item_line(token, names[token], len(ways)) for token, ways in by_token.items()]
        return Menu("item", _("🎩 Choose an item to fill …"), tuple(counted))
    back = Control("items", _("‹ Other items"), Toggle(chosen, instead_of=frozenset(_PAGE_TOKENS)))
    page = page_of(
        [back, *by_token[chosen]],
        draft,
        _PAGE_TOKENS,
        key="ways",
        next_label=_("More …"),
        first_label=_("‹ Back to the first"),
    )
    return Menu("place", f"🎩 {names[chosen]} …", page)


def _item_line(token: int, name: str, count: int) -> Control:
    """Return the line that chooses an item."""
    ways_text = ngettext("{count} way", "{count} ways", count).format(count=format_number(count))
    toggle = Toggle(token, instead_of=_ITEM_TOKENS.union(_PAGE_TOKENS, (_OTHERS_TOKEN,)) - {token})
    return Control(f"item_{token}", name, toggle, description=ways_text)


def _placement_line(view: State, at: int, place: Place) -> Control:
    """Return the line of a placement, which names its card, item and bonuses."""
    label = _("{card} on {item}").format(card=format_card(place.card), item=spot_name(view, place.spot))
    return Control(f"way_{at}", label, Play(str(place)), description=_bonuses_text(view, place))


def _bonuses_text(view: State, place: Place) -> str:
    """Name the bonuses of a placement, for a menu and for suggestions of a command."""
    text = format_uses(view, place.uses) if place.uses else _("without a bonus")
    return truncate(text, _MAX_DESCRIPTION_LENGTH)
