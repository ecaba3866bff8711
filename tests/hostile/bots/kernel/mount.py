# expects: held
# control: needs root
@attempt
def reach():
    """Mount a file system, with empty arguments."""
    return reached("mount", 0, 0, 0, 0, 0)
