-- One row: the public tasks as they were at a block that no reorg undoes any more, so that counting goes on from there.
-- Emptying the table costs one full count and nothing else.
create table service.public_totals (
  is_only_row boolean primary key default true check (is_only_row),
  -- What `market.task` showed: another deployment of the indexer is counted anew.
  deployment text not null,
  through_block bigint not null,
  -- No block above `through_block` is older, Unix seconds.
  through_time bigint not null,
  task_count bigint not null,
  total_rewards numeric(78, 0) not null
);
