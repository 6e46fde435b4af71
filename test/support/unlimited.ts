/** Rate limits so high that no test reaches them. Processes on one database share the counters. */
export const unlimited = {
  SQL_PER_MINUTE: '1000000',
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  INTENT_READS_PER_MINUTE: '1000000',
  FREE_RELAYS_PER_DAY: '1000000',
  DEVICES_PER_HOUR: '1000000',
  CONSENTS_PER_HOUR: '1000000',
  ACCESS_TRIES_PER_HOUR: '1000000',
  TASK_ACCESS_TRIES_PER_HOUR: '1000000',
  UPLOADS_OPEN: '1000000',
  UPLOAD_BYTES_PER_DAY: String(2 ** 50),
}
