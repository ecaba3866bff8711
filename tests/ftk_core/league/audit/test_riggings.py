"""What an organiser who has the server's key can do to a league from within is refused, or listed in their name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.auditing.rigging import LISTED, RIGGINGS, Rigged


@pytest.mark.parametrize("rig", RIGGINGS)
def test_a_rigged_league_is_refused_though_it_is_signed_and_fits_its_logs(rig: Callable[[], Rigged]) -> None:
    report = rig().report()
    assert any(RIGGINGS[rig] in str(flaw) for flaw in report.flaws), report.flaws


@pytest.mark.parametrize("rig", LISTED)
def test_what_organisers_do_in_their_own_name_is_listed(rig: Callable[[], Rigged]) -> None:
    report = rig().report()
    assert report.flaws == ()
    assert any(line.startswith(LISTED[rig]) for line in report.acts)
    assert any("by ada" in line and "because: " in line for line in report.acts)


def test_a_league_that_nobody_rigged_is_accepted_and_nothing_is_listed() -> None:
    report = Rigged(*(next(iter(RIGGINGS))().league.stages)).report()
    assert (report.flaws, report.notes, report.acts) == ((), (), ())
