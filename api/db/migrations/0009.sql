-- What an operator follows a write by: the request that last reserved or bound it, and when it got to where it is.

alter table service.intents
  add column request_id text,
  add column status_at timestamptz not null default now();

comment on column service.intents.request_id is 'X-Request-Id of the last request under this key before it was bound.';
comment on column service.intents.status_at is 'Since when it has the status it has.';

-- The clock, not the transaction's start: the relay simulates between the two.
create function service.time_intent_status() returns trigger language plpgsql as $$
begin
  new.status_at := clock_timestamp();
  return new;
end
$$;
create trigger intents_timed before update on service.intents for each row
  when (old.status is distinct from new.status or old.id is distinct from new.id)
  execute function service.time_intent_status();

-- Tells the connection that commits a step about it: at commit, so that a step that is rolled back is not told, and by
-- a notice, which reaches that one connection and nobody else. (A later migration that updates intents and then alters
-- the table in the same transaction must `set constraints all immediate` in between.)
create function service.tell_intent_step() returns trigger language plpgsql as $$
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
    'leg', new.leg,
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
create constraint trigger intents_told_new after insert on service.intents
  deferrable initially deferred for each row
  execute function service.tell_intent_step();
create constraint trigger intents_told after update on service.intents
  deferrable initially deferred for each row
  when (old.status is distinct from new.status or old.id is distinct from new.id
    or old.refund_status is distinct from new.refund_status)
  execute function service.tell_intent_step();
