"""Jobs that workers run: their fair scheduling, trial matches of new versions, and OpenTelemetry traces of uploads."""
