"""Jobs of workers: fair scheduling, trial matches that test new bot versions, OpenTelemetry traces of uploads."""
