"""Options of the toy game, each with a fault."""

from pydantic import Field as Option, create_model

from tests.rules.heap_game import HeapOptions, Stone


class AnyStones(HeapOptions):
    stones: int = Option(default=6, ge=3, le=12, title="Stones", description="So many lie there at first.")


class UntitledOption(HeapOptions):
    losing: bool = Option(default=False, description="The most stones lose.")


class BlankDescription(HeapOptions):
    losing: bool = Option(default=False, title="Losing", description=" ")


class LongDescription(HeapOptions):
    losing: bool = Option(default=False, title="Losing", description="x" * 101)


TooManyOptions = create_model(
    "TooManyOptions",
    __base__=HeapOptions,
    **{f"option_{n}": (bool, Option(default=False, title="Option", description="x" * 100)) for n in range(9)},
)  # type: ignore[call-overload]
"""More text than fits into a field of the guide."""


class LongName(HeapOptions):
    a_name_that_no_command_could_have: bool = Option(default=False, title="Long", description="Too long.")


class ReservedName(HeapOptions):
    computers: bool = Option(default=False, title="Computers", description="Only computers play.")


class UnnamedValues(HeapOptions):
    kind: Stone = Option(default=Stone.PEBBLE, title="Kind", description="Of stone.")
