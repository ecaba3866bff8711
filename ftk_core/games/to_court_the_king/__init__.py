"""To Court the King: dice win over the court, seven of a kind wins the King. Rules in RULES.md."""
