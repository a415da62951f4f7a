"""The packaging: lock, Makefile, settings file and versions agree with the project and with each other."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import bot
from tests.support.each_case import each_case

ROOT = Path(__file__).parents[1]
LOCKS = ("run", "dev")
ENTRY = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)(?: ; (?P<marker>[^;\\]+))?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
TARGET = re.compile(r"^(?!venv)([a-z-]+):", re.MULTILINE)

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def entries(lock: str) -> list[list[str]]:
    """The entries of a lock: each a list of its requirement and its hashes."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    lines = text.replace("\\\n", "").splitlines()
    return [re.split(r" {4,}", line.strip()) for line in lines]


def locked(lock: str) -> dict[str, str]:
    found = [ENTRY.fullmatch(entry[0].strip()) for entry in entries(lock)]
    return {match["name"]: match["version"] for match in found if match}


def make(*words: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("make") or "make", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@each_case("lock", LOCKS)
def test_the_lock_has_only_versions_markers_and_hashes(lock: str) -> None:
    listed = entries(lock)
    assert len(listed) > 20
    for requirement, *hashes in listed:
        assert ENTRY.fullmatch(requirement.strip()), requirement
        assert hashes, f"{requirement} has no hash"
        assert all(HASH.fullmatch(text.strip()) for text in hashes), requirement


@each_case("lock", LOCKS)
def test_every_requirement_of_the_project_is_locked(lock: str) -> None:
    asked = list(project()["project"]["dependencies"])
    if lock == "dev":
        asked += project()["project"]["optional-dependencies"]["dev"]
    versions = locked(lock)
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        assert name in versions, f"{name} is not locked: run `make lock`"
        assert requirement.specifier.contains(versions[name]), f"{name} is locked at {versions[name]}"


def test_the_development_lock_contains_the_running_one() -> None:
    assert locked("run").items() < locked("dev").items()


def test_the_example_explains_each_setting_and_sets_none() -> None:
    example = (ROOT / ".env.example").read_text()
    blocks = [block.splitlines() for block in example.strip().split("\n\n")]
    for explanation, *setting in blocks[1:]:
        assert explanation.startswith("# ")
        assert len(setting) == 1
        assert setting[0].endswith("=")


def test_the_versions_agree() -> None:
    assert project()["project"]["version"] == bot.__version__
    section = "Unreleased" if Version(bot.__version__).is_devrelease else bot.__version__
    assert f"\n## [{section}]" in (ROOT / "CHANGELOG.md").read_text()


@needs_make
def test_help_lists_every_target() -> None:
    shown = make(environment={"PATH": "/usr/bin:/bin"})
    assert shown.returncode == 0, shown.stderr
    rows = [re.fullmatch(r"  make ([a-z-]+) +([A-Z].*[.])", line) for line in shown.stdout.splitlines()]
    assert [row and row[1] for row in rows] == TARGET.findall((ROOT / "Makefile").read_text())


@needs_make
@pytest.mark.parametrize("target", ["run", "check"])
def test_a_missing_python_is_reported_in_one_sentence(target: str, tmp_path: Path) -> None:
    ended = make(target, f"VENV={tmp_path / 'venv'}", environment={"PATH": str(tmp_path)})
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert ended.stderr == (
        "Parlour needs Python 3.11 or newer, and none was found: install it (on Debian and Ubuntu: "
        "apt install python3-venv), or name it with PYTHON=.\n"
    )


@needs_make
@pytest.mark.long
def test_the_bill_of_materials_has_the_packages_of_the_image(tmp_path: Path) -> None:
    ended = make("sbom", f"SBOM={tmp_path / 'sbom'}", f"VENV={tmp_path / 'venv'}", environment=os.environ)
    assert ended.returncode == 0, ended.stderr
    assert {path.name for path in (tmp_path / "sbom").iterdir()} == {"parlour.cdx.json", "licences.md"}
    bill = json.loads((tmp_path / "sbom" / "parlour.cdx.json").read_text())
    subject = bill["metadata"]["component"]
    assert (subject["name"], subject["version"]) == ("parlour", bot.__version__)
    (version,) = set(re.findall(r"^FROM python:([\d.]+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    image = {"python_version": version, "python_full_version": f"{version}.0", "sys_platform": "linux"}
    requirements = [Requirement(entry[0].strip()) for entry in entries("run")]
    expected = {
        requirement.name: str(requirement.specifier).removeprefix("==")
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate(image)
    }
    components = {canonicalize_name(component["name"]): component for component in bill["components"]}
    assert {name: component["version"] for name, component in components.items()} == expected
    licences = (tmp_path / "sbom" / "licences.md").read_text()
    rows = re.findall(r"^\| ([\w.-]+) +\| [\w.]+ +\| \w", licences, re.MULTILINE)
    assert {canonicalize_name(row) for row in rows[1:]} == set(expected)
    assert "data/README.md" in licences
