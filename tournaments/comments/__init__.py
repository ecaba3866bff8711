"""Comments of people under the pages of leagues and their matches, with moderation by organisers and staff."""
