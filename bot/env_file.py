"""Reads a file of settings: a line `NAME=value` for each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_SETTING: Final = re.compile(r"(?:export\s+)?(?P<name>[^\s=#'\"]+)\s*=\s*(?P<value>.*)", re.DOTALL)
_QUOTED: Final = re.compile(r"'(?P<plain>[^']*)'|\"(?P<escaped>(?:[^\"\\]|\\.)*)\"")
_AFTER_QUOTES: Final = re.compile(r"\s*(?:#.*)?")
_COMMENT: Final = re.compile(r"(?:^|\s+)#.*")
_ESCAPE: Final = re.compile(r"\\([\"\\$])")
_REFERENCE: Final = re.compile(r"\$\{(\w+)\}")


class UnusableEnvFile(Exception):
    """The file can't be used; `sentences` say why, and contain no values."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


@dataclass(frozen=True, slots=True)
class EnvFile:
    """What a file says."""

    values: Mapping[str, str] = field(default_factory=dict)
    """By names as they are written; of several values the last one counts."""
    lines: Mapping[str, list[int]] = field(default_factory=dict)
    """The lines that each name has."""


def read_env_file(file: Path, environment: Mapping[str, str]) -> EnvFile:
    """Read a file; one that does not exist is empty.

    A value may be in quotes, and have a comment after it. `${NAME}` stands for a value above it or in the environment,
    unless it is in single quotes.

    Raises:
        UnusableEnvFile: It can't be read, or lines of it are wrong.
    """
    values: dict[str, str] = {}
    lines: dict[str, list[int]] = {}
    faults: list[str] = []
    for number, line in enumerate(_read_text(file).splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            name, value = _parse_line(text, {**environment, **values})
        except ValueError as fault:
            faults.append(f"Line {number} of {file} {fault}.")
        else:
            values[name] = value
            lines.setdefault(name, []).append(number)
    if faults:
        raise UnusableEnvFile(*faults)
    return EnvFile(values, lines)


def _read_text(file: Path) -> str:
    try:
        # Some editors begin a file with a byte order mark.
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if file.is_symlink():
            raise UnusableEnvFile(f"{file} is a link to a file that does not exist.") from None
        return ""
    except IsADirectoryError:
        raise UnusableEnvFile(f"{file} is a folder, and should be a text file with the settings.") from None
    except PermissionError:
        raise UnusableEnvFile(
            f"The file {file} can't be read: give the user that runs this the permission to read it."
        ) from None
    except OSError as fault:
        raise UnusableEnvFile(f"The file {file} can't be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise UnusableEnvFile(f"The file {file} can't be read: save it as plain text in UTF-8.") from None


def _parse_line(text: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Return a name and its value.

    Raises:
        ValueError: The line is wrong; the message goes on after its number.
    """
    found = _SETTING.fullmatch(text)
    if found is None:
        raise ValueError("is no setting: it must look like NAME=value, or begin with # if it is a comment")
    value = found["value"]
    if value[:1] not in {"'", '"'}:
        return found["name"], _replace_references(_COMMENT.sub("", value), known)
    quoted = _QUOTED.match(value)
    if quoted is None:
        raise ValueError("has a quote that is not closed")
    if not _AFTER_QUOTES.fullmatch(value, quoted.end()):
        raise ValueError("goes on after the closing quote")
    if quoted["plain"] is not None:
        return found["name"], quoted["plain"]
    return found["name"], _ESCAPE.sub(r"\1", _replace_references(quoted["escaped"], known))


def _replace_references(value: str, known: Mapping[str, str]) -> str:
    def replace(reference: re.Match[str]) -> str:
        try:
            return known[reference[1]]
        except KeyError:
            raise ValueError(f"uses {reference[0]}, which is neither set above it nor in the environment") from None

    return _REFERENCE.sub(replace, value)
