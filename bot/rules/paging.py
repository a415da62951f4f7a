"""Fits many controls on a screen: in rows of buttons, or in a menu with pages."""

from collections.abc import Sequence

from bot.rules.screen import MAX_MENU_LINES, MAX_ROW_WIDTH, Control, ControlRow, Draft, Toggle


def wrap_rows(controls: Sequence[Control], width: int = MAX_ROW_WIDTH) -> tuple[ControlRow, ...]:
    """Wrap controls into rows of a maximum width."""
    return tuple(tuple(controls[first : first + width]) for first in range(0, len(controls), width))


def page_of(
    controls: Sequence[Control], draft: Draft, tokens: Sequence[int], *, key: str, next_label: str, first_label: str
) -> tuple[Control, ...]:
    """Return the controls on the current page of a menu; with several pages, the last one turns the page.

    The page is a token of the draft, so it survives restarts.

    Args:
        controls: All choices.
        draft: The draft, which contains the token of the page.
        tokens: The tokens of the second page, the third and so on, which the game uses for nothing else. Choices
            beyond the last page are left out.
        key: The key of the control that turns the page.
        next_label: Its label, except on the last page.
        first_label: Its label on the last page, from which it leads to the first.
    """
    if len(controls) <= MAX_MENU_LINES:
        return tuple(controls)
    size = MAX_MENU_LINES - 1
    count = min(-(-len(controls) // size), len(tokens) + 1)
    page = next((at for at, token in enumerate(tokens, 1) if token in draft and at < count), 0)
    following = (page + 1) % count
    # The first page has no token: the control that leads there removes the token of the last page.
    token = tokens[following - 1] if following else tokens[page - 1]
    turn = Toggle(token, instead_of=frozenset(tokens) - {token})
    lines = tuple(controls[page * size : (page + 1) * size])
    return (*lines, Control(key, next_label if following else first_label, turn))
