# expects: held
# control: needs root
@attempt
def undo():
    """Request real-time scheduling, and then undo it."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return "real time"
