"""Scripted agent programs: clients of the official MCP SDK that play by the tools of `ftk mcp`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

FTK = str(Path(sys.executable).with_name("ftk"))
Choose = Callable[[dict[str, Any]], int]
"""(fields of a question) -> index of the chosen menu item."""


def start_server(*words: str, **env: str) -> Client:
    """Return a client that starts `ftk mcp` with these words and talks to it over stdio."""
    return Client(StdioServerParameters(command=FTK, args=["mcp", *words], env=env))


def text_of(result: CallToolResult) -> str:
    """Return the text of a tool's result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def use_tool(client: Client, name: str, **arguments: Any) -> CallToolResult:
    """Call a tool that has to succeed."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    return result


async def refusal_of(client: Client, name: str, **arguments: Any) -> str:
    """Call a tool that has to refuse, and return its message."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    return text_of(result)


async def play_on(client: Client, result: CallToolResult, choose: Choose) -> tuple[list[str], dict[str, Any]]:
    """Answer questions until the match is over; return the texts of all questions, and the fields of the end."""
    texts = []
    while True:
        fields = result.structured_content
        assert fields is not None
        if fields["over"]:
            return texts, fields
        if "question" in fields:
            texts.append(text_of(result))
            answer = {"seat": fields["seat"], "question": fields["question"], "choose": choose(fields)}
            result = await use_tool(client, "answer", **answer)
        else:
            result = await use_tool(client, "read_question", seat=fields["seat"])
