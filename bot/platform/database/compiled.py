"""Statements compiled once: for all engines of a process, or to be run by a driver without SQLAlchemy."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Dialect, Insert, Update
from sqlalchemy.engine.interfaces import CompiledCacheType
from sqlalchemy.exc import StatementError

from bot.tables import rows

MAX_COMPILED: Final = 2000
"""There are about six hundred statements."""


class _Compiled(dict[Any, Any]):
    """Is emptied once it is full: dropping single statements would need a lock for the threads that share it."""

    def __setitem__(self, key: Any, compiled: Any) -> None:
        if len(self) >= MAX_COMPILED:
            self.clear()
        super().__setitem__(key, compiled)


COMPILED: Final[CompiledCacheType] = _Compiled()
"""What engines with equal dialects have compiled, for the execution option `compiled_cache`."""


class EqualDialect(Dialect):
    """Makes a dialect equal to every other of its class for the same version of the database."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.server_version_info == other.server_version_info

    def __hash__(self) -> int:
        # The version is only known after connecting.
        return hash(type(self))


class CompiledStatement(NamedTuple):
    """The text of a statement, and its parameters in order."""

    text: str
    parameters: Sequence[tuple[str, Callable[[Any], Any] | None]]
    """The name of each value, and what converts it for the driver."""

    def bind(self, values: rows.Values) -> list[Any]:
        """Return the parameters for the driver.

        Raises:
            StatementError: A value has the wrong type.
        """
        try:
            return [values[name] if convert is None else convert(values[name]) for name, convert in self.parameters]
        except Exception as error:
            raise StatementError(str(error), self.text, None, error) from error


# 0.3 ms of a move; there are few statements, each with a few sets of columns.
@lru_cache(maxsize=256)
def compile_statement(statement: Insert | Update, names: tuple[str, ...], dialect: Dialect) -> CompiledStatement:
    """Compile a statement for a dialect with positional parameters.

    Args:
        statement: The statement.
        names: The columns that it writes, unless it names them.
        dialect: The dialect.
    """
    compiled = statement.compile(dialect=dialect, column_keys=list(names))
    types = {name: parameter.type.dialect_impl(dialect) for name, parameter in compiled.binds.items()}
    order = compiled.positiontup or ()
    return CompiledStatement(str(compiled), [(name, types[name].bind_processor(dialect)) for name in order])
