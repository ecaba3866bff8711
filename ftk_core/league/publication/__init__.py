"""Files that a league publishes: export, spreadsheets, TRF files and Merkle roots."""
