# expects: held
@attempt
def reach():
    """Set up an io_uring, whose operations no filter sees."""
    return reached("io_uring_setup", 1, 0)
