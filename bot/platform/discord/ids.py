"""What all custom ids have in common."""

from dataclasses import dataclass
from typing import ClassVar

from bot.tables.model import TableId


@dataclass(frozen=True)
class CustomId:
    """A custom id: the prefix of its kind and its fields, joined by colons."""

    prefix: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, prefix: str = "") -> None:
        cls.prefix = prefix

    def __str__(self) -> str:
        return ":".join([self.prefix, *[str(getattr(self, name)) for name in self.__match_args__]])


@dataclass(frozen=True)
class TableButtonId(CustomId):
    """A button that names only a table."""

    table_id: TableId

    def __str__(self) -> str:
        return f"{self.prefix}:{self.table_id}"
