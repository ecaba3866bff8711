# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Ask for the version of Landlock."""
    return syscall("landlock_create_ruleset", 0, 0, 1)
