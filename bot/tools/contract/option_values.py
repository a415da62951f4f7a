"""Values of options to try."""

from enum import Enum
from random import Random
from typing import Any, get_args

from pydantic.fields import FieldInfo

from bot.rules.game import Options
from bot.rules.options import bounds_of


def option_choices(model: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Return the values to try for an option: all of an enum, or the default and bounds of a number."""
    return {name: _values(field) for name, field in model.model_fields.items()}


def _values(field: FieldInfo) -> tuple[Any, ...]:
    kind = field.annotation
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if literals := get_args(kind):
        return literals
    return (field.default, *(bound for bound in bounds_of(field) if bound is not None))


def make_mixed_options(model: type[Options], seed: int) -> Options:
    """Return random options for a seed; seed 0 means the defaults."""
    random = Random(seed)
    chosen = {name: random.choice(values) for name, values in option_choices(model).items() if random.random() < 0.5}
    return model.model_validate(chosen if seed else {})
