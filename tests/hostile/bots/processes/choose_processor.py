# expects: held
@attempt
def undo():
    """Choose the processor on which it runs."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return "chose its processor"
