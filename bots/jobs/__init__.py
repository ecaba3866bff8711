"""Jobs of workers: fair scheduling, trial matches of new versions, and traces of uploads."""
