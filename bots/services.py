"""Commands on bots: accept an upload, run a trial, test the sandbox."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max
from django.utils.translation import gettext

from bots import cage_settings, traces
from bots.banning import why_banned
from bots.cage.abilities import able, lacking
from bots.cage.cgroup import settle_if_given, settle_worker
from bots.cage.probe import Report, gate, require
from bots.cage.runtime import CageUnavailable
from bots.cage.spawn import caged
from bots.faults import blame
from bots.folders import folder_of
from bots.meters import count_any
from bots.models import Bot, BotVersion, CageReport, Package, PackageFile
from bots.outside import is_outside
from bots.room import check_room
from bots.teams import is_author, owner_of
from bots.trials import KIND, TrialBeat, claim_next, on_trial, put_back
from bots.worker_queries import find_lack
from foundation import tracing, watchdog
from foundation.attempts import is_last, pause_after
from foundation.doorbell import ring
from ftk_core.games import UnknownGame, game
from ftk_core.kit.archive import BadUpload, Upload, read_upload
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.limits import UPLOAD
from ftk_core.kit.names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.trial import Trial, not_compiled, play_trial

log = structlog.get_logger(__name__)


@transaction.atomic
def take_in(
    owner: User, game_name: str, slug: str, file_name: str, body: bytes, token: str = "", *, of_the_house: bool = False
) -> BotVersion:
    """Store an upload as the next version of an author's bot and enqueue its trial; raises BadUpload.

    If the files equal those of the newest version, it is returned unchanged. `token` is the first characters of the
    token used for the upload. The quotas apply, except to built-in bots.
    """
    if not of_the_house:
        check_room(owner_of(slug, owner))
    with tracing.span("upload", "", game=game_name, bot=slug, bytes=len(body)) as here:
        version, new = _version(owner, game_name, slug, file_name, body, token)
        here.say(version=version.number, new=new)
    if new:
        traces.begin(version, here.context)
    if version.status == BotVersion.Status.TRIAL:
        transaction.on_commit(lambda: ring("bots.work", KIND, queue=KIND))
    return version


def _version(
    owner: User, game_name: str, slug: str, file_name: str, body: bytes, token: str
) -> tuple[BotVersion, bool]:
    """Return the owner's version with these files, and True if it is new; raises BadUpload."""
    try:
        game(game_name)
    except UnknownGame as error:
        raise BadUpload("wrong_game", str(error)) from error
    upload = read_upload(file_name, body, replace(UPLOAD, prebuilt=settings.BOT_PREBUILT))
    if why := find_lack(upload.command[0]):
        raise BadUpload("wrong_language", why)
    bot = _bot_of(owner, game_name, slug)
    last = bot.versions.order_by("-number").select_related("package").first()
    if last and last.package.digest == upload.digest:
        return last, False
    number = (bot.versions.aggregate(top=Max("number"))["top"] or 0) + 1
    return BotVersion.objects.create(bot=bot, number=number, package=_store(upload), token=token), True


def _bot_of(owner: User, game_name: str, slug: str) -> Bot:
    if not is_bot_name(slug):
        raise BadUpload("bad_name", gettext("%(slug)r: %(rule)s") % {"slug": slug[:60], "rule": gettext(BOT_NAME_RULE)})
    bot, _ = Bot.objects.get_or_create(slug=slug, defaults={"game": game_name, "owner": owner})
    bot = Bot.objects.select_for_update().get(pk=bot.pk)
    if not is_author(owner.pk, slug):
        raise BadUpload("taken", gettext("the name %(slug)r belongs to somebody else; choose another") % {"slug": slug})
    if why := why_banned(bot):
        raise BadUpload(
            "banned", gettext("%(slug)s is banned: %(why)s; ask the organisers") % {"slug": slug, "why": why}
        )
    if is_outside(bot):
        raise BadUpload(
            "not_uploaded",
            gettext("%(slug)s is %(kind)s; choose another name for an upload")
            % {"slug": slug, "kind": gettext(bot.get_kind_display())},
        )
    if bot.game != game_name:
        raise BadUpload(
            "wrong_game",
            gettext("%(slug)r plays %(game)s, not %(other)s; choose another name for this game")
            % {"slug": slug, "game": bot.game, "other": game_name},
        )
    return bot


def _store(upload: Upload) -> Package:
    size = sum(len(content) for _, content in upload.files)
    package, created = Package.objects.get_or_create(
        digest=upload.digest, defaults={"command": list(upload.command), "size": size}
    )
    if created:
        PackageFile.objects.bulk_create(
            PackageFile(package=package, path=path, body=content) for path, content in upload.files
        )
    return package


def try_out(version_id: int) -> BotVersion:
    """Run the trial of a version, once: it becomes active if it plays a match against random bots without a failure.

    If the trial fails through no fault of the bot, the version stays on trial. It is refused after too many attempts.
    """
    version = BotVersion.objects.select_related("bot", "package").get(pk=version_id)
    if version.status != BotVersion.Status.TRIAL:
        return version
    require(cage_settings.read_cage())
    context = traces.contexts_of([version.pk]).get(version.pk, "")
    tracing.mark("trial.wait", [context], version.uploaded_at)
    with tracing.span("trial", context, bot=version.bot.slug, version=version.number) as here:
        verdict = _bounded_verdict_on(version)
        here.say(passed=verdict is not None and verdict.passed)
    if verdict is None:
        return version
    if not verdict.passed:
        traces.end([version.pk])
    status = BotVersion.Status.ACTIVE if verdict.passed else BotVersion.Status.REFUSED
    on_trial().filter(pk=version.pk).update(status=status, reason=verdict.reason, trial_log=verdict.log)
    version.refresh_from_db()  # it may have been refused meanwhile, and then stays so
    return version


def try_next() -> bool:
    """Run the next trial in the fair order; return False if there is none that can run now."""
    cage = cage_settings.read_cage()
    require(cage)
    version_id = claim_next([language for language in LANGUAGES if not lacking(cage, language)])
    if version_id is not None:
        try_out(version_id)
    return version_id is not None


def _bounded_verdict_on(version: BotVersion) -> Trial | None:
    """Run a trial; return None if the attempt failed and will be repeated."""
    if version.attempts > settings.ATTEMPTS:
        return _given_up(version.attempts - 1, "the worker died")
    try:
        return _verdict_on(version)
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("trial_failed", version=str(version), attempt=version.attempts, reason=str(error), exc_info=error)
        connection.close_if_unusable_or_obsolete()
        count_any(error)
        if is_last(version.attempts):
            return _given_up(version.attempts, blame(error))
        put_back(version.pk, pause_after(version.attempts))
        return None
    finally:
        watchdog.release(watchdog.TRIAL)


def _given_up(attempts: int, cause: str) -> Trial:
    why = f"its trial did not come to an end in {attempts} attempts; in the last one {cause}"
    return Trial(passed=False, reason=why, log=f"{why}. Send the bot again, or tell the organisers.")


def _verdict_on(version: BotVersion) -> Trial:
    package, beat = version.package, TrialBeat(version.pk)
    if compiler := LANGUAGES[version.language].compiler:
        beat.hold(compiler.limits.seconds)
    try:
        with ExitStack() as stack:
            with tracing.span("trial.start"):
                bot = stack.enter_context(
                    caged(cage_settings.read_cage(), version.label, folder_of(package), package.command, waiting=beat)
                )
            with tracing.span("trial.play"):
                return play_trial(version.bot.game, bot)
    except BuildFailed as error:
        return not_compiled(error)


def try_cage(worker: str) -> Report:
    """Prepare a starting worker for bots, test its sandbox, and store the report for the status page."""
    if settings.BOT_CGROUP is None:
        settle_if_given()
    cage = cage_settings.read_cage()
    try:
        settle_worker(cage)
        report = gate(cage)
    except CageUnavailable as error:
        report = Report(cage.tier, held=False, reason=str(error))
    languages = able(cage) if report.held else {}
    fields = {"tier": report.tier, "cgroup": cage.cgroup, "held": report.held, "reason": report.reason}
    CageReport.objects.update_or_create(worker=worker, defaults={**fields, "languages": languages})
    return report
