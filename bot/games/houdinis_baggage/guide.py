"""How to play Mr. Houdini's Baggage: the pages of its guide, and their pictures."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from bot.games.houdinis_baggage.cards import CARD_BY_KEY, Assignment, Bonus, BonusKind, Item, Trait, trait_values
from bot.games.houdinis_baggage.picture_pieces import (
    ART_FOLDER,
    POSTER_HEIGHT,
    POSTER_WIDTH,
    bonus_chip,
    card_marks,
    filled_item_marks,
    item_marks,
    points_plate,
    poster_marks,
)
from bot.games.houdinis_baggage.pieces import BaggageOptions
from bot.reading_order import spoken_row, spoken_rows
from bot.rules.components import action_frame, change_brackets
from bot.rules.guide import (
    Drawing,
    Guide,
    GuidePage,
    ListLine,
    Plate,
    SceneRow,
    caption,
    list_row,
    plates_row,
    seats_row,
    stack_rows,
)
from bot.rules.picture import Box, ColourRole, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import RowFormat, SeatRow, SeatSign
from bot.words import N_, gettext as _, pgettext

_CARD = 110
_ITEM_WIDTH, _ITEM_HEIGHT = 128, 92
_OPEN = ("green-square", "yellow-triangle", "green-triangle", "red-triangle")
_OPEN_CARDS = tuple(CARD_BY_KEY[name] for name in _OPEN)
_OPEN_VALUES = tuple(Item(trait, value) for trait, value in zip(Trait, trait_values(_OPEN_CARDS), strict=True) if value)
_RED_TO_GREEN = Bonus(BonusKind.COLOUR_CHANGE, Trait.RED, Trait.GREEN)
_ITEMS = (Item(Trait.TRIANGLE, 3), Item(Trait.GREEN, 2), Item(Trait.YELLOW, 1))
_ASSIGNMENT = Assignment(7, 3, _ITEMS, _RED_TO_GREEN)


def _build_pages(options: BaggageOptions) -> tuple[GuidePage, ...]:
    return (*_search_pages(options), *_placement_pages(), *_bonus_pages(), _end_page(options))


def _search_pages(options: BaggageOptions) -> Iterator[GuidePage]:
    """Yield goal, values and search. Rules HB-1 to HB-5."""
    yield GuidePage(
        _("The goal"),
        _(
            "Open coloured shapes and pack them into your two assignments. A complete assignment scores its points and "
            "gives you a bonus for the next ones. Be first to **{target}**."
        ).format(target=options.target),
        partial(draw_goal, options.target),
    )
    yield GuidePage(
        _("Baggage and values"),
        _(
            "Each baggage card has one of four colours and one of four shapes; there are four copies of each. The "
            "value of a colour is how many cards of that colour you have open, and the same goes for shapes."
        ),
        draw_values,
    )
    yield GuidePage(
        _("1. Search"),
        _("Open cards one at a time, at least one, and stop whenever you like. More cards make higher values."),
        draw_search,
    )
    yield GuidePage(
        _("Twins"),
        _(
            "If you open a card that looks exactly like another open one, your turn ends immediately: keep one of the "
            "open cards in your bank, and discard the rest."
        ),
        draw_twin,
    )


def _placement_pages() -> Iterator[GuidePage]:
    """Yield placement and completion. Rules HB-6 to HB-11."""
    yield GuidePage(
        _("2. Placing cards"),
        _(
            "Put open cards on free items of your assignments, one at a time. *Triangle 3* takes a triangle while the "
            "value of triangles is exactly 3, no more and no less."
        ),
        draw_placing,
    )
    yield GuidePage(
        _("Order and bank"),
        _(
            "Placed cards no longer count, so values fall and the order matters. While placing, you can add cards "
            "from your bank, but not twins of open cards. Open cards left at the end are discarded; cards on an "
            "assignment stay until it is complete."
        ),
        draw_order,
    )
    yield GuidePage(
        _("3. Completing"),
        _(
            "Fill every item of an assignment to score its points. Its bonus is yours from your next turn on. Then "
            "choose from the open assignments until you have two again."
        ),
        draw_completion,
    )


def _bonus_pages() -> Iterator[GuidePage]:
    """Yield the bonuses. Rules HB-12 and HB-B1 to HB-B5."""
    yield GuidePage(
        _("Bonuses: changes"),
        _(
            "You can use each bonus once a turn, for a single placement, and combine several.\n"
            "With *red counts as green*, all your open red cards are green. A change of colour may follow another, "
            "and so may a change of shape."
        ),
        draw_changes,
    )
    yield GuidePage(
        _("More bonuses"),
        _(
            "*+1*: the colour or shape that the item asks for is worth one more, after all changes.\n"
            "*Move baggage*: move a card from an item to another free one with its colour or shape, whatever the "
            "number. This isn't a placement.\n"
            "*Another player's bonus*: use a bonus from another player's completed assignments. They lose nothing."
        ),
        draw_other_bonuses,
    )


def _end_page(options: BaggageOptions) -> GuidePage:
    """Return start and end. Rules HB-1, HB-E1 and HB-E2."""
    text = _(
        "Everyone starts with a 1-point and a 2-point assignment; the first player is random. Once a player reaches "
        "**{target}**, finish the round so that everyone has had the same number of turns. Most points win. "
        "Ties go to the player with more completed 6-point assignments, then 5-point ones, and so on; if all are "
        "equal, the win is shared."
    )
    return GuidePage(_("Start and end"), text.format(target=options.target), partial(draw_end, options.target))


GUIDE = Guide(
    summary=N_("Open cards as long as you dare, then pack them. Two alike, and you lose them."),
    build_pages=_build_pages,
)


def draw_goal(target: int) -> Picture:
    """Return assignments, and a race."""
    rows = [SeatRow(0, target, sign=SeatSign.FLAG), SeatRow(1, target * 6 // 10), SeatRow(2, target * 3 // 10)]
    return stack_rows(
        _("An assignment worth three points, and a race to the target."),
        SceneRow(POSTER_HEIGHT, lambda at: poster_marks(_ASSIGNMENT, at.center(POSTER_WIDTH, POSTER_HEIGHT))),
        caption(_("fill its three items: 3 points")),
        caption(_("first to {target}").format(target=target)),
        seats_row(rows, spoken_rows(RowFormat(target))),
    )


def draw_values() -> Picture:
    """Return open cards with their values."""
    return stack_rows(
        _("Four open cards: among them three triangles."),
        _cards(_OPEN),
        caption(_("the values of these cards")),
        _items(_OPEN_VALUES),
    )


def draw_search() -> Picture:
    """Return the deck and opened cards."""
    return stack_rows(
        _("The baggage, and three cards that were opened one by one."),
        SceneRow(110, lambda at: [Sprite(f"{ART_FOLDER}/trunk", at.center(500, 110))]),
        _cards(("green-square", "yellow-triangle", "blue-star"), new=(2,)),
        caption(_("open another, or stop?")),
    )


def draw_twin() -> Picture:
    """Return a twin."""
    return stack_rows(
        _("Four open cards, two of which look the same."),
        _cards(("green-square", "yellow-triangle", "blue-star", "green-square"), new=(0, 3)),
        caption(_("a twin! keep one card, lose the rest")),
    )


def draw_placing() -> Picture:
    """Return open cards and an item that one of them fits."""
    return stack_rows(
        _("Three triangles are open, so a triangle fits the item triangle 3."),
        _cards(_OPEN, framed=(1, 2, 3)),
        caption(_("three triangles are open, so one fits:")),
        _items((Item(Trait.TRIANGLE, 3),)),
    )


def draw_order() -> Picture:
    """Return how values fall as cards are placed."""
    lines = [
        ListLine(_item(Item(Trait.TRIANGLE, 3)), _("first: three triangles are open")),
        ListLine(_item(Item(Trait.TRIANGLE, 2)), _("then: only two are left")),
        ListLine(_item(Item(Trait.TRIANGLE, 1)), _("at last: one")),
    ]
    return stack_rows(
        _("Triangles are placed on items with falling numbers."),
        spoken_row(list_row(lines, width=_ITEM_WIDTH, height=_ITEM_HEIGHT, size=40)),
        SceneRow(96, lambda at: [Sprite(f"{ART_FOLDER}/case", at.center(96, 96))]),
        caption(_("your bank adds cards")),
    )


def draw_completion() -> Picture:
    """Return a filled assignment with its points and bonus."""

    def draw_filled(at: Rect) -> Iterable[Mark]:
        for name, room in zip(("red-triangle", "green-square", "yellow-star"), at.split_columns(3), strict=True):
            place = room.center(_ITEM_WIDTH, _ITEM_HEIGHT)
            yield Box(place, ColourRole.GOOD, radius=12)
            yield from filled_item_marks(CARD_BY_KEY[name], place)

    def draw_strip(at: Rect) -> Iterable[Mark]:
        yield from points_plate(_ASSIGNMENT, Rect(at.x, at.y, 90, at.height).center(84, 72), 48)
        yield from draw_filled(at.inset(0)._replace(x=at.x + 110, width=at.width - 310))
        yield from _chip(_RED_TO_GREEN)(Rect(at.right - 180, at.y, 180, at.height))

    return stack_rows(
        _("A filled assignment brings three points and a bonus."),
        SceneRow(100, draw_strip),
        plates_row(
            [
                Plate("+3", pgettext("below +3", "points"), ColourRole.GOLD),
                Plate(_("bonus"), _("yours from your next turn")),
            ],
        ),
    )


def draw_changes() -> Picture:
    """Return a change of colour."""
    return stack_rows(
        _("With red counting as green, three green cards are open."),
        SceneRow(90, _chip(_RED_TO_GREEN)),
        caption(_("red counts as green, for one placement:")),
        _cards(("green-square", "green-triangle", "red-triangle"), framed=(2,)),
        _items((Item(Trait.GREEN, 3),)),
    )


def draw_other_bonuses() -> Picture:
    """Return the other bonuses."""
    bonuses = (
        (BonusKind.PLUS_COLOUR, _("+1 for a colour")),
        (BonusKind.PLUS_SHAPE, _("+1 for a shape")),
        (BonusKind.MOVE, _("move packed baggage")),
        (BonusKind.COPY, _("use another player's bonus")),
    )
    lines = [ListLine(_chip(Bonus(kind)), text) for kind, text in bonuses]
    description = _("The bonuses +1, move and another player's bonus.")
    return stack_rows(description, spoken_row(list_row(lines, width=180, height=90, size=40)))


def draw_end(target: int) -> Picture:
    """Return the last round."""
    rows = [
        SeatRow(0, target + 1, sign=SeatSign.FLAG),
        SeatRow(1, target * 8 // 10, is_to_move=True),
        SeatRow(2, target * 6 // 10),
    ]
    return stack_rows(
        _("A player has reached the target; the round is finished."),
        caption(_("finish the round: same number of turns for all")),
        caption(_("first to {target}").format(target=target)),
        seats_row(rows, spoken_rows(RowFormat(target))),
    )


def _cards(names: Sequence[str], *, new: Collection[int] = (), framed: Collection[int] = ()) -> SceneRow:
    """Return open cards; new and framed are places, counted from 0."""

    def build(at: Rect) -> Iterable[Mark]:
        rooms = at.center(len(names) * (_CARD + 40), at.height).split_columns(len(names))
        for nth, (name, room) in enumerate(zip(names, rooms, strict=True)):
            place = room.center(_CARD, _CARD)
            yield from card_marks(CARD_BY_KEY[name], place)
            if nth in framed:
                yield action_frame(place, 16)
            if nth in new:
                yield from change_brackets(place)

    return SceneRow(_CARD + 24, build)


def _items(items: Sequence[Item]) -> SceneRow:
    def build(at: Rect) -> Iterable[Mark]:
        rooms = at.center(len(items) * 150, at.height).split_columns(len(items))
        for item, room in zip(items, rooms, strict=True):
            yield from _item(item)(room)

    return SceneRow(_ITEM_HEIGHT, build)


def _item(item: Item) -> Drawing:
    def draw(at: Rect) -> Iterable[Mark]:
        place = at.center(_ITEM_WIDTH, _ITEM_HEIGHT)
        yield Box(place, ColourRole.PAPER, radius=12)
        yield from item_marks(item, place.inset(4))

    return draw


def _chip(bonus: Bonus) -> Drawing:
    return lambda at: bonus_chip(bonus, at.center(168, 80))
