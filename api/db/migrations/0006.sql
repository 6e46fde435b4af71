-- One row a device: a place from which a wallet's owner works, with a token to act with and a key to encrypt with.
-- A device is verified when its wallet signed for it at registration, and never becomes so later.
--
-- Whose device was lost, an operator ends it with
--   update service.devices set is_active = false where wallet = '0x<lower case>';
-- which keeps its sealed key: `set is_active = true` brings it back.
create table service.devices (
  id uuid primary key,
  -- Lower case.
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- SHA-256 of the token; the token itself is nowhere. It is 32 random bytes: nobody can try them all, so a slow hash
  -- would protect nothing and cost every request.
  token_hash bytea not null check (length(token_hash) = 32),
  -- The encryption key, sealed with a secret of the service: a copy of this table opens nothing.
  sealed_key bytea not null,
  -- The wallet's key that others encrypt to: compressed secp256k1, 0x hex.
  public_key text,
  is_verified boolean not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),

  constraint public_key_of_its_owner check (public_key is null or is_verified)
);
create index devices_wallet on service.devices (wallet);
