# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Create memory that the kernel itself cannot read."""
    return reached("memfd_secret", 0x4000_0000)
