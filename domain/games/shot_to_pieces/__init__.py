"""Shot to Pieces: seven periods in free measure, D4s and markers, orders of corps."""
