"""Settings by topic, which `deploy.settings` assembles."""
