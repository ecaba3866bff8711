"""Kings Court: a box goes round, diamonds vanish, and the King asks questions. Rules in RULES.md."""
