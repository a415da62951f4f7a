"""`record`: shows and checks records of tables."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from bot.commands.console import fail, load_whole_games

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.features.fairness.records import DrawnNumber, PortableRecord, SeatRecord
    from bot.rules.refusals import Refusal

app = typer.Typer(no_args_is_help=True)

_LEAST_DIGITS = 8

RecordFile = Annotated[Path, typer.Argument(help="A record, as `/table verify` attaches it.")]


Commitment = Annotated[
    str | None,
    typer.Option(help="What was shown before the game, or at least its first 8 digits: the record must have it."),
]


@app.callback()
def record() -> None:
    """Read and check records of tables."""


@app.command()
def show(file: RecordFile) -> None:
    """Print a record move by move, unchecked; `record verify` checks it."""
    shown = _read(file)
    for line in _lines(shown):
        typer.echo(_sanitize(line))


@app.command()
def verify(file: RecordFile, commitment: Commitment = None) -> None:
    """Check a record; exits with status 1 and the first problem if it is false."""
    from bot.features.fairness.verification import verify_record
    from bot.rules.refusals import Refusal

    shown = _read(file)
    try:
        verdict = verify_record(shown, load_whole_games())
    except Refusal as flaw:
        _fail(flaw)
    noted = None if commitment is None else commitment.strip().lower()
    if noted is not None and (len(noted) < _LEAST_DIGITS or not shown.commitment.startswith(noted)):
        fail(f"The record was promised as {shown.commitment}, not as the commitment that you noted.")
    typer.echo(
        f"The record holds: the seed is the one promised, and {verdict.numbers} numbers "
        f"and {verdict.moves} positions follow from it."
    )
    if verdict.edition is not None:
        from bot.platform.places import name_of_day

        day = name_of_day(verdict.edition.day)
        typer.echo(f"It is the {verdict.edition.cadence} challenge of {day}, whose dice are the same for everyone.")
        if commitment is None:
            typer.echo(
                f"Compare {shown.commitment} with what /daily showed before that day, or give that as --commitment."
            )
    if verdict.control_entries:
        typer.echo(
            f"{verdict.control_entries} of the steps are about seats, and could be made there. "
            "A record does not contain how long players had been silent before."
        )


def _read(file: Path) -> "PortableRecord":
    from bot.features.fairness.records import MAX_RECORD_BYTES, read_record
    from bot.rules.refusals import Refusal

    if file.exists() and not file.is_file():
        # Opening or reading a pipe or a device may never end.
        fail(_sanitize(f"{file} can't be read: it is not a file."))
    try:
        with file.open("rb") as source:
            return read_record(source.read(MAX_RECORD_BYTES + 1))
    except OSError as fault:
        fail(_sanitize(f"{file} can't be read: {fault.strerror}."))
    except Refusal as flaw:
        _fail(flaw)


def _fail(flaw: "Refusal") -> NoReturn:
    from bot.features.fairness.records import record_error_message

    fail(_sanitize(record_error_message(flaw)))


def _sanitize(text: str) -> str:
    """Replace unprintable characters, which could control the terminal."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _lines(shown: "PortableRecord") -> list[str]:
    options = ", ".join(f"{key} {value}" for key, value in shown.options.items())
    from bot.tables.characters import name_seats

    names = name_seats(shown.seats)
    head = [f"{shown.game}, rules {shown.rules}, {shown.ending}", f"options: {options or 'none'}"]
    seats = [
        f"seat {seat}: {_seat_text(who, names[seat])}, contributed {who.contribution}"
        for seat, who in enumerate(shown.seats)
    ]
    proof = [f"commitment {shown.commitment}", f"seed {shown.seed}", f"salt {shown.salt or 'none'}"]
    moves = [f"0. set-up: {_format_numbers(shown.setup)}", *_move_lines(shown, names)]
    return [*head, *seats, *proof, *moves, *_ranking_lines(shown, names)]


def _seat_text(who: "SeatRecord", name: str) -> str:
    if who.level is not None:
        return f"{name} (computer, {who.level})"
    return f"{name} (with hints)" if who.hints else name


def _move_lines(shown: "PortableRecord", names: "Sequence[str]") -> "Iterator[str]":
    """Yield a line for each step, with the seat's player at that time."""
    from bot.rules.refusals import Refusal
    from bot.tables.control_entries import EVERYBODY_PLAYS, parse_control_entry, update_seat_status

    status = EVERYBODY_PLAYS
    for move in shown.moves:
        name = names[move.seat] if move.seat < len(names) else f"seat {move.seat}"
        if move.is_control_entry:
            # The record is unchecked; invalid control entries are shown, too.
            with suppress(Refusal):
                status = update_seat_status(status, move.seat, parse_control_entry(move.text))
        elif move.seat in status.vacated:
            name = f"{name} (computer)"
        yield f"{move.step}. {name}: {move.text}" + (
            "" if move.numbers == () else f" → {_format_numbers(move.numbers)}"
        )


def _format_numbers(numbers: "tuple[DrawnNumber, ...] | None") -> str:
    """Format numbers as faces, with consecutive numbers of the same bound in groups."""
    if numbers is None:
        return "not known"
    groups: list[tuple[int, list[int]]] = []
    for bound, number in numbers:
        if not groups or groups[-1][0] != bound:
            groups.append((bound, []))
        groups[-1][1].append(number + 1)
    return ", ".join(f"{' '.join(map(str, faces))} of {bound}" for bound, faces in groups) or "no numbers"


def _ranking_lines(shown: "PortableRecord", names: "Sequence[str]") -> list[str]:
    if shown.outcome is None:
        return []
    places = zip(shown.outcome.places, shown.outcome.scores, names, strict=False)
    return [f"place {place}: {name}, {score}" for place, score, name in sorted(places, key=lambda each: each[0])]
