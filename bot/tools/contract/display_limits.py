"""Checks screens against Discord's limits, and the custom ids of their controls."""

from collections.abc import Iterator

from bot.rules.screen import (
    KEY_PATTERN,
    MAX_MENU_LINES,
    MAX_ROW_WIDTH,
    MAX_ROWS,
    MAX_TOKENS,
    Draft,
    Field,
    Menu,
    Screen,
    Toggle,
    Tone,
)
from bot.tools.contract.contract import Check, require

# As long as a name can be: Discord allows 32 characters, and each of them may have to be escaped.
NAMES = tuple(f"\\{sign}" * 32 for sign in "*_~|`>")
RANKING = 700
"""What the host adds to a screen: a field about resignations."""

STRANGE_DRAFT: Draft = frozenset({0, 98, 99})


def check_limits(screen: Screen, draft: Draft) -> None:
    """Check that a screen keeps the limits, and that its controls have unique keys that fit into ids."""
    require(Check.LIMITS, not (over := tuple(find_excess(screen))), over, screen)
    for menu in screen.menus:
        require(Check.KEYS, [each.key for each in screen.menus].count(menu.key) == 1, menu)
        require(Check.IDS, is_fit_for_id(menu.key, draft), menu)
    for control in screen.iter_controls():
        require(Check.KEYS, control.key != "" and screen.find_control(control.key) is control, control)
        after = control.effect.apply(draft - {control.effect.token}) if isinstance(control.effect, Toggle) else draft
        require(Check.IDS, is_fit_for_id(control.key, after), control, sorted(after))


def is_fit_for_id(key: str, draft: Draft) -> bool:
    """Return whether a key and a draft fit into a custom id; the strange draft is ignored."""
    return bool(KEY_PATTERN.fullmatch(key)) and all(0 <= token < MAX_TOKENS for token in draft - STRANGE_DRAFT)


def find_excess(screen: Screen) -> Iterator[str]:
    """Return why Discord would reject a screen as an embed with buttons, or None."""
    yield from _find_text_excess("title", screen.title, 256)
    yield from _find_text_excess("text", screen.text, 4096)
    if screen.summary:
        yield from _find_text_excess("summary", screen.summary, 4096)
    for field in screen.fields:
        yield from find_field_excess(field)
    if len(screen.note) > 2048:
        yield "note"
    texts = (
        screen.title,
        screen.text,
        screen.note,
        *(text for f in screen.fields for text in (f.title, f.text)),
    )
    if sum(map(len, texts)) > 6000 - RANKING:
        yield "texts together"
    if len(screen.fields) > 25 - 1:
        yield "fields"
    if len(screen.menus) + len(screen.controls) > MAX_ROWS or not all(
        1 <= len(row) <= MAX_ROW_WIDTH for row in screen.controls
    ):
        yield "rows of controls"
    for row in screen.controls:
        for control in row:
            yield from _find_text_excess("label", control.label, 80)
    for menu in screen.menus:
        yield from _find_menu_excess(menu)


def _find_menu_excess(menu: Menu) -> Iterator[str]:
    yield from _find_text_excess("menu", menu.label, 150)
    if not 1 <= len(menu.controls) <= MAX_MENU_LINES:
        yield "lines of a menu"
    if sum(control.tone is Tone.CHOSEN for control in menu.controls) > 1:
        yield "chosen lines of a menu"
    for control in menu.controls:
        yield from _find_text_excess("line", control.label, 100)
        if len(control.description) > 100:
            yield "description"


def find_field_excess(field: Field) -> Iterator[str]:
    """Return why Discord would reject a field, or None."""
    yield from _find_text_excess("field title", field.title, 256)
    yield from _find_text_excess("field text", field.text, 1024)


def _find_text_excess(what: str, text: str, longest: int) -> Iterator[str]:
    if not text.strip() or len(text) > longest:
        yield what
