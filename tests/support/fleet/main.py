"""`make fleet`: everything happens to a fleet while it plays a league and many watch; with each broker, and a table.

``FTK_FLEET_BOTS`` (200) and ``FTK_FLEET_WATCHERS`` (1000) say how large it is, ``FTK_FLEET_BROKERS`` with which.
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

from bots.cage.inside.nobody import step_down

if os.getuid() == 0:  # whoever starts bots must not be root; before anything else, as it needs to have one thread
    step_down()
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
os.environ.setdefault("BOT_CAGE", "bwrap")

from deploy.supervisor import embedded
from tests.support.arena import Arena as OneMachine
from tests.support.fleet.brokers import BROKERS, lacking
from tests.support.fleet.hosts import forbidden
from tests.support.fleet.ledger import compared
from tests.support.fleet.long import opened, play
from tests.support.fleet.roles import OURS, Software
from tests.support.fleet.software import build, next_version
from tests.support.fleet.verdict import Verdict, judged, table
from tests.support.machine import NGINX
from tests.support.prepared import Size, copied, ended, prepared
from tests.support.waiting import wait_for

BOTS, WATCHERS = (int(os.environ.get(f"FTK_FLEET_{w}", n)) for w, n in (("BOTS", 200), ("WATCHERS", 1000)))
ROUNDS = 2
WANTED = os.environ.get("FTK_FLEET_BROKERS", " ".join(BROKERS)).split()
SIZE = Size(bots=BOTS, rounds=ROUNDS, games=1, seconds=0.0, pace_ms=max(500, 60_000 // (BOTS // 2 * ROUNDS)))
"""A shorter league is played at a slower pace, so that there is time for everything."""
CALM_SECONDS = 1800.0
AT_ONCE = """
UPDATE replays_match SET pace_ms = 0;
CREATE FUNCTION at_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.pace_ms = 0; RETURN NEW; END $$;
CREATE TRIGGER at_once BEFORE INSERT ON replays_match FOR EACH ROW EXECUTE FUNCTION at_once();
"""
"""Nobody waits for anybody who watches: the pace is in no log."""


def say(line: str) -> None:
    """Say how far it is."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def calm(league: Path, var: Path) -> dict[str, Any]:
    """Return how the league ends on one machine that nothing befalls, where nobody watches and it is played at once."""
    server = embedded.start(copied(league, var) / "postgres")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(AT_ONCE.encode())
    server.stop()
    arena = OneMachine(var, "--workers", "3", FTK_METERED="0")
    try:
        wait_for(lambda: ended(arena), f"the end of the calm league; {arena.said()}", CALM_SECONDS)
        return compared(arena)
    finally:
        arena.process.kill()
        arena.process.wait()


def disturbed(name: str, league: Path, folder: Path, expected: dict[str, Any], later: Software) -> Verdict:
    """Return how it ends with a broker, on a fleet to which everything happens."""
    builds = build(later), build(OURS)
    folder.mkdir()
    with ExitStack() as stack:
        words = {"later": later, "earlier_build": builds[1], "say": say}
        course = opened(stack, copied(league, folder / "var"), BROKERS[name], WATCHERS, words)
        play(course, WATCHERS)
        return judged(name, course, expected, builds, SIZE.matches)


def main() -> int:
    """Return 0 if all ended as on one machine with every broker, 1 if not, 2 where there can be no fleet."""
    reasons = [why for why in (forbidden(), "" if NGINX else "nginx is not installed") if why]
    if reasons:
        say(f"there can be no fleet here: {'; '.join(reasons)}")
        return 2
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="ftk-fleet-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        say(f"{BOTS} bots, {SIZE.matches} matches, {WATCHERS} watchers; first on one machine")
        league = prepared(folder / "league" / "var", SIZE)
        (folder / "calm").mkdir()
        expected = calm(league, folder / "calm" / "var")
        later = next_version(folder / "later")
        missing = [why for broker in WANTED if (why := lacking(broker))]
        for broker in [broker for broker in WANTED if not lacking(broker)]:
            say(f"on a fleet, with {broker}")
            verdicts.append(disturbed(broker, league, folder / broker.lower(), expected, later))
    sys.stdout.write(table(verdicts) + "".join(f"not tried: {why}\n" for why in missing))
    return 0 if verdicts and not missing and all(verdict.good for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
