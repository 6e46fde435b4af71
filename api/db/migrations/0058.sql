-- Oldest data version: 1
-- Writes of a task that are sent and not indexed yet: those that they exclude are refused without asking a node.

create function service.task_of_call(calldata text) returns text
  language sql immutable strict parallel safe
  return '0x' || substr(calldata, 11, 64);

create index intents_being_mined on service.intents (service.task_of_call(calldata))
  where status in ('broadcast', 'completed') and watched and kind = 'market';
