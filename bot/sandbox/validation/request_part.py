"""Checks the values of a request and collects the errors in Discord's format."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.wire import Json

JsonPath: TypeAlias = tuple[str | int, ...]

MAX_SNOWFLAKE = (1 << 63) - 1
_DIGITS = re.compile("[0-9]+")
_ID_DIGITS = 19
_ADDRESS = re.compile(r"[a-z]+://[^\s/?#]+\S*")


@dataclass(slots=True)
class RequestPart:
    """A value in a request. Each check adds an error or returns True if the value is valid."""

    value: Any
    path: JsonPath = ()
    errors: Json = field(default_factory=dict)
    """The errors of the whole request."""

    def __getitem__(self, name: str) -> "RequestPart":
        """Return a field of an object, whose value is None if it is missing."""
        return RequestPart(self.value.get(name), (*self.path, name), self.errors)

    def __iter__(self) -> "Iterator[RequestPart]":
        """Yield the items of a list, which may be missing."""
        for number, item in enumerate(self.value or ()):
            yield RequestPart(item, (*self.path, number), self.errors)

    def add(self, code: str, message: str) -> bool:
        """Add an error; return False, the result of a check that finds one."""
        branch = self.errors
        for step in self.path:
            branch = branch.setdefault(str(step), {})
        branch.setdefault("_errors", []).append({"code": code, "message": message})
        return False

    def add_missing(self) -> bool:
        """Add the error for a missing field."""
        return self.add("BASE_TYPE_REQUIRED", "This field is required")

    def raise_if_any(self) -> None:
        """Raise ApiError if the request has errors."""
        if self.errors:
            raise api_error(ErrorCode.INVALID_FORM, self.errors)

    def check_text(self, maximum: int, *, minimum: int = 0, required: bool = False) -> bool:
        """Check a text and its length; it may be missing unless `required`."""
        if self.value is None or (required and isinstance(self.value, str) and not self.value.strip()):
            return not required or self.add_missing()
        return self._check_type(str, "a text") and self._check_length(maximum, minimum)

    def check_objects(self, maximum: int, *, minimum: int = 0) -> bool:
        """Check a list of objects and its length. A missing list counts as empty."""
        if self.value is None:
            return minimum == 0 or self._add_bad_length(maximum, minimum)
        if not self._check_type(list, "a list"):
            return False
        invalid = [item for item in self if not item.check_object()]
        return self._check_length(maximum, minimum) and not invalid

    def check_list(self, maximum: int, *, minimum: int = 0) -> bool:
        """Check a list and its length; it may be missing."""
        return self.value is None or (self._check_type(list, "a list") and self._check_length(maximum, minimum))

    def check_distinct(self) -> None:
        """Check that the values of a list are distinct; it may be missing."""
        seen = set[str]()
        for item in self:
            if str(item.value) in seen:
                item.add("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value.")
            seen.add(str(item.value))

    def check_distinct_choices(self, allowed: Collection[int], *, minimum: int = 0) -> None:
        """Check a list of distinct choices, if given."""
        if self.check_list(len(allowed), minimum=minimum):
            known = [item.check_one_of(allowed) for item in self]
            if all(known):
                self.check_distinct()

    def check_object(self) -> bool:
        """Check that a value is an object."""
        return self._check_type(dict, "an object")

    def check_integer(self, minimum: int, maximum: int) -> bool:
        """Check an integer and its bounds; it may be missing."""
        if self.value is None:
            return True
        return self._check_type(int, "a whole number") and self._check_bounds(minimum, maximum)

    def check_number(self) -> bool:
        """Check that a value is a number."""
        return self._check_type((int, float), "a number")

    def check_boolean(self) -> bool:
        """Check that a value is a boolean; it may be missing."""
        is_valid = self.value is None or isinstance(self.value, bool)
        return is_valid or self.add("BASE_TYPE_BAD_TYPE", "Must be yes or no.")

    def check_one_of(self, allowed: Collection[int | str]) -> bool:
        """Check that a number or a text is one of those allowed, and return whether it is."""
        if isinstance(self.value, int | str) and not isinstance(self.value, bool) and self.value in allowed:
            return True
        names: list[Any] = [each if isinstance(each, str) else int(each) for each in allowed]
        return self.add("BASE_TYPE_CHOICES", f"Value must be one of ({', '.join(map(repr, sorted(names)))}).")

    def check_snowflake(self) -> bool:
        """Check that a value is an id, as text or number."""
        value = self.value
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not _DIGITS.fullmatch(text):
            return self.add("NUMBER_TYPE_COERCE", "Value is no id.")
        # The length is checked first: Python refuses to parse very long numbers.
        is_valid = len(text.lstrip("0")) <= _ID_DIGITS and int(text) <= MAX_SNOWFLAKE
        return is_valid or self.add("NUMBER_TYPE_MAX", f"Value should be at most {MAX_SNOWFLAKE}.")

    def check_url(self, schemes: Collection[str], maximum: int, *, required: bool = False) -> bool:
        """Check an absolute URL with one of the schemes; it may be missing or empty unless `required`."""
        is_text = self.check_text(maximum, required=required)
        if not is_text or not self.value:
            return is_text
        scheme, colon, _ = self.value.partition(":")
        if colon and scheme not in schemes:
            names = ", ".join(repr(each) for each in schemes)
            return self.add("URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} must be one of ({names}).")
        is_valid = _ADDRESS.fullmatch(self.value) is not None
        return is_valid or self.add("URL_TYPE_INVALID_URL", "Not a well formed URL.")

    def _check_length(self, maximum: int, minimum: int) -> bool:
        return minimum <= len(self.value) <= maximum or self._add_bad_length(maximum, minimum)

    def _add_bad_length(self, maximum: int, minimum: int) -> bool:
        if minimum:
            return self.add("BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")
        return self.add("BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")

    def _check_bounds(self, minimum: int, maximum: int) -> bool:
        if self.value < minimum:
            return self.add("NUMBER_TYPE_MIN", f"Value should be at least {minimum}.")
        return self.value <= maximum or self.add("NUMBER_TYPE_MAX", f"Value should be at most {maximum}.")

    def _check_type(self, kind: "type | tuple[type, ...]", name: str) -> bool:
        is_valid = isinstance(self.value, kind) and not isinstance(self.value, bool)
        return is_valid or self.add("BASE_TYPE_BAD_TYPE", f"Must be {name}.")
