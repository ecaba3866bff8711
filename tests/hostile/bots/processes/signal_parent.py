# expects: held
@attempt
def signal_it():
    """Check if it may signal the worker."""
    os.kill(HINTS["parent"], 0)
    return "the worker could be killed"
