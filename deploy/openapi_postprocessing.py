"""Post-processing of the OpenAPI schema, which adds error responses, idempotency keys and rate limit headers."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from foundation.branding import USUAL_NAME
from foundation.branding.arena_brand import read_brand
from foundation.problem_details import CONTENT_TYPE

METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = {
    "type": "object",
    "description": "What is wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence that names the remedy."},
        "errors": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "What is wrong by field.",
        },
    },
    "required": ["type", "title", "status", "detail"],
    "example": {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "the league has begun; late entries are not taken",
    },
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    "description": "A word of yours: sent again with it within a day, it is done once and answered as before.",
    "example": "5f0a3f9c-night-ada",
}
RATE_LIMIT_HEADER = {
    "schema": {"type": "string"},
    "description": "What is left (r) and in how many seconds it is whole (t).",
    "example": '"person";r=598;t=1',
}


def complete_schema(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: ARG001 - called by drf-spectacular
    """Add the common error responses, parameters and headers to every operation of the schema."""
    if (name := read_brand().name) != USUAL_NAME:
        result["info"]["title"] = name
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    for does in result["paths"].values():
        for method in METHODS:
            if method in does:
                _complete(method, does[method])
    return result


def _complete(method: str, operation: dict[str, Any]) -> None:
    parameters = operation.setdefault("parameters", [])
    if method == "post" and operation.pop("x-once", True):
        parameters.append(KEY)
    for status in _refusals(method, operation):
        answer = operation["responses"].setdefault(str(status), {"description": HTTPStatus(status).phrase})
        answer.setdefault("content", {})[CONTENT_TYPE] = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for answer in operation["responses"].values():
        answer.setdefault("headers", {})["RateLimit"] = RATE_LIMIT_HEADER


def _refusals(method: str, operation: dict[str, Any]) -> list[int]:
    """Return the HTTP error statuses that an operation can have, given its method, path parameters and security."""
    within = [parameter for parameter in operation["parameters"] if parameter["in"] == "path"]
    guarded = {} not in operation.get("security", [{}])
    statuses = [400, 406, 429]
    if within:
        statuses.append(404)
    if guarded or method != "get":
        statuses += [401, 403]
    if method != "get":
        statuses += [409, 412, 413, 415, 422]
    return sorted(statuses)
