"""The rules of Singidunum, a module for each chapter."""
