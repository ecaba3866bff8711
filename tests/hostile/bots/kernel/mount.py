# expects: held
# control: needs root
@attempt
def reach():
    """Mount something (nothing, at no place)."""
    return reached("mount", 0, 0, 0, 0, 0)
