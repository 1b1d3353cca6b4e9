"""What people do in campaigns, once for every door."""
