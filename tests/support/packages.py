"""The part of the contract about what a package says of its game: options and sentences."""

from collections.abc import Iterator
from enum import Enum
from random import Random
from typing import Any, get_args

from pydantic.fields import FieldInfo

from bot.rules.game import Options
from bot.rules.options import OptionWords, text_of, values_of, with_choice
from bot.rules.package import GamePackage
from bot.rules.refusals import Reason
from tests.support.contract import Check, demand


def check_options(package: GamePackage, options: Options) -> None:
    """Check that options are the same after a round trip through JSON, as they are kept."""
    again = package.game.info.options.model_validate_json(options.model_dump_json())
    demand(Check.OPTIONS, again == options, again, options)


def check_described(package: GamePackage) -> None:
    """Check that exactly the options that differ from their defaults are named."""
    model = package.game.info.options
    demand(Check.DESCRIBED, list(package.describe_options(model())) == [], "defaults")
    for name, values in choices(model).items():
        for value in values:
            options = model.model_validate({name: value})
            texts = package.describe_options(options)
            told = all(text.strip() for text in texts) and bool(texts) == (options != model())
            demand(Check.DESCRIBED, told, name, value)


def check_choices(package: GamePackage) -> None:
    """Check that every option can be chosen from a menu: it has words, and a few values that have names too."""
    usual = package.game.info.options()
    demand(Check.CHOICES, list(package.option_words) == list(type(usual).model_fields), list(package.option_words))
    for name, words in package.option_words.items():
        _check_words(name, words)
        values = values_of(usual, name)
        # A value of its own may have been typed, and a menu holds 25.
        demand(Check.CHOICES, 2 <= len(values) <= 24, name, values)
        for value in values:
            named = isinstance(value, int) or words.values.get(value, "").strip() != ""
            chosen = with_choice(usual, name, text_of(value))
            demand(Check.CHOICES, named and getattr(chosen, name) == value, name, value)


def _check_words(name: str, words: OptionWords) -> None:
    limits = {words.label: 40, words.description: 200} | dict.fromkeys(words.values.values(), 50)
    fits = all(0 < len(text.strip()) <= most for text, most in limits.items())
    demand(Check.CHOICES, fits and len(name) <= 32, name, words)


def check_sentences(package: GamePackage, home: str) -> None:
    """Check that every reason defined under a module's name has a sentence."""
    for kind in _kinds_of(Reason):
        if f"{kind.__module__}.".startswith(f"{home}."):
            for reason in kind:
                demand(Check.SENTENCES, package.sentences.get(reason, "").strip() != "", repr(reason))


def _kinds_of(base: type[Reason]) -> Iterator[type[Reason]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds_of(kind)


def choices(model: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Return values to try for each option: all of an enum, the bounds of a number, the default always."""
    return {name: _values(field) for name, field in model.model_fields.items()}


def _values(field: FieldInfo) -> tuple[Any, ...]:
    kind = field.annotation
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if literals := get_args(kind):
        return literals
    bounds = (getattr(mark, name, None) for mark in field.metadata for name in ("ge", "le"))
    return (field.default, *(bound for bound in bounds if bound is not None))


def mixed_options(model: type[Options], seed: int) -> Options:
    """Return a mix of options, the same for the same seed; seed 0 means the defaults."""
    random = Random(seed)
    chosen = {name: random.choice(values) for name, values in choices(model).items() if random.random() < 0.5}
    return model.model_validate(chosen if seed else {})
