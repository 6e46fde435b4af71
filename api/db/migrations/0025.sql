-- Where the service sends the USDC that a wallet withdraws: set once by a signature of the wallet, changed with the
-- recovery code. `recovery_code_hash` is slow and salted; null only for rows that an operator imported without a code.
create table service.withdrawal_addresses (
  wallet text primary key,
  address text not null,
  recovery_code_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What the owner can read of it: each address that was ever in force, in order.
create table service.withdrawal_address_changes (
  id bigint generated always as identity primary key,
  wallet text not null,
  address text not null,
  kind text not null check (kind in ('registered', 'changed')),
  created_at timestamptz not null default now()
);
create index withdrawal_address_changes_wallet on service.withdrawal_address_changes (wallet, id desc);

-- Every way in keeps the history, an operator's import too.
create function service.keep_withdrawal_address() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into service.withdrawal_address_changes (wallet, address, kind) values (new.wallet, new.address, 'registered');
  elsif new.address is distinct from old.address then
    insert into service.withdrawal_address_changes (wallet, address, kind) values (new.wallet, new.address, 'changed');
  end if;
  return null;
end $$;
create trigger keep_withdrawal_address after insert or update on service.withdrawal_addresses
  for each row execute function service.keep_withdrawal_address();
