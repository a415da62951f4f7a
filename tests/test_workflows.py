"""Workflows and scripts agree with the project; `make check` validates the workflows of GitHub and audits them."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.support.each_case import each_case

ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
CHECKS = WORKFLOWS / "checks.yml"


def test_every_python_that_is_supported_is_tested() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    supported = re.findall(r"^Programming Language :: Python :: (3\.\d+)$", "\n".join(classifiers), re.MULTILINE)
    assert yaml.safe_load(CHECKS.read_text())["jobs"]["tests"]["strategy"]["matrix"]["python"] == supported


def test_a_job_that_needs_an_unknown_one_fails_the_checks(tmp_path: Path) -> None:
    (command,) = re.findall(r"^\t@\$\(IN_VENV\)(actionlint .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    shutil.copytree(WORKFLOWS, tmp_path / ".github" / "workflows")
    copy = tmp_path / ".github" / "workflows" / CHECKS.name
    copy.write_text(copy.read_text().replace("  image:\n", "  image:\n    needs: nobody\n"))
    ended = subprocess.run(
        ["sh", "-c", f"{Path(sys.executable).parent}/{command}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode != 0
    assert 'job "image" needs job "nobody" which does not exist' in ended.stdout


def scripts(workflow: Path) -> Iterator[str]:
    """Yield what the steps of a workflow run."""
    for job in yaml.safe_load(workflow.read_text())["jobs"].values():
        yield from (step["run"] for step in job.get("steps", []) if "run" in step)


@each_case("script", [script for file in sorted(WORKFLOWS.iterdir()) for script in scripts(file)])
def test_what_a_step_runs_is_valid_bash(script: str) -> None:
    subprocess.run(["bash", "-n", "-c", script], check=True)


@each_case("file", [".ci/run", "Makefile"])
def test_the_tests_that_are_named_exist(file: str) -> None:
    named = re.findall(r"\btests(?:/\w+)+(?:\.py)?", (ROOT / file).read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


@each_case(
    "version, notes",
    [
        ("1.0.0", "The newest.\n\n### Play\n\n- More.\n"),
        ("0.9.0", ""),  # pyproject.toml has another
        ("1.0.0.dev0", ""),  # not in the changelog
    ],
)
def test_the_notes_of_a_release_are_its_section_of_the_changelog(tmp_path: Path, version: str, notes: str) -> None:
    (tmp_path / ".ci").mkdir(exist_ok=True)
    script = shutil.copy(ROOT / ".ci" / "release-notes", tmp_path / ".ci")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\nSoon.\n\n## [1.0.0] - 2027-01-01\n\nThe newest.\n\n### Play\n\n- More.\n"
        "\n## [0.9.0] - 2026-12-01\n\nOlder.\n"
    )
    own = "1.0.0" if version == "0.9.0" else version
    (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{own}"\n')
    ended = subprocess.run([script, version], capture_output=True, text=True, check=False)
    assert ended.stdout.rstrip() == notes.rstrip()
    assert (ended.returncode == 0) == bool(notes) != bool(ended.stderr)
