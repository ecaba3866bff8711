"""Bots with one property each: imports, threads, files, sockets, sleeps, output, wrong languages."""

from __future__ import annotations

import io
import shutil
import zipfile

PLAY = """
from ftk_core.kit.bot import run
run(lambda ask: 0)
"""
RAW = """
import json, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        {answer}
"""
ANSWER = 'json.dumps({"id": ask["id"], "choose": 0})'
AT_START = {
    "plays": "",
    "imports msgspec": "import msgspec",
    "imports typer": "import typer",
    "imports the rules": "import ftk_core.games",
    "imports the kit's command": "from ftk_core.kit.cli import app",
    "imports the kit's clock": "import ftk_core.kit.protocol.cpu_clock",
    "imports the arena": "import bots.sandbox",
    "imports Django": "from django.conf import settings",
    "imports pip": "import pip",
    "imports a missing library": "import numppy",
    "imports a missing name": "from math import infinity",
    "imports a file it did not bring": "import bot_helpers",
    "imports the standard library": "import asyncio, bisect, collections, ctypes, decimal, heapq, sqlite3",
    "imports the engine": "from ftk_core.kit.engine import best_item",
    "starts a thread": "import threading\nthreading.Thread(target=int).start()",
    "starts a low-level thread": "import _thread\n_thread.start_new_thread(int, ())",
    "starts a timer": "import threading\nthreading.Timer(1, int).start()",
    "uses a pool of threads": "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor(2).submit(int)",
    "uses a pool of processes": "from multiprocessing import Pool\nPool(2)",
    "makes a server": "import http.server\nhttp.server.HTTPServer(('', 0), http.server.BaseHTTPRequestHandler)",
    "starts a process of its own code": "from multiprocessing import Process\nProcess(target=int).start()",
    "forks": "import os\nos.fork()",
    "runs a program": "import subprocess\nsubprocess.run(['true'], check=True)",
    "reads a program's output": "import subprocess\nsubprocess.check_output(['true'])",
    "replaces itself by a program": "import os\nos.execv('/bin/true', ['true'])",
    "spawns a program": "import os\nos.posix_spawn('/bin/true', ['true'], {})",
    "opens a pipe": "import os\nos.pipe()",
    "waits for events": "import select\nselect.epoll()",
    "signals a process": "import os\nos.kill(1, 0)",
    "signals its thread": "import signal, threading\nsignal.pthread_kill(threading.get_ident(), 0)",
    "writes a file": "open('cache.json', 'w')",
    "appends to a file": "open('cache.json', 'ab')",
    "writes by a path object": "from pathlib import Path\nPath('notes.txt').write_text('x')",
    "writes by a system call": "import os\nos.open('x', os.O_WRONLY | os.O_CREAT)",
    "writes into /tmp": "open('/tmp/x', 'w')",
    "makes a temporary file": "import tempfile\ntempfile.TemporaryFile()",
    "makes a folder": "import os\nos.mkdir('cache')",
    "removes its source": "import os\nos.remove('bot.py')",
    "renames its source": "import os\nos.rename('bot.py', 'b.py')",
    "changes the mode of its source": "import os\nos.chmod('bot.py', 0o600)",
    "makes a link": "import os\nos.symlink('bot.py', 'b.py')",
    "changes its folder": "import os\nos.chdir('/')",
    "reads a file of the system": "open('/etc/passwd').read()",
    "reads a file that is missing": "open('weights.json')",
    "reads its source": "assert 'run' in open('bot.py').read()\nassert open(__file__).read()",
    "lists the root": "import os\nprint(os.listdir('/etc'))",
    "lists its folder": "import os\nassert os.listdir('.') == ['bot.py']",
    "looks for a file of the system": "import os\nassert os.path.exists('/etc/passwd')",
    "measures a file of the system": "import os\nos.stat('/etc/passwd')",
    "reads about its process": "open('/proc/self/status').read()",
    "opens a device": "open('/dev/null', 'w')",
    "reads the environment": "import os\nos.environ['HOME']",
    "opens a socket": "import socket\nsocket.socket()",
    "connects to a server": "import socket\nsocket.create_connection(('127.0.0.1', 80), timeout=1)",
    "fetches a page": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1/')",
    "makes a pair of sockets": "import socket\nsocket.socketpair()",
    "shares memory": "import mmap\nmmap.mmap(-1, 4096)",
    "raises its limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
    "locks a file": "import fcntl\nfcntl.flock(open('bot.py'), fcntl.LOCK_EX)",
    "opens a database file": "import sqlite3\nsqlite3.connect('book.db').execute('select 1')",
    "uses a database in memory": "import sqlite3\nsqlite3.connect(':memory:').execute('select 1')",
    "fills the memory": "x = bytearray(1 << 30)",
    "exits": "raise SystemExit(3)",
    "raises": "raise KeyError('crown')",
    "recurses": "def f(): f()\nf()",
    "does not compile": "def f(:",
    "runs a shell": "import os\nraise ValueError(os.system('true'))",
    "asks for its home": "from pathlib import Path\nPath.home()",
    "uses a queue between processes": "from multiprocessing import Queue\nQueue()",
    "copies its source": "import shutil\nshutil.copy('bot.py', 'b.py')",
    "measures the disk": "import shutil\nshutil.disk_usage('.')",
    "prints a debugging line at its start": "print('hello')",
    "loads a module by its path": "import importlib.util as u\n"
    "s = u.spec_from_file_location('x', '/etc/x.py')\ns.loader.exec_module(u.module_from_spec(s))",
    "runs an event loop": "import asyncio\nasync def f(): pass\nasyncio.run(f())",
    "swallows signals": "import signal\nfor s in (2, 14, 15): signal.signal(s, lambda *_: None)\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)",
    "hangs at its exit": "import atexit, time\natexit.register(time.sleep, 99)",
    "speaks at its exit": "import atexit, sys\natexit.register(print, 'bye')\nsys.exit(0)",
    "exits with a list": "raise SystemExit(['no', 'such'])",
    "raises two errors in a group": "raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])",
    "raises an error of two lines": "raise ValueError('one\\ntwo')",
    "raises an error from another": "try: open('x')\nexcept OSError as error: raise ValueError('no x') from error",
    "logs much and crashes": "import sys\nsys.stderr.write('x\\n' * 20_000)\n1 / 0",
    "closes its output and crashes": "import os, time\nos.close(1)\ntime.sleep(0.2)\n1 / 0",
    "closes its input": "import sys\nsys.stdin.close()",
    "reads its first line away": "input()",
    "opens many files": "x = [open(__file__) for _ in range(99)]",
    "inspects its source": "import inspect\nassert 'inspect' in inspect.getsource(inspect.currentframe())",
    "sets its time zone": "import os, time\nos.environ['TZ'] = 'Europe/Berlin'\ntime.tzset()\n"
    "raise ValueError(time.tzname)",
    "asks who logged in": "import os\nos.getlogin()",
}
"""Name -> code that runs before the bot plays."""
AT_ANSWER = {
    "answers in words": 'print("roll", flush=True)',
    "answers beside the menu": 'print(json.dumps({"id": ask["id"], "choose": 99}), flush=True)',
    "answers early": 'print(json.dumps({"id": ask["id"] + 1, "choose": 0}), flush=True)',
    "answers with a text": 'print(json.dumps({"id": ask["id"], "choose": "0"}), flush=True)',
    "answers with an unknown field": 'print(json.dumps({"id": ask["id"], "choose": 0, "x": 1}), flush=True)',
    "writes a line without an end": 'print("x" * 9999, end="", flush=True)',
    "floods its output": 'sys.stdout.write("x\\n" * (3 << 20))',
    "floods its errors": 'sys.stderr.write("x\\n" * (3 << 20))',
    "answers in binary": 'sys.stdout.buffer.write(b"\\xff\\x00\\n"); sys.stdout.flush()',
    "crashes at a question": "1 / 0",
    "leaves at a question": "sys.exit()",
    "answers twice": f"print({ANSWER}, {ANSWER}, sep='\\n', flush=True)",
    "speaks after its answer": f"print({ANSWER}, flush=True); print('I roll', flush=True)",
    "ends its answer with two lines": f"print({ANSWER}, end='\\n\\n', flush=True)",
    "forgets the end of its answer": f"print({ANSWER}, end='', flush=True); sys.exit()",
    "answers with a fraction": 'print(json.dumps({"id": ask["id"], "choose": 0.0}), flush=True)',
    "answers with a key twice": 'print(\'{"id": %d, "choose": 0, "choose": 0}\' % ask["id"], flush=True)',
    "answers in UTF-16": f'sys.stdout.buffer.write(({ANSWER} + "\\n").encode("utf-16")); sys.stdout.flush()',
    "notes half of a surrogate pair": (
        'print(json.dumps({"id": ask["id"], "choose": 0, "note": "\\ud800"}), flush=True)'
    ),
}
"""Name -> code that runs for each question."""
SLOW = {
    "sleeps eight seconds at its start": AT_START["plays"] + "import time\ntime.sleep(8)" + PLAY,
    "sleeps six seconds at its start": "import time\ntime.sleep(6)" + PLAY,
    "computes for an hour at its start": "while True: pass",
    "reads its input to the end": "import sys\nsys.stdin.read()",
    "never answers": RAW.format(answer="pass"),
    "answers after three seconds": RAW.format(
        answer='time.sleep(3); print(json.dumps({"id": ask["id"], "choose": 0}), flush=True)'
    ),
}
"""Name -> source of a bot whose verdict takes seconds."""


IN_JAVASCRIPT = {"throws": "throw new Error('crown')", "does not compile": "let = ;", "ends": "process.exit(3)"}
"""Name -> source of a bot; empty on a machine that cannot run one."""
if shutil.which("node") is None:
    IN_JAVASCRIPT.clear()


def zipped(**files: str | bytes) -> bytes:
    """Return an archive; an underscore in a name stands for a dot."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return body.getvalue()


UPLOADS: dict[str, tuple[str, bytes]] = {
    **{name: ("bot.py", (code + PLAY).encode()) for name, code in AT_START.items()},
    **{name: ("bot.py", RAW.format(answer=code).encode()) for name, code in AT_ANSWER.items()},
    "is written in Ruby": ("bot.zip", zipped(bot_rb="", bot_toml='command = "ruby bot.rb"')),
    "names a shell": ("bot.zip", zipped(bot_py="", bot_toml='command = "sh bot.py"')),
    "names a missing program": ("bot.zip", zipped(bot_py="", bot_toml='command = "python main.py"')),
    "names its file with a dot": ("bot.zip", zipped(bot_py=PLAY, bot_toml='command = "python ./bot.py"')),
    "names another language": ("bot.zip", zipped(bot_py=PLAY, bot_toml='command = "node bot.py"')),
    "begins its manifest with a byte order mark": (
        "bot.zip",
        zipped(bot_py=PLAY, bot_toml='\ufeffcommand = "python bot.py"'),
    ),
    "has its manifest in a folder": ("bot.zip", zipped(main_py=PLAY, **{"my/bot_toml": 'command = "python main.py"'})),
    "has names that differ in case": ("bot.zip", zipped(bot_py=PLAY, Bot_py="")),
    **{
        f"{name} in JavaScript": ("bot.zip", zipped(bot_js=source, bot_toml='command = "node bot.js"'))
        for name, source in IN_JAVASCRIPT.items()
    },
    "is a text": ("bot.txt", b"hello"),
    "is empty": ("bot.py", b""),
    "brings a pickle as weights": ("bot.zip", zipped(bot_py=PLAY, weights_bin=b"\x80\4\x95.")),
    "is no UTF-8": ("bot.py", b"# \xff\n"),
    "brings a compiled module": ("bot.zip", zipped(bot_py=PLAY, helper_pyc=b"\0")),
    "brings a picture": ("bot.zip", zipped(bot_py=PLAY, logo_png=b"\x89PNG")),
}
"""Name -> file name and content of an upload whose verdict comes soon."""
UPLOADS_OF_SLOW_BOTS = {name: ("bot.py", source.encode()) for name, source in SLOW.items()}
"""Name -> file name and content of an upload whose verdict takes seconds."""
