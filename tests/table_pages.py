"""The page of the tables of a bulk export of the site of the docs, made from the module that describes them."""

from projections.bulk.tables import SCHEMA, TABLES, BulkTable


def page() -> str:
    """The page."""
    parts = [
        "<!-- Made from projections/bulk/tables.py by tests/table_pages.py: python -m tests.docs_site -->",
        "# Tables of a bulk export",
        f"What `phalera export --all` writes, version {SCHEMA} of the tables. [Analysing](../analysing.md) says how to"
        " ask them. Columns in **bold** are the key; a column is never null unless its meaning says when.",
        *(_table(table) for table in TABLES),
    ]
    return "\n\n".join(parts) + "\n"


def _table(table: BulkTable) -> str:
    lines = [
        f"## {table.name}",
        "",
        f"A row is {table.about}.",
        "",
        "| column | kind | meaning |",
        "| --- | --- | --- |",
    ]
    for column in table.columns:
        name = f"**{column.name}**" if column.name in table.key else column.name
        lines.append(f"| {name} | {column.kind} | {column.about} |")
    return "\n".join(lines)
