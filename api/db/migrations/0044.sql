-- Oldest data version: 2
-- How a write reaches the chain: the kind of its call, and the relay mode of a call that the forwarder makes. A signed
-- transaction has a purpose of its own. Processes of the release before name columns that are gone: they end.
alter table service.intents rename column leg to relay_mode;
alter table service.intents add column kind text;
alter table service.attempts rename column leg to purpose;
drop index service.intents_withdrawals;
alter table service.intents drop constraint intents_leg_check, drop constraint bound_when_recorded;
alter table service.attempts drop constraint attempts_leg_check;

-- Of reservations nothing is known yet.
update service.intents set
  kind = case
    when relay_mode <> 'transfer' and operation in
      ('identity.register', 'identity.mint', 'sponsoredTaskVaults.settle', 'sponsoredTaskVaults.reconcile') then 'registry'
    when relay_mode <> 'transfer' then 'market'
    when operation = 'wallet.withdraw' then 'transfer'
    else 'claim'
  end,
  relay_mode = nullif(relay_mode, 'transfer')
where relay_mode is not null;
update service.attempts
set purpose = case purpose when 'refund' then 'refund' when 'noop' then 'cancellation' else 'call' end;
set constraints all immediate;
set constraints all deferred;

alter table service.intents
  add constraint intents_kind_check check (kind in ('market', 'registry', 'switch', 'transfer', 'claim')),
  add constraint intents_relay_mode_check check (relay_mode in ('paid', 'prepaid', 'signed', 'open')),
  add constraint bound_when_recorded check (status = 'reserved' or (kind is not null and calldata is not null)),
  add constraint forwarded_in_a_mode check ((relay_mode is not null) = coalesce(kind in ('market', 'registry'), false));
alter table service.attempts
  add constraint attempts_purpose_check check (purpose in ('call', 'refund', 'cancellation'));

comment on column service.intents.kind is
  'market and registry: the forwarder makes the call; switch, transfer and claim: it is submitted as its owner signed it.';
comment on column service.intents.relay_mode is 'Of a call that the forwarder makes; null: it is submitted as it is.';
comment on column service.intents.payment_nonce is
  'Of a payment, or of what an owner signed (where nonces are counted, its hash): it funds one intent.';
comment on column service.attempts.purpose is
  'call: of the intent; refund: of its payment; cancellation: nothing but to use the nonce.';

-- Withdrawals of a wallet within a day.
create index intents_withdrawals on service.intents (initiator, created_at)
  where kind in ('transfer', 'claim') and status <> 'reserved';

create or replace function service.tell_intent_step() returns trigger language plpgsql as $$
declare
  is_new boolean := tg_op = 'INSERT' or old.id is distinct from new.id;
begin
  raise notice 'intent_step' using detail = json_build_object(
    'intentId', new.id,
    'operation', new.operation,
    'from', case when is_new then null else old.status end,
    'to', new.status,
    'milliseconds', case when is_new then null
      else round(extract(epoch from new.status_at - old.status_at) * 1000)::int8 end,
    'kind', new.kind,
    'relayMode', new.relay_mode,
    'requestId', new.request_id,
    'txHash', new.tx_hash,
    'nonce', (select nonce from service.attempts where hash = new.tx_hash),
    'reason', new.failure,
    'refundFrom', case when is_new then null else old.refund_status end,
    'refundTo', new.refund_status,
    'refundTxHash', new.refund_tx_hash
  )::text;
  return null;
end
$$;
