"""The cage: uploaded bots are hostile, and held. `spawn.caged` is the door; docs in deploy/CAGE.md."""
