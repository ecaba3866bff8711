"""`deploy/install` as described in deploy/README.md, in namespaces with stand-ins for programs that need real root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bots.sandbox.inside import user_namespace
from deploy.config import limits
from deploy.config.database import django_database
from ftk_core import __version__
from tests.support.bare_server.units import read_environment

ROOT = Path(__file__).parents[2]
README = (ROOT / "deploy/README.md").read_text()
COMMAND = re.search(r"## From a bare server\n.*?```\n(.*?)\n```", README, re.DOTALL)
RELEASE, NEWER = f"/opt/ftk-releases/{__version__}", "/opt/ftk-releases/99.0.0"
RECORDED = "apparmor_parser apt-get chown getent groupadd make nginx useradd"
RECORD = '#!/bin/sh\necho "$(basename "$0") $*" >>/var/lib/calls\n'
GETENT = RECORD + "exit 2\n"
CAT = """#!/bin/sh
[ "$1" != /proc/sys/kernel/apparmor_restrict_unprivileged_userns ] || exec echo {value}
exec /bin/cat "$@"
"""
DEBIAN_NGINX = """worker_processes auto;
events {
\tworker_connections 768;
}
"""
RUNUSER = (
    RECORD
    + """case "$*" in
    *SELECT*) [ ! -e /var/lib/exists ] || echo 1 ;;
    *manage.py*) env >/var/lib/environment ;;
esac
"""
)
SERVICES = sorted(path.name for path in (ROOT / "deploy/systemd").glob("*.service"))


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """Return the folder of a bare server: /etc, /var/lib, and programs that only record how they are called."""
    etc = ("systemd/system", "nginx/conf.d", "nginx/modules-enabled", "ssl", "apparmor.d")
    for folder in (*(f"etc/{name}" for name in etc), "var", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/nginx/nginx.conf").write_text(DEBIAN_NGINX)
    for name in (*RECORDED.split(), "runuser"):
        (tmp_path / "bin" / name).write_text({"getent": GETENT, "runuser": RUNUSER}.get(name, RECORD))
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


def install(
    server: Path, command: str, release: str = RELEASE, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a command as root of a user namespace, with a folder (by default ours) mounted as the release."""
    binds = [
        ("--ro-bind" if folder == ROOT else "--bind", folder, release),
        ("--bind", server / "etc", "/etc"),
        ("--bind", server / "var", "/var/lib"),
    ]
    words = [str(word) for bind in binds for word in bind]
    bwrap = ["bwrap", "--unshare-user", "--uid", "0", "--gid", "0", "--ro-bind", "/", "/", "--tmpfs", "/opt", *words]
    bwrap += ["--ro-bind", str(server / "bin"), "/mnt", "--tmpfs", "/run", "--proc", "/proc", "--dev", "/dev"]
    env = {"PATH": f"/mnt:{os.environ['PATH']}"}
    with user_namespace.without_ambient_capabilities():
        return subprocess.run([*bwrap, "sh", "-ec", command], env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_documented_install_command_sets_up_users_settings_database_services_and_proxy(server: Path) -> None:
    assert COMMAND
    done = install(server, COMMAND[1])
    assert done.returncode == 0, done.stdout + done.stderr
    calls = (server / "var/calls").read_text()
    steps = ["apt-get update", "apt-get install", "groupadd --system ftk-keys", "useradd .* ftk-worker"]
    steps += [
        "make .* slim",
        "CREATE ROLE ftk LOGIN",
        "createdb --owner=ftk",
        "manage.py migrate",
        "manage.py organiser --url https://",
    ]
    assert re.search(r".*\n(?:.*\n)*?.*".join(steps), calls), calls
    assert sorted(path.name for path in (server / "etc/systemd/system").iterdir()) == SERVICES
    assert len(SERVICES) == 7
    proxy = (server / "etc/nginx/conf.d/arena.conf").read_text()
    assert proxy.count("server_name arena.example;") == 2


@pytest.mark.slow
def test_the_install_script_lets_nginx_hold_the_connections_that_a_web_process_allows(server: Path) -> None:
    assert COMMAND
    for _ in range(2):
        assert install(server, COMMAND[1]).returncode == 0
        settings = (server / "etc/nginx/nginx.conf").read_text()
        (connections,) = map(int, re.findall(r"\tworker_connections (\d+);", settings))
        assert connections >= 2 * limits.GATE["connections"]
        included = (server / "etc/nginx/modules-enabled/90-ftk-limits.conf").read_text()
        (descriptors,) = map(int, re.findall(r"worker_rlimit_nofile (\d+);", included))
        assert descriptors > connections


@pytest.mark.slow
@pytest.mark.parametrize("restricted", ["0", "1"])
def test_the_install_script_loads_the_profile_of_the_sandbox_where_the_kernel_restricts_user_namespaces(
    server: Path, restricted: str
) -> None:
    assert COMMAND
    (server / "bin/cat").write_text(CAT.format(value=restricted))
    (server / "bin/cat").chmod(0o755)
    done = install(server, COMMAND[1])
    assert done.returncode == 0, done.stderr
    profile = server / "etc/apparmor.d/ftk-bwrap"
    assert profile.exists() == (restricted == "1")
    assert ("apparmor_parser -r" in (server / "var/calls").read_text()) == (restricted == "1")


@pytest.mark.slow
def test_installed_settings_files_have_equal_shared_values_and_are_readable_only_by_the_users_of_their_services(
    server: Path,
) -> None:
    assert COMMAND
    assert install(server, COMMAND[1]).returncode == 0
    arena, worker = (read_environment((server / "etc/ftk" / name).read_text()) for name in ("arena.env", "worker.env"))
    differing = {name for name in arena if arena[name] != worker[name]}
    assert (arena.keys(), differing) == (worker.keys(), {"FTK_VAR"})
    assert len(arena["SECRET_KEY"]) == 96
    assert django_database(arena["DATABASE_URL"])["NAME"] == "ftk"
    assert [name for name in arena if f"`{name}`" not in README] == []
    files = {path.name: oct(path.stat().st_mode & 0o777) for path in (server / "etc/ftk").iterdir()}
    assert files == {"arena.env": "0o640", "worker.env": "0o640", "signing-key": "0o640"}
    calls = (server / "var/calls").read_text()
    for owner in ("root:ftk-keys /etc/ftk/signing-key", "root:ftk /etc/ftk/arena.env"):
        assert f"chown {owner}\n" in calls
    for name in SERVICES:
        unit = (ROOT / "deploy/systemd" / name).read_text()
        user, file = re.findall(r"^(?:User|EnvironmentFile)=(.*)$", unit, re.MULTILINE)
        assert f"chown root:{user} {file}\n" in calls, name


@pytest.mark.slow
def test_an_upgrade_switches_to_the_new_release_and_keeps_all_settings_and_the_database(server: Path) -> None:
    assert COMMAND
    assert install(server, COMMAND[1]).returncode == 0
    before = {path: path.read_bytes() for path in (server / "etc/ftk").iterdir()}
    (server / "etc/nginx/conf.d/arena.conf").write_text("# ours")
    (server / "var/exists").touch()
    (server / "var/calls").unlink()
    done = install(server, f"{COMMAND[1].replace(RELEASE, NEWER)}\nreadlink /opt/ftk", NEWER)
    assert done.stdout.splitlines()[-1] == NEWER, done.stderr
    assert {path: path.read_bytes() for path in (server / "etc/ftk").iterdir()} == before
    assert (server / "etc/nginx/conf.d/arena.conf").read_text() == "# ours"
    calls = (server / "var/calls").read_text()
    assert "manage.py migrate" in calls
    assert "CREATE" not in calls
    assert "createdb" not in calls


def test_an_environment_whose_python_was_removed_is_deleted_and_installed_again(server: Path) -> None:
    assert COMMAND
    release = server / "release"
    shutil.copytree(ROOT / "deploy", release / "deploy")
    (release / ".venv/bin").mkdir(parents=True)
    (release / ".venv/bin/python").symlink_to("/usr/bin/python-of-the-system-before")
    done = install(server, COMMAND[1], folder=release)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"make -C {RELEASE} slim\n" in (server / "var/calls").read_text()
    assert not (release / ".venv").exists()


@pytest.mark.slow
def test_a_missing_server_or_worker_settings_file_is_restored_from_the_other_file(server: Path) -> None:
    assert COMMAND
    assert install(server, COMMAND[1]).returncode == 0
    arena, worker = (server / "etc/ftk" / name for name in ("arena.env", "worker.env"))
    before = worker.read_text()
    worker.unlink()
    assert install(server, COMMAND[1]).returncode == 0
    assert worker.read_text() == before
    before = arena.read_text()
    arena.unlink()
    assert install(server, COMMAND[1]).returncode == 0
    assert arena.read_text() == before


def upgrade_with_settings(server: Path, lines: str) -> dict[str, str]:
    """Upgrade with more lines in the settings file, and return the environment of the commands of manage.py."""
    assert COMMAND
    assert install(server, COMMAND[1]).returncode == 0
    with (server / "etc/ftk/arena.env").open("a") as file:
        file.write(lines)
    (server / "var/calls").unlink()
    done = install(server, COMMAND[1])
    assert done.returncode == 0, done.stderr
    return read_environment((server / "var/environment").read_text())


@pytest.mark.slow
def test_an_upgrade_parses_quotes_and_comments_in_settings_files_like_systemd(server: Path) -> None:
    lines = '  # FTK_COMMENT=1\nFTK_QUOTED="two words"\nFTK_SINGLE=\'$HOME\'\nFTK_EMPTY=\nnot a name=1\nFTK_LAST=a"b'
    environment = upgrade_with_settings(server, lines)
    settings = {name: value for name, value in environment.items() if re.fullmatch("FTK_[A-Z]+", name)}
    expected = {"FTK_QUOTED": "two words", "FTK_SINGLE": "$HOME", "FTK_EMPTY": "", "FTK_LAST": 'a"b'}
    assert expected.items() <= settings.items()
    assert "FTK_COMMENT" not in settings
    assert environment["SECRET_KEY"]


@pytest.mark.slow
def test_an_upgrade_uses_the_last_value_of_a_repeated_setting_like_systemd(server: Path) -> None:
    environment = upgrade_with_settings(server, "DATABASE_URL=postgresql://db.example/ftk\n")
    assert environment["DATABASE_URL"] == "postgresql://db.example/ftk"


@pytest.mark.slow
def test_no_command_line_of_the_install_script_contains_a_setting_because_all_users_can_read_it(server: Path) -> None:
    upgrade_with_settings(server, "EMAIL_URL=smtp+tls://user:password@host:587\n")
    calls = (server / "var/calls").read_text()
    assert "runuser -u ftk -- .venv/bin/python manage.py migrate --verbosity 0\n" in calls
    settings = read_environment((server / "etc/ftk/arena.env").read_text())
    assert [name for name in ("SECRET_KEY", "DATABASE_URL", "EMAIL_URL") if settings[name] in calls] == []


@pytest.mark.parametrize(
    ("words", "release", "message"),
    [
        ("", "/opt/ftk-releases/1", "deploy/install HOST"),
        ("'a b'", "/opt/ftk-releases/1", "HOST must be a name like arena.example (got 'a b')."),
        ("arena.example", "/opt/ftk", "The release must lie in /opt/ftk-releases/VERSION (it is in /opt/ftk)"),
    ],
)
def test_an_install_command_with_wrong_arguments_changes_nothing_and_names_the_remedy(
    server: Path, words: str, release: str, message: str
) -> None:
    done = install(server, f"{release}/deploy/install {words}", release)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (server / "var/calls").exists()
