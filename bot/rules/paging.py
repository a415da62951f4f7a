"""Screens with more choices than there is room for: rows of buttons, and menus shown a page at a time."""

from collections.abc import Sequence

from bot.rules.screen import MAX_MENU_LINES, MAX_ROW_WIDTH, Control, ControlRow, Draft, Toggle


def wrap_rows(controls: Sequence[Control], width: int = MAX_ROW_WIDTH) -> tuple[ControlRow, ...]:
    """Break controls into rows of at most so many."""
    return tuple(tuple(controls[first : first + width]) for first in range(0, len(controls), width))


def page_of(
    controls: Sequence[Control], draft: Draft, tokens: Sequence[int], *, key: str, next_label: str, first_label: str
) -> tuple[Control, ...]:
    """Return the lines of a menu's page; where there are several, the last line leads to the next page or the first.

    Which page is shown stands in the draft, so that it survives restarts and needs no memory.

    Args:
        controls: All choices.
        draft: What has been picked so far.
        tokens: The draft's tokens for the second page, the third and so on, which the game uses for nothing else.
            Choices that find no page of theirs are left out.
        key: The key of the last line.
        next_label: What the last line says, except on the last page.
        first_label: What it says there.
    """
    if len(controls) <= MAX_MENU_LINES:
        return tuple(controls)
    size = MAX_MENU_LINES - 1
    count = min(-(-len(controls) // size), len(tokens) + 1)
    page = next((at for at, token in enumerate(tokens, 1) if token in draft and at < count), 0)
    following = (page + 1) % count
    # The first page is the one without a token: the line that leads there takes the page's own token out.
    token = tokens[following - 1] if following else tokens[page - 1]
    turn = Toggle(token, instead_of=frozenset(tokens) - {token})
    lines = tuple(controls[page * size : (page + 1) * size])
    return (*lines, Control(key, next_label if following else first_label, turn))
