"""MCP server over standard input and output, with which an AI agent plays matches."""
# Needs the package `mcp` (extra `mcp`), the official SDK of the Model Context Protocol.

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent

from ftk_core import __version__
from ftk_core.games import UnknownGameError
from ftk_core.hash_chained_log import BrokenHashChainError
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.mcp_agents.agent_seats import AgentSeatError
from ftk_core.kit.mcp_agents.agent_tools import AgentTool, SeatStateReport

INSTRUCTIONS = """\
Board games for 2 to 12 players. Start with list_games and read_rules, then take a seat: practise plays against
built-in bots at once; the tools of an arena, if there are any, order matches against other people's bots. Then repeat:
read_question shows what happened, the table as your seat sees it, and a numbered menu; answer takes the number of an
item and returns the next question. After the end use read_result, read_log and read_review to learn from the match.
"""
REFUSALS = (AgentSeatError, BrokenHashChainError, RequestError, UnknownGameError, ValueError)
"""Exceptions of a tool whose message the agent gets as an MCP tool error."""


def create_server(tools: Iterable[AgentTool]) -> MCPServer[Any]:
    """Return an MCP server that offers the functions `tools` as its tools, described by their docstrings."""
    server: MCPServer[Any] = MCPServer("ftk", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in tools:
        server.add_tool(_convert(tool), description=" ".join((tool.__doc__ or "").split()), structured_output=False)
    return server


def _convert(tool: AgentTool) -> Callable[..., Coroutine[Any, Any, CallToolResult]]:
    """Convert a tool to a coroutine function that returns an MCP result."""

    @functools.wraps(tool)
    async def call(**arguments: Any) -> CallToolResult:
        try:
            waits = inspect.iscoroutinefunction(tool)
            report: SeatStateReport | str = await (tool(**arguments) if waits else asyncio.to_thread(tool, **arguments))
        except REFUSALS as error:
            raise ToolError(str(error)) from error
        text, fields = (report, None) if isinstance(report, str) else (report.text, report.fields)
        return CallToolResult(content=[TextContent(text=text)], structured_content=fields)

    return call
