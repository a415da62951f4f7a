#!/bin/sh
# Keeps the virtual environment that the Makefile runs everything in.
#
#   venv.sh check run|dev VENV [PYTHON]    says in one sentence what is missing, if anything is
#   venv.sh make  run|dev VENV [PYTHON]    makes VENV hold the packages of the lock, unless it does already
#
# `run` is what the bot needs (run.txt), `dev` what working on it needs (dev.txt, which includes the former).
# VENV/.holds says what is installed and is written last, so that an interrupted installation is begun anew.
set -u

action=$1 kind=$2 venv=$3 wanted=${4-}
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
    say "$1 cannot make virtual environments: install its venv module (on Debian and Ubuntu: the package $name-venv)."
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
    say "Parlour needs Python 3.11 or newer, and none was found: install it, or name it with PYTHON=."
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
    # The mark goes first and pyvenv.cfg last, so that an interruption leaves something to begin anew from.
    rm -rf "$venv/.holds" "$venv/lib" "$venv/bin"
    "$python" -m venv --clear "$venv" || say "$venv could not be made (see above)."
}

install() {
    echo "Setting up $venv (once, about a minute)..." >&2
    # What working on the bot needs is only added, so that a bot which runs in the environment is not disturbed.
    { is_ready run && ! grep -q '^dev ' "$venv/.holds"; } || create
    # The lock is complete. pip 23.2 would otherwise look up pytest-cov's `coverage[toml]` and take a newer, unlocked one.
    "$venv/bin/python" -m pip install -qq --no-input --disable-pip-version-check --no-deps --require-hashes \
        -r "$locks/$kind.txt" || say "The packages could not be installed (see above); try again."
    { [ "$kind" = run ] || holding run; holding "$kind"; } >"$venv/.holds.new"
    mv "$venv/.holds.new" "$venv/.holds"
}

is_ready "$kind" && exit 0
find_place
find_python
[ "$action" = check ] || install
