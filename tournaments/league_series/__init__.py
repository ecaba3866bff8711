"""Series: several leagues of one game whose points are added up for each bot."""
