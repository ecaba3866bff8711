"""Webhook deliveries arrive complete, in order and signed, despite outages and killed processes."""

from __future__ import annotations

import json
import signal
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.league.league_facts import BotEntered
from ftk_core.league.league_state_from_events import encode_fact
from notices import event_log_reader, tasks
from notices.models import WebhookDelivery, WebhookEndpoint
from replays.event_stream_storage import EventAppender
from tests.support.factories import create_active_version
from tests.support.killed_workers import fork_process
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.receiver import Receiver, run_receiver
from tests.support.webhooks import create_webhook, deliver_all, make_retry_due
from tournaments.leagues import services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _loopback(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


def enter_bots(league: League, numbers: range) -> None:
    """Append this number of entries to the stream of a league."""
    stream = EventAppender(league.stream_id)
    facts = [BotEntered(entry=n, version=n, name=f"bot{n}-1", author="ada", at=n) for n in numbers]
    for begin in range(0, len(facts), 50):
        stream.append([encode_fact(fact) for fact in facts[begin : begin + 50]], stream.length)


def sequences(receiver: Receiver, secret: str) -> list[int]:
    return [payload["sequence"] for payload in receiver.read(secret)]


@pytest.mark.nightly
def test_1000_signed_webhook_events_arrive_in_order_despite_an_outage() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url, kinds=("league.opened", "entry.came"))
        league = open_league()
        enter_bots(league, range(1, 501))
        tasks.sweep()
        receiver.after = lambda count: setattr(receiver, "status", 503 if count >= 250 else 200)
        deliver_all()
        receiver.close()
        for tries in range(2, 5):
            make_retry_due(endpoint)
            assert deliver_all() == 1, "one message is tried, and the rest waits behind it"
            assert WebhookEndpoint.objects.get().failures == tries
        enter_bots(league, range(501, 1000))
        tasks.sweep()
        receiver.after, receiver.status = lambda _count: None, 200
        receiver.open()
        make_retry_due(endpoint)
        assert deliver_all() <= 10, "so many messages need no task each"
    payloads = receiver.read(endpoint.secret)
    assert [p["sequence"] for p in payloads] == [*range(1, 251), *range(250, 1001)], "what was refused came again"
    assert payloads[249] == payloads[250]
    assert receiver.arrived[249][0]["webhook-id"] == receiver.arrived[250][0]["webhook-id"]
    names = [p["data"]["bot"] for p in payloads if p["type"] == "entry.came"]
    assert list(dict.fromkeys(names)) == [f"bot{n}-1" for n in range(1, 1000)]
    assert payloads[0]["type"] == "league.opened"
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"arrived"}
    assert WebhookEndpoint.objects.get().failures == 0


@pytest.mark.slow
def test_a_webhook_receives_every_event_of_a_league() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url)
        league = start_league(create_entrants(4), rounds=2)
        play_all(league)
        tasks.sweep()
        deliver_all()
        payloads = receiver.read(endpoint.secret)
    kinds = [payload["type"] for payload in payloads]
    assert kinds[0] == "trial.decided"
    said = [kind for kind in kinds if kind not in {"trial.decided", "bot.crashed"}]
    of_round = ["round.begun", "match.closed", "match.closed", "round.ended"]
    assert said == ["league.opened", *["entry.came"] * 4, "league.begun", *of_round, *of_round, "league.ended"]
    result = next(p["data"] for p in payloads if p["type"] == "match.closed")
    assert (result["league"], result["round"], len(result["match"])) == ("night", 1, 12)
    assert sorted(seat["place"] for seat in result["seats"]) == [1, 2]
    assert "seed" not in json.dumps(payloads)
    assert bytes(League.objects.get().secret).hex() not in json.dumps(payloads)


def test_a_webhook_receives_only_events_of_the_kinds_and_the_league_selected_for_it() -> None:
    open_league(slug="other", name="Other")
    open_league()
    endpoint = create_webhook("http://127.0.0.1:9999/", kinds=("entry.came",), league="night")
    for slug, bot in (("other", "ada"), ("night", "bob")):
        services.enter_bot(League.objects.get(slug=slug).pk, create_own_version(bot))
    tasks.sweep()
    (delivery,) = endpoint.deliveries.all()
    assert (delivery.kind, delivery.told["bot"], delivery.told["league"]) == ("entry.came", "bob-1", "night")


def carry_until_killed(_word: str) -> None:
    tasks.carry()


@pytest.mark.slow
def test_a_killed_worker_loses_no_webhook_delivery() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url, kinds=("entry.came",))
        league = open_league()
        enter_bots(league, range(1, 41))
        tasks.sweep()
        victims: list[Any] = []
        receiver.after = lambda count: victims[0].kill() if count == 17 else None
        victims.append(fork_process(carry_until_killed, ""))
        victims[0].join(60)
        assert victims[0].exitcode == -signal.SIGKILL
        receiver.after = lambda _count: None
        assert deliver_all() == 0, "it is the dead worker's yet"
        WebhookEndpoint.objects.update(held_until=timezone.now() - timedelta(seconds=1))
        deliver_all()
        arrived = sequences(receiver, endpoint.secret)
    assert arrived[:17] == list(range(1, 18))
    assert sorted(set(arrived)) == list(range(1, 41))
    assert arrived == sorted(arrived), "what was on its way comes again, in its place"
    ids = {(h["webhook-id"], json.loads(body)["sequence"]) for h, body in receiver.arrived}
    assert len(ids) == 40, "and under its own id"


def die_while_telling(_word: str) -> None:
    import os

    def die(*_args: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    event_log_reader._notify_authors = die
    tasks.sweep()


@pytest.mark.slow
def test_a_killed_sweeper_process_neither_loses_nor_repeats_a_webhook_event() -> None:
    endpoint = create_webhook("http://127.0.0.1:9999/", kinds=("league.opened", "entry.came"))
    league = open_league()
    services.enter_bot(league.pk, create_own_version())
    victim = fork_process(die_while_telling, "")
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL
    assert endpoint.deliveries.count() == 0
    for _ in range(2):
        tasks.sweep()
    rows = endpoint.deliveries.order_by("sequence").values_list("sequence", "kind")
    assert list(rows) == [(1, "league.opened"), (2, "entry.came")]


@pytest.mark.slow
def test_a_webhook_endpoint_with_too_many_waiting_deliveries_is_disabled_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_log_reader, "MAX_PENDING_DELIVERIES", 3)
    endpoint = create_webhook("http://127.0.0.1:9999/")
    league = open_league()
    enter_bots(league, range(1, 3))
    tasks.sweep()
    endpoint.refresh_from_db()
    assert (endpoint.deliveries.count(), endpoint.disabled_at) == (3, None)
    enter_bots(league, range(3, 4))
    tasks.sweep()
    endpoint.refresh_from_db()
    assert "more than 3 deliveries wait" in endpoint.disabled_why


def test_the_result_of_a_trial_that_ends_while_results_are_read_is_sent_later(monkeypatch: pytest.MonkeyPatch) -> None:
    create_webhook("http://127.0.0.1:9999/", kinds=("trial.decided",))
    version = create_active_version(slug="late")
    old = timezone.now() - timedelta(hours=1)
    BotVersion.objects.update(status=BotVersion.Status.TRIAL, uploaded_at=old)
    read = event_log_reader.list_trial_results

    def read_before_the_end(*arguments: Any) -> list[Any]:
        results = read(*arguments)
        BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.ACTIVE)
        return results

    monkeypatch.setattr(event_log_reader, "list_trial_results", read_before_the_end)
    for _ in range(2):
        event_log_reader.process_new_events(timezone.now())
    assert [delivery.kind for delivery in WebhookDelivery.objects.all()] == ["trial.decided"]
