"""First process (pid 1) of a simulated host, which starts processes on request.

Usage: ``python -I -S -B simulated_host_init.py <host name>``, in a process namespace of its own. It reads and writes
JSON objects, one per line:

- reads ``{"start": name, "command": [...], "env": {...}, "folder": path, "log": path}``
- reads ``{"signal": number, "to": name}``
- writes ``{"up": host}``, ``{"started": name, "pid": number}`` and ``{"ended": name, "code": number}``
"""
# All processes of the namespace die with it. It uses the standard library only.

import json
import os
import select
import signal
import socket
import subprocess
import sys

_running: dict[int, tuple[str, subprocess.Popen[bytes]]] = {}


def say(**words: object) -> None:
    """Write a message as JSON to the process that created the host."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def execute_request(line: bytes) -> None:
    """Execute one JSON request: start a process, or send a signal to a running one."""
    told = json.loads(line)
    if "signal" in told:
        for pid, (name, _) in list(_running.items()):
            if name == told["to"]:
                os.kill(pid, told["signal"])
        return
    with open(told["log"], "ab") as out:
        process = subprocess.Popen(
            told["command"],
            env=told["env"],
            cwd=told["folder"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    _running[process.pid] = told["start"], process
    say(started=told["start"], pid=process.pid)


def reap() -> None:
    """Reap all ended processes, including orphans, and report those that were started on request."""
    while _running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        if pid in _running:
            name, process = _running.pop(pid)
            process.returncode = os.waitstatus_to_exitcode(status)
            say(ended=name, code=process.returncode)


def main() -> None:
    """Execute the requests on standard input until it ends."""
    socket.sethostname(sys.argv[1])
    hears, rings = os.pipe()
    os.set_blocking(rings, False)
    signal.set_wakeup_fd(rings)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    say(up=sys.argv[1])
    waiting = b""
    while True:
        ready, _, _ = select.select([0, hears], [], [])
        if hears in ready:
            os.read(hears, 4096)
            reap()
        if 0 in ready:
            chunk = os.read(0, 65536)
            if not chunk:
                return
            *lines, waiting = (waiting + chunk).split(b"\n")
            for line in lines:
                execute_request(line)


if __name__ == "__main__":
    main()
