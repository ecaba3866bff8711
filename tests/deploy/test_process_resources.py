"""Priorities of processes, limits of open files, and security profiles of pods."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml

from bots.sandbox.sandboxed_bot_start import MEMORY_SHARE
from deploy.supervisor.child_process_start_and_stop import Process, start, stop
from deploy.supervisor.process_roles import list_web_roles
from ftk_core.games import list_games
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS
from tests.support.arena import free_port
from tests.support.prepared_leagues import build_environment
from tests.support.processes import read_database_url
from tests.support.waiting import until, wait_for
from tools.container.kubernetes_manifests import OVERLAYS, build_manifests, find_pod_spec, of_kind

UNITS = {file.stem: file.read_text() for file in Path("deploy/systemd").glob("*.service")}
LOOP = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[2])}); sys.path.insert(0, '.')\n"
LOOP += "from deploy.process_resources import lower_priority; lower_priority(int(sys.argv[1]))\nwhile True: pass"
SECONDS = 4.0


def seconds_used(process: Process) -> float:
    words = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def autogroup(process: Process) -> str:
    return Path(f"/proc/{process.pid}/autogroup").read_text()


@contextmanager
def looping(niceness: int, processor: int) -> Iterator[Process]:
    """Run an endless loop on one processor, started as the supervisor starts its children."""
    process = start([sys.executable, "-c", LOOP, str(niceness), str(processor)], folder=Path.cwd())
    try:
        yield process
    finally:
        stop(process, [])


@pytest.mark.nightly
@pytest.mark.parametrize(("niceness", "share"), [(19, 0.06), (5, 0.36), (4, 0.40)])
def test_a_low_priority_process_takes_only_limited_processor_time_from_a_running_match(
    niceness: int, share: float
) -> None:
    processor = min(os.sched_getaffinity(0))
    with looping(0, processor) as playing, looping(niceness, processor) as giving_way:
        wait_for(lambda: f"nice {os.nice(0) + niceness}\n" in autogroup(giving_way), "it gives way")
        wait_for(lambda: seconds_used(playing) > 0.5, "it plays")
        before = [seconds_used(process) for process in (playing, giving_way)]
        until(time.monotonic() + SECONDS)
        used = [seconds_used(process) - start for process, start in zip((playing, giving_way), before, strict=True)]
    assert used[1] / sum(used) <= share, used


def test_the_review_worker_runs_with_the_scheduling_policy_sched_idle() -> None:
    code = "import os; from deploy.process_resources import run_when_idle as f; f(); print(os.sched_getscheduler(0))"
    own = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (int(own.stdout), own.stderr) == (os.SCHED_IDLE, "")


def test_a_process_that_is_not_session_leader_does_not_lower_the_session_priority() -> None:
    code = "from deploy.process_resources import lower_priority as f; f(7); print(open('/proc/self/autogroup').read())"
    own = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "nice 7" not in own.stdout


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_web_process_raises_its_limit_of_open_file_descriptors(tmp_path: Path) -> None:
    port, log, few = free_port(), tmp_path / "web.log", 128
    env = {**build_environment(tmp_path), "DATABASE_URL": read_database_url()}
    limited = "import os, resource, sys; hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]; "
    limited += f"resource.setrlimit(resource.RLIMIT_NOFILE, ({few}, hard)); os.execv(sys.executable, sys.argv[1:])"
    web = [sys.executable, "-m", "deploy.web", "--port", str(port)]
    process = start([sys.executable, "-c", limited, *web], log=log, env=env, folder=Path.cwd())
    try:
        with ExitStack() as stack:
            for number in range(2 * few):
                connection = HTTPConnection("127.0.0.1", port, 60, (f"127.0.2.{1 + number // 100}", 0))
                stack.callback(connection.close)
                if number == 0:
                    wait_for(lambda: _answers(port), "the web server answers", 120)
                connection.request("GET", "/static/crown.svg")
                assert connection.getresponse().read()
    finally:
        stop(process, [])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert f"open files: at most {hard} (the limit was {few})" in log.read_text()


@pytest.mark.slow
def test_a_worker_raises_its_limit_of_open_file_descriptors() -> None:
    program = """
import resource
from deploy.celery import raise_file_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1000))
raise_file_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    env = build_environment(Path("var/unused"))
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "(1000, 1000)\n"


def _answers(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, 5)) as connection:
        try:
            connection.connect()
        except OSError:
            return False
        return True


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_each_systemd_unit_has_a_cpu_weight_that_the_guide_names(unit: str) -> None:
    for setting in ("CPUWeight", "LimitNOFILE", "MemoryMax"):
        assert re.search(rf"^{setting}=\S+$", UNITS[unit], re.MULTILINE), setting
    guide = Path("deploy/README.md").read_text().partition("## More than one machine")[2]
    assert f"`{unit}`" in guide


def test_workers_in_containers_have_the_database_pools_of_the_systemd_units() -> None:
    setting = re.compile(r"^Environment=DATABASE_POOL=(\d+)$", re.MULTILINE)
    pools = {unit.removeprefix("ftk-"): found[1] for unit, text in UNITS.items() if (found := setting.search(text))}
    services = yaml.safe_load(Path("deploy/container/compose.yaml").read_text())["services"]
    composed = {name: service.get("environment", {}).get("DATABASE_POOL") for name, service in services.items()}
    pods = {name: find_pod_spec(one) for name, one in of_kind(build_manifests(OVERLAYS[0]), "Deployment").items()}
    variables = [(name, one) for name, pod in pods.items() for one in pod["containers"][0].get("env", ())]
    assert pools == {"outside": "4", "seats": "40"}
    assert {name: pool for name, pool in composed.items() if pool} == pools
    assert {name: one["value"] for name, one in variables if one["name"] == "DATABASE_POOL"} == pools


def test_matches_have_the_largest_cpu_weight_and_reviews_the_smallest() -> None:
    weights = {unit: int(re.findall(r"^CPUWeight=(\d+)$", text, re.MULTILINE)[0]) for unit, text in UNITS.items()}
    assert weights["ftk-worker"] == max(weights.values())
    assert weights["ftk-reviews"] == min(weights.values())
    assert max(weights["ftk-web"], weights["ftk-trials"]) < weights["ftk-worker"]


def test_systemd_sends_the_stop_signal_of_a_celery_unit_with_several_processes_only_to_its_main_process() -> None:
    runs_bots = {unit for unit, text in UNITS.items() if "-P prefork" in text or "Delegate=" in text}
    assert {"ftk-worker", "ftk-trials", "ftk-seats", "ftk-house"} == runs_bots
    assert runs_bots == {unit for unit, text in UNITS.items() if "\nKillMode=mixed\n" in text}


def test_all_celery_units_of_one_machine_have_names_of_their_own_in_the_workers_reports() -> None:
    names = [name for text in UNITS.values() for name in re.findall(r"celery .* worker -n (\S+@)%%h ", text)]
    assert len(set(names)) == len(names) == len(UNITS) - 1, "all but the web server"


@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda overlay: overlay.name)
def test_pods_that_start_bots_have_no_apparmor_profile_where_the_sandbox_mounts_folders(overlay: Path) -> None:
    manifests = build_manifests(overlay)
    cage = of_kind(manifests, "ConfigMap")["ftk"]["data"]["BOT_CAGE"]
    pods = {name: find_pod_spec(one)["securityContext"] for name, one in of_kind(manifests, "Deployment").items()}
    unconfined = {name for name, one in pods.items() if one.get("appArmorProfile") == {"type": "Unconfined"}}
    assert unconfined == ({"matches", "trials", "seats"} if cage == "bwrap" else set())


def test_the_pods_of_matches_have_memory_for_as_many_full_tables_as_they_play_at_once() -> None:
    table = max(max(rules.seats) for rules in list_games().values()) * SANDBOX_LIMITS.memory_bytes
    pods = {name: find_pod_spec(one) for name, one in of_kind(build_manifests(OVERLAYS[0]), "Deployment").items()}
    limits = {name: pod["containers"][0]["resources"]["limits"]["memory"] for name, pod in pods.items()}
    sizes = {name: int(limit.removesuffix("Gi")) << 30 for name, limit in limits.items() if limit.endswith("Gi")}
    words = pods["matches"]["containers"][0]["command"]
    assert sizes["matches"] * MEMORY_SHARE >= int(words[words.index("-c") + 1]) * table
    assert sizes["seats"] * MEMORY_SHARE >= 2 * table
    assert sizes["trials"] >= 3 << 30, "each process of a compiler may use 1 GiB"


def test_the_ingress_writes_no_log_of_addresses_because_they_may_contain_tokens() -> None:
    ingress = of_kind(build_manifests(OVERLAYS[0]), "Ingress")["web"]
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/enable-access-log"] == "false"


def test_only_services_that_start_bots_run_without_the_apparmor_profile_of_docker() -> None:
    services = yaml.safe_load(Path("deploy/container/compose.yaml").read_text())["services"]
    more = {name: service["security_opt"][2:] for name, service in services.items() if "security_opt" in service}
    unconfined = {name for name, options in more.items() if options == ["apparmor:unconfined"]}
    assert unconfined == {name for name, options in more.items() if options} == {"matches", "trials", "seats"}


def test_the_size_of_the_connection_pool_that_an_operator_sets_applies_to_all_web_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DATABASE_POOL", raising=False)
    assert [role.env for role in list_web_roles("127.0.0.1", 8000, 4)] == [{"DATABASE_POOL": "8"}] * 4
    monkeypatch.setenv("DATABASE_POOL", "4")
    assert [role.env for role in list_web_roles("127.0.0.1", 8000, 2)] == [{}, {}]
