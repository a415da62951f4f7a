"""Collects what is wrong with a request, and where, in the shape Discord answers with."""

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
    """The faults of one request. Each check notes a fault, and tells whether the value can be used."""

    def __init__(self, root: JsonPath = ()) -> None:
        self._root = root
        self._tree: Json = {}

    def add(self, place: JsonPath, code: str, message: str) -> None:
        """Note a fault."""
        branch = self._tree
        for step in (*self._root, *place):
            branch = branch.setdefault(str(step), {})
        branch.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_if_any(self) -> None:
        """Refuse the request if anything is wrong with it."""
        if self._tree:
            raise api_error(ErrorCode.INVALID_FORM, self._tree)

    @property
    def has_any(self) -> bool:
        """Whether anything is wrong."""
        return bool(self._tree)

    def check_text(self, place: JsonPath, value: Any, most: int, *, least: int = 0, required: bool = False) -> bool:
        """Check a text and its length; without `required` it may be absent."""
        if value is None or (required and isinstance(value, str) and not value.strip()):
            return not required or self.add_missing(place)
        return self._check_type(place, value, str, "a text") and self._check_length(place, len(value), most, least)

    def check_objects(self, place: JsonPath, value: Any, most: int, *, least: int = 0) -> bool:
        """Check a list of objects and its length; it may be absent."""
        if value is None:
            return True
        if not self._check_type(place, value, list, "a list"):
            return False
        wrong = [n for n, each in enumerate(value) if not self.check_object((*place, n), each)]
        return self._check_length(place, len(value), most, least) and not wrong

    def check_list(self, place: JsonPath, value: Any, most: int, *, least: int = 0) -> bool:
        """Check a list and its length; it may be absent."""
        if value is None:
            return True
        return self._check_type(place, value, list, "a list") and self._check_length(place, len(value), most, least)

    def check_distinct(self, place: JsonPath, values: Collection[Any] | None) -> None:
        """Note the values that stand once more in a list, which may be absent."""
        seen = set[str]()
        for number, value in enumerate(values or ()):
            if str(value) in seen:
                self.add((*place, number), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value.")
            seen.add(str(value))

    def check_object(self, place: JsonPath, value: Any) -> bool:
        """Check that a value is an object."""
        return self._check_type(place, value, dict, "an object")

    def check_integer(self, place: JsonPath, value: Any, least: int, most: int) -> bool:
        """Check a whole number and its bounds; it may be absent."""
        if value is None:
            return True
        return self._check_type(place, value, int, "a whole number") and self._check_bounds(place, value, least, most)

    def check_number(self, place: JsonPath, value: Any) -> bool:
        """Check that a value is a number."""
        return self._check_type(place, value, (int, float), "a number")

    def check_boolean(self, place: JsonPath, value: Any) -> bool:
        """Check that a value is yes or no; it may be absent."""
        fits = value is None or isinstance(value, bool)
        if not fits:
            self.add(place, "BASE_TYPE_BAD_TYPE", "Must be yes or no.")
        return fits

    def check_one_of(self, place: JsonPath, value: Any, allowed: Collection[int]) -> bool:
        """Check that a value is one of those allowed."""
        fits = isinstance(value, int) and not isinstance(value, bool) and value in allowed
        if not fits:
            names = ", ".join(str(int(each)) for each in sorted(allowed))
            self.add(place, "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")
        return fits

    def check_snowflake(self, place: JsonPath, value: Any) -> bool:
        """Check that a value is an id, written as text or as a number."""
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not _DIGITS.fullmatch(text):
            self.add(place, "NUMBER_TYPE_COERCE", "Value is no id.")
            return False
        # How long it is comes first: endless digits are not even read as a number.
        fits = len(text.lstrip("0")) <= _ID_DIGITS and int(text) <= MAX_SNOWFLAKE
        if not fits:
            self.add(place, "NUMBER_TYPE_MAX", f"Value should be at most {MAX_SNOWFLAKE}.")
        return fits

    def check_url(self, place: JsonPath, value: str, schemes: Collection[str]) -> bool:
        """Check that a text is a whole address of one of these kinds."""
        scheme, colon, _ = value.partition(":")
        if colon and scheme not in schemes:
            names = ", ".join(repr(each) for each in schemes)
            self.add(place, "URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} must be one of ({names}).")
            return False
        fits = _ADDRESS.fullmatch(value) is not None
        if not fits:
            self.add(place, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
        return fits

    def add_missing(self, place: JsonPath) -> bool:
        """Note that something is missing."""
        self.add(place, "BASE_TYPE_REQUIRED", "This field is required")
        return False

    def _check_length(self, place: JsonPath, length: int, most: int, least: int) -> bool:
        fits = least <= length <= most
        if not fits and least:
            self.add(place, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        elif not fits:
            self.add(place, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        return fits

    def _check_bounds(self, place: JsonPath, value: int, least: int, most: int) -> bool:
        if value < least:
            self.add(place, "NUMBER_TYPE_MIN", f"Value should be at least {least}.")
        if value > most:
            self.add(place, "NUMBER_TYPE_MAX", f"Value should be at most {most}.")
        return least <= value <= most

    def _check_type(self, place: JsonPath, value: Any, kind: "type | tuple[type, ...]", name: str) -> bool:
        right = isinstance(value, kind) and not isinstance(value, bool)
        if not right:
            self.add(place, "BASE_TYPE_BAD_TYPE", f"Must be {name}.")
        return right


def enumerate_paths(place: JsonPath, items: list[Json] | None) -> Iterator[tuple[JsonPath, Json]]:
    """Walk over the items of a list together with their places."""
    for number, item in enumerate(items or ()):
        yield (*place, number), item
