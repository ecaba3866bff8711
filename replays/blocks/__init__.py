"""Archive of matches: encoding of a log as one block, and storage of blocks."""
