"""The Makefile's virtual environment: when it is made, remade or kept, and how `make demo` is interrupted."""

import ensurepip
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "requirements" / "venv.sh"
CAN_BLOCK = subprocess.run(["env", "--block-signal=INT", "true"], check=False, capture_output=True).returncode == 0

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

# A fake of Python that only records what it should make or install; `-c` is passed on.
PYTHON = f"""#!/bin/sh
case "$*" in
"-m venv "*) {{venv}}; [ ! -e {{stuck}} ] || exit 1
             for venv; do :; done; rm -rf "$venv"; mkdir -p "$venv/bin"
             cp "$0" "$venv/bin/python"; touch "$venv/pyvenv.cfg"; echo venv >>{{log}} ;;
"-m pip "*)  for lock; do :; done; echo "${{{{lock##*/}}}}" >>{{log}}; {{pip}} ;;
*)           {{question}} exec {sys.executable} "$@" ;;
esac
"""

# What a Python of the last version that is too old answers.
IS_OLD = 'set -- -c "import sys; sys.version_info = (3, 10, 99); $2";'


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with locks, the script, and a `python3` that only pretends."""

    path: Path

    def start(self, kind: str, python: str = "", **variables: str) -> "subprocess.Popen[str]":
        return self.popen("sh", "requirements/venv.sh", kind, "venv", python, **variables)

    def start_make(self, *targets: str) -> "subprocess.Popen[str]":
        shutil.copy(ROOT / "Makefile", self.path)
        return self.popen("make", *targets, "VENV=venv")

    def popen(self, *words: str, **variables: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            words,
            cwd=self.path,
            env={"PATH": f"{self.path / 'bin'}:/usr/bin:/bin", "TMPDIR": str(self.path), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, kind: str, python: str = "", **variables: str) -> str:
        """What the script says besides its progress; empty if it ended well."""
        with self.start(kind, python, **variables) as process:
            out, err = process.communicate()
        assert out == ""
        said = "".join(line for line in err.splitlines(keepends=True) if not line.endswith("...\n"))
        assert (process.returncode == 0) == (not said)
        assert not list(self.path.glob("tmp.*")), "nothing is left behind"
        return said

    @property
    def done(self) -> list[str]:
        """What was made and installed since the last look."""
        log = self.path / "log"
        lines = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def add_python(self, name: str, *, question: str = "", venv: str = ":", pip: str = ":") -> None:
        """Put a pretended Python on the PATH.

        `question` is shell code that runs before it answers, `venv` before it makes an environment, and `pip` its pip.
        """
        files = {name: self.path / name for name in ("log", "stuck")}
        text = PYTHON.format(**files, question=question, venv=venv, pip=pip)
        (self.path / "bin" / name).write_text(text)
        (self.path / "bin" / name).chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path / "checkout")
    (made.path / "requirements").mkdir(parents=True)
    (made.path / "bin").mkdir()
    shutil.copy(SCRIPT, made.path / "requirements")
    for lock in ("run", "dev"):
        (made.path / "requirements" / f"{lock}.txt").write_text(f"what {lock} needs\n")
    made.add_python("python3")
    return made


def test_the_environment_is_created_once(checkout: Checkout) -> None:
    assert checkout.run("run") == ""
    assert checkout.done == ["venv", "run.txt"]
    assert checkout.run("run") == ""
    assert checkout.done == []


def test_the_working_environment_extends_the_running_one(checkout: Checkout) -> None:
    checkout.run("run")
    checkout.run("dev")
    assert checkout.done == ["venv", "run.txt", "dev.txt"]
    checkout.run("run")
    checkout.run("dev")
    assert checkout.done == []


@pytest.mark.parametrize("lock", ["run", "dev"])
def test_a_changed_lock_recreates_it(checkout: Checkout, lock: str) -> None:
    checkout.run("dev")
    assert checkout.done == ["venv", "dev.txt"]
    (checkout.path / "requirements" / f"{lock}.txt").write_text("something newer\n")
    checkout.run(lock)
    assert checkout.done == ["venv", f"{lock}.txt"]


def test_a_moved_checkout_recreates_it(checkout: Checkout) -> None:
    checkout.run("run")
    moved = Checkout(checkout.path.rename(checkout.path.with_name("elsewhere")))
    moved.add_python("python3")
    assert moved.done == ["venv", "run.txt"]
    moved.run("run")
    assert moved.done == ["venv", "run.txt"]


def test_a_broken_interpreter_recreates_it(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.path / "venv" / "bin" / "python").unlink()
    assert checkout.run("run") == ""
    assert checkout.done == ["venv", "run.txt"] * 2


def test_a_failed_installation_shows_why_and_does_not_count(checkout: Checkout) -> None:
    checkout.add_python("python3", pip="echo 'ERROR: No space left on device' >&2; false")
    assert checkout.run("run") == (
        "ERROR: No space left on device\nThe packages could not be installed (see above); try again.\n"
    )
    checkout.add_python("python3")
    assert checkout.run("run") == ""
    assert checkout.done == ["venv", "run.txt"] * 2


def test_without_a_network_it_says_so(checkout: Checkout) -> None:
    """The real pip asks where nothing listens."""
    shutil.copy(SCRIPT.with_name("run.txt"), checkout.path / "requirements")
    # Debian keeps the wheel elsewhere.
    folder = sysconfig.get_config_var("WHEEL_PKG_DIR") or Path(ensurepip.__file__).parent / "_bundled"
    (wheel,) = Path(folder).glob("pip-*.whl")
    target = checkout.path / "packages"
    checkout.add_python("python3", pip=f'PYTHONPATH={wheel} exec {sys.executable} "$@" --target {target}')
    unreachable = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull}
    assert checkout.run("run", **unreachable) == (
        "The packages can't be fetched, because the network or the package index can't be reached: "
        "check the connection, and try again.\n"
    )


def test_a_slow_network_gets_the_time_that_pip_allows(checkout: Checkout) -> None:
    checkout.add_python("python3", pip=f'echo "$*" >>{checkout.path / "asked"}')
    checkout.run("run")
    checkout.run("dev", PIP_RETRIES="9")
    first, second = (checkout.path / "asked").read_text().splitlines()
    assert "--timeout" not in first
    assert "--retries 9 " in second, "what its user has chosen counts"


def test_a_certificate_that_is_refused_is_no_lack_of_a_network(checkout: Checkout) -> None:
    warning = "WARNING: Retrying after connection broken by SSLError(certificate verify failed)"
    checkout.add_python("python3", pip=f"echo '{warning}' >&2; false")
    assert checkout.run("run").startswith(f"{warning}\n")


def test_it_tells_how_far_it_is(checkout: Checkout) -> None:
    (checkout.path / "requirements" / "run.txt").write_text("a==1 \\\n    --hash=sha256:0\n" * 25)
    lines = ["Collecting a==1 (from -r run.txt)", "  Downloading a.whl", "Ignoring b: markers", "Processing c.whl"] * 8
    said = "; ".join(f"echo '{line}'" for line in [*lines, "Installing collected packages: a, b"])
    checkout.add_python("python3", pip=said)
    with checkout.start("run") as process:
        _, err = process.communicate()
    assert err.splitlines() == [
        "Setting up venv (once, half a minute or more)...",
        "Fetching packages: 10 of 25...",
        "Fetching packages: 20 of 25...",
        "Installing the packages...",
    ]


@needs_make
@pytest.mark.parametrize("during", ["venv", "pip"])
def test_ctrl_c_ends_it_with_a_sentence(checkout: Checkout, during: str) -> None:
    wait = f"exec {sys.executable} -c 'import pathlib, time; pathlib.Path(\"{{place}}\").touch(); time.sleep(60)'"
    waiting = wait.format(place=checkout.path / "waiting")
    if during == "pip":
        checkout.add_python("python3", pip=waiting)
    else:
        checkout.add_python("python3", venv=waiting)
    with checkout.start_make("demo") as process:
        while not (checkout.path / "waiting").exists():
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == -signal.SIGINT
    assert err.splitlines()[1:] == ["", "Setting up venv was interrupted; run the same command to start over."]
    checkout.add_python("python3")
    assert checkout.run("run") == ""


@needs_make
@pytest.mark.skipif(not CAN_BLOCK, reason="env is not that of GNU")
def test_ctrl_c_waits_until_the_demo_listens(checkout: Checkout) -> None:
    checkout.add_python("python3", question='case "$*" in "-m bot demo"*) kill -INT $$; echo listens; exit;; esac;')
    with checkout.start_make("demo") as process:
        out, _ = process.communicate()
    assert (process.returncode, out) == (0, "listens\n")


@needs_make
def test_the_environment_is_not_removed_under_what_needs_it(checkout: Checkout) -> None:
    with checkout.start_make("clean", "demo") as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert "so run it by itself" in err
    assert checkout.done == []


def test_an_interrupted_removal_does_not_count(checkout: Checkout) -> None:
    checkout.run("run")
    lock = checkout.path / "requirements" / "run.txt"
    before = lock.read_text()
    lock.write_text("something newer\n")
    (checkout.path / "stuck").touch()
    assert checkout.run("run") == "venv could not be made (see above).\n"
    (checkout.path / "stuck").unlink()
    lock.write_text(before)
    assert checkout.run("run") == ""
    assert checkout.done == ["venv", "run.txt"] * 2


def test_a_folder_of_another_purpose_is_left_alone(checkout: Checkout) -> None:
    (checkout.path / "venv").mkdir()
    (checkout.path / "venv" / "letter").touch()
    assert checkout.run("run") == "venv is in the way: it is no virtual environment.\n"
    assert (checkout.path / "venv" / "letter").exists()


def test_an_old_python_is_refused(checkout: Checkout) -> None:
    checkout.add_python("python3.10", question=IS_OLD)
    assert checkout.run("run", "python3.10") == "PYTHON=python3.10 is no Python 3.11 or newer.\n"


def test_a_newer_python_is_found_if_the_first_is_too_old(checkout: Checkout) -> None:
    checkout.add_python("python3", question=IS_OLD)
    checkout.add_python("python3.13")
    assert checkout.run("run") == ""
    assert IS_OLD not in (checkout.path / "venv" / "bin" / "python").read_text()


def test_a_python_without_venv_names_the_missing_package(checkout: Checkout) -> None:
    without = 'case "$*" in *ensurepip*) exit 1;; *version_info?:2*) set -- -c \'print("python3.11")\';; esac;'
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        checkout.add_python(name, question=without)
    assert checkout.run("run") == (
        "python3 cannot make virtual environments: install its venv module "
        "(on Debian and Ubuntu: apt install python3.11-venv).\n"
    )
