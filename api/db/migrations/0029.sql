-- What curators have decided about vaults; a vault without a row is unverified.
create table service.vault_curation (
  vault_id text primary key,
  status text not null check (status in ('approved', 'rejected', 'unverified')),
  curator text not null,
  -- The timestamp of the signed decision, Unix seconds: it rises.
  signed_at bigint not null,
  updated_at timestamptz not null default now()
);
