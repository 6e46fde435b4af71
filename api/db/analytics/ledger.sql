-- Every movement of money, one row each: docs/tables.md, "ledger".
select l.id, l.block_number, l.at, l.tx_hash, l.log_index, l.asset, l.kind, l.from_account, l.to_account, l.amount,
  l.amount_units, l.task_id, coalesce(o.operation, l.operation) as operation
from market.ledger l
left join analytics.operation o on o.selector = l.operation
