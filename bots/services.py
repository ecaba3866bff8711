"""Commands on bots: accept an upload, run a version's trial match, test the sandbox."""
# From an upload to the verdict: 1. `accept_upload` stores the files and enqueues a task. 2. A worker calls
# `run_next_trial`, which leases the next version. 3. `run_trial` runs its trial match; the rules for passing are in
# `ftk_core.kit.trial_match`. 4. `run_trial` activates or refuses the version.

from __future__ import annotations

from contextlib import ExitStack

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max
from django.utils.translation import gettext

from bots import sandbox_settings
from bots.access.teams import find_quota_owner, is_author
from bots.bot_bans import describe_ban
from bots.bot_folder_cache import bot_folder
from bots.jobs import upload_tracing
from bots.jobs.trial_match_queue import (
    TRIAL_KIND,
    TrialLeaseRenewer,
    claim_next,
    release_for_retry,
    return_trial,
    versions_on_trial,
)
from bots.metrics import count_error
from bots.models import Bot, BotPackage, BotPackageFile, BotVersion
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from bots.public_job_failure_messages import describe_fault
from bots.remote_bots import runs_outside_server
from bots.sandbox.cgroup import prepare_delegated_cgroup, prepare_worker_cgroup
from bots.sandbox.installed_programming_languages import describe_libraries, list_playable_languages
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandbox_self_test import SandboxSelfTestReport, cached_probe, require_sandbox
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from bots.upload_checks import check_upload_quota, read_upload_limits
from bots.worker_sandbox_report_queries import ENGINE, LIBRARIES, find_missing_support
from foundation import stuck_process_watchdog, tracing
from foundation.celery_task_messages import enqueue_task
from foundation.celery_worker_draining import WorkerDrainingError
from foundation.retry_policy import is_last, retry_pause
from ftk_core.games import UnknownGameError, game
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.trial_match import TrialMatchResult, build_compile_failure, play_trial
from ftk_core.kit.uploads.bot_names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_validation import ValidatedUpload, read_upload
from ftk_core.native.shared_rules_library import digest_sources, load_library

log = structlog.get_logger(__name__)


@transaction.atomic
def accept_upload(
    owner: User, game_name: str, slug: str, file_name: str, body: bytes, token: str = "", *, built_in: bool = False
) -> BotVersion:
    """Store an upload as the next version of a bot, and enqueue its trial match.

    Returns the newest version if it has the same files. Raises InvalidUploadError, or UploadQuotaExceeded beyond a
    quota.
    """
    # A refused newest version does not count: its trial match may have failed through a fault of this server. `token`
    # has the first characters of the API token used for the upload.
    if not built_in:
        check_upload_quota(find_quota_owner(slug, owner))
    with tracing.span("upload", "", game=game_name, bot=slug, bytes=len(body)) as span:
        version, is_new = _get_version(owner, game_name, slug, file_name, body, token)
        span.set_attributes(version=version.number, new=is_new)
    if is_new:
        upload_tracing.begin_trace(version, span.context)
    if version.status == BotVersion.Status.TRIAL:
        transaction.on_commit(lambda: enqueue_task("bots.work", TRIAL_KIND, queue=TRIAL_KIND))
    return version


def _get_version(
    owner: User, game_name: str, slug: str, file_name: str, body: bytes, token: str
) -> tuple[BotVersion, bool]:
    """Return a version with the uploaded files, and True if it is new. Raises InvalidUploadError."""
    try:
        game(game_name)
    except UnknownGameError as error:
        raise InvalidUploadError("wrong_game", str(error)) from error
    upload = read_upload(file_name, body, read_upload_limits())
    if missing_support := find_missing_support(upload.command[0]):
        raise InvalidUploadError("wrong_language", missing_support)
    bot = _get_bot(owner, game_name, slug)
    newest = bot.versions.order_by("-number").select_related("package").first()
    if newest and newest.package.digest == upload.digest and newest.status != BotVersion.Status.REFUSED:
        return newest, False
    number = (bot.versions.aggregate(top=Max("number"))["top"] or 0) + 1
    return BotVersion.objects.create(bot=bot, number=number, package=_store(upload), token=token), True


def _get_bot(owner: User, game_name: str, slug: str) -> Bot:
    if not is_bot_name(slug):
        raise InvalidUploadError(
            "bad_name", gettext("%(slug)r: %(rule)s") % {"slug": slug[:60], "rule": gettext(BOT_NAME_RULE)}
        )
    bot, _ = Bot.objects.get_or_create(slug=slug, defaults={"game": game_name, "owner": owner})
    bot = Bot.objects.select_for_update().get(pk=bot.pk)
    if not is_author(owner.pk, slug):
        raise InvalidUploadError(
            "taken", gettext("the name %(slug)r belongs to somebody else; choose another") % {"slug": slug}
        )
    if refusal := describe_ban(bot):
        raise InvalidUploadError("banned", refusal)
    if runs_outside_server(bot):
        raise InvalidUploadError(
            "not_uploaded",
            gettext("%(slug)s is %(kind)s; choose another name for an upload")
            % {"slug": slug, "kind": gettext(bot.get_kind_display())},
        )
    if bot.game != game_name:
        raise InvalidUploadError(
            "wrong_game",
            gettext("%(slug)r plays %(game)s, not %(other)s; choose another name for this game")
            % {"slug": slug, "game": bot.game, "other": game_name},
        )
    return bot


def _store(upload: ValidatedUpload) -> BotPackage:
    size = sum(len(content) for _, content in upload.files)
    package, created = BotPackage.objects.get_or_create(
        digest=upload.digest, defaults={"command": list(upload.command), "size": size}
    )
    if created:
        BotPackageFile.objects.bulk_create(
            BotPackageFile(package=package, path=path, body=content) for path, content in upload.files
        )
    return package


def run_next_trial() -> bool:
    """Run the next trial match in the queue. Return False if this worker can run none now.

    Raises SandboxUnavailable if the sandbox fails its self-test.
    """
    require_sandbox(sandbox_settings.read_sandbox())
    version_id = claim_next(sandbox_settings.list_languages_here())
    if version_id is not None:
        run_trial(version_id)
    return version_id is not None


def run_trial(version_id: int) -> BotVersion:
    """Run a bot version's trial match, and activate or refuse the version.

    Raises SandboxUnavailable if the sandbox fails its self-test.
    """
    # An attempt that fails through no fault of the bot is repeated; after too many attempts the version is refused.
    version = BotVersion.objects.select_related("bot", "package").get(pk=version_id)
    if version.status != BotVersion.Status.TRIAL:
        return version
    require_sandbox(sandbox_settings.read_sandbox())
    context = upload_tracing.list_contexts([version.pk]).get(version.pk, "")
    tracing.record_span("trial.wait", [context], version.uploaded_at)
    with tracing.span("trial", context, bot=version.bot.slug, version=version.number) as span:
        verdict = _attempt_trial(version)
        span.set_attributes(passed=verdict is not None and verdict.passed)
    if verdict is None:
        return version
    if not verdict.passed:
        upload_tracing.end_traces([version.pk])
    status = BotVersion.Status.ACTIVE if verdict.passed else BotVersion.Status.REFUSED
    versions_on_trial().filter(pk=version.pk).update(status=status, reason=verdict.reason, trial_log=verdict.log)
    version.refresh_from_db()  # a ban, for example, may have changed it meanwhile
    return version


def _attempt_trial(version: BotVersion) -> TrialMatchResult | None:
    """Run a version's trial match. Return its result, or None if the match will be repeated."""
    if version.attempts > settings.ATTEMPTS:
        return _abandon_trial(version.attempts - 1, "the worker died")
    try:
        return _play_trial(version)
    except WorkerDrainingError as error:
        log.warning("trial_put_back", version=str(version), reason=str(error))
        return_trial(version.pk)
        return None
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("trial_failed", version=str(version), attempt=version.attempts, reason=str(error), exc_info=error)
        connection.close_if_unusable_or_obsolete()
        count_error(error)
        if is_last(version.attempts):
            return _abandon_trial(version.attempts, describe_fault(error))
        release_for_retry(version.pk, retry_pause(version.attempts))
        return None
    finally:
        stuck_process_watchdog.remove_deadline(stuck_process_watchdog.TRIAL_DUTY)


def _abandon_trial(attempts: int, cause: str) -> TrialMatchResult:
    reason = f"its trial did not come to an end in {attempts} attempts; in the last one {cause}"
    return TrialMatchResult(passed=False, reason=reason, log=f"{reason}. Send the bot again, or tell the organisers.")


def _play_trial(version: BotVersion) -> TrialMatchResult:
    package, heartbeat = version.package, TrialLeaseRenewer(version.pk)
    try:
        with ExitStack() as stack:
            with tracing.span("trial.start"):
                bot = stack.enter_context(
                    start_in_sandbox(
                        sandbox_settings.read_sandbox(),
                        version.label,
                        bot_folder(package, waiting=heartbeat),
                        package.command,
                        waiting=heartbeat,
                    )
                )
            with tracing.span("trial.play"):
                return play_trial(version.bot.game, bot)
    except BotBuildError as error:
        return build_compile_failure(error)


def probe_worker_sandbox(worker: str) -> WorkerSandboxReport:
    """Test the sandbox of a starting worker. Return an unsaved report for the status page."""
    if settings.BOT_CGROUP is None:
        prepare_delegated_cgroup()
    sandbox = sandbox_settings.read_sandbox()
    try:
        prepare_worker_cgroup(sandbox)
        report = cached_probe(sandbox)
    except SandboxUnavailable as error:
        report = SandboxSelfTestReport(sandbox.backend, passed=False, reason=str(error))
    languages = list_playable_languages(sandbox) if report.passed else {}
    if report.passed and load_library() is not None:
        languages = {**languages, ENGINE: digest_sources()}
    if report.passed and (libraries := describe_libraries(sandbox)):
        languages = {**languages, LIBRARIES: libraries}
    return WorkerSandboxReport(
        worker=worker,
        tier=report.backend,
        cgroup=sandbox.cgroup,
        held=report.passed,
        reason=report.reason,
        languages=languages,
    )
