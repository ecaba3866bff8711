"""Where everything is put together and run: settings, addresses, the embedded PostgreSQL, the supervisor."""

import gc

# a start makes 400,000 objects that stay; to look for garbage among them 500 times is a fifth of what it costs
gc.set_threshold(20_000, 20, 20)
