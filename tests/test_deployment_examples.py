"""The examples for systemd, Compose and Kubernetes agree with the image, the settings and the bot's own limits."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.platform.database.database import CLOSE_SECONDS
from bot.platform.discord.gateway import IDENTIFY_EVERY
from bot.platform.jobs.shard_leases import LOOK_EVERY, longest_hand_over, split_shards
from bot.settings import Settings, ShardsSetting
from tests.support.image_build import ROOT, Step, read_stages

HOSTING, SCALING = ((ROOT / "docs" / f"{page}.md").read_text() for page in ("hosting", "scaling"))
IMAGE: dict[str, Step] = {step.word: step for step in read_stages()[-1]}
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - the container's

SHARDS_PER_PROCESS = Settings.model_fields["shards_per_process"].default


def fenced(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def read_yaml(page: str) -> list[dict[str, Any]]:
    return [yaml.safe_load(block) for block in fenced(page, "yaml")]


def parse_shards(value: str) -> ShardsSetting:
    shards = Settings(shards=value).shards  # type: ignore[arg-type] # parsed as it is from the environment
    assert shards is not None
    return shards


def stop_seconds(shard_count: int) -> float:
    """Return how long a process of a bot with so many shards takes to stop at most."""
    return longest_hand_over(shard_count).total_seconds() + CLOSE_SECONDS


def check_compose(service: dict[str, Any], seconds: float) -> None:
    """Check a service of the bot, whose stop takes so long at most."""
    assert service["build"] == "."
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 - the container's
    assert {name.lower() for name in service.get("environment", ())} <= set(Settings.model_fields)
    assert int(service["stop_grace_period"].removesuffix("s")) > seconds


def test_compose_runs_one_bot_with_its_tables_in_a_volume() -> None:
    (compose,) = read_yaml(HOSTING)
    (service,) = compose["services"].values()
    check_compose(service, CLOSE_SECONDS)
    (volume,) = (volume.split(":") for volume in service["volumes"])
    assert volume[0] in compose["volumes"]
    assert volume[1] == IMAGE["VOLUME"].rest


def test_compose_runs_two_bots_on_one_database() -> None:
    compose = read_yaml(SCALING)[0]
    database, bot = (compose["services"][name] for name in ("database", "bot"))
    variables = bot["environment"]
    count = parse_shards(variables["SHARDS"]).count
    check_compose(bot, stop_seconds(count))
    ranges = split_shards(count, variables["SHARDS_PER_PROCESS"])
    assert len(ranges) == 2
    assert bot["deploy"]["replicas"] == len(ranges) + 1, "and one that waits"
    (replacing,) = (text for text in fenced(SCALING, "sh") if "docker" in text)
    assert f"--scale bot={2 * bot['deploy']['replicas']}\n" in replacing, "as many again"
    assert variables["HEALTH_ADDRESS"] == EVERY_ADDRESS
    assert f"names: [bot], type: A, port: {IMAGE['CMD'].command[-1]}}}" in SCALING
    assert bot["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "healthcheck" in database
    assert database["secrets"] == list(compose["secrets"])
    assert database["environment"]["POSTGRES_PASSWORD_FILE"] == f"/run/secrets/{database['secrets'][0]}"
    assert [volume.split(":")[0] for volume in database["volumes"]] == list(compose["volumes"])
    assert f"postgresql://{database['environment']['POSTGRES_USER']}:...@database/" in SCALING


def check_pods(spec: dict[str, Any], shard_count: int) -> dict[str, Any]:
    """Check the pods of a Deployment, and return the variables of their container."""
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    assert spec["template"]["metadata"]["labels"] == spec["selector"]["matchLabels"]
    assert pod["terminationGracePeriodSeconds"] > stop_seconds(shard_count)
    connected = LOOK_EVERY + SHARDS_PER_PROCESS * IDENTIFY_EVERY
    assert spec["minReadySeconds"] > connected.total_seconds(), "the next old process ends only then"
    assert str(pod["securityContext"]["runAsUser"]) == IMAGE["USER"].rest
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    mounted = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert set(mounted) == {volume["name"] for volume in pod["volumes"]}
    assert set(mounted.values()) == {IMAGE["VOLUME"].rest, "/tmp"}  # noqa: S108 - the container's
    variables = {variable["name"]: variable.get("value") for variable in container["env"]}
    # All that reaches the endpoint from outside the pod is its own address.
    assert variables["HEALTH_ADDRESS"] == EVERY_ADDRESS
    probe = container["livenessProbe"]["httpGet"]
    assert "command" not in container, "it would replace the image's init"
    command = container.get("args", IMAGE["CMD"].command)
    assert " ".join(command).endswith(f"--health-port {probe['port']}")
    return variables


def test_a_deployment_replaces_one_process_after_another() -> None:
    spec = read_yaml(SCALING)[1]["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    (shards,) = (variable["value"] for variable in container["env"] if variable["name"] == "SHARDS")
    count = parse_shards(shards).count
    assert {name.lower() for name in check_pods(spec, count)} <= set(Settings.model_fields)
    assert spec["replicas"] == len(split_shards(count, SHARDS_PER_PROCESS)) + 1
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}


def test_systemd_runs_a_process_for_each_range_and_one_that_waits() -> None:
    (change,) = fenced(SCALING, "ini")
    file = dict(re.findall(r"`(SHARDS\w*)=(\S+)`", SCALING))
    count = parse_shards(file["SHARDS"]).count
    (limit,) = re.findall(r"^TimeoutStopSec=(\d+)s$", change, re.MULTILINE)
    assert int(limit) > stop_seconds(count)
    starting, replacing = (text for text in fenced(SCALING, "sh") if "systemctl" in text)
    names = re.findall(r" parlour@(\S+)", starting)
    assert len(set(names)) == len(split_shards(count, int(file["SHARDS_PER_PROCESS"]))) + 1
    assert all(1024 <= int(name) < 65536 for name in names), "each name is a port"
    assert f"for port in {' '.join(names)}; do systemctl restart parlour@$port;" in replacing


def test_systemd_runs_the_checkout_from_the_folder_that_it_may_write_to(tmp_path: Path) -> None:
    (unit, *_), (change,) = fenced(HOSTING, "ini"), fenced(SCALING, "ini")
    settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    assert settings["WorkingDirectory"] == f"/var/lib/{settings['StateDirectory']}"
    variables = dict(each.split("=") for each in settings["Environment"].split())
    assert f"{variables['PYTHONPATH']}/.venv/bin/python" in settings["ExecStart"]
    assert "User=parlour\n" in change, "each process would be a user of its own"
    assert not Settings(database_url="postgresql://parlour@/parlour").picture_folder.is_absolute()  # type: ignore[arg-type]
    environment = {"PATH": os.defpath, **variables, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "bot", "--help"]
    subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=True)


def test_the_template_of_systemd_changes_the_unit(tmp_path: Path) -> None:
    (unit, *_), (change,) = fenced(HOSTING, "ini"), fenced(SCALING, "ini")
    (usual,) = re.findall(r"^TimeoutStopSec=(\d+)s$", unit, re.MULTILINE)
    assert int(usual) > CLOSE_SECONDS
    (start,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    assert f"ExecStart=\nExecStart={start} --health-port %i\n" in change
    # Settings that the service sets would be overridden by the file's, even by empty ones.
    file = {line.partition("=")[0] for line in (ROOT / ".env.example").read_text().splitlines()}
    assert not file & set(re.findall(r"(?:^Environment=| )(\w+)=", unit + change, re.MULTILINE))
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed")
    program = start.split()[0]
    (tmp_path / "parlour@.service.d").mkdir()
    for name, text in (("parlour@.service", unit), ("parlour@.service.d/shards.conf", change)):
        (tmp_path / name).write_text(text.replace(program, shutil.which("sh") or "/bin/sh"))
    environment = {"PATH": os.defpath, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    words = [tool, "verify", "parlour@8081.service"]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert "parlour@" not in ended.stderr
    assert "shards.conf" not in ended.stderr
