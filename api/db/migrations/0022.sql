-- Calls that run code of other accounts: their own place in the outbox, a gas limit of their own, and what they may cost.

alter table service.intents
  -- `foreign`: the call runs code that its payer, its signer or the requester of its task brought.
  add column relay_class text not null default 'plain' check (relay_class in ('plain', 'foreign')),
  -- Gas that the transaction is signed with; null: what its simulation takes, and a margin.
  add column gas_limit bigint,
  -- The row of gas_accounts that has this much wei set aside for the transaction; null once its price is known.
  add column gas_account text,
  add column gas_reserved_wei numeric(78, 0),
  -- Steps in a row that could not be finished: each makes the pause before the next one longer.
  add column relay_tries integer not null default 0,
  add constraint gas_reserved_with_account check ((gas_account is null) = (gas_reserved_wei is null));

-- One row a budget for the gas of such calls, wei: of a day, or of the account that brought the code, whose fees pay for it.
create table service.gas_accounts (
  name text primary key,
  used_wei numeric(78, 0) not null check (used_wei >= 0),
  -- When the row is of no use any more; null: it is kept.
  ends_at timestamptz
);

drop index service.intents_outbox;
create index intents_outbox on service.intents (relay_class, relay_after) where status = 'recorded';
