# expects: held
@attempt
def reach():
    """Mount by the newer system calls, with invalid flags."""
    return reached("open_tree", -1, b"/", 0x40000000)
