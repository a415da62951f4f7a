#!/bin/sh
# Keeps the virtual environment that the Makefile runs everything in.
#
#   venv.sh run|dev VENV [PYTHON]    makes VENV hold the packages of the lock, unless it does already
#
# `run` is what the bot needs (run.txt), `dev` what working on it needs (dev.txt, which includes the former).
# Newer benches call the script of a release, so its arguments stay.
# VENV/.holds says what is installed and is written last, so that an interrupted installation is started over.
set -u

kind=$1 venv=$2 wanted=${3-}
locks=${0%/*}

say() {
    printf '%s\n' "$1" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

makes_environments() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

say_venv_is_missing() {
    name=$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    say "$1 cannot make virtual environments: install its venv module (on Debian and Ubuntu: apt install $name-venv)."
}

# Sets `python` to an interpreter that can make the environment.
find_python() {
    lacking=
    for python in ${wanted:-python3 python3.14 python3.13 python3.12 python3.11}; do
        is_new_enough "$python" || continue
        makes_environments "$python" && return
        lacking=${lacking:-$python}
    done
    [ -z "$lacking" ] || say_venv_is_missing "$lacking"
    [ -z "$wanted" ] || say "PYTHON=$wanted is no Python 3.11 or newer."
    # Where python3 is too old, so is the distribution's package.
    command -v python3 >/dev/null || how=" (on Debian and Ubuntu: apt install python3-venv)"
    say "Parlour needs Python 3.11 or newer, and none was found: install it${how-}, or name it with PYTHON=."
}

# What .holds says of an environment that has the packages of a lock: its kind, the sum of the lock, its place.
holding() {
    sum=$(cksum <"$locks/$1.txt" 2>/dev/null) && printf '%s %s %s\n' "$1" "$sum" "$(cd "$venv" && pwd)"
}

holds() {
    expected=$(holding "$1") || return
    while read -r line; do
        [ "$line" != "$expected" ] || return 0
    done <"$venv/.holds" 2>/dev/null
    return 1
}

identity() {
    "$1" -c 'import os, sys; print(sys.version, os.path.realpath(sys.base_prefix))' 2>/dev/null
}

is_of_the_wanted_python() {
    found=$(identity "$venv/bin/python") && { [ -z "$wanted" ] || [ "$found" = "$(identity "$wanted")" ]; }
}

is_ready() {
    [ -f "$venv/.holds" ] && holds "$1" && is_of_the_wanted_python
}

# Refuses to empty a folder that holds something else.
find_place() {
    [ ! -e "$venv" ] || [ -f "$venv/pyvenv.cfg" ] || [ -z "$(ls -A "$venv")" ] ||
        say "$venv is in the way: it is no virtual environment."
}

create() {
    # The mark goes first and pyvenv.cfg last, so that an interruption leaves something to start over from.
    rm -rf "$venv/.holds" "$venv/lib" "$venv/bin"
    "$python" -m venv --clear "$venv" >"$scratch/log" 2>&1 || say_log "$venv could not be made (see above)."
}

say_log() {
    cat "$scratch/log" >&2
    say "$1"
}

# Tells how far pip is. It says a line for each package of the lock, whether it fetches it, has it, or leaves it out; all
# that it says would fill the screen.
report() {
    total=$(grep -c '^[A-Za-z0-9]' "$locks/$kind.txt") begun=0
    while read -r line; do
        case $line in
        Collecting\ * | Processing\ * | Requirement\ already\ * | Ignoring\ *)
            begun=$((begun + 1))
            [ $((begun % 10)) != 0 ] || echo "Fetching packages: $begun of $total..." >&2
            ;;
        Installing\ collected\ *) echo "Installing the packages..." >&2 ;;
        esac
    done
}

# What pip says of a certificate is shown: there, the network is not the reason.
lacks_network() {
    ! grep -q 'SSLError' "$scratch/log" &&
        grep -Eq 'connection broken by|ConnectionPool|Connection[A-Za-z]*Error|[Tt]ime(d )?out' "$scratch/log"
}

install() {
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    # Whatever runs gets the signal, too, and its own last words are in the log.
    trap 'echo >&2; say "Setting up $venv was interrupted; run the same command to start over."' HUP INT TERM
    echo "Setting up $venv (once, half a minute or more)..." >&2
    # What working on the bot needs is only added, so that a bot which runs in the environment is not disturbed.
    { is_ready run && ! grep -q '^dev ' "$venv/.holds"; } || create
    # The lock is complete. pip 23.2 would otherwise look up pytest-cov's `coverage[toml]` and take a newer, unlocked one.
    # Without a network, more attempts would only take longer. How long one may take is left to pip: networks can be slow.
    # Python compiles what it imports; compiling all modules now would take a quarter of the time.
    {
        "$venv/bin/python" -m pip install --no-input --no-color --progress-bar off --disable-pip-version-check \
            --retries "${PIP_RETRIES:-2}" --no-compile --no-deps --require-hashes -r "$locks/$kind.txt" 2>"$scratch/log" ||
            touch "$scratch/failed"
    } | report
    if [ -e "$scratch/failed" ]; then
        ! lacks_network || say "The packages can't be fetched, because the network or the package index can't be reached: \
check the connection, and try again."
        say_log "The packages could not be installed (see above); try again."
    fi
    { [ "$kind" = run ] || holding run; holding "$kind"; } >"$venv/.holds.new"
    mv "$venv/.holds.new" "$venv/.holds"
}

is_ready "$kind" && exit 0
find_place
find_python
install
