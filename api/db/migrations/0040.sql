-- What a process writes to learn whether the database takes writes: its disk may be full, or it may be a standby.
create table service.database_probe (
  is_one boolean primary key default true check (is_one),
  probed_at timestamptz not null
);
