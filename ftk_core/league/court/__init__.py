"""The court rating: what all results of a game together say about every version of every bot, with how sure that is.

Everybody's strength is fitted at once to all places at all tables (`likelihood`). A first version is drawn from a
normal prior around the mean, each later one from a normal around the version before it, as wide as the matches say
(`widths`); seats, and roles where a game has them, have values of their own for each table size. The fit is the mode of
the posterior, the errors are those of the normal around it. The posterior's logarithm is at least as curved as the
prior's, so that no strength is further from the truth of the fit than ``|gradient| / least precision of the prior``:
that proves the published digits.
"""

from __future__ import annotations

from ftk_core.league.court.beliefs import Prior
from ftk_core.league.court.digits import hundredths, rate_league
from ftk_core.league.court.fitting import Court, Rated, fit
from ftk_core.league.court.played import Played

__all__ = ["Court", "Played", "Prior", "Rated", "fit", "hundredths", "rate_league"]
