-- The texts behind pitches and proofs. A text has one hash for its task and worker, without a salt: one row a write, so
-- that the same text may be sent again, and a write that fails keeps nothing from the one that lands.

-- The text behind a pitchHash. `pitch_id` is the hash of (task, worker, pitchHash): the text is the same in all rows of
-- an id. What else a row says counts when its write is the transaction that anchored the pitch first.
create table service.pitch_content (
  intent_id uuid primary key references service.intents (id),
  pitch_id text not null,
  task_id text not null,
  worker text not null,
  pitch_text text not null,
  -- How long the worker thinks it will take, seconds.
  estimated_duration bigint
);
create index pitch_content_pitch on service.pitch_content (pitch_id);

-- The data behind a proofHash. `proof_id` is the hash of (task, worker, proofHash), as of the proof's submission.
create table service.proof_content (
  intent_id uuid primary key references service.intents (id),
  proof_id text not null,
  task_id text not null,
  worker text not null,
  proof_data text not null
);
create index proof_content_proof on service.proof_content (proof_id);
create index proof_content_worker on service.proof_content (task_id, worker);
