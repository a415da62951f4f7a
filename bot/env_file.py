"""Reads a file of settings: a line `NAME=value` for each."""

import io
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile

from dotenv.parser import parse_stream
from dotenv.variables import Variable, parse_variables


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


def read_env_file(file: Path, environment: Mapping[str, str], settings: Collection[str]) -> EnvFile:
    """Read a file; one that does not exist is empty.

    `${NAME}` stands for a value above it or in the environment. Besides the settings, whose names are lower-case, it
    may hold what other programs need: nothing, or several lines.

    Raises:
        UnusableEnvFile: It can't be read, or lines of it are wrong.
    """
    values: dict[str, str] = {}
    lines: dict[str, list[int]] = {}
    faults: list[str] = []
    for binding in parse_stream(io.StringIO(_read_text(file))):
        name, value, text = binding.key, binding.value, binding.original.string
        if name is None and not binding.error:
            # A comment, or nothing.
            continue
        # Empty lines above belong to it.
        line = binding.original.line + text.count("\n", 0, len(text) - len(text.lstrip()))
        is_setting = name is not None and name.lower() in settings
        if name is None or value is None or (is_setting and "\n" in text.strip()):
            faults.append(f"Line {line} of {file} can't be read: it must look like NAME=value, with quotes closed.")
            continue
        values[name], unset = _replace_references(value, {**environment, **values})
        lines.setdefault(name, []).append(line)
        if unset and is_setting:
            missing = f"{', '.join(unset)}, which must be set above it or in the environment"
            faults.append(f"Line {line} of {file} uses {missing}.")
    if faults:
        raise UnusableEnvFile(*faults)
    return EnvFile(values, lines)


def write_setting(file: Path, name: str, value: str) -> None:
    """Set a value in a file, which only its owner may read from then on; all other lines stay.

    Raises:
        UnusableEnvFile: The file can't be read.
        OSError: It can't be written.
    """
    target = Path(os.path.realpath(file))
    if target.exists() and not target.is_file():
        raise UnusableEnvFile(f"{file} is not a file, and should be a text file with the settings.")
    new, lines = f"{name}={value}\n", list[str]()
    for binding in parse_stream(io.StringIO(_read_text(file))):
        text = binding.original.string
        if binding.key is not None and binding.key.upper() == name:
            # Empty lines above belong to it; of several values the first is replaced.
            text, new = text[: len(text) - len(text.lstrip())] + new, ""
        lines.append(text)
    if new and lines and not lines[-1].endswith("\n"):
        lines.append("\n")
    # A new file takes the place of the old one, so that nothing is lost if the process is killed.
    with NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, prefix=".env-", delete=False) as written:
        written.writelines((*lines, new))
    Path(written.name).replace(target)


def _replace_references(value: str, known: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return a value with its references replaced, and the references that are not set."""
    parts = [*parse_variables(value)]
    variables = [part for part in parts if isinstance(part, Variable)]
    unset = [f"${{{each.name}}}" for each in variables if each.default is None and each.name not in known]
    return "".join(part.resolve(known) for part in parts), unset


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
