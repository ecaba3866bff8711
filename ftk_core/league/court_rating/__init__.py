"""Bayesian estimates of the strengths of all bot versions that play the same game.

One fit estimates all strengths from the finishing places in all matches. The result is the mode of the posterior.
"""
# A bot's first version has a normal prior around the mean strength, a later version one around the version before it.
# Their standard deviations are learnt from the matches. Each seat of each table size, and each role, has an effect that
# is added to the strength. Standard errors come from the normal approximation at the mode. Every strength is off by at
# most ``|gradient| / least precision of the prior``, because the log posterior is at least as curved as the log prior.

from __future__ import annotations

from ftk_core.league.court_rating.match_arrays import MatchArrays
from ftk_core.league.court_rating.rating_fit import BotRatingFit, VersionRating, fit_ratings
from ftk_core.league.court_rating.rating_priors import PriorSigmas

__all__ = [
    "BotRatingFit",
    "MatchArrays",
    "PriorSigmas",
    "VersionRating",
    "fit_ratings",
]
