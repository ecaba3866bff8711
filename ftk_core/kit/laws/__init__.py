"""Laws (tests that every game must pass) as a plug-in of pytest: ``pytest --ftk-laws GAME``."""
