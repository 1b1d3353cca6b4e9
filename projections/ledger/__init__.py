"""The ledger of a campaign whose armies live on: what each unit and leader has been through."""
