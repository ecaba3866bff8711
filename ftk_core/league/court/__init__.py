"""Court rating: a Bayesian estimate of the strength of every bot version from all results of a game.

All strengths are fitted jointly to the places at all tables (`likelihood`). A first version has a normal prior around
the mean, each later version a normal prior around its predecessor, with a width learnt from the matches (`widths`).
Seats, and roles in games that have them, have effects of their own for each table size. The fit is the mode of the
posterior; standard errors come from the normal approximation at the mode. The log posterior is at least as curved as
the log prior, so no strength is further from the exact mode than ``|gradient| / least precision of the prior``. This
bound proves the published digits.
"""

from __future__ import annotations

from ftk_core.league.court.beliefs import Prior
from ftk_core.league.court.digits import hundredths, rate_league
from ftk_core.league.court.fitting import Court, Rated, fit
from ftk_core.league.court.played import Played

__all__ = ["Court", "Played", "Prior", "Rated", "fit", "hundredths", "rate_league"]
