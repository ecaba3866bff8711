"""A fake module of the standard library that runs an attempt when imported, and then imports the real module.

If the bootstrap imported anything with the bot's folder on the path, this module would run before the filter.
"""

import builtins
import os
import sys


def _early() -> str:
    try:
        os.close(os.open("/etc/passwd", os.O_RDONLY))
        return f"{__name__} read /etc/passwd at its import"
    except OSError:
        pass
    try:
        os.kill(os.getppid() or 1, 0)
        return f"{__name__} may signal at its import"
    except OSError:
        return ""


if _found := _early():
    builtins.EARLY = _found  # type: ignore[attr-defined]  # where the bot itself finds it
sys.path[:] = [entry for entry in sys.path if not os.path.exists(os.path.join(entry, "bot.py"))]
_self = sys.modules.pop(__name__)
try:
    __import__(__name__)
except ImportError:  # no real module has this name
    sys.modules[__name__] = _self
