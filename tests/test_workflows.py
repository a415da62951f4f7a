"""Workflows and scripts agree with the project; `make check` validates the workflows of GitHub and audits them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.support.each_case import each_case

ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
CHECKS = WORKFLOWS / "checks.yml"
RELEASE = yaml.safe_load((WORKFLOWS / "release.yml").read_text())["jobs"]
STEPS = {step["name"]: step["run"] for step in RELEASE["publish"]["steps"] if "run" in step}
IMAGE = "ghcr.io/someone/parlour"
BUILT = f"{IMAGE}@sha256:c0de"

RECORDER = """#!/bin/sh
echo "${0##*/} $*" >>"$RECORDED"
echo sha256:c0de
[ "${0##*/}" != "$FAILING" ]
"""
"""Stands for each program that the steps of a release call; as jq it returns the digest."""


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


def run_step(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@each_case(
    "image, is_refused",
    [
        (IMAGE, False),
        ("registry:5000/parlour", False),
        ("", True),
        ("parlour", True),
        ("someone/parlour", True),
        ("someone/parlour.old", True),
        ("ghcr.io", True),
    ],
)
def test_an_image_without_a_registry_is_refused_before_a_token_is_sent(image: str, is_refused: bool) -> None:
    first = RELEASE["publish"]["steps"][0]["name"]
    ended = run_step(first, IMAGE=image)
    assert bool(ended.returncode) == is_refused
    assert ended.stdout.startswith("::error::The variable IMAGE must begin with a registry" if is_refused else "")


def publish(folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str = "") -> list[str]:
    """Run the steps of a release until one fails, and return the commands from the building of the image on."""
    for program in (".ci/release-notes", ".ci/try-image", "bin/make", "bin/docker", "bin/jq", "bin/cosign", "bin/gh"):
        (folder / program).parent.mkdir(exist_ok=True)
        (folder / program).write_text(RECORDER)
        (folder / program).chmod(0o755)
    monkeypatch.chdir(folder)
    environment = {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "IMAGE": IMAGE,
        "VERSION": "v1.2.3",
        "TOKEN": "secret",
        "GITHUB_ACTOR": "someone",
        "GITHUB_ENV": str(folder / "env"),
        "RUNNER_TEMP": str(folder),
        "RECORDED": str(folder / "recorded"),
        "FAILING": failing,
    }
    (folder / "env").touch()
    for step in STEPS:
        if run_step(step, **environment).returncode:
            break
        environment |= dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
    commands = (folder / "recorded").read_text().splitlines()
    (built,) = [at for at, command in enumerate(commands) if command.startswith("docker buildx build ")]
    return [command for command in commands[built:] if not command.startswith("jq ")]


def test_the_image_that_was_tried_is_signed_before_it_is_tagged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, try_, sign, tag, release, latest = publish(tmp_path, monkeypatch)
    assert "push-by-digest=true" in build
    assert "--tag" not in build
    assert try_ == f"try-image {BUILT}"
    assert sign == f"cosign sign --yes {BUILT}"
    assert tag == f"docker buildx imagetools create --tag {IMAGE}:1.2.3 {BUILT}"
    assert release.startswith("gh release create v1.2.3 --verify-tag ")
    assert f"Image: `{BUILT}`" in (tmp_path / "notes.md").read_text()
    assert latest == f"docker buildx imagetools create --tag {IMAGE}:latest {BUILT}"


def test_an_image_that_fails_the_trial_gets_no_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert publish(tmp_path, monkeypatch, failing="try-image")[1:] == [f"try-image {BUILT}"]


def test_what_is_released_has_passed_the_checks() -> None:
    called = RELEASE["checks"]["uses"].removeprefix("$/")
    assert (ROOT / called).samefile(CHECKS)
    assert RELEASE["publish"]["needs"] == "checks"


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
