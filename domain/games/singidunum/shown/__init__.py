"""How a battle of Singidunum is drawn and told."""
