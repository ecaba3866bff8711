# expects: held
@attempt
def signal_it():
    """Ask whether a rival could be killed."""
    os.kill(HINTS["rival_pid"], 0)
    return "the rival could be killed"
