"""The buttons of a table, and their arrangement in rows that fit into a message."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from math import ceil
from typing import Final, NamedTuple, TypeAlias

import discord

from bot.platform.discord.content import Button
from bot.rules.screen import Screen, Tone
from bot.tables.handlers.ids import (
    GuideId,
    HandId,
    NextTableId,
    PlayAgainId,
    ReadOnlyId,
    ReadTableId,
    SeatButton,
    SeatId,
    WhatHappenedId,
)
from bot.tables.model import SeriesLinkKind
from bot.tables.series import next_table_of, tally_of
from bot.tables.shown.links import count_letters
from bot.tables.shown.parts import Place, TableParts
from bot.tables.table import Table
from bot.tables.turns import offers_take_back, scripted_move_of, scripted_step_of
from bot.words import N_, gettext as _

MAX_ROWS: Final = 5
_MAX_BUTTONS_IN_ROW: Final = 5

_LINE_WIDTH, _LETTER_WIDTH, _BUTTON_MARGIN = 317, 7.8, 38
_BUTTON_HEIGHT, _TEXT_HEIGHT, _ROOM_WITH_TIP, _ROOM, _LETTERS_IN_LINE = 48, 18, 336, 360, 48
"""Pixels on a phone, measured on the sandbox's page, and the letters of small print per line."""
_WHOLE_ROOM, _MOST_LINES = 439, 9
"""The room in pixels of a message with neither tip nor hint, and the most lines of buttons."""
_USUAL_PICTURE_HEIGHT, _PICTURE_SCALE = 800, 0.284
"""The height in pixels of a picture that leaves this room, and the scale at which a phone shows pictures."""

_FEW_ROWS = 2
"""With at most this many lines of buttons and menus on a phone, *How to play* has room."""

BUTTON_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}

_Buttons: TypeAlias = tuple[Button, ...]
_Rows: TypeAlias = tuple[_Buttons, ...]


class Space(NamedTuple):
    """The space in a phone's window that the other parts of a message leave for its buttons."""

    text_lines: int
    """The lines of text next to the picture."""
    legend_lines: int
    """The lines of names below the picture."""
    picture_height: int
    menus: int

    @property
    def rows(self) -> int:
        """How many rows of buttons Discord accepts."""
        return MAX_ROWS - self.menus

    def count_lines(self, *, with_tip: bool) -> int:
        """Return how many lines of buttons fit into the window."""
        room = (_ROOM_WITH_TIP if with_tip else _ROOM) - self._excess
        return max(0, room - self.text_lines * _TEXT_HEIGHT) // _BUTTON_HEIGHT - self.menus

    @property
    def lines_with_guide(self) -> int:
        """How many lines of buttons leave room for *How to play*; the higher the picture, the fewer."""
        most = _MOST_LINES
        if self._excess:
            # One line of names always has room.
            text_lines = self.text_lines + max(0, self.legend_lines - 1)
            most = min(most, (_WHOLE_ROOM - self._excess - text_lines * _TEXT_HEIGHT) // _BUTTON_HEIGHT)
        return most - self.menus

    @property
    def _excess(self) -> int:
        """How many pixels higher than usual the picture is on a phone."""
        return max(0, ceil((self.picture_height - _USUAL_PICTURE_HEIGHT) * _PICTURE_SCALE))


class _Arrangement(NamedTuple):
    """The buttons of a message."""

    game: _Rows
    """The rows of the game."""
    first: _Buttons
    """The first buttons below the game's rows."""
    last: _Buttons
    """The last buttons."""
    rows: _Rows
    """All rows."""


def arrange_buttons(
    table: Table, screen: Screen, game: _Rows, space: Space, *, hint: _Buttons = (), no_tips: _Buttons | None = None
) -> tuple[_Rows, bool]:
    """Arrange the buttons of a table that is being played.

    Args:
        table: The table.
        screen: Its screen.
        game: The rows of the game's own buttons.
        space: The space for buttons.
        hint: The button for a hint, if there is one.
        no_tips: The button that turns tips off, if there is one; None without a tip.

    Returns:
        The rows, and whether there is room for the tip as well.
    """
    # Buttons come in pairs that fit into a line on a phone. The guide comes last and may be left out, because a command
    # explains the game, too. Permanent buttons come first, so that they stay in place.
    first = (*hand_button(table, screen), read_button(table), *seat_buttons(table))
    # A lesson needs no guide: it says what to do.
    news, guide = news_button(table), () if scripted_step_of(table) else (guide_button(table),)
    plan = _arrange(game, first, (*news, *guide), space.rows)
    for last in (news, ()):
        if len(game) + space.menus > _FEW_ROWS and count_lines(plan.rows) > space.lines_with_guide:
            plan = _arrange(game, first, last, space.rows)
    for button in hint:
        most = space.count_lines(with_tip=no_tips is not None)
        # *How to play* makes room for the hint if necessary, because a command explains the game as well.
        without_guide = _arrange(game, first, tuple(other for other in plan.last if other not in guide), space.rows)
        found = (_with_hint(tried, button, room=space.rows, most_lines=most) for tried in (plan, without_guide))
        plan = next(filter(None, found), plan)
    # The tip and the button to turn tips off can wait for a screen with room.
    most = space.count_lines(with_tip=True)
    if no_tips is None or count_lines(plan.rows) > most:
        return plan.rows, False
    # The text next to the picture tells the news as well.
    for last in (plan.last, tuple(other for other in plan.last if other not in news)):
        rows = with_buttons(plan.game, *plan.first, *no_tips, *last, room=space.rows)
        if count_lines(rows) < most:
            return rows, True
    return plan.rows, True


def _arrange(game: _Rows, first: _Buttons, last: _Buttons, room: int) -> _Arrangement:
    return _Arrangement(game, first, last, with_buttons(game, *first, *last, room=room))


def with_buttons(
    rows: tuple[tuple[Button, ...], ...], *buttons: Button, room: int = MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Append as many buttons as the rows have room for; slash commands replace the rest."""
    labels = tuple([button.label for button in buttons])
    free, width = _split(len(rows[-1]) if rows else _MAX_BUTTONS_IN_ROW, labels, room - len(rows))
    if free:
        rows = (*rows[:-1], (*rows[-1], *buttons[:free]))
    for first in range(free, len(buttons), width):
        if len(rows) < room:
            rows = (*rows, buttons[first : first + width])
    return rows


def clear_labels() -> None:
    """Forget the labels of arranged buttons."""
    _split.cache_clear()


# The cache stays small, because the labels of the game's own buttons are not among the keys.
@lru_cache(1024)
def _split(last: int, labels: tuple[str, ...], room: int) -> tuple[int, int]:
    """Return how many buttons join the last row, and the width of the following rows.

    The split leaves out as few buttons as possible, then takes the fewest lines on a phone, where two of the game's
    buttons fit side by side. Among equal splits it prefers separate rows, so that these buttons stay in place while the
    game's change.

    Args:
        last: The number of buttons in the last row.
        labels: The labels of the buttons to add.
        room: How many rows can be added.
    """

    def lines(free: int, width: int) -> tuple[int, int, int]:
        rest = labels[free:]
        rows = [rest[first : first + width] for first in range(0, len(rest), width)][: max(0, room)]
        left_out = len(rest) - sum(map(len, rows))
        return left_out, (last + free + 1) // 2 + sum(map(_count_lines_of, rows)), free

    splits = product(
        range(min(len(labels), _MAX_BUTTONS_IN_ROW - last) + 1), (_MAX_BUTTONS_IN_ROW, _MAX_BUTTONS_IN_ROW - 1)
    )
    return min(splits, key=lambda split: lines(*split))


def _with_hint(plan: _Arrangement, hint: Button, *, room: int, most_lines: int) -> _Arrangement | None:
    """Add the button for a hint where it takes no further line on a phone, or where a line has room.

    Args:
        plan: The buttons without the hint.
        hint: The button.
        room: The most rows of the message.
        most_lines: The most lines of buttons.

    Returns:
        The arrangement with the hint; None if there is no room.
    """
    count, lines = sum(map(len, plan.rows)) + 1, count_lines(plan.rows)
    found: dict[int, _Arrangement] = {}
    for game, first, last in _places_of_hint(plan, hint):
        tried = _arrange(game, first, last, room)
        if sum(map(len, tried.rows)) == count:
            found.setdefault(count_lines(tried.rows), tried)
        if lines in found:
            break
    least = min(found, default=0)
    return found[least] if found and least <= max(lines, most_lines) else None


def _places_of_hint(plan: _Arrangement, hint: Button) -> Iterator[tuple[_Rows, _Buttons, _Buttons]]:
    """Yield the game's rows and the buttons below them, with the hint below or in the game's last row."""
    game, first, last = plan.game, plan.first, plan.last
    yield game, (*first, hint), last
    if not game:
        return
    *others, end = game
    if len(end) < _MAX_BUTTONS_IN_ROW:
        yield (*others, (*end, hint)), first, last
    if len(end) + 1 < _MAX_BUTTONS_IN_ROW:
        # The hint's button is narrow, so another one may share its line.
        for at in reversed(range(len(last))):
            yield (*others, (*end, hint, last[at])), first, (*last[:at], *last[at + 1 :])


def count_lines(rows: Sequence[Sequence[Button]]) -> int:
    """Estimate the lines that rows of buttons take on a phone."""
    return sum(_count_lines_of([button.label for button in row]) for row in rows)


def _count_lines_of(labels: Iterable[str]) -> int:
    """Estimate the lines that a row of buttons takes on a phone."""
    count, room = 0, 0.0
    for label in labels:
        width = _LETTER_WIDTH * count_letters(label) + _BUTTON_MARGIN
        if width > room:
            count, room = count + 1, _LINE_WIDTH
        room -= width
    return count


def count_text_lines(text: str) -> int:
    """Estimate the lines that a text next to a picture takes on a phone."""
    return sum(1 + count_letters(line) // _LETTERS_IN_LINE for line in text.splitlines())


def hand_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Return the button that opens a hand, if the game has hands, highlighted while the turn needs a hand."""
    if table.package.words.build_hand_screen is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_read_only_button(table, _("My hand"), HandId(table.id), Tone.MAIN if is_awaited else Tone.QUIET),)


def read_button(table: Table) -> Button:
    """Return the button that describes the table in words."""
    return _read_only_button(table, _("Read the table"), ReadTableId(table.id))


def has_choice(screen: Screen) -> bool:
    """Return whether the player to move has a choice.

    The answer depends only on the public screen, because legal moves would reveal hidden cards.
    """
    return screen.waits_for_hand or len(tuple(islice(screen.iter_controls(), 2))) > 1


def news_button(table: Table) -> tuple[Button, ...]:
    """Return the button that tells what happened, once there are news."""
    has_news = table.package.words.narration is not None and bool(table.news)
    return (_read_only_button(table, _("What happened"), WhatHappenedId(table.id)),) if has_news else ()


def guide_button(table: Table) -> Button:
    """Return the button that explains the game."""
    return _read_only_button(table, _("How to play"), GuideId(table.header.game))


def _read_only_button(
    table: Table, label: str, custom_id: HandId | ReadTableId | WhatHappenedId | GuideId, tone: Tone = Tone.QUIET
) -> Button:
    """Return a button that does not change the table. Its id carries the revision that the message shows."""
    return Button(label, str(ReadOnlyId(table.id, table.header.revision, custom_id)), BUTTON_STYLES[tone])


def seat_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons of the seat actions that are possible now."""
    possible = (
        (SeatButton.CLOSE, N_("Agree to close"), table.closers),
        (SeatButton.TAKE_BACK, N_("Take back"), offers_take_back(table)),
        (SeatButton.COME_BACK, N_("I'm back"), table.seat_status.substituted),
        (SeatButton.SKIP_LESSON, N_("Skip the lesson"), scripted_move_of(table)),
    )
    return tuple(
        [Button(_(label), str(SeatId(table.id, table.header.step, button))) for button, label, now in possible if now]
    )


def finished_buttons(table: Table, parts: TableParts) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a finished table, in the order that takes the fewest lines on a phone."""
    results = (*parts.buttons(Place.RESULT_BUTTON, table), *parts.buttons(Place.BOARD_BUTTON, table))
    proofs = parts.buttons(Place.PROOF_BUTTON, table)
    return with_buttons((_next_game_buttons(table),), *results, read_button(table), *news_button(table), *proofs)


def _next_game_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button for the next table of the series, and "Play again" unless a tournament goes on."""
    again = Button(_("Play again"), str(PlayAgainId(table.id)), discord.ButtonStyle.primary)
    sequel, tally = next_table_of(table), tally_of(table)
    if sequel is None:
        return (again,)
    label = _("Next game: {part} of {games}").format(part=sequel.link.part, games=tally.games if tally else 0)
    if sequel.link.kind is SeriesLinkKind.TIE_BREAK:
        label = _("Tie-break")
    following = Button(label, str(NextTableId(table.id)), discord.ButtonStyle.success)
    return (following,) if tally else (following, again)
