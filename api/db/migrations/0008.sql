-- What clients have used up of the budgets that every process shares. One row a budget and client, for one window:
-- the next window takes the row over, and a row whose window is over says nothing and is swept.

create table service.budgets (
  name text not null,
  client text not null,
  used integer not null,
  ends_at timestamptz not null,
  primary key (name, client)
) with (fillfactor = 70);
create index budgets_over on service.budgets (ends_at);

comment on column service.budgets.client is
  'A keyed hash of the client''s address and the budget''s name: rows tell neither who it was nor that two are the same.';
