# expects: held
# control: needs root
@attempt
def reach():
    """Make a file system, of no kind."""
    return reached("fsopen", 0, 0)
