"""Search for the line that names the error in a bot's error output."""

from __future__ import annotations

import re

_IGNORED = re.compile(r"^Exception ignored .*\n(?:Traceback .*\n(?:[ \t].*\n)*\S.*\n?)?", re.MULTILINE)
_ERROR_LINES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)*(\S.*)",
        r"^ *\+ Exception Group Traceback .*\n(?: +\|  .*\n)* +\| (\S.*)",
        r"^thread '.*' panicked at .*:\n(.+)",
        r"^((?:FATAL ERROR|Fatal Python error|fatal error|panic): .*|Exception in thread .*)",
    )
)
"""Formats of fatal errors, one pattern each: Python, Python's exception groups, Rust, and several other runtimes."""
_NODE_ERROR_LINE, _NODE_END = re.compile(r"^[ \t]*\^+\n\n(.+)", re.MULTILINE), "\nNode.js v"
"""Format of an error in Node.js, and the line that follows its stack trace."""


def find_error_line(stderr: str) -> str:
    r"""Return the line that names the last error in a bot's error output, or else the last line.

    >>> find_error_line('Traceback (most recent call last):\n  File "bot.py", line 1\nValueError: one\ntwo\n')
    'ValueError: one'
    >>> find_error_line("bot.js:1\nthrow x\n^\n\nError: crown\n    at bot.js:1\n\nNode.js v20.1.0\n")
    'Error: crown'
    >>> find_error_line("  + Exception Group Traceback (most recent call last):\n  |   File x\n  | Two: a\n  +---\n")
    'Two: a'
    >>> find_error_line("loading\nno such game\n")
    'no such game'
    """
    text = _IGNORED.sub("", stderr.strip() + "\n")
    patterns = (*_ERROR_LINES, _NODE_ERROR_LINE) if _NODE_END in text else _ERROR_LINES
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    if matches:
        return max(matches, key=lambda match: match.end())[1].strip()
    return stderr.strip().rpartition("\n")[2]
