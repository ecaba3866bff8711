"""Celery tasks of the notices app."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from foundation.celery_task_messages import enqueue_missing, enqueue_task
from notices import event_log_reader, notice_mails, notice_retention
from notices.webhooks import webhook_deliveries, webhook_endpoints


@shared_task(name="notices.sweep")
def sweep() -> int:
    """Process new log lines and trial results, and enqueue tasks for due webhook deliveries and mails.

    Return the total number of processed lines and results.
    """
    now = timezone.now()
    processed = event_log_reader.process_new_events(now)
    enqueue_missing("notices.carry", webhook_endpoints.DELIVERY_QUEUE, webhook_deliveries.select_due(now).count())
    if notice_mails.is_due(now) and notice_mails.reserve_run():
        is_enqueued = enqueue_task("notices.mail", queue=webhook_endpoints.DELIVERY_QUEUE)
        if not is_enqueued:
            notice_mails.end_run()
    return processed


@shared_task(name="notices.carry")
def carry(_queue: str = webhook_endpoints.DELIVERY_QUEUE) -> bool:
    """Send the pending deliveries of the webhook that has waited longest. Return False if none is due."""
    has_sent = webhook_deliveries.run_next(timezone.now())
    if has_sent:
        enqueue_missing(
            "notices.carry", webhook_endpoints.DELIVERY_QUEUE, webhook_deliveries.select_due(timezone.now()).count()
        )
    return has_sent


@shared_task(name="notices.mail")
def mail() -> int:
    """Send the notice mails that are due; return the number of mails sent."""
    return notice_mails.send_due(timezone.now())


@shared_task(name="notices.forget")
def forget() -> int:
    """Delete old webhook deliveries and notices, and return their number."""
    return notice_retention.delete_expired(timezone.now())
