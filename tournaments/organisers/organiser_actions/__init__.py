"""Actions of organisers on a league, one module for each action or for a few related ones."""
# The API offers all actions in the tuples `ACTS`. The shell and the organisers' page of a round offer only actions
# whose field `group` is set.

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from tournaments.organisers.organiser_action_definition import Describe, OrganiserAction, OrganiserActionGroup


@cache
def actions_by_verb() -> Mapping[str, OrganiserAction]:
    """Return all actions as a dict by verb, in the order of the organisers' page."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    groups = list(OrganiserActionGroup)
    found = [act for module in modules for act in module.ACTS]
    found.sort(key=lambda act: (groups.index(act.group) if act.group else len(groups), act.order, act.verb))
    return MappingProxyType({act.verb: act for act in found})


@cache
def descriptions() -> Mapping[type, Describe]:
    """Return the functions that describe organisers' actions in words, by event type."""
    return {kind: describe for act in actions_by_verb().values() for kind, describe in act.describe.items()}
