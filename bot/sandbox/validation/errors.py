"""Collects validation errors of a request in Discord's format."""

import re
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.wire import Json

JsonPath: TypeAlias = tuple[str | int, ...]

MAX_SNOWFLAKE = (1 << 63) - 1
_DIGITS = re.compile("[0-9]+")
_ID_DIGITS = 19
_ADDRESS = re.compile(r"[a-z]+://[^\s/?#]+\S*")


class ValidationErrors:
    """The errors of a request. Each check adds an error or returns True if the value is valid."""

    def __init__(self, root: JsonPath = ()) -> None:
        self._root = root
        self._tree: Json = {}

    def add(self, path: JsonPath, code: str, message: str) -> bool:
        """Add an error; return False, the result of a check that finds one."""
        branch = self._tree
        for step in (*self._root, *path):
            branch = branch.setdefault(str(step), {})
        branch.setdefault("_errors", []).append({"code": code, "message": message})
        return False

    def raise_if_any(self) -> None:
        """Raise ApiError if there are errors."""
        if self._tree:
            raise api_error(ErrorCode.INVALID_FORM, self._tree)

    @property
    def has_any(self) -> bool:
        """Whether there are errors."""
        return bool(self._tree)

    def check_text(self, path: JsonPath, value: Any, maximum: int, *, minimum: int = 0, required: bool = False) -> bool:
        """Check a text and its length; it may be missing unless `required`."""
        if value is None or (required and isinstance(value, str) and not value.strip()):
            return not required or self.add_missing(path)
        return self._check_type(path, value, str, "a text") and self._check_length(path, len(value), maximum, minimum)

    def check_objects(self, path: JsonPath, value: Any, maximum: int, *, minimum: int = 0) -> bool:
        """Check a list of objects and its length; it may be missing."""
        if value is None:
            return True
        if not self._check_type(path, value, list, "a list"):
            return False
        invalid = [n for n, each in enumerate(value) if not self.check_object((*path, n), each)]
        return self._check_length(path, len(value), maximum, minimum) and not invalid

    def check_list(self, path: JsonPath, value: Any, maximum: int, *, minimum: int = 0) -> bool:
        """Check a list and its length; it may be missing."""
        if value is None:
            return True
        return self._check_type(path, value, list, "a list") and self._check_length(path, len(value), maximum, minimum)

    def check_distinct(self, path: JsonPath, values: Collection[Any] | None) -> None:
        """Check that the values of a list are distinct; it may be missing."""
        seen = set[str]()
        for number, value in enumerate(values or ()):
            if str(value) in seen:
                self.add((*path, number), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value.")
            seen.add(str(value))

    def check_distinct_choices(
        self, path: JsonPath, values: Any, allowed: Collection[int], *, minimum: int = 0
    ) -> None:
        """Check a list of distinct choices, if given."""
        if self.check_list(path, values, len(allowed), minimum=minimum):
            known = [self.check_one_of((*path, number), each, allowed) for number, each in enumerate(values or ())]
            if all(known):
                self.check_distinct(path, values)

    def check_object(self, path: JsonPath, value: Any) -> bool:
        """Check that a value is an object."""
        return self._check_type(path, value, dict, "an object")

    def check_integer(self, path: JsonPath, value: Any, minimum: int, maximum: int) -> bool:
        """Check an integer and its bounds; it may be missing."""
        if value is None:
            return True
        return self._check_type(path, value, int, "a whole number") and self._check_bounds(
            path, value, minimum, maximum
        )

    def check_number(self, path: JsonPath, value: Any) -> bool:
        """Check that a value is a number."""
        return self._check_type(path, value, (int, float), "a number")

    def check_boolean(self, path: JsonPath, value: Any) -> bool:
        """Check that a value is a boolean; it may be missing."""
        is_valid = value is None or isinstance(value, bool)
        return is_valid or self.add(path, "BASE_TYPE_BAD_TYPE", "Must be yes or no.")

    def check_one_of(self, path: JsonPath, value: Any, allowed: Collection[int | str]) -> bool:
        """Check that a number or a text is one of those allowed, and return whether it is."""
        if isinstance(value, int | str) and not isinstance(value, bool) and value in allowed:
            return True
        names: list[Any] = [each if isinstance(each, str) else int(each) for each in allowed]
        return self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of ({', '.join(map(repr, sorted(names)))}).")

    def check_snowflake(self, path: JsonPath, value: Any) -> bool:
        """Check that a value is an id, as text or number."""
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not _DIGITS.fullmatch(text):
            return self.add(path, "NUMBER_TYPE_COERCE", "Value is no id.")
        # The length is checked first: Python refuses to parse very long numbers.
        is_valid = len(text.lstrip("0")) <= _ID_DIGITS and int(text) <= MAX_SNOWFLAKE
        return is_valid or self.add(path, "NUMBER_TYPE_MAX", f"Value should be at most {MAX_SNOWFLAKE}.")

    def check_url(self, path: JsonPath, value: str, schemes: Collection[str]) -> bool:
        """Check that a text is an absolute URL with one of the schemes."""
        scheme, colon, _ = value.partition(":")
        if colon and scheme not in schemes:
            names = ", ".join(repr(each) for each in schemes)
            return self.add(path, "URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} must be one of ({names}).")
        is_valid = _ADDRESS.fullmatch(value) is not None
        return is_valid or self.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")

    def add_missing(self, path: JsonPath) -> bool:
        """Add the error for a missing field."""
        return self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def _check_length(self, path: JsonPath, length: int, maximum: int, minimum: int) -> bool:
        if minimum <= length <= maximum:
            return True
        if minimum:
            return self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")
        return self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")

    def _check_bounds(self, path: JsonPath, value: int, minimum: int, maximum: int) -> bool:
        if value < minimum:
            return self.add(path, "NUMBER_TYPE_MIN", f"Value should be at least {minimum}.")
        return value <= maximum or self.add(path, "NUMBER_TYPE_MAX", f"Value should be at most {maximum}.")

    def _check_type(self, path: JsonPath, value: Any, kind: "type | tuple[type, ...]", name: str) -> bool:
        is_valid = isinstance(value, kind) and not isinstance(value, bool)
        return is_valid or self.add(path, "BASE_TYPE_BAD_TYPE", f"Must be {name}.")


def enumerate_paths(path: JsonPath, items: list[Json] | None) -> Iterator[tuple[JsonPath, Json]]:
    """Yield the items of a list with their paths."""
    for number, item in enumerate(items or ()):
        yield (*path, number), item
