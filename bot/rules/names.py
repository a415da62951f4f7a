"""Names in the sentences of pictures."""

NAME_START, NAME_END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolate_name(name: str) -> str:
    """Return a name for a sentence in a label: its direction does not change that of the sentence."""
    return name if name.startswith(NAME_START) else f"{NAME_START}{name}{NAME_END}"
