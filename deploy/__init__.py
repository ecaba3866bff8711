"""Deployment of the web site and its workers: settings, URLs, process supervisor, messaging and release tools."""

import gc

# Starting a process creates 400,000 permanent objects. With Python's default thresholds, garbage collection would run
# 500 times meanwhile and take a fifth of the start time.
gc.set_threshold(20_000, 20, 20)
