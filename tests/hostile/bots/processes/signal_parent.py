# expects: held
@attempt
def signal_it():
    """Ask whether the worker could be killed."""
    os.kill(HINTS["parent"], 0)
    return "the worker could be killed"
