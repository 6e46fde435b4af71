-- What the comparison of rows and contracts has found, and where it goes on. One process at a time works on each part: it
-- takes the part until `due_at`, and what it finds counts while the claim is its own.

create table service.audits (
  part text primary key check (part in ('sums', 'tasks')),
  due_at timestamptz not null default now(),
  claim uuid,
  compared_at timestamptz,
  state jsonb
);

comment on table service.audits is 'One row a part of the comparison of rows and contracts: its sums, and tasks one by one.';
comment on column service.audits.due_at is 'From when on a process may take the part.';
comment on column service.audits.claim is 'Of the process that took it last.';
comment on column service.audits.compared_at is 'When rows and contracts were last compared; null: never.';
comment on column service.audits.state is 'What was found then, and where the next round begins.';

insert into service.audits (part) values ('sums'), ('tasks');
