# expects: held
@attempt
def reach():
    """Page out the memory of another process."""
    return reached("process_madvise", -1, 0, 0, 0, 0)
