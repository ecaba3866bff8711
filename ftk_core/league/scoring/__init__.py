"""Points and tie-breaks of a league, and points of a series of leagues."""
