# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Compare two processes' inner addresses."""
    return reached("kcmp", os.getpid(), os.getpid(), 1, 0, 0)
