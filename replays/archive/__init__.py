"""Archive of matches: encoding of a match's log as one compressed block, and storage of blocks."""
