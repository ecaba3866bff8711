"""A collector of traces that reads OTLP over HTTP with the protocol's official messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from tests.support.receiver import Receiver, run_receiver


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """One received span."""

    name: str
    trace: str
    id: str
    parent: str
    links: frozenset[str]
    """Ids of linked spans."""
    attributes: dict[str, object]
    instance: str
    """Id of the process that sent the span."""
    started_ns: int
    """Nanoseconds since 1970."""
    ended_ns: int
    exception: str
    """Name of the exception that ended the span, or empty."""


class Collector:
    """The requests of a receiver, parsed as spans."""

    def __init__(self, receiver: Receiver) -> None:
        self.receiver = receiver
        self.url = f"http://127.0.0.1:{receiver.port}"

    def spans(self) -> list[ReceivedSpan]:
        """Return all spans so far, by start time."""
        found = [span for _, body in list(self.receiver.arrived) for span in _read(body)]
        return sorted(found, key=lambda span: span.started_ns)

    def bodies(self) -> bytes:
        """Return all received bodies."""
        return b"".join(body for _, body in list(self.receiver.arrived))


def _values(pairs: Iterator[KeyValue]) -> dict[str, object]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value") or "string_value") for pair in pairs}


def _read(body: bytes) -> Iterator[ReceivedSpan]:
    for process in ExportTraceServiceRequest.FromString(body).resource_spans:
        instance = str(_values(iter(process.resource.attributes))["service.instance.id"])
        for scope in process.scope_spans:
            for span in scope.spans:
                yield ReceivedSpan(
                    name=span.name,
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    links=frozenset(link.span_id.hex() for link in span.links),
                    attributes=_values(iter(span.attributes)),
                    instance=instance,
                    started_ns=span.start_time_unix_nano,
                    ended_ns=span.end_time_unix_nano,
                    exception=span.status.message if span.status.code == Status.STATUS_CODE_ERROR else "",
                )


@contextmanager
def run_collector() -> Iterator[Collector]:
    """Run a collector until the block ends."""
    with run_receiver() as receiver:
        yield Collector(receiver)
