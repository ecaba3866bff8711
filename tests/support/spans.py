"""A collector of traces: it reads OTLP over HTTP with the protocol's own messages, which are not ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from tests.support.receiver import Receiver, receiving


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One span that arrived."""

    name: str
    trace: str
    id: str
    parent: str
    links: frozenset[str]
    """The spans that it also belongs to."""
    said: dict[str, object]
    instance: str
    """The process that told it."""
    began: int
    """In nanoseconds since 1970, as its end."""
    ended: int
    wrong: str
    """What exception left it; empty where none did."""


class Collector:
    """What arrived at a receiver, as spans."""

    def __init__(self, receiver: Receiver) -> None:
        self.receiver = receiver
        self.url = f"http://127.0.0.1:{receiver.port}"

    def spans(self) -> list[Told]:
        """Return all spans so far, by their beginnings."""
        found = [span for _, body in list(self.receiver.arrived) for span in _read(body)]
        return sorted(found, key=lambda span: span.began)

    def bodies(self) -> bytes:
        """Return all that arrived, as it is."""
        return b"".join(body for _, body in list(self.receiver.arrived))


def _values(pairs: Iterator[KeyValue]) -> dict[str, object]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value") or "string_value") for pair in pairs}


def _read(body: bytes) -> Iterator[Told]:
    for process in ExportTraceServiceRequest.FromString(body).resource_spans:
        instance = str(_values(iter(process.resource.attributes))["service.instance.id"])
        for scope in process.scope_spans:
            for span in scope.spans:
                yield Told(
                    name=span.name,
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    links=frozenset(link.span_id.hex() for link in span.links),
                    said=_values(iter(span.attributes)),
                    instance=instance,
                    began=span.start_time_unix_nano,
                    ended=span.end_time_unix_nano,
                    wrong=span.status.message if span.status.code == Status.STATUS_CODE_ERROR else "",
                )


@contextmanager
def collecting() -> Iterator[Collector]:
    """Collect until the block is left."""
    with receiving() as receiver:
        yield Collector(receiver)
