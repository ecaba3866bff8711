"""Containers: Compose file, Kubernetes manifests and seccomp profile run all processes, without privileges."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from bots.sandbox.filter.system_call_policy import Kind, list_rules
from deploy.http.health_probes import LIVENESS_PATH, READINESS_PATH
from deploy.messaging.broker import QUEUE_NAMES
from ftk_core import __version__
from tools.container import seccomp_profile
from tools.container.container_runtime_emulator import run
from tools.container.kubernetes_manifests import OVERLAYS, build_manifests, find_pod_spec, of_kind

COMPOSE = yaml.safe_load(Path("deploy/container/compose.yaml").read_text())["services"]
KEDA = json.loads(Path("tools/container/keda.json").read_text())
KINDS: tuple[Kind, ...] = ("start", "python", "native", "threads", "build", "build_threads")
OTHERS = {"database", "broker"}
REFUSED = """
acct add_key bpf clock_settime delete_module finit_module fsmount fsopen init_module io_uring_setup kexec_load keyctl
name_to_handle_at open_by_handle_at open_tree perf_event_open process_vm_readv process_vm_writev ptrace quotactl reboot
request_key setns settimeofday swapon syslog userfaultfd vhangup
""".split()  # noqa: SIM905 - a table to be read
TRY = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
for name, number in zip(sys.argv[1::2], map(int, sys.argv[2::2])):
    ctypes.set_errno(0)
    said = libc.syscall(number, 0, 0, 0, 0, 0)
    print(name, errno.errorcode.get(ctypes.get_errno()) if said == -1 else said)
"""


def queues(commands: Iterable[str]) -> Counter[str]:
    """Return the number of commands that read each queue."""
    lists = [names for command in commands for names in re.findall(r"-Q (\S+)", command)]
    return Counter(name for names in lists for name in names.split(","))


def commands(manifests: list[dict[str, Any]]) -> dict[str, str]:
    return {
        name: " ".join(find_pod_spec(one)["containers"][0]["command"])
        for name, one in of_kind(manifests, "Deployment").items()
    }


def unit_commands() -> list[str]:
    units = "".join(unit.read_text() for unit in Path("deploy/systemd").glob("*"))
    return re.findall(r"^ExecStart=(.*)$", units, re.MULTILINE)


@pytest.fixture(params=OVERLAYS, ids=lambda overlay: overlay.name)
def manifests(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return build_manifests(request.param)


@pytest.mark.slow
def test_every_kubernetes_manifest_is_valid_by_the_published_schemas(manifests: list[dict[str, Any]]) -> None:
    import jsonschema
    import kubernetes_validate

    for manifest in [one for one in manifests if "keda.sh" not in one["apiVersion"]]:
        kubernetes_validate.validate(manifest, "1.34", strict=True)
    for scaled in of_kind(manifests, "ScaledObject").values():
        jsonschema.validate(scaled["spec"], KEDA)


@pytest.mark.slow
def test_an_invalid_kubernetes_manifest_is_detected(manifests: list[dict[str, Any]]) -> None:
    import kubernetes_validate

    of_kind(manifests, "Deployment")["web"]["spec"]["replica"] = 2
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(of_kind(manifests, "Deployment")["web"], "1.34", strict=True)


def test_each_queue_is_read_by_exactly_one_service_in_systemd_compose_and_kubernetes(
    manifests: list[dict[str, Any]],
) -> None:
    composed = (" ".join(service.get("command", ())) for service in COMPOSE.values())
    assert queues(unit_commands()) == queues(composed) == queues(commands(manifests).values()) == Counter(QUEUE_NAMES)


def test_the_compose_file_and_the_kubernetes_manifests_run_the_same_processes(manifests: list[dict[str, Any]]) -> None:
    ours = {name: " ".join(service["command"]) for name, service in COMPOSE.items() if name not in OTHERS | {"migrate"}}
    assert commands(manifests) == ours
    assert sum("beat" in command.split() for command in ours.values()) == 1
    assert any("deploy.web" in command for command in ours.values())


def test_the_compose_file_is_valid() -> None:
    from compose_spec import PyCompose  # slow to import

    merged = yaml.safe_dump({"name": "ftk", "services": COMPOSE})  # `PyCompose` does not resolve YAML merge keys
    assert set(PyCompose.from_yaml(merged).service_names()) == set(COMPOSE)


def test_the_autoscaler_of_a_deployment_watches_all_queues_that_the_deployment_reads(
    manifests: list[dict[str, Any]],
) -> None:
    scaled = of_kind(manifests, "ScaledObject")
    assert set(scaled) == {"matches", "trials", "reviews"}
    for one in scaled.values():
        command = commands(manifests)[one["spec"]["scaleTargetRef"]["name"]]
        assert Counter(t["metadata"]["queueName"] for t in one["spec"]["triggers"]) == queues([command])
        assert "replicas" not in of_kind(manifests, "Deployment")[one["spec"]["scaleTargetRef"]["name"]]["spec"]


def test_no_pod_has_privileges_or_writes_outside_its_folders(manifests: list[dict[str, Any]]) -> None:
    pods = [find_pod_spec(manifest) for manifest in manifests if find_pod_spec(manifest)]
    assert len(pods) == 9
    for one in pods:
        assert one["securityContext"]["runAsNonRoot"]
        assert one["securityContext"]["seccompProfile"] == {"type": "Localhost", "localhostProfile": "ftk/seccomp.json"}
        assert one["automountServiceAccountToken"] is False
        (container,) = one["containers"]
        assert container["image"] == f"ftk-arena:{__version__}"
        security = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "runAsNonRoot": True}
        assert container["securityContext"] == {**security, "capabilities": {"drop": ["ALL"]}}
        writable = [mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")]
        assert writable == ["/var/lib/ftk", "/tmp"]


def test_every_pod_waits_for_the_migrations_of_its_release(manifests: list[dict[str, Any]]) -> None:
    deployments = of_kind(manifests, "Deployment")
    assert "web" in deployments
    for one in map(find_pod_spec, deployments.values()):
        (container,), (waiting,) = one["containers"], one["initContainers"]
        assert waiting["command"][2].startswith("until python manage.py migrate --check")
        same = ("image", "securityContext", "envFrom", "volumeMounts")
        assert [waiting[name] for name in same] == [container[name] for name in same]


def test_network_policies_let_only_web_pods_receive_requests_or_send_mail_and_only_webhook_pods_connect_to_any_host(
    manifests: list[dict[str, Any]],
) -> None:
    policies = {name: one["spec"] for name, one in of_kind(manifests, "NetworkPolicy").items()}
    entered = {name for name, spec in policies.items() if spec.get("ingress")}
    assert (policies["all"]["podSelector"], policies["all"]["policyTypes"]) == ({}, ["Ingress", "Egress"])
    assert entered == {"web"}
    free = [spec["podSelector"]["matchLabels"]["app"] for spec in policies.values() if {} in spec.get("egress", ())]
    assert free == ["outside"]
    ports = [{port["port"] for rule in policies[pods]["egress"] for port in rule["ports"]} for pods in ("all", "web")]
    assert ports == [{53, 443, 5432, 5671, 5672}, {25, 465, 587}], "web pods send mail, too"


def test_the_ingress_and_the_probes_reach_the_web_server(manifests: list[dict[str, Any]]) -> None:
    ingress = of_kind(manifests, "Ingress")["web"]["spec"]
    assert ingress["ingressClassName"] == "nginx"  # the controller ignores an Ingress without its class
    backend = ingress["rules"][0]["http"]["paths"][0]["backend"]["service"]
    (port,) = of_kind(manifests, "Service")[backend["name"]]["spec"]["ports"]
    (web,) = find_pod_spec(of_kind(manifests, "Deployment")["web"])["containers"]
    assert backend["port"]["name"] == port["name"]
    assert port["targetPort"] == web["ports"][0]["name"]
    assert web["readinessProbe"]["httpGet"] == {"path": READINESS_PATH, "port": port["targetPort"]}
    assert web["livenessProbe"]["httpGet"] == {"path": LIVENESS_PATH, "port": port["targetPort"]}
    assert f"127.0.0.1:8000{READINESS_PATH}" in COMPOSE["web"]["healthcheck"]["test"][-1]


def test_the_compose_file_grants_no_privileges() -> None:
    for name in COMPOSE.keys() - OTHERS:
        service = COMPOSE[name]
        assert (service["read_only"], service["cap_drop"], service["user"]) == (True, ["ALL"], "10001:10001"), name
        assert service["security_opt"][:2] == ["no-new-privileges:true", "seccomp:seccomp.json"], name


def test_each_disruption_budget_selects_an_existing_deployment(manifests: list[dict[str, Any]]) -> None:
    budgets = of_kind(manifests, "PodDisruptionBudget")
    assert set(budgets) == {"web", "matches", "trials", "seats"}
    for name, budget in budgets.items():
        meant = of_kind(manifests, "Deployment")[name]["spec"]["template"]["metadata"]["labels"]
        assert budget["spec"]["selector"]["matchLabels"] == meant


def test_the_kubernetes_manifests_contain_no_secret(manifests: list[dict[str, Any]]) -> None:
    assert of_kind(manifests, "Secret") == {}
    names = {name for one in of_kind(manifests, "ConfigMap").values() for name in one["data"]}
    pods = [pod for pod in map(find_pod_spec, manifests) if pod]
    containers = [one for pod in pods for one in (*pod["containers"], *pod.get("initContainers", ()))]
    names |= {variable["name"] for container in containers for variable in container.get("env", ())}
    assert {"FTK_VAR", "DATABASE_POOL"} <= names
    assert {name for name in names if re.search(r"SECRET|TOKEN|PASSWORD|_URL$", name)} == set()


def test_the_seccomp_profile_denies_by_default_and_lists_existing_system_calls() -> None:
    read = seccomp_profile.read()
    assert read["defaultAction"] == "SCMP_ACT_ERRNO"
    resolve = seccomp_profile.load_libseccomp().seccomp_syscall_resolve_name
    assert all(resolve(n.encode()) != seccomp_profile.UNKNOWN for rule in read["syscalls"] for n in rule["names"])
    named = Counter(n for rule in read["syscalls"] for n in set(rule["names"]) if not rule.get("args"))
    assert max(named.values()) == 1


def test_the_container_seccomp_profile_allows_every_sandbox_call_and_no_forbidden_call() -> None:
    allowed = {
        n for rule in seccomp_profile.read()["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for n in rule["names"]
    }
    assert {name for kind in KINDS for name in list_rules(kind)} - allowed == set()
    assert allowed & set(REFUSED) == set()


def here(tmp_path: Path, *words: str, profiled: bool = True) -> str:
    """Return the output of a Python program under the seccomp profile, with this machine's files."""
    var = tmp_path / "var"
    var.mkdir(mode=0o700, exist_ok=True)
    tmp_path.chmod(0o755)
    env = {"PATH": "/usr/bin:/bin", "FTK_VAR": "/mnt", "PWD": "/"}
    done = run(Path("/"), var, env, ["/usr/bin/python3", "-c", *words], profiled=profiled)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_system_calls_that_the_seccomp_profile_denies_fail(tmp_path: Path) -> None:
    resolve = seccomp_profile.load_libseccomp().seccomp_syscall_resolve_name
    harmless = [name for name in REFUSED if name not in {"reboot", "vhangup"}]
    words = [word for name in harmless for word in (name, str(resolve(name.encode())))]
    said = here(tmp_path, TRY, *words).split()
    assert dict(zip(said[::2], said[1::2], strict=True)) == dict.fromkeys(harmless, "EPERM")
    without = here(tmp_path, TRY, *words, profiled=False).split()
    answers = dict(zip(without[::2], without[1::2], strict=True))
    assert {name for name in ("keyctl", "ptrace", "io_uring_setup") if answers[name] == "EPERM"} == set()


def test_pods_get_enough_time_for_a_graceful_shutdown_and_worker_pods_finish_their_matches() -> None:
    pods = {name: find_pod_spec(one) for name, one in of_kind(build_manifests(OVERLAYS[0]), "Deployment").items()}
    graces = {name: pod["terminationGracePeriodSeconds"] for name, pod in pods.items()}
    assert {name for name, seconds in graces.items() if seconds < 15} == set()
    finishing = {name for name, pod in pods.items() if "kill -INT 1" in str(pod["containers"][0].get("lifecycle"))}
    assert finishing == {name for name, service in COMPOSE.items() if service.get("stop_signal") == "SIGINT"}
    assert finishing == {name for name, seconds in graces.items() if seconds == 3600} == {"matches", "seats"}


def test_all_reverse_proxy_configurations_have_the_request_size_limits_of_the_server(
    manifests: list[dict[str, Any]],
) -> None:
    annotations = of_kind(manifests, "Ingress")["web"]["metadata"]["annotations"]
    sizes = {size // 1024 for size in (*settings.BODY_BYTES.values(), *settings.BODY_BYTES_UNDER.values())}
    nginx = re.findall(r"client_max_body_size (\d+)k;", Path("deploy/nginx/arena.conf").read_text())
    caddy = re.findall(r"max_size (\d+)KiB", Path("deploy/caddy/Caddyfile").read_text())
    assert annotations["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{max(sizes)}k"
    assert {*map(int, nginx)} == {*map(int, caddy)} == sizes
