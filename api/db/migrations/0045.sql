-- Oldest data version: 3
-- Bound payments: a payment that pays for one call alone, and refunds that are announced before they are paid. Processes of
-- the release before cannot read the mode `bound`: they end.
alter table service.intents
  add column payment_salt text check (payment_salt ~ '^0x[0-9a-f]{64}$'),
  add column refund_not_before bigint;
alter table service.intents drop constraint intents_relay_mode_check;
alter table service.intents
  add constraint intents_relay_mode_check check (relay_mode in ('paid', 'prepaid', 'bound', 'signed', 'open')),
  add constraint salted_where_bound check ((payment_salt is not null) = coalesce(relay_mode = 'bound', false));
alter table service.attempts drop constraint attempts_purpose_check;
alter table service.attempts
  add constraint attempts_purpose_check check (purpose in ('call', 'refund', 'announcement', 'cancellation'));

comment on column service.intents.payment_salt is
  'Of a payment that is bound to its call: the hash of the request, from which, with the call, its nonce is made.';
comment on column service.intents.refund_not_before is
  'Unix seconds from which an announced refund can be paid; null: none was announced.';
comment on column service.attempts.purpose is
  'call: of the intent; refund: of its payment; announcement: of a refund above the daily limit; cancellation: nothing but '
  'to use the nonce.';

-- Tries a failed refund once more, whatever it is worth, with at most so much gas. False: it is not failed.
create or replace function service.retry_refund(intent uuid, gas_limit bigint default 480000) returns boolean language sql as $$
  with retried as (
    update service.intents
    set refund_status = 'pending', refund_attempts_left = 1, refund_gas_limit = retry_refund.gas_limit, refund_finding = null,
      refund_failed_at = null, relay_after = now()
    where id = intent and refund_status = 'failed'
    returning id
  )
  select exists (select from retried);
$$;
