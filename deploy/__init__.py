"""Settings, URLs, the embedded PostgreSQL and the supervisor: everything that assembles and runs the arena."""

import gc

# A start creates 400,000 objects that stay. Collecting garbage among them 500 times is a fifth of its cost.
gc.set_threshold(20_000, 20, 20)
