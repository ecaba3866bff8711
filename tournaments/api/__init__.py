"""REST API of leagues, ladders and challenges."""
