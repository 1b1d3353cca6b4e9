"""Cases: a scenario, stacked draws, orders, and the events that must follow."""
