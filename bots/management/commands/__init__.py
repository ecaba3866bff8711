"""The app's commands, one per module."""
