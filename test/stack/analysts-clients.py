"""What programs of analysts do first at the login: list, describe, read. Prints what they got as JSON."""

import json
import os

import pandas
from sqlalchemy import MetaData, Table, create_engine, func, inspect, select

engine = create_engine(os.environ["ANALYST_URL"], pool_pre_ping=True)
inspector = inspect(engine)
task = {column["name"]: column for column in inspector.get_columns("task", schema="market")}
ledger = Table("ledger", MetaData(), schema="analytics", autoload_with=engine)
sums = select(func.sum(ledger.c.amount_units)).where(ledger.c.kind == "funded")
with engine.connect() as connection:
    funded = connection.execute(sums).scalar()
frame = pandas.read_sql(
    "SELECT at, asset, kind, amount, amount_units FROM analytics.ledger", engine, coerce_float=False
)
table = pandas.read_sql_table("ledger", engine, schema="analytics", coerce_float=False)
print(
    json.dumps(
        {
            "schemas": [name for name in inspector.get_schema_names() if name in ("market", "analytics")],
            "tables": inspector.get_table_names(schema="market"),
            "views": inspector.get_view_names(schema="analytics"),
            "comment": inspector.get_table_comment("ledger", schema="analytics")["text"],
            "reward": [str(task["reward"]["type"]), task["reward"]["comment"]],
            "constraints": [
                inspector.get_pk_constraint("task", schema="market")["constrained_columns"],
                inspector.get_foreign_keys("task", schema="market"),
                inspector.get_indexes("task", schema="market"),
            ],
            "definition": inspector.get_view_definition("ledger", schema="analytics") is not None,
            "funded": str(funded),
            "sum": str(frame["amount"][frame["kind"] == "bonus_credited"].sum()),
            "times": str(frame["at"].dtype),
            "rows": [len(frame), len(table)],
        }
    )
)
