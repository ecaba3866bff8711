# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Start another kernel, with flags that are none."""
    return reached("kexec_load", 0, 0, 0, 0xFFFF)
