# expects: held
@attempt
def signal_it():
    """Check if it may signal all processes."""
    os.kill(-1, 0)
    return "somebody could be killed"
