"""How a match is played: who may, how it is kept alive, paced and announced, and what is told when it has ended."""
