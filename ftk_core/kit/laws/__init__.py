"""Laws that every game must obey, as a plug-in of pytest: ``pytest --ftk-laws GAME``."""
