"""Court rating: a Bayesian estimate of the strength of every bot version, from all results of a game.

All strengths are fitted together to the places in all matches (`likelihood`). The prior of a bot's first version is a
normal distribution around the mean strength. The prior of a later version is a normal distribution around the version
before it. The standard deviations of both are learnt from the matches (`first_version_prior`,
`bot_version_change_prior`).

A seat can be an advantage. So each seat of each table size has an effect, which is added to the strength of the bot in
this seat. In games with roles, each role has such an effect, too.

The result is the mode of the posterior; standard errors come from the normal distribution that approximates it there.
The published digits are exact. This is proved by a bound on the error of every strength: ``|gradient| / least precision
of the prior``. The bound holds because the log posterior is at least as curved as the log prior.
"""

from __future__ import annotations

from ftk_core.league.court_rating.exact_rounding import rate_league, ratings_in_hundredths
from ftk_core.league.court_rating.match_arrays import MatchArrays
from ftk_core.league.court_rating.rating_fit import BotRatingFit, VersionRating, fit_ratings
from ftk_core.league.court_rating.rating_priors import PriorSigmas

__all__ = [
    "BotRatingFit",
    "MatchArrays",
    "PriorSigmas",
    "VersionRating",
    "fit_ratings",
    "rate_league",
    "ratings_in_hundredths",
]
