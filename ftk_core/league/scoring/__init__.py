"""Points and tie-breaks of a league."""
