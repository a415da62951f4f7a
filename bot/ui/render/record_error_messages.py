"""Error messages for flawed records, used by Discord and the command line."""

from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.records.refusals import RecordReason
from bot.words import N_, gettext as _

RECORD_ERROR_MESSAGES: dict[RefusalReason, str] = {
    RecordReason.TOO_LARGE: N_("The file is larger than {most} MiB, so it is no record of a table."),
    RecordReason.NO_JSON: N_("The file is not JSON: save the record as it was attached, without changes."),
    RecordReason.NO_RECORD: N_("The file is not a record of a Parlour table."),
    RecordReason.OTHER_VERSION: N_(
        "The record has version {version}, but this Parlour reads version {known}: use the Parlour that wrote it."
    ),
    RecordReason.NO_SEED: N_(
        "The record has no seed, so nothing can be checked: take it from `/table verify` once the table is over."
    ),
    RecordReason.MALFORMED: N_("The record is damaged at {where}: {what}."),
    RecordReason.COMMITMENT: N_("The seed is not the one that was promised: its SHA-256 is not the commitment."),
    RecordReason.SALT: N_("The salt is not made of what the seats contributed."),
    RecordReason.NOT_STARTED: N_("The table never started, for there is no salt; but something was played at it."),
    RecordReason.STEPS: N_("Step {expected} is missing: step {step} stands in its place."),
    RecordReason.NUMBER: N_("Step {step}: below {bound} the seed gives {due}, not {number}."),
    RecordReason.GAME: N_("This Parlour has no game {game}, so the moves can't be followed. It has: {games}."),
    RecordReason.RULES: N_(
        "The table was played by version {version} of the rules, but this Parlour plays version {known}: "
        "use the Parlour that wrote the record."
    ),
    RecordReason.OPTIONS: N_("The game can't be set up with the options of the record."),
    RecordReason.SEATS: N_("{game} is not played with {seats} seats."),
    RecordReason.REFUSED: N_("Step {step}: this can't be done there: {text}."),
    RecordReason.OTHER_NUMBERS: N_("Step {step}: the rules ask chance for other numbers than those listed."),
    RecordReason.DIGEST: N_("Step {step}: the move {text} does not lead to the position that was recorded."),
    RecordReason.ENDING: N_("A table with these moves can't have ended as the record says: {ending}."),
    RecordReason.OUTCOME: N_("The ranking is not the one that the moves lead to."),
}  # fmt: skip


def record_error_message(flaw: Refusal) -> str:
    """Return the error message for a flaw of a record."""
    return _(RECORD_ERROR_MESSAGES[flaw.reason]).format_map(flaw.facts.by_name())
