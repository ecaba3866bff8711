# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Write process accounting to a file with an empty name."""
    return reached("acct", b"/nowhere-at-all")
