# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Load another kernel, with invalid flags."""
    return reached("kexec_load", 0, 0, 0, 0xFFFF)
