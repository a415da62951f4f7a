# The habits of the project; `make` alone lists them.
#
#   make test ARGS="-k magpie"       hands ARGS on to the command behind the target
#   PYTHON=python3.13 make test      makes the environment with that Python
#   make test VENV=../parlour-venv   keeps the environment elsewhere

VENV ?= .venv
PYTHON ?=
ARGS ?=
SBOM ?= sbom

IN_VENV := $(VENV)/bin/
KEEP_VENV := $(SHELL) requirements/venv.sh
COMPILE := $(IN_VENV)uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml

FOR_RUNNING := demo run setup
FOR_WORKING := venv-dev test test-all test-long bench check messages format lock sbom

# A Ctrl+C waits until the bot listens, where `env` can hold it back: Python by itself would answer with a traceback.
HOLD_INTERRUPT = $(shell env --block-signal=INT true 2>/dev/null && echo env --block-signal=INT)
TOOL := $(IN_VENV)uv tool run --quiet --python $(IN_VENV)python
IMAGE_PYTHON = $(shell sed -n 's/^FROM python:\([0-9.]*\).* AS .*/\1/p' Dockerfile)

.DEFAULT_GOAL := help
.PHONY: help clean $(FOR_RUNNING) $(FOR_WORKING)

# The environment is made here instead of by a rule: where that fails, its script says why in one sentence, and -q ends make
# without a word more.
NEEDED := $(if $(filter $(FOR_WORKING),$(MAKECMDGOALS)),dev,$(if $(filter $(FOR_RUNNING),$(MAKECMDGOALS)),run))
ifneq ($(NEEDED),)
ifneq ($(filter clean,$(MAKECMDGOALS)),)
$(error `make clean` removes the environment, so run it by itself)
endif
ifneq ($(shell $(KEEP_VENV) $(NEEDED) "$(VENV)" "$(PYTHON)" || echo failed),)
MAKEFLAGS += -q
endif
endif

help: ## List what make can do (this text).
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1:\2/p' Makefile | while IFS=: read -r target sentence; do \
		printf '  make %-9s %s\n' "$$target" "$$sentence"; done

demo: ## Try Parlour in your browser, without Discord.
	@$(HOLD_INTERRUPT) $(IN_VENV)python -m bot demo $(ARGS)

run: ## Run the bot on Discord, with the settings in .env (see .env.example).
	@$(HOLD_INTERRUPT) $(IN_VENV)python -m bot run $(ARGS)

setup: ## Ask for your bot's token, test it, and keep it in .env.
	@$(IN_VENV)python -m bot setup $(ARGS)

# Dozens of processes of the bot are started meanwhile: each but the first finds its modules compiled.
test: ## Run all tests except the slow ones, on all cores.
	@PYTHONDONTWRITEBYTECODE= $(IN_VENV)python -m pytest --numprocesses auto --dist worksteal -m "not slow" $(ARGS)

test-all: ## Run the slow tests too, which start the bot, kill it, install it and train its players.
	@PYTHONDONTWRITEBYTECODE= $(IN_VENV)python -m pytest --numprocesses auto --dist worksteal $(ARGS)

test-long: ## Play thousands of games, forge 100,000 clicks, kill the bot and replace it 200 times each, soak it (an hour).
	@$(IN_VENV)python -m pytest --long -rP tests/games tests/fuzz tests/e2e/crash tests/e2e/soak \
		tests/tables/test_minds.py tests/rules/test_grades.py tests/test_adding_a_game.py tests/test_image.py \
		tests/test_packaging.py $(ARGS)

bench: ## Measure Parlour beside a bare bot and the last release, on one page (a quarter of an hour).
	@$(IN_VENV)python -m tests.bench $(ARGS)

check: ## Check style, format, types, who imports whom, that no library's private names are used, translations and workflows.
	@$(IN_VENV)ruff check --output-format concise .
	@$(IN_VENV)ruff format --check .
	@$(IN_VENV)mypy
	@$(IN_VENV)lint-imports
	@$(IN_VENV)python -m tests.private_names
	@$(IN_VENV)python -m bot messages --check
	@$(IN_VENV)actionlint -no-color -shellcheck= -pyflakes= .github/workflows/*.yml
	@$(IN_VENV)zizmor --offline --quiet --no-progress --strict-collection .github

messages: ## Bring the catalogues of all languages in sync with the texts in the code.
	@$(IN_VENV)python -m bot messages

format: ## Format the code and mend what can be mended by itself.
	@$(IN_VENV)ruff check --fix --exit-zero --output-format concise .
	@$(IN_VENV)ruff format .

lock: ## Write requirements/*.txt anew from pyproject.toml (ARGS=--upgrade for newer versions).
	@$(COMPILE) --output-file requirements/run.txt $(ARGS)
	@$(COMPILE) --output-file requirements/dev.txt --extra dev --constraints requirements/run.txt $(ARGS)

# The packages of the image are those of its platform, and fewer than those of the tests.
sbom: ## Write sbom/: the Python packages of the image (CycloneDX), and their licences.
	@$(IN_VENV)uv venv --quiet --clear --python $(IN_VENV)python "$(SBOM)/packages"
	@$(IN_VENV)uv pip install --quiet --python "$(SBOM)/packages" --python-platform linux --python-version $(IMAGE_PYTHON) \
		--no-deps --require-hashes --requirements requirements/run.txt
	@$(TOOL) --from cyclonedx-bom==7.5.0 cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file "$(SBOM)/parlour.cdx.json" "$(SBOM)/packages"
	@$(TOOL) pip-licenses==5.5.5 --python "$(SBOM)/packages/bin/python" --format markdown >"$(SBOM)/licences.md"
	@printf '\n%s\n' "UNKNOWN: the package's metadata names none. The texts are in the image, in the packages' dist-info folders." \
		"The licences of the art and the font are in data/README.md." >>"$(SBOM)/licences.md"
	@rm -rf "$(SBOM)/packages"

clean: ## Remove the environment and all caches; the tables in var/ stay.
	@[ ! -f "$(VENV)/pyvenv.cfg" ] || rm -rf "$(VENV)"
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage htmlcov sbom
	@find bot cogs tests -name __pycache__ -prune -exec rm -rf {} +

venv-dev:
	@:
