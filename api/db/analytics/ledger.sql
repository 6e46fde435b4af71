-- Every movement of money, one row each: docs/tables.md, "ledger".
select id, block_number, at, tx_hash, log_index, asset, kind, from_account, to_account, amount, amount_units, task_id,
  operation
from market.ledger
