# expects: held
@attempt
def undo():
    """Set the worker's priority, to its present value."""
    os.setpriority(os.PRIO_PROCESS, HINTS["parent"], os.getpriority(os.PRIO_PROCESS, HINTS["parent"]))
    return "the worker's priority"
