-- Every movement of money, one row each: docs/build/tables.md, "ledger". The name of a call is looked up where it is asked for.
select l.id, l.block_number, l.at, l.tx_hash, l.log_index, l.asset, l.kind, l.from_account, l.to_account, l.amount,
  l.amount_units, l.task_id,
  coalesce((select o.operation from analytics.operation o where o.selector = l.operation), l.operation) as operation
from market.ledger l
