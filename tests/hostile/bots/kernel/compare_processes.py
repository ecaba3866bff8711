# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Compare kernel addresses of two processes."""
    return reached("kcmp", os.getpid(), os.getpid(), 1, 0, 0)
