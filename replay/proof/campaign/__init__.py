"""Check the file of a campaign, and the battles that it counts (CAM-LOG-06)."""
