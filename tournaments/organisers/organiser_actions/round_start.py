"""Organisers' actions that begin the league, begin its drafted round (already paired), or pair it again."""

from django.utils.translation import gettext_lazy

from tournaments.leagues import services
from tournaments.organisers.organiser_action_definition import OrganiserAction, OrganiserActionGroup

ACTS = (
    OrganiserAction(
        verb="start",
        label=gettext_lazy("Begin the league"),
        summary=gettext_lazy("The first round is paired."),
        group=OrganiserActionGroup.LEAGUE,
        order=1,
        needs_reason=False,
        is_possible=lambda state: not state.begun,
        perform=lambda call: services.start(call.league.pk),
    ),
    OrganiserAction(
        verb="begin",
        label=gettext_lazy("Begin the drafted round"),
        summary=gettext_lazy("The drafted round begins."),
        group=OrganiserActionGroup.DRAFT,
        order=1,
        needs_reason=False,
        is_possible=lambda state: state.draft is not None and not state.paused,
        perform=lambda call: services.begin_round(call.league.pk),
    ),
    OrganiserAction(
        verb="redraft",
        label=gettext_lazy("Draft it again"),
        summary=gettext_lazy("The round is drafted again, with new luck."),
        group=OrganiserActionGroup.DRAFT,
        order=2,
        is_possible=lambda state: state.draft is not None,
        perform=lambda call: services.redraft_round(call.league.pk, call.actor),
    ),
)
