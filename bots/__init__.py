"""Django app for bots: uploads, immutable versions, sandbox, trial matches."""
