# expects: held
@attempt
def reach():
    """Push out another process's memory."""
    return reached("process_madvise", -1, 0, 0, 0, 0)
