"""Collection rules: leagues of OpenSpiel's games are played where the plug-in is installed, as in `make openspiel`."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("ftk_openspiel") and find_spec("pyspiel") else ["test_openspiel_leagues.py"]
