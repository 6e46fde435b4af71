-- Legal acceptance: the policies that were ever published, and who accepted them. Wallets are lower-case 0x hex.

-- One row a text that was ever part of a bundle, under sha-256 of its exact bytes (hex). Never deleted.
create table service.legal_documents (
  content_hash text primary key check (content_hash ~ '^[0-9a-f]{64}$'),
  body bytea not null,
  first_published_at timestamptz not null default now()
);

-- One row a bundle, under its digest. `canonical_text` is the exact text the digest was made of. Never deleted.
create table service.legal_bundles (
  digest text primary key,
  version text not null,
  status text not null check (status in ('draft', 'approved')),
  canonical_text text not null,
  first_published_at timestamptz not null default now()
);
-- The version of an approved bundle means one bundle for ever; a draft may change under its name.
create unique index legal_bundles_approved_version on service.legal_bundles (version) where status = 'approved';

-- One row a message given out to be signed. Used once, until `expires_at`; removed a day later.
create table service.legal_challenges (
  nonce uuid primary key,
  wallet text not null,
  bundle_digest text not null references service.legal_bundles (digest),
  message text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index legal_challenges_expiry on service.legal_challenges (expires_at);

-- One row an acceptance, with its evidence: the message and the signature over it. Of the receipt only sha-256 is kept.
create table service.legal_acceptances (
  receipt_hash bytea primary key,
  wallet text not null,
  bundle_digest text not null references service.legal_bundles (digest),
  nonce uuid not null unique,
  message text not null,
  signature text not null,
  accepted_at timestamptz not null default now()
);
create index legal_acceptances_wallet on service.legal_acceptances (wallet, accepted_at);
