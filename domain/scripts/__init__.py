"""Scripts: a whole turn as one text of orders, repeats and conditions, on every channel."""
