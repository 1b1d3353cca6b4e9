"""A battle in words: sentences, reasons, odds and tables."""
