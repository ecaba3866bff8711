# expects: held
@attempt
def reach():
    """Turn the randomising of addresses off."""
    return reached("personality", 0x0040000)
