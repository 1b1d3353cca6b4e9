"""The report of a campaign: its course in chapters, with its battles, told to people who were not there."""
