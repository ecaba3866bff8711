"""Series: several leagues of one game. The points of each bot for its final places are added up."""
