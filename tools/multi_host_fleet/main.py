"""Program behind `make fleet`: plays a league on simulated hosts that fail.

The league is played once with each message broker and compared with a run on one machine. FTK_FLEET_BOTS (200) and
FTK_FLEET_WATCHERS (1000) set the size. FTK_FLEET_BROKERS contains the names of the brokers (``RabbitMQ Redis``).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg

from bots.sandbox.inside.user_namespace import drop_root

if os.getuid() == 0:  # bots must not be started as root; before other imports, because the change needs a single thread
    drop_root()
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
os.environ.setdefault("BOT_CAGE", "bwrap")

from deploy.supervisor import embedded_postgres
from tests.support.arena import Arena as OneMachine
from tests.support.machine import NGINX
from tests.support.prepared_leagues import LeagueSize, copy_folder, is_league_closed, prepare_league
from tests.support.waiting import wait_for
from tools.multi_host_fleet.brokers import BROKERS, explain_missing_broker
from tools.multi_host_fleet.fleet_database_queries import comparable_outcome
from tools.multi_host_fleet.fleet_failure_test import play_disturbed_league, start_fleet
from tools.multi_host_fleet.fleet_processes import OURS, SoftwareVersion
from tools.multi_host_fleet.league_outcome_comparison import BrokerLeagueResult, compare_league, table
from tools.multi_host_fleet.simulated_hosts import why_forbidden
from tools.multi_host_fleet.upgrade_test_version import create_next_version, read_build

BOTS, WATCHERS = (int(os.environ.get(f"FTK_FLEET_{w}", n)) for w, n in (("BOTS", 200), ("WATCHERS", 1000)))
ROUNDS = 2
WANTED = os.environ.get("FTK_FLEET_BROKERS", " ".join(BROKERS)).split()
SIZE = LeagueSize(bots=BOTS, rounds=ROUNDS, games=1, seconds=0.0, pace_ms=max(500, 60_000 // (BOTS // 2 * ROUNDS)))
"""Size of the league; with few matches the pace is slower, so that there is time for all disturbances."""
CALM_SECONDS = 1800.0
AT_ONCE = """
UPDATE replays_match SET pace_ms = 0;
CREATE FUNCTION at_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.pace_ms = 0; RETURN NEW; END $$;
CREATE TRIGGER at_once BEFORE INSERT ON replays_match FOR EACH ROW EXECUTE FUNCTION at_once();
"""
"""SQL that sets the pace of all matches to 0, because nobody watches them. Logs do not contain the pace."""


def say(line: str) -> None:
    """Print a progress message with the time."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def play_undisturbed(league: Path, var: Path) -> dict[str, Any]:
    """Play a copy of a prepared league on one machine, and return its outcome.

    The keys are `standings`, `ratings`, `tables` and `logs`.
    """
    server = embedded_postgres.start_server(copy_folder(league, var) / "postgres")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(AT_ONCE.encode())
    server.stop()
    arena = OneMachine(var, "--workers", "3", FTK_METERED="0")
    try:
        wait_for(
            lambda: is_league_closed(arena), lambda: f"the end of the calm league; {arena.read_output()}", CALM_SECONDS
        )
        return comparable_outcome(arena)
    finally:
        arena.process.kill()
        arena.process.wait()


def play_disturbed(
    name: str, league: Path, folder: Path, expected: dict[str, Any], later: SoftwareVersion
) -> BrokerLeagueResult:
    """Play a copy of a prepared league on simulated hosts that fail, and return the result.

    `expected` is the outcome on one machine. The hosts are upgraded to the software version `later`.
    """
    builds = read_build(later), read_build(OURS)
    folder.mkdir()
    with ExitStack() as stack:
        words = {"later": later, "earlier_build": builds[1], "say": say}
        run = start_fleet(stack, copy_folder(league, folder / "var"), BROKERS[name], WATCHERS, words)
        play_disturbed_league(run, WATCHERS)
        return compare_league(name, run, expected, builds, SIZE.matches)


def main() -> int:
    """Play the league on one machine and, with each broker, on simulated hosts. Return the exit code.

    The exit code is 0 for success, 1 for a failure or a missing broker, 2 if this machine cannot simulate hosts.
    """
    reasons = [why for why in (why_forbidden(), "" if NGINX else "nginx is not installed") if why]
    if reasons:
        say(f"there can be no fleet here: {'; '.join(reasons)}")
        return 2
    verdicts: list[BrokerLeagueResult] = []
    with tempfile.TemporaryDirectory(prefix="ftk-fleet-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        say(f"{BOTS} bots, {SIZE.matches} matches, {WATCHERS} watchers; first on one machine")
        league = prepare_league(folder / "league" / "var", SIZE)
        (folder / "calm").mkdir()
        expected = play_undisturbed(league, folder / "calm" / "var")
        later = create_next_version(folder / "later")
        missing = [why for broker in WANTED if (why := explain_missing_broker(broker))]
        for broker in [broker for broker in WANTED if not explain_missing_broker(broker)]:
            say(f"on a fleet, with {broker}")
            verdicts.append(play_disturbed(broker, league, folder / broker.lower(), expected, later))
    sys.stdout.write(table(verdicts) + "".join(f"not tried: {why}\n" for why in missing))
    return 0 if verdicts and not missing and all(verdict.passed for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
