"""Live connections of spectators, and the broadcast groups of matches."""
