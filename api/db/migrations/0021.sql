-- Refunds whose transactions are mined without giving the money back: how many may still be tried, and those that are
-- left to an operator (`refund_status` = 'failed').

alter table service.intents
  -- Mined transactions that may still come to nothing before the refund is left to an operator.
  add column refund_attempts_left integer not null default 5,
  -- Gas of one transaction, as an operator allowed it; null: the service's own limit, and its worth is weighed.
  add column refund_gas_limit bigint check (refund_gas_limit between 21000 and 30000000),
  -- Why it is left to an operator, and since when.
  add column refund_finding text,
  add column refund_failed_at timestamptz,
  -- A newer signature of the payer over the same authorization. Null: the one it was bound with.
  add column refund_signature text,
  -- A newer signature has taken the refund off the operator's list: it does so once.
  add column refund_renewed boolean not null default false,
  -- Held only until this block is safe: its logs say that the payment cannot arrive. Null: an operator decides.
  add column held_until_block bigint;

drop index service.intents_refunds;
create index intents_refunding on service.intents (created_at) where refund_status = 'refunding';
create index intents_refunds_pending on service.intents (relay_after) where refund_status = 'pending';
create index intents_refunds_failed on service.intents (payment_value) where refund_status = 'failed';

-- For operators (docs/operations-writes.md).
create view service.failed_refunds as
  select id, initiator as payer, payment_value as owed_base_units, refund_finding as finding,
    refund_failed_at as failed_at, refund_tx_hash, operation, payment_asset, payment_nonce, idempotency_key
  from service.intents where refund_status = 'failed'
  order by payment_value desc;

-- Tries a failed refund once more, whatever it is worth, with at most so much gas. False: it is not failed.
create function service.retry_refund(intent uuid, gas_limit bigint default 400000) returns boolean language sql as $$
  with retried as (
    update service.intents
    set refund_status = 'pending', refund_attempts_left = 1, refund_gas_limit = retry_refund.gas_limit, refund_finding = null,
      refund_failed_at = null, relay_after = now()
    where id = intent and refund_status = 'failed'
    returning id
  )
  select exists (select from retried);
$$;

create or replace view service.held_intents as
  select id, operation, initiator as payer, payment_value as paid_base_units, payment_asset, payment_nonce,
    held_at, looks, failure as finding, relay_after as next_look, tx_hash, idempotency_key, held_until_block
  from service.intents where status = 'held'
  order by held_at;
