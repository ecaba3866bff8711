# expects: held
# control: needs root
@attempt
def reach():
    """Create a file system of an invalid type."""
    return reached("fsopen", 0, 0)
