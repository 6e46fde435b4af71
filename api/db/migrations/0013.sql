-- Who may see private tasks. Joined to a task by its requester and the hash its content was created under, which later
-- updates of the texts do not change.

-- One row a private task; written in the transaction that binds its creation.
create table service.task_access (
  requester text not null,
  content_hash text not null,
  intent_id uuid not null references service.intents (id),
  -- Slow and salted, its parameters with it (`$scrypt$ln=..,r=..,p=..$salt$hash`); null: no password opens the task.
  password_hash text,
  created_at timestamptz not null default now(),
  primary key (requester, content_hash),
  foreign key (requester, content_hash) references service.task_content (requester, content_hash)
);

-- One row a wallet that a private task's requester invited: it may see the task and act on it.
create table service.task_viewers (
  requester text not null,
  content_hash text not null,
  viewer text not null,
  added_by text not null,
  created_at timestamptz not null default now(),
  primary key (requester, content_hash, viewer),
  foreign key (requester, content_hash) references service.task_access (requester, content_hash)
);
-- The tasks that a wallet is invited to.
create index task_viewers_viewer on service.task_viewers (viewer);
