# expects: held
@attempt
def reach():
    """Change the processor's segment table, by an invalid operation."""
    return reached("modify_ldt", 0, 0, 0)
