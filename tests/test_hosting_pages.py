"""The hosting pages name only what exists."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import discord
import pytest
import yaml
from typer.main import get_command

from bot.commands.app import app
from bot.commands.console import REFUSED_STATUS
from bot.platform.discord.context import make_invitation
from bot.platform.observability.metrics import DatabaseStats, DatabaseUsage, Metrics
from bot.settings import Settings
from tests.observability.test_metrics import NOON
from tests.support.each_case import each_case

ROOT = Path(__file__).parents[1]
HOSTING = (ROOT / "docs" / "hosting.md").read_text()
SCALING = (ROOT / "docs" / "scaling.md").read_text()
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def fenced(language: str) -> str:
    return "\n".join(re.findall(rf"^ *```{language}\n(.*?)^ *```$", HOSTING, re.MULTILINE | re.DOTALL))


def test_the_commands_of_the_page_exist() -> None:
    shell = fenced("sh").replace("\\\n", "")
    called = re.findall(r"-m bot ((?:[a-z]+ ?)+)", shell + fenced("ini"))
    called += re.findall(r"`python -m bot ((?:[a-z]+ ?)+)", HOSTING)
    commands = get_command(app)
    assert len(called) > 5
    for words in called:
        first, *rest = words.split()
        found = commands.commands[first]  # type: ignore[attr-defined]
        if rest and hasattr(found, "commands"):
            assert rest[0] in found.commands


def test_the_settings_of_the_page_exist() -> None:
    named = set(re.findall(r"\b([A-Z]+_[A-Z_]+)(?==|`)", HOSTING + SCALING)) - {"YOUR_COPY_OF_PARLOUR", "AF_UNIX"}
    assert named >= {"DATABASE_URL", "HEALTH_PORT", "LOG_FORMAT", "SHARDS_PER_PROCESS"}
    assert {name.lower() for name in named} <= set(Settings.model_fields)


def test_the_invitation_requests_the_permissions_in_the_table() -> None:
    (number,) = set(re.findall(r"permissions=(\d+)", HOSTING))
    assert f"permissions={number}" in make_invitation(1)
    asked = {name for name, wanted in discord.Permissions(int(number)) if wanted}
    assert asked == {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "attach_files"}


def measured_names() -> set[str]:
    """The names of all metrics that the bot exports, besides those of any process."""
    watch = Metrics()
    watch.sources.latencies, watch.sources.shard_count = lambda: {0: 0.1}, lambda: 1
    watch.sources.invalid_requests, watch.sources.waiting_requests = lambda: 0, lambda: 0
    watch.sources.lease_age, watch.sources.last_backup_at = lambda: 1, lambda: None
    watch.sources.database = lambda: DatabaseUsage(0, 0)
    lines = watch.export_text(NOON, DatabaseStats({"lobby": 1}, 0, None), disk_free=1).decode().splitlines()
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert names > PROCESS_NAMES, "the client has renamed them"
    return {name for name in names if not name.startswith("process_")}


PROCESS_NAMES = {"process_resident_memory_bytes", "process_cpu_seconds_total"}
"""What Prometheus' client exports of every process, where it can read /proc, and the pages name."""


def names_in(text: str) -> set[str]:
    """Return the metrics that queries name, without the parts of histograms."""
    named = set(re.findall(r"\b(?:parlour|process)_\w+", text)) - PROCESS_NAMES
    return {re.sub("_(bucket|sum|count)$", "", name) for name in named}


async def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    panels = json.loads((ROOT / "docs" / "grafana-dashboard.json").read_text())["panels"]
    queries = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    assert names_in(queries) == measured_names()
    assert len({panel["id"] for panel in panels}) == len(panels)


async def test_the_metrics_of_the_page_exist() -> None:
    table = HOSTING[HOSTING.index("| figure |") : HOSTING.index("[grafana-dashboard.json]")]
    named = names_in(" ".join(re.findall(r"`(\w+)", table)))
    assert named
    assert named <= measured_names()


async def test_the_metrics_of_alerts_exist() -> None:
    (group,) = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text())["groups"]
    named = names_in(" ".join(alert["expr"] for alert in group["rules"]))
    assert named
    assert named <= measured_names()


def test_no_alarm_about_a_single_failure_misses_the_first() -> None:
    # Prometheus sees no increase in a counter that begins at 1.
    (group,) = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text())["groups"]
    at_start = Metrics().export_text(NOON, None).decode()
    asked = {
        name: alert["expr"]
        for alert in group["rules"]
        if alert["expr"].endswith(" > 0")
        for name in re.findall(r"\b(?:rate|increase)\((\w+)", alert["expr"])
    }
    assert asked.keys() == {"parlour_interactions_total", "parlour_pictures_total", "parlour_errors_total"}
    for name, query in asked.items():
        begins_at_zero = re.search(rf"^{name}\b.* 0\.0$", at_start, re.MULTILINE)
        assert begins_at_zero or f"{name} unless {name} offset" in query


def test_the_service_may_write_only_to_its_own_folder(tmp_path: Path) -> None:
    unit = fenced("ini")
    settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    assert settings["ProtectSystem"] == "strict"
    assert settings["NoNewPrivileges"] == settings["DynamicUser"] == "yes"
    assert f"/var/lib/{settings['StateDirectory']}/" in HOSTING
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed")
    file = tmp_path / "parlour.service"
    program = shlex.split(settings["ExecStart"])[0]
    file.write_text(unit.replace(program, shutil.which("sh") or "/bin/sh"))
    ended = subprocess.run([tool, "verify", str(file)], capture_output=True, text=True, check=False)
    complaints = [line for line in ended.stderr.splitlines() if "parlour.service" in line]
    assert not complaints


def test_the_service_is_restarted_unless_discord_refuses_it() -> None:
    settings = dict(line.split("=", 1) for line in fenced("ini").splitlines() if "=" in line)
    assert settings["Restart"] == "on-failure"
    assert settings["StartLimitIntervalSec"] == "0"
    assert settings["RestartPreventExitStatus"] == str(REFUSED_STATUS)
    assert "StartLimitBurst" not in settings


@each_case("page", PAGES)
def test_links_between_pages_have_targets(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)\s]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", other.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
