"""Every command of the pages runs in a test, or the page says that it is not tested here."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from typer.main import get_command

from bot.commands.app import app
from bot.settings import Settings
from tests.support.each_case import each_case
from tests.test_docs import DOCS, ROOT, leaf_commands

PAGES = sorted({*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "data" / "README.md"})
MARK = "ot tested here"
"""What stands in the block or the paragraph of commands that no test runs."""

RUN_BY = {
    "python -m bot announce": "tests/commands/test_announce.py::test_the_text_and_the_time_are_left_for_the_bot",
    "python -m bot check": "tests/commands/test_check.py::test_lists_games_and_commands",
    "python -m bot database backup": "tests/commands/test_database.py::TestBackup::test_a_busy_bot_can_be_backed_up",
    "python -m bot database import": "tests/commands/test_database_import.py"
    "::test_everything_except_what_was_registered_with_discord_is_imported_there_and_back",
    "python -m bot database ratings": "tests/commands/test_database.py::test_ratings_are_calculated_anew",
    "python -m bot database restore": "tests/commands/test_database_restore.py"
    "::test_what_a_killed_bot_has_left_does_not_undo_a_backup",
    "python -m bot database upgrade": "tests/commands/test_database.py"
    "::test_the_file_is_created_and_a_second_run_is_harmless",
    "python -m bot demo": "tests/commands/test_demo.py::test_the_demo_prints_its_address_and_exits_cleanly",
    "python -m bot gallery": "tests/commands/test_gallery.py::test_draws_every_scene_in_every_theme",
    "python -m bot health": "tests/commands/test_health.py::test_a_bot_that_runs_is_healthy_counts_and_logs_in_json",
    "python -m bot live-check": "tests/commands/test_live_check.py::test_everything_is_tried_reported_and_removed",
    "python -m bot messages": "tests/test_messages.py::test_a_folder_without_catalogues_fails_the_check",
    "python -m bot new-game": "tests/test_adding_a_game.py::followed",
    "python -m bot new-language": "tests/test_messages.py"
    "::test_a_new_language_gets_a_catalogue_that_only_lacks_translations",
    "python -m bot puzzles": "tests/commands/test_puzzles.py::test_the_same_seed_writes_the_same_bytes",
    "python -m bot record show": "tests/commands/test_record.py::TestShow::test_prints_the_game_move_by_move",
    "python -m bot record verify": "tests/commands/test_record.py"
    "::test_a_record_is_compared_with_what_was_noted_before",
    "python -m bot run": "tests/commands/test_bot_process.py::test_a_table_goes_on_after_a_kill_from_the_page",
    "python -m bot setup": "tests/commands/test_setup.py::test_a_working_token_is_kept_and_the_invitation_shown",
    "python -m bot simulate": "tests/commands/test_simulate.py::test_levels_are_compared_in_turn",
    "python -m bot stats": "tests/commands/test_stats.py::test_the_command_prints_json",
    "python -m bot train": "tests/commands/test_train.py::test_training_writes_the_file_of_the_game",
    "python -m bot.tools.grades": "tests/rules/test_grades.py::test_games_that_cannot_be_graded_are_reported",
    "pg_dump": "tests/test_backup_pages.py::test_a_server_goes_back_to_a_dump_from_before_an_upgrade",
    "pg_restore": "tests/test_backup_pages.py::test_a_server_goes_back_to_a_dump_from_before_an_upgrade",
    **dict.fromkeys(
        ("python -m pytest", "python -m tests.golden", "lint-imports"),
        "tests/test_adding_a_game.py::test_every_command_of_the_page_succeeds",
    ),
    **dict.fromkeys(
        ("seed=", "salt=", "printf"), "tests/test_doc_commands.py::test_a_shell_confirms_the_worked_example"
    ),
    "printf SEED": "tests/test_doc_commands.py::test_a_shell_tells_the_promise_of_a_seed",
    "echo": "tests/test_doc_commands.py::test_a_shell_counts_the_days",
    "DATABASE_URL=": "tests/test_doc_commands.py::test_the_addresses_of_databases_are_accepted",
    "make check": ".ci/run",
    "make test": ".github/workflows/checks.yml",
}
"""By their beginnings, the tests that run commands, or the workflows that have them."""

INLINE = re.compile(r"(?!python -m bot$)(make|python -m|printf|echo) [^.]")
"""The code in backticks that is a command."""

EXAMPLE = (DOCS / "fair-dice.md").read_text(encoding="utf-8")

needs_openssl = pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("xxd")), reason="needs openssl, xxd")


def passages(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each block and each paragraph of a page with its commands."""
    text = page.read_text(encoding="utf-8")
    block = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
    for kind, content in block.findall(text):
        lines = content.replace("\\\n", " ").splitlines() if kind == "sh" else []
        yield content, [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    for paragraph in block.sub("", text).split("\n\n"):
        code = [" ".join(each.split()) for each in re.findall(r"`([^`]+)`", paragraph)]
        yield paragraph, [each for each in code if INLINE.match(each)]


MARKED = {command for page in PAGES for text, commands in passages(page) if MARK in text for command in commands}


def recipe_of(target: str) -> str:
    """Return the command of Parlour that a target of make calls, or else the target."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{target}:.*\n\t@.*\$\(IN_VENV\)(python -m bot [a-z]+)", makefile, re.MULTILINE)
    return found[1] if found else f"make {target}"


def is_run(command: str) -> bool:
    """Return whether a test runs a command, or a page says that none does."""
    words = command.split()
    if words[0] == "make":
        command = recipe_of(words[1])
    return any(f"{command} ".startswith(each if each.endswith("=") else f"{each} ") for each in (*RUN_BY, *MARKED))


@each_case("page", PAGES)
def test_a_test_runs_each_command_that_is_not_marked(page: Path) -> None:
    named = {command for text, commands in passages(page) if MARK not in text for command in commands}
    assert not sorted(command for command in named if not is_run(command))


def test_a_test_runs_each_command_of_the_command_line() -> None:
    commands = {f"python -m bot {words}" for words in leaf_commands(get_command(app))}
    assert commands == {each for each in RUN_BY if each.startswith("python -m bot ")}


@each_case("command, place", RUN_BY.items())
def test_what_runs_a_command_exists_and_is_no_long_test(command: str, place: str) -> None:
    file, *names = place.split("::")
    if names:
        owners: list[object] = [import_module(file.removesuffix(".py").replace("/", "."))]
        for name in names:
            owners.append(getattr(owners[-1], name))
        marks = [getattr(owner, "pytestmark", []) for owner in owners]
        assert "long" not in {mark.name for each in marks for mark in (each if isinstance(each, list) else [each])}
    else:
        call = rf"^ *(- run: )?make (-\S+ )*{command.removeprefix('make ')}( |$)"
        assert re.search(call, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


def run_shell(script: str) -> str:
    ended = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, timeout=60, check=True)
    return ended.stdout


def worked_value(name: str) -> str:
    """Return a value of the worked example of fair dice."""
    (value,) = re.findall(rf"^{name} +(\S+)$", EXAMPLE, re.MULTILINE)
    return str(value)


@needs_openssl
def test_a_shell_confirms_the_worked_example() -> None:
    (script,) = re.findall(r"^```sh\n(.*?)^```$", EXAMPLE, re.MULTILINE | re.DOTALL)
    digests = re.findall(r"[0-9a-f]{64}", run_shell(f"{script}\nprintf ' %s' $salt"))
    assert digests == [worked_value(name) for name in ("commitment", "hmac", "salt")]


@needs_openssl
def test_a_shell_tells_the_promise_of_a_seed() -> None:
    (script,) = re.findall(r"`(printf SEED [^`]+)`", (DOCS / "daily.md").read_text(encoding="utf-8"))
    assert worked_value("commitment") in run_shell(script.replace("SEED", worked_value("seed")))


def test_a_shell_counts_the_days() -> None:
    (script,) = re.findall(r"`(echo [^`]+)`", (DOCS / "puzzles.md").read_text(encoding="utf-8"))
    before = time.time() // 86400
    assert before <= int(run_shell(script)) <= time.time() // 86400


def test_the_addresses_of_databases_are_accepted() -> None:
    named = [
        command.removeprefix("DATABASE_URL=")
        for _, commands in passages(DOCS / "hosting.md")
        for command in commands
        if command.startswith("DATABASE_URL=")
    ]
    assert len(named) > 1
    for address in named:
        settings = Settings(database_url=address)  # type: ignore[arg-type] # parsed as it is from the environment
        assert settings.database_url.get_secret_value() == address
