import { constantsOf } from '../../api/constants.ts'

/**
 * Quotas that are too high to be reached by a stack on one machine. All requests of such a stack come from one address,
 * and its gas costs nothing. Processes that use the same database share the counters.
 */
export const openQuotas = {
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  INTENT_READS_PER_MINUTE: '1000000',
  SQL_PER_MINUTE: '1000000',
  DEVICES_PER_HOUR: '1000000',
  CONSENTS_PER_HOUR: '1000000',
  UPLOADS_OPEN: '1000000',
  WORKER_BYTES_PER_DAY: String(2 ** 50),
  ACCESS_TRIES_PER_HOUR: '1000000',
  TASK_ACCESS_TRIES_PER_HOUR: '1000000',
  WITHDRAWAL_ADDRESSES_PER_HOUR: '1000000',
  RECOVERY_TRIES_PER_DAY: '1000000',
  ALL_RECOVERY_TRIES_PER_DAY: '1000000',
  FREE_RELAYS_PER_DAY: '1000000',
  FREE_EXIT_GAS_PER_DAY: '2000000000',
  FREE_ENTRY_GAS_PER_DAY: '2000000000',
  FREE_NEWCOMER_GAS_PER_DAY: '2000000000',
  FREE_GAS_CLIENT_PERCENT: '100',
  REVERTED_WRITES_PER_HOUR: '1000000',
  MINTS_PER_CLIENT_PER_DAY: '1000000',
  MINTS_PER_DAY: '1000000',
  WEBHOOKS_PER_CLIENT: '1000000',
  WEBHOOK_TESTS_PER_HOUR: '1000000',
}

/**
 * Returns the environment variables for a process, from settings and constants by name. The constants are put together
 * into the variable LOCAL_CONSTANTS. Example: `packConstants({ PORT: '3000', UPLOADS_OPEN: '2' })` is `{ PORT: '3000',
 * LOCAL_CONSTANTS: '{"UPLOADS_OPEN":"2"}' }`.
 */
export function packConstants(changes: Record<string, string>): Record<string, string> {
  const constants = constantsOf(1)
  const changeEntries = Object.entries(changes)
  const replacedConstants = changeEntries.filter(([name]) => name in constants)
  return {
    ...Object.fromEntries(changeEntries.filter(([name]) => !(name in constants))),
    LOCAL_CONSTANTS: JSON.stringify(Object.fromEntries(replacedConstants)),
  }
}
