"""What is drawn without knowing who asks: charts, posters, calendars, rule books."""
