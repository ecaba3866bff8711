# expects: held
@attempt
def signal_it():
    """Ask whether everybody could be killed."""
    os.kill(-1, 0)
    return "somebody could be killed"
