# expects: held
@attempt
def reach():
    """Turn address space randomisation off."""
    return reached("personality", 0x0040000)
