"""Court rating: a Bayesian estimate of the strength of every bot version from all results of a game.

All strengths are fitted jointly to the places at all tables (`likelihood`). A bot's first version has a normal prior
around the mean, each later version a normal prior around its predecessor. The widths of both are learnt from the
matches (`first_version_prior`, `version_change_prior`). Each seat of each table size has an effect on the strength, as
has each role in games with roles.

The fit is the mode of the posterior; standard errors come from the normal approximation at the mode. No strength is
further from the exact mode than ``|gradient| / least precision of the prior``, because the log posterior is at least as
curved as the log prior. This bound proves that the published digits are exact.
"""

from __future__ import annotations

from ftk_core.league.court_rating.exact_rounding import rate_league, ratings_in_hundredths
from ftk_core.league.court_rating.match_arrays import MatchArrays
from ftk_core.league.court_rating.rating_fit import BotRatingFit, VersionRating, fit_ratings
from ftk_core.league.court_rating.rating_priors import PriorDeviations

__all__ = [
    "BotRatingFit",
    "MatchArrays",
    "PriorDeviations",
    "VersionRating",
    "fit_ratings",
    "rate_league",
    "ratings_in_hundredths",
]
