# expects: held
@attempt
def signal_it():
    """Check if it may signal a rival."""
    os.kill(HINTS["rival_pid"], 0)
    return "the rival could be killed"
