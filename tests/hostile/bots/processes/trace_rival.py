# expects: held
# control: needs root
@attempt
def trace():
    """Take hold of a rival as a debugger does (PTRACE_SEIZE), and let go."""
    syscall("ptrace", 0x4206, HINTS["rival_pid"], 0, 0)
    return "a debugger of its rival"
