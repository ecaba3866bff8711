# expects: held
@attempt
def reach():
    """Change disk quotas of an invalid kind."""
    return reached("quotactl", 0xFF, 0, 0, 0)
