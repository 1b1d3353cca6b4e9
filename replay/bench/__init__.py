"""Cases: a scenario, stacked draws, orders, and the events that must follow; how they are read, played and told."""
