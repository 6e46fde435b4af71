-- Events about no task. Their words follow from the name.
select
  m.ordinal,
  m.contract,
  lower(regexp_replace(m.name, '(?<!^)([A-Z])', '_\1', 'g')) as kind,
  m.name,
  m.args,
  to_timestamp(m.block_timestamp) as at,
  m.block_timestamp as at_s,
  m.block_number,
  m.transaction_hash as tx_hash,
  m.log_index
from market.market_event m
