# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Write the accounting of processes to a file of no name."""
    return reached("acct", b"/nowhere-at-all")
