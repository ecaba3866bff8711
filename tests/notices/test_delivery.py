"""What happens is posted to whoever asked for it: all of it, in order, signed, however often the other end is away."""

from __future__ import annotations

import json
import signal
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ftk_core.league.facts import BotEntered
from ftk_core.league.folding import write
from notices import following, tasks
from notices.models import Delivery, Endpoint
from replays.store import StreamLog
from tests.support.entering import mine, opened
from tests.support.hooks import carry_all, hooked, later
from tests.support.leagues import entrants, new_league, play_all
from tests.support.receiver import Receiver, receiving
from tests.support.victims import forked
from tournaments import services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _loopback(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


def come(league: League, numbers: range) -> None:
    """Let so many bots enter, as a league's stream says it."""
    stream = StreamLog(league.stream_id)
    facts = [BotEntered(entry=n, version=n, name=f"bot{n}-1", author="ada", at=n) for n in numbers]
    for begin in range(0, len(facts), 50):
        stream.append([write(fact) for fact in facts[begin : begin + 50]], stream.length)


def sequences(receiver: Receiver, secret: str) -> list[int]:
    return [payload["sequence"] for payload in receiver.read(secret)]


@pytest.mark.slow
def test_a_thousand_events_arrive_in_order_and_signed_though_the_receiver_was_down_for_a_while() -> None:
    with receiving() as receiver:
        endpoint = hooked(receiver.url, kinds=("league.opened", "entry.came"))
        league = opened()
        come(league, range(1, 501))
        tasks.sweep()
        receiver.after = lambda count: setattr(receiver, "status", 503 if count >= 250 else 200)
        carry_all()
        receiver.close()
        for tries in range(2, 5):
            later(endpoint)
            assert carry_all() == 1, "one message is tried, and the rest waits behind it"
            assert Endpoint.objects.get().failures == tries
        come(league, range(501, 1000))
        tasks.sweep()
        receiver.after, receiver.status = lambda _count: None, 200
        receiver.open()
        later(endpoint)
        assert carry_all() <= 10, "so many messages need no task each"
    payloads = receiver.read(endpoint.secret)
    assert [p["sequence"] for p in payloads] == [*range(1, 251), *range(250, 1001)], "what was refused came again"
    assert payloads[249] == payloads[250]
    assert receiver.arrived[249][0]["webhook-id"] == receiver.arrived[250][0]["webhook-id"]
    names = [p["data"]["bot"] for p in payloads if p["type"] == "entry.came"]
    assert list(dict.fromkeys(names)) == [f"bot{n}-1" for n in range(1, 1000)]
    assert payloads[0]["type"] == "league.opened"
    assert set(Delivery.objects.values_list("status", flat=True)) == {"arrived"}
    assert Endpoint.objects.get().failures == 0


@pytest.mark.slow
def test_a_league_is_told_from_its_opening_to_its_end_with_every_result() -> None:
    with receiving() as receiver:
        endpoint = hooked(receiver.url)
        league = new_league(entrants(4), rounds=2)
        play_all(league)
        tasks.sweep()
        carry_all()
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


def test_whoever_asks_for_some_kinds_of_one_league_hears_of_nothing_else() -> None:
    opened(slug="other", name="Other")
    opened()
    endpoint = hooked("http://127.0.0.1:9999/", kinds=("entry.came",), league="night")
    for slug, bot in (("other", "ada"), ("night", "bob")):
        services.enter_bot(League.objects.get(slug=slug).pk, mine(bot))
    tasks.sweep()
    (delivery,) = endpoint.deliveries.all()
    assert (delivery.kind, delivery.told["bot"], delivery.told["league"]) == ("entry.came", "bob-1", "night")


def carry_until_killed(_word: str) -> None:
    tasks.carry()


def test_a_worker_killed_in_the_middle_loses_nothing() -> None:
    with receiving() as receiver:
        endpoint = hooked(receiver.url, kinds=("entry.came",))
        league = opened()
        come(league, range(1, 41))
        tasks.sweep()
        victims: list[Any] = []
        receiver.after = lambda count: victims[0].kill() if count == 17 else None
        victims.append(forked(carry_until_killed, ""))
        victims[0].join(60)
        assert victims[0].exitcode == -signal.SIGKILL
        receiver.after = lambda _count: None
        assert carry_all() == 0, "it is the dead worker's yet"
        Endpoint.objects.update(held_until=timezone.now() - timedelta(seconds=1))
        carry_all()
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

    following._tell_people = die
    tasks.sweep()


def test_a_sweeper_killed_while_it_tells_tells_nothing_twice_and_loses_nothing() -> None:
    endpoint = hooked("http://127.0.0.1:9999/", kinds=("league.opened", "entry.came"))
    league = opened()
    services.enter_bot(league.pk, mine())
    victim = forked(die_while_telling, "")
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL
    assert endpoint.deliveries.count() == 0
    for _ in range(2):
        tasks.sweep()
    rows = endpoint.deliveries.order_by("sequence").values_list("sequence", "kind")
    assert list(rows) == [(1, "league.opened"), (2, "entry.came")]


def test_an_endpoint_for_which_too_much_waits_is_disabled_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_WAITING", 3)
    endpoint = hooked("http://127.0.0.1:9999/")
    league = opened()
    come(league, range(1, 6))
    tasks.sweep()
    endpoint.refresh_from_db()
    assert "more than 3 deliveries wait" in endpoint.disabled_why
