# expects: held
@attempt
def reach():
    """Change the disk quotas, of a kind that is none."""
    return reached("quotactl", 0xFF, 0, 0, 0)
