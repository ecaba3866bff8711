"""Series of matches between bots on this machine: seating, records, statistics and reports."""
