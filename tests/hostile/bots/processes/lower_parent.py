# expects: held
@attempt
def undo():
    """Set the worker's priority (to what it is)."""
    os.setpriority(os.PRIO_PROCESS, HINTS["parent"], os.getpriority(os.PRIO_PROCESS, HINTS["parent"]))
    return "the worker's priority"
