-- Ends a held intent as failed, with a sentence for its caller. Nothing is charged, refunded or sent by it; its payment
-- stays under watch, and money that turns out to be in the forwarder goes back. The gas account gets back what is set
-- aside for a transaction that will not be sent. False: it is not held.
create or replace function service.close_held_intent(intent uuid, sentence text) returns boolean language sql as $$
  with locked as (
    select id, gas_account, gas_reserved_wei from service.intents
    where id = intent and status = 'held' and length(sentence) > 0
    for update
  ), released as (
    update service.gas_accounts a set used_wei = greatest(0, a.used_wei - locked.gas_reserved_wei)
    from locked where a.name = locked.gas_account
  ), closed as (
    update service.intents i
    set status = 'failed', terminal_reason = sentence, failure = sentence, watched = true, payment_watched = true,
      gas_account = null, gas_reserved_wei = null
    from locked where i.id = locked.id
    returning i.id
  )
  select exists (select from closed);
$$;
