# expects: crash
# detail: without a word
# It ends before the first question.
sys.exit(0)
