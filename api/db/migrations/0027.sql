-- The key that a wallet published last: by a device that its signature registered, at the registration or later. Ending
-- a device keeps it. Read with every task, for its requester.
create table service.published_keys (
  wallet text primary key,
  -- Compressed secp256k1, 0x hex.
  public_key text not null,
  published_at timestamptz not null default now()
);

insert into service.published_keys (wallet, public_key, published_at)
select distinct on (wallet) wallet, public_key, created_at from service.devices
where public_key is not null order by wallet, created_at desc, id desc;

-- Whether the wallet's signature was in the registration itself: read-identity headers verify a device too, and do not
-- let it publish a key. Of earlier devices it is known of those with a key alone.
alter table service.devices add column is_signed boolean not null default false;
update service.devices set is_signed = true where public_key is not null;
alter table service.devices add constraint signed_is_verified check (not is_signed or is_verified);

-- Processes of an earlier version register devices without a look at the table of keys: the database itself fills it.
create function service.keep_published_key() returns trigger language plpgsql as $$
begin
  insert into service.published_keys (wallet, public_key) values (new.wallet, new.public_key)
  on conflict (wallet) do update set public_key = excluded.public_key, published_at = now();
  return null;
end $$;
create trigger keep_published_key after insert on service.devices
  for each row when (new.public_key is not null) execute function service.keep_published_key();

drop index service.devices_published;
