"""Django app for bots: uploads, immutable versions, the sandbox, and the trial match that each version must pass."""
