-- Task drops: tasks that their requester shows together. Both tables are written in the transaction that binds a
-- creation; what is shown of them depends on the tasks that are on chain, so a write that failed leaves nothing to see.

-- One row a drop. `ordinal` is the paging key: newest first.
create table service.task_drops (
  id text primary key,
  ordinal bigint generated always as identity unique,
  -- Lower case: who paid for the first task, and alone adds others.
  owner text not null check (owner ~ '^0x[0-9a-f]{40}$'),
  intent_id uuid not null unique references service.intents (id),
  name text not null,
  description text,
  -- Time of the chain head when it was bound.
  created_at timestamptz not null
);

-- One row a task of a drop, known by its requester and the hash it was created with: an update changes neither.
-- The visibility is the one at creation, which the service never changes.
create table service.task_drop_members (
  requester text not null,
  created_content_hash text not null,
  drop_id text not null references service.task_drops (id),
  intent_id uuid not null unique references service.intents (id),
  task_visibility text not null check (task_visibility in ('public', 'unlisted', 'private')),
  primary key (requester, created_content_hash)
);
create index task_drop_members_drop on service.task_drop_members (drop_id, task_visibility);
