# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Ask which Landlock there is."""
    return syscall("landlock_create_ruleset", 0, 0, 1)
