-- What the keeper has tried for the rewards of vaults: one row a try. The row is made before the write is recorded, so that
-- of several processes one makes it, and names the intent once it is recorded.
create table service.keeper_calls (
  id bigint generated always as identity primary key,
  vault_id text not null,
  task_id text not null,
  step text not null check (step in ('reconcile', 'settle')),
  -- Of the vault at that time: calls for vaults that no curator has approved share a budget.
  is_approved boolean not null,
  -- Null: the write was refused, or its process ended before it was recorded.
  intent_id uuid unique,
  claimed_at timestamptz not null default now()
);

create index keeper_calls_task on service.keeper_calls (task_id, step, claimed_at);
create index keeper_calls_claimed on service.keeper_calls (claimed_at);
