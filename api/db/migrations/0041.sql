-- Indexes that no statement could use, and statements that had none: test/api/db/indexes.test.ts has the use of each.

-- Withdrawals of a wallet within a day. It named an operation that there is not, so no statement proved its condition.
drop index service.intents_withdrawals;
create index intents_withdrawals on service.intents (initiator, created_at)
  where operation in ('wallet.withdraw', 'wallet.withdrawToken', 'sponsoredTaskVaults.claim') and status <> 'reserved';

-- Failed writes of the last day, which are compared with the indexer's rows.
create index intents_failed_watched on service.intents (updated_at) where status = 'failed' and watched;

-- A reservation that has ended is deleted: PostgreSQL looks for rows that refer to it in each of these tables.
create index task_content_intent on service.task_content (intent_id);
create index task_access_intent on service.task_access (intent_id);
create index submission_content_intent on service.submission_content (intent_id);
create index feedback_content_intent on service.feedback_content (intent_id);
create index wallet_consents_intent on service.wallet_consents (intent_id) where intent_id is not null;

-- No statement reads by these.
drop index service.intents_tx;
drop index service.legal_acceptances_wallet;
drop index service.uploads_created;
drop index service.keeper_calls_task;
