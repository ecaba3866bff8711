# expects: held
# control: needs root
@attempt
def undo():
    """Raise its priority above all other processes."""
    return os.nice(-1) - 1
