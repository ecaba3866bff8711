"""Translation of the messages of `ftk`."""
