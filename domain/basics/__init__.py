"""What every part of the domain is given: refusals, plain values, reading of data."""
