# expects: held
@attempt
def reach():
    """Mount by the newer calls, with flags that are none."""
    return reached("open_tree", -1, b"/", 0x40000000)
