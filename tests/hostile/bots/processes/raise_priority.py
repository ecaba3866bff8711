# expects: held
# control: needs root
@attempt
def undo():
    """Go before all others."""
    return os.nice(-1) - 1
