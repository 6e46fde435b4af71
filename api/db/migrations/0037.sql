-- The order of writes whose blocks a reorg removed. Later writes may need what earlier ones did: none of them fails by a
-- revert while an earlier one waits to be mined again.

alter table service.intents
  add column block_position integer,
  add column undone_block bigint,
  add column undone_position integer;

comment on column service.intents.block_position is 'Index in its block of the transaction that completed the intent.';
comment on column service.intents.undone_block is 'First block that completed the intent and was removed by a reorg; null: none was.';
comment on column service.intents.undone_position is 'Index of its transaction in that block.';

create index intents_undone on service.intents (undone_block, undone_position) where undone_block is not null;
