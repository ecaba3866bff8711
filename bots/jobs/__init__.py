"""Fair scheduling of worker jobs, the queue of trial matches for new bot versions, and tracing of uploads."""
