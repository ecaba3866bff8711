# expects: held
# control: needs root
@attempt
def reach():
    """Change the root to an invalid folder."""
    return reached("pivot_root", 0, 0)
