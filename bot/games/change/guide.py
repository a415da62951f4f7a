"""How to play Change: the pages of its guide, and their pictures."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from bot.games.change.board import Board, Space, SpaceEntry, SpaceKind
from bot.games.change.board_picture import HEIGHT, board_marks, set_band_marks, space_colours, space_sprite
from bot.games.change.picture import hand_size_marks
from bot.games.change.pieces import ChangeOptions
from bot.games.change.words import card_name, describe_space, space_name, summarize_space
from bot.languages import current_language
from bot.reading_order import spoken_row
from bot.rules.components import FRAME_WIDTH, die_marks, token_marks
from bot.rules.guide import (
    Drawing,
    Guide,
    GuidePage,
    ListLine,
    Plate,
    SceneRow,
    caption,
    dice_row,
    list_row,
    make_dice,
    plates_row,
    stack_rows,
)
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.words import N_, gettext as _, join_items, list_facts, ngettext, pgettext, with_label

_CORNERS_ON_PAGE = 4

_TILE_WIDTH, _TILE_HEIGHT = 306, 172
_CHALLENGE = ((5, 4, 2), (4, 1), (4,))
"""The rolls of a challenge that succeeds; the first die of each is set aside."""


def build_guide(board: Board) -> Guide[ChangeOptions]:
    """Return the guide with the spaces of a board."""
    return Guide(
        summary=N_("Face your bad habits, place markers, and be first to get rid of your credits."),
        build_pages=lambda options: (
            *_turn_pages(board, options),
            *_challenge_pages(board),
            *_card_pages(board),
            *_space_pages(board),
            *_option_pages(board, options),
            _end_page(options),
        ),
    )


def _turn_pages(board: Board, options: ChangeOptions) -> Iterator[GuidePage]:
    """Yield goal, turn and board. Rules CH-1 to CH-4."""
    yield GuidePage(
        _("The goal"),
        ngettext(
            "Everyone starts with **{credits}** Self Credit and twelve challenge markers. Take on your bad habits, "
            "place markers on them, and be the first without credits.",
            "Everyone starts with **{credits}** Self Credits and twelve challenge markers. Take on your bad habits, "
            "place markers on them, and be the first without credits.",
            options.credits,
        ).format(credits=options.credits),
        partial(draw_goal, options.credits),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Roll the two track dice, move your piece (your Ragz) and do what its space says. Then you may move to "
            "one other space, play message cards, and end your turn.\n"
            "Doubles take you to Start instead: draw a message card, and your turn ends."
        ),
        draw_turn,
    )
    worth = sorted(
        (space.credits or 0, space_name(space)) for space in board.spaces if space.kind is SpaceKind.CHALLENGE
    )
    lines = (
        with_label(f"**{credits_}**", list_facts(name for _credits, name in spaces))
        for credits_, spaces in groupby(worth, key=lambda each: each[0])
    )
    yield GuidePage(
        _("The board"),
        _("Most spaces are challenge spaces. Their number says how many credits they are worth:\n{spaces}").format(
            spaces="\n".join(lines)
        ),
        partial(draw_board, board),
    )
    yield GuidePage(
        _("What you see"),
        _(
            "A challenge space shows its sign, its credits and the markers on it; one dot is set A, six are set F.\n"
            "The middle of the table shows the space that the turn has led to, the dice, and of every player the "
            "credits left and the number of cards in hand. A gold square on a marker means that it releases double."
        ),
        partial(draw_legend, board),
    )


def _challenge_pages(board: Board) -> Iterator[GuidePage]:
    """Yield landings, challenges and the move to another space. Rules CH-5 to CH-10."""
    yield GuidePage(
        _("Challenge spaces"),
        _(
            "When anyone lands on one, everyone with a marker there releases its credits. If you land there without a "
            "marker, you receive them, and you may take on the challenge."
        ),
        partial(draw_landing, board),
    )
    yield GuidePage(
        _("The challenge"),
        _(
            "Roll three dice and set the highest aside, roll the other two and set the higher aside, then roll the "
            "last one. With a total of 13 or more (58% succeed), you place a marker. Add cards can help when you fail."
        ),
        draw_challenge,
    )
    yield GuidePage(
        _("Another space"),
        _(
            "Once a turn, you may move to any other challenge space you haven't marked. You receive its credits, "
            "everyone with a marker there releases them, and you must try the challenge. You need a marker to place."
        ),
        partial(draw_option_move, board),
    )


def _card_pages(board: Board) -> Iterator[GuidePage]:
    """Yield the message cards. Rules CH-7 and CH-M1 to CH-M4."""
    yield GuidePage(
        _("Message cards"),
        _(
            "Cards are secret: only you see yours, in *My hand*. You hold five at most; played and replaced cards go "
            "under the deck. Play them on your turn, one at a time, after you've rolled and done what your space says; "
            "Add cards after a failed challenge."
        ),
        draw_hand,
    )
    yield GuidePage(
        _("Kinds of cards"),
        _(
            "**Add** adds its number to a failed challenge.\n"
            "**Replace** puts up to that many other cards of your hand under the deck, and you draw as many.\n"
            "**A space's name**: go there as your one move to another space. You may place a marker without a "
            "challenge, and you may go to spaces you've marked.\n"
            "**Any space**: the same with any challenge space."
        ),
        partial(draw_cards, board),
    )


def _space_pages(board: Board) -> Iterator[GuidePage]:
    """Yield the other spaces. Rules CH-C0 to CH-C9 and CH-S1 to CH-S6."""
    corners = [number for number, space in enumerate(board.spaces) if space.kind is SpaceKind.CORNER]
    for first in range(0, len(corners), _CORNERS_ON_PAGE):
        part = corners[first : first + _CORNERS_ON_PAGE]
        shown = [board.spaces[number] for number in part]
        title = _("{first} to {last}").format(first=space_name(shown[0]), last=space_name(shown[-1]))
        lines = map(_space_line, shown)
        yield GuidePage(title, "\n".join(lines), partial(draw_spaces, board, tuple(part)))
    others = [
        number for number, space in enumerate(board.spaces) if space.kind not in (SpaceKind.CORNER, SpaceKind.CHALLENGE)
    ]
    lines = map(_space_line, [board.spaces[number] for number in others])
    yield GuidePage(_("Other spaces"), "\n".join(lines), partial(draw_spaces, board, tuple(others)))


def _space_line(space: SpaceEntry) -> str:
    return with_label(f"**{space_name(space)}**", describe_space(space))


def _option_pages(board: Board, options: ChangeOptions) -> Iterator[GuidePage]:
    """Yield what the table's options add. Rules CH-11 and CH-14."""
    if options.sets:
        yield GuidePage(
            pgettext("spaces", "Sets"),
            _(
                "The letter of a challenge space is its set. With markers on all three spaces of a set, you release "
                "double there from then on."
            ),
            partial(draw_set, board),
            "sets",
        )
    if options.games > 1:
        yield GuidePage(
            _("Tournament"),
            ngettext(
                "This table plays {games} game. What you have left at the end of each adds up, and the lowest total "
                "wins. There are no tie-breaks.",
                "This table plays {games} games. What you have left at the end of each adds up, and the lowest total "
                "wins. There are no tie-breaks.",
                options.games,
            ).format(games=options.games),
            partial(draw_tournament, options.games),
            "games",
        )


def _end_page(options: ChangeOptions) -> GuidePage:
    """Return the end. Rules CH-12 and CH-13."""
    text = _(
        "If you have no credits left, you win immediately. If several players get there at the same moment, they tie. "
        "The others are ranked by what they have left, fewest first."
    )
    if options.games == 1:
        text = "\n".join((text, _("Players who tie may play a tie-break from 50 credits.")))
    return GuidePage(_("The end"), text, draw_end)


def draw_goal(credits_: int) -> Picture:
    """Return a Ragz that gets rid of its credits."""
    ragz = SceneRow(128, lambda at: [Sprite("change/ragz-1", at.center(96, 128))])
    return stack_rows(
        _("A Ragz, its credits at the start, and none at the end."),
        ragz,
        plates_row([Plate(str(credits_), _("Self Credits at the start")), Plate("0", _("you win!"), ColourRole.GOLD)]),
    )


def draw_turn() -> Picture:
    """Return a track roll, and doubles."""
    return stack_rows(
        _("A track roll of four and one moves five spaces; doubles lead to Start."),
        spoken_row(dice_row(make_dice((4, 1)), note=_("move five spaces"))),
        spoken_row(dice_row(make_dice((3, 3)), note=_("doubles: to Start, turn over"))),
    )


def draw_board(board: Board) -> Picture:
    """Return the board without pieces."""
    return Picture((PICTURE_WIDTH, HEIGHT), board_marks(board), (), _("The board."))


def draw_legend(board: Board) -> Picture:
    """Return a challenge space, enlarged, and what else is seen on the board."""
    space = _space_worth(board, 10)
    entry = board.spaces[space]
    text = _("{name}: a bad habit worth {credits}, of set {set}").format(
        name=space_name(entry), credits=entry.credits, set=entry.set
    )
    lines = [
        ListLine(_sprite("change/marker-2", 84), _("a challenge marker of player 2")),
        ListLine(_sprite("change/ragz-2", 66, 88), _("the Ragz (piece) of player 2")),
        ListLine(_frame, _("to challenge or to choose")),
        ListLine(lambda at: hand_size_marks(3, at.center(54, 64)), _("message cards in a hand")),
    ]
    return stack_rows(
        _("A challenge space, a marker, a Ragz, a yellow frame, and the number of cards in a hand."),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _space_tile(board, space, at, (1,))),
        caption(text, 36),
        spoken_row(list_row(lines, width=96, height=92, size=40)),
    )


def draw_spaces(board: Board, spaces: Collection[Space]) -> Picture:
    """Return some spaces that are no challenges, with their pictures and what they say in a few words."""
    entries = [board.spaces[space] for space in spaces]
    lines = [
        ListLine(_space_picture(entry), with_label(space_name(entry), summarize_space(entry))) for entry in entries
    ]
    text = _("The pictures of {spaces}.").format(spaces=join_items(list(map(space_name, entries))))
    return stack_rows(text, spoken_row(list_row(lines, width=128, height=104, size=42)))


def _space_picture(entry: SpaceEntry) -> Drawing:
    """Return the picture of a space that is no challenge, in the colours of its space."""

    def draw(at: Rect) -> Iterable[Mark]:
        fill, ink = space_colours(entry)
        yield Box(at, fill, ColourRole.SURFACE_LINE, 12, 3)
        yield space_sprite(entry, at.center(104, 78) if entry.action else at.center(80, 80), ink)

    return draw


def _sprite(name: str, width: int, height: int = 0) -> Drawing:
    return lambda at: [Sprite(name, at.center(width, height or width))]


def _frame(at: Rect) -> Iterable[Mark]:
    yield Box(at.center(88, 64), None, ColourRole.MARK, 11, FRAME_WIDTH)


def draw_landing(board: Board) -> Picture:
    """Return a space with a marker, and what a landing does there."""
    space = _space_worth(board, 10)
    lines = [
        ListLine(_token(0), _("has a marker here: releases 10")),
        ListLine(_token(1), _("lands without a marker: receives 10")),
    ]
    return stack_rows(
        _("A landing on a space worth 10: the marker's owner releases 10, the lander receives 10."),
        SceneRow(_TILE_HEIGHT + 8, lambda at: _space_tile(board, space, at, (0,))),
        spoken_row(list_row(lines, width=70)),
    )


def draw_challenge() -> Picture:
    """Return the three rolls of a challenge."""
    total = sum(max(roll) for roll in _CHALLENGE)
    rolls = [ListLine(_roll(roll), _("set the highest aside: {face}").format(face=max(roll))) for roll in _CHALLENGE]
    return stack_rows(
        _("Three rolls whose highest dice make {total}.").format(total=total),
        spoken_row(list_row(rolls, width=330, height=108)),
        caption(_("{total} in total: you place a marker").format(total=total)),
    )


def draw_option_move(board: Board) -> Picture:
    """Return a move to another space."""
    near, far = _space_worth(board, 10), _space_worth(board, 25)

    def build(at: Rect) -> Iterable[Mark]:
        left, right = at.split_columns(2, 60)
        spaces, sign = ((far, near), "<") if current_language().runs_left else ((near, far), ">")
        yield from _space_tile(board, spaces[0], left)
        yield from _space_tile(board, spaces[1], right)
        yield Label(sign, Rect(left.right, at.y, 60, at.height), ColourRole.SURFACE_TEXT, 64, bold=True)

    return stack_rows(
        _("A Ragz goes to any other challenge space."),
        SceneRow(_TILE_HEIGHT + 8, build),
        caption(_("receive 25, then you must try the challenge")),
    )


def draw_hand() -> Picture:
    """Return three cards of a hand."""

    def build(at: Rect) -> Iterable[Mark]:
        for nth, room in enumerate(at.center(5 * 150, at.height).split_columns(5)):
            place = room.center(122, 168)
            yield Box(place, ColourRole.PAPER if nth < len(arts) else ColourRole.SURFACE_SHADE, ColourRole.GOLD, 14, 4)
            if nth < len(arts):
                yield Sprite(arts[nth], place.center(96, 96))

    arts = ("change/replace", "change/any")
    return stack_rows(
        _("A hand of two message cards with room for three more."),
        SceneRow(180, build),
        caption(_("only you see your cards; five at most")),
    )


def draw_cards(board: Board) -> Picture:
    """Return how many cards of each kind there are."""
    copies = Counter(board.deck)
    plain = [card for card in sorted(copies) if board.cards[card].space is None]
    plates = [Plate(str(copies[card]), card_name(board, card)) for card in plain]
    spaces = sum(copies.values()) - sum(copies[card] for card in plain)
    plates.append(Plate(str(spaces), _("a space's name")))
    rows = [plates_row(plates[at : at + 4], 40, columns=4) for at in range(0, len(plates), 4)]
    return stack_rows(_("The number of message cards of each kind."), *rows)


def draw_set(board: Board) -> Picture:
    """Return a set with three markers of a player."""
    first = board.spaces[_space_worth(board, 20)].set
    spaces = [number for number, space in enumerate(board.spaces) if space.set == first]

    def build(at: Rect) -> Iterable[Mark]:
        for space, room in zip(spaces, at.split_columns(3), strict=True):
            yield from _space_tile(board, space, room, (0,))

    return stack_rows(
        _("Markers on all three spaces of a set, which release double."),
        SceneRow(_TILE_HEIGHT + 8, build),
        caption(_("the whole set: you release double")),
    )


def draw_tournament(games: int) -> Picture:
    """Return the credits of several games and their sum."""
    plates = [Plate("0", _("game 1")), Plate("35", _("game 2")), Plate("35", _("together"), ColourRole.GOLD)]
    text = ngettext("{games} game: credits left over add up", "{games} games: credits left over add up", games)
    return stack_rows(
        _("A tournament: credits left over add up."),
        caption(text.format(games=games)),
        plates_row(plates),
    )


def draw_end() -> Picture:
    """Return the ranking by credits."""
    lines = [
        ListLine(_token(0), _("0 credits: wins at once")),
        ListLine(_token(1), _("12 credits: second")),
        ListLine(_token(2), _("40 credits: third")),
    ]
    return stack_rows(
        _("Three players ranked by the credits they have left."),
        SceneRow(84, lambda at: [Sprite("crown", at.center(108, 80))]),
        spoken_row(list_row(lines, width=70)),
    )


def _space_worth(board: Board, credits_: int) -> Space:
    """Return the challenge space whose worth is nearest to a number of credits."""
    return min(board.challenge_spaces, key=lambda space: abs(board.credits[space] - credits_))


def _space_tile(board: Board, space: Space, at: Rect, seats: Sequence[int] = ()) -> Iterable[Mark]:
    """Return a challenge space as on the board, twice as large, with markers."""
    entry, tile = board.spaces[space], at.center(_TILE_WIDTH, _TILE_HEIGHT)
    yield Box(tile, ColourRole.PAPER, ColourRole.SURFACE_LINE, 14, 3)
    yield from set_band_marks(board, entry, Rect(tile.x + 6, tile.y + 6, tile.width - 12, 50))
    below = Rect(tile.x + 8, tile.y + 68, tile.width - 16, tile.height - 76)
    yield Label(str(entry.credits), below._replace(width=80), ColourRole.TEXT, 56, bold=True)
    for nth, seat in enumerate(seats):
        yield Sprite(f"change/marker-{seat + 1}", Rect(below.x + 88 + 96 * nth, below.y + 2, 92, 92))
    yield space_sprite(entry, Rect(below.right - 92, below.y, 92, below.height).center(88, 88), ColourRole.TEXT)


def _token(seat: int) -> Drawing:
    return lambda at: token_marks((), seat, at.center(64, 64))


def _roll(faces: Sequence[int]) -> Drawing:
    """Return dice, the highest, which comes first, on gold."""

    def draw(at: Rect) -> Iterable[Mark]:
        for nth, face in enumerate(faces):
            place = Rect(at.x + 110 * nth, at.y + 6, 96, 96)
            yield from die_marks(face, place, ColourRole.PAPER if nth else ColourRole.GOLD)

    return draw
