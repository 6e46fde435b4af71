-- Oldest data version: 1
-- Writes of a task that failed lately: after one of them, writes that are being mined exclude no others for a while.
create index intents_failed_of_task on service.intents (service.task_of_call(calldata), status_at)
  where status = 'failed' and kind = 'market';
