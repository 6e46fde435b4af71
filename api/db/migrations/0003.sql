-- Numbered ids cost the forwarder less than the padded uuids that came before.

comment on column service.intents.chain_intent_id is
  'What the forwarder consumes: 24 random bytes of the process that bound the intent, and a count.';
