"""Series: several leagues of one game whose final places are added up."""
