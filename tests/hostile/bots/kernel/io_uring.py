# expects: held
@attempt
def reach():
    """Do everything by a ring that no filter sees."""
    return reached("io_uring_setup", 1, 0)
