"""Finds where in Discord the texts of the code are shown, and so how long their translations may be."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

Key = tuple[str | None, str]
"""The context of a text, and the text."""


class Place(NamedTuple):
    """A place of texts in Discord."""

    name: str
    most: int
    """The most letters there."""
    is_button: bool = False
    is_tip: bool = False


_BUTTON: Final = Place("button", 80, is_button=True)
_DESCRIPTION: Final = Place("description of a command or an option", 100)
_LINE: Final = Place("line of a menu", 100)
_MENU: Final = Place("placeholder of a menu", 150)
_TITLE: Final = Place("title", 256)
_TIP: Final = Place("tip", 4096, is_tip=True)

PLACES: Final[Mapping[tuple[str, int | str | None], Place]] = {
    ("Button", 0): _BUTTON,
    ("_button", 0): _BUTTON,
    ("_confirmation_view", 0): _BUTTON,
    ("_read_only_button", 1): _BUTTON,
    ("_set_up_button", 0): _BUTTON,
    ("challenge_button", 0): _BUTTON,
    ("tournament_button", 1): _BUTTON,
    ("command", "description"): _DESCRIPTION,
    ("describe", None): _DESCRIPTION,
    ("SelectOption", 0): _LINE,
    ("SelectOption", 2): _LINE,
    ("SelectOption", "description"): _LINE,
    ("Guide", "summary"): _LINE,
    ("Setting", 2): _LINE,
    ("Choice", "name"): _LINE,
    ("SelectMenu", 0): _MENU,
    ("Embed", "title"): _TITLE,
    ("add_field", "name"): _TITLE,
    ("Field", 0): _TITLE,
    ("Tip", 1): _TIP,
}
"""The calls that put texts into Discord, each with the place or name of its argument; None means any."""

_MARKERS: Final = {"_": 0, "N_": 0, "gettext": 0, "pgettext": 1, "NC_": 1}
"""The functions that mark texts, with the place of the text; a context stands before it."""


def find_places(root: Path, folders: tuple[str, ...]) -> dict[Key, Place]:
    """Return the place of each text that is handed to a call in `PLACES`; of several places, the smallest."""
    found = dict[Key, Place]()
    for folder in folders:
        for file in sorted((root / folder).rglob("*.py")):
            for key, place in _find_in(ast.parse(file.read_text(encoding="utf-8"))):
                found[key] = min(found.get(key, place), place, key=lambda each: each.most)
    return found


def _find_in(tree: ast.Module) -> Iterator[tuple[Key, Place]]:
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        arguments = [*enumerate(call.args), *((each.arg, each.value) for each in call.keywords)]
        for name, argument in arguments:
            place = PLACES.get((_name_of(call), name)) or PLACES.get((_name_of(call), None))
            if place is not None:
                yield from ((key, place) for key in _texts_in(argument))


def _texts_in(argument: ast.expr) -> Iterator[Key]:
    """Yield the text of an argument, or both of a conditional one; values may be put into it."""
    if isinstance(argument, ast.IfExp):
        yield from (*_texts_in(argument.body), *_texts_in(argument.orelse))
    elif isinstance(argument, ast.Call) and _name_of(argument) == "format" and isinstance(argument.func, ast.Attribute):
        yield from _texts_in(argument.func.value)
    elif isinstance(argument, ast.Call) and _name_of(argument) in _MARKERS:
        texts = [each.value for each in argument.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if len(texts) > _MARKERS[_name_of(argument)]:
            yield (texts[0] if len(texts) > 1 else None), texts[-1]


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
