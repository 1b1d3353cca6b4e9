"""HTTP: the application, the JSON API and the pages for people."""
