"""Models of workers: results of their sandbox self-tests, and their usage by each kind of job."""

from __future__ import annotations

from django.db import models


class WorkerSandboxReport(models.Model):
    """Result of a worker's sandbox self-test; a worker whose test failed starts no bots."""

    worker = models.CharField(max_length=120, primary_key=True)
    tier = models.CharField(max_length=20)
    """Sandbox backend that was tested, one of `bots.sandbox.sandboxed_bot_start.BACKENDS`."""
    cgroup = models.BooleanField(default=False)
    """True if each bot also has its own cgroup."""
    held = models.BooleanField()
    """True if the test passed."""
    reason = models.TextField(blank=True)
    """Reason why the worker starts no bot; empty if the test passed."""
    languages = models.JSONField(default=dict, db_default={})
    """Version texts by language; also keys of `bots.worker_sandbox_report_queries` (ENGINE, LIBRARIES)."""
    tried_at = models.DateTimeField(auto_now=True)
    """Time of the last report: of the self-test at the worker's start, or of a later refresh while the worker runs."""

    class Meta:
        db_table = "bots_cagereport"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.worker}: {self.tier} {'passed' if self.held else 'failed'}"


class WorkerUsageByJobKind(models.Model):
    """Usage of the workers by one kind of job, for fair scheduling."""

    # A job adds 1 / weight of its kind to `spent` if other kinds wait too. The kind with the smallest `spent` is next:
    # see `bots.jobs.fair_job_scheduling`.

    kind = models.CharField(max_length=20, primary_key=True)
    spent = models.FloatField(default=0)

    class Meta:
        db_table = "bots_share"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.kind}: {self.spent:.1f}"
