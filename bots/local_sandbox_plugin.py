"""Plugin that lets the command `ftk check` run a bot in the server's sandbox."""
# Works without Django. The command finds the plugin through the entry point group `ftk.cages`.

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.sandbox import SandboxConfig, forkserver
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.inside.user_namespace import drop_root
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandbox_self_test import probe_sandbox
from bots.sandbox.sandboxed_bot_start import BACKENDS, start_in_sandbox
from ftk_core.kit.bot_sandboxing import AUTO, FREELY, BotStartError
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.uploads.upload_validation import ValidatedUpload

REMEDY = f"deploy/SANDBOX.md says what each needs; `--sandbox hooks` imitates one; {FREELY}"


@contextmanager
def hold(tier: str, name: str, upload: ValidatedUpload) -> Iterator[tuple[str, BotProcessPlayer]]:
    """Start a bot in a sandbox. Yield the sandbox backend's name and the player, which asks the bot for moves.

    The bot is killed at the end of the `with` block. Raises BotStartError, BotBuildError or OSError.
    """
    # For the tier "auto" see `_find_sandbox`. The bot gets no cgroup of its own, because that requires a system
    # service.
    _drop_root_rights()
    with TemporaryDirectory(prefix="ftk-cage-") as folder:
        try:
            sandbox = _find_sandbox(tier, Path(folder))
            bot = create_bot_folder(Path(folder) / "bot", upload.command, lambda: upload.files)
            with start_in_sandbox(sandbox, name, bot, upload.command) as player:
                yield sandbox.backend, player
        except SandboxUnavailable as error:
            raise BotStartError(f"the bot was not started: {error}; {FREELY}") from error
        finally:
            forkserver.close_server()


def _drop_root_rights() -> None:
    """Drop root rights if this process runs as root; raises BotStartError if that fails."""
    if os.geteuid() == 0:
        try:
            drop_root()
        except OSError as error:
            message = f"Bots must not be started as root ({error.strerror}): run this as another user."
            raise BotStartError(f"{message}; {FREELY}") from error


def _find_sandbox(tier: str, folder: Path) -> SandboxConfig:
    """Return a sandbox configuration that has passed its self-test; raises BotStartError if none passes."""
    # With the tier "auto", the environment variable BOT_CAGE names the backend. Without it, the first one that passes
    # is returned.
    requested = os.environ.get("BOT_CAGE", "") if tier == AUTO else tier
    wheels = os.environ.get("BOT_WHEELS", "")
    libraries = str(Path(wheels).resolve()) if wheels else ""  # backends start in other folders
    refusals = []
    for name in [requested] if requested else BACKENDS:
        sandbox = SandboxConfig(backend=name, folder=folder, wheels=libraries, prebuilt=True)
        report = probe_sandbox(sandbox)
        if report.passed:
            return sandbox
        refusals.append(f"{name}: {report.reason}")
    failure = (
        f"{'BOT_CAGE=' if tier == AUTO else '--sandbox '}{requested} fails its self-test"
        if requested
        else "no sandbox passes its self-test"
    )
    raise BotStartError(f"the bot was not started: {failure} here ({'; '.join(refusals)}). {REMEDY}")
