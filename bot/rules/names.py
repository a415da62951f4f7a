"""Names in the sentences of pictures."""

import re
from typing import Final

NAME_START, NAME_END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"

_NAME: Final = re.compile(f"{NAME_START}([^{NAME_END}]*){NAME_END}")


def isolate_name(name: str) -> str:
    """Return a name for a sentence in a label: its direction does not change that of the sentence."""
    return name if name.startswith(NAME_START) else f"{NAME_START}{name}{NAME_END}"


def split_names(text: str) -> list[str]:
    """Return the parts of a sentence: every second one is an isolated name."""
    return _NAME.split(text)
