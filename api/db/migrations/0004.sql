-- What lets several processes decide about one intent, one of them maybe long asleep, and what an operator sees.

alter table service.intents
  -- Counts the row's changes. Who decides about an intent changes it only as he read it.
  add column version bigint not null default 0,
  -- A held intent is looked at again and again, ever more seldom.
  add column held_at timestamptz,
  add column looks integer not null default 0,
  -- Where the refund was mined; watched for reorgs like the outcome.
  add column refund_block_number bigint,
  add column refund_block_hash text,
  add column refund_watched boolean not null default true;

create function service.count_intent_change() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if new.status = 'held' and old.status <> 'held' then
    new.held_at := now();
    new.looks := 0;
  end if;
  return new;
end
$$;
create trigger intents_counted before update on service.intents
  for each row execute function service.count_intent_change();

create index intents_held on service.intents (relay_after) where status = 'held';
create index intents_refunds_watched on service.intents (refund_block_number)
  where refund_status = 'refunded' and refund_watched and refund_block_number is not null;
-- A transaction of no intent: it only fills a gap in its lane.
comment on column service.attempts.intent_id is 'Null for a no-op that fills a gap in its lane.';

-- For operators (docs/operations-writes.md).
create view service.held_intents as
  select id, operation, initiator as payer, payment_value as paid_base_units, payment_asset, payment_nonce,
    held_at, looks, failure as finding, relay_after as next_look, tx_hash, idempotency_key
  from service.intents where status = 'held'
  order by held_at;

-- Looks at a held intent at once instead of at its next turn. False: it is not held.
create function service.look_again(intent uuid) returns boolean language sql as $$
  with looked as (
    update service.intents set relay_after = now() where id = intent and status = 'held' returning id
  )
  select exists (select from looked);
$$;

-- Ends a held intent as failed, with a sentence for its caller. Nothing is charged, refunded or sent by it; its payment
-- stays under watch, and money that turns out to lie in the forwarder goes back. False: it is not held.
create function service.close_held_intent(intent uuid, sentence text) returns boolean language sql as $$
  with closed as (
    update service.intents
    set status = 'failed', terminal_reason = sentence, failure = sentence, watched = true, payment_watched = true
    where id = intent and status = 'held' and length(sentence) > 0
    returning id
  )
  select exists (select from closed);
$$;
