/** The key columns by table or view. Only tables and views whose key is a single column are included. */
export type Keys = ReadonlyMap<string, string>

/**
 * The table whose key a column contains. An entry is the name of a column (in every table), or a table and a column. A
 * column with wallets is included only if each of its values has a row in `agent`.
 */
const targets: Record<string, string> = {
  task_id: 'task',
  worker: 'agent',
  requester: 'agent',
  primary_worker: 'agent',
  lowest_bidder: 'agent',
  agent_id: 'identity',
  last_agent_id: 'identity',
  rater_agent_id: 'identity',
  worker_agent_id: 'identity',
  previous_owned_id: 'identity',
  next_owned_id: 'identity',
  hook_set: 'hook_set',
  previous_id: 'submission',
  last_submission_id: 'submission',
  previous_entry_id: 'task_entry',
  last_entry_id: 'task_entry',
  vault_id: 'sponsored_vault',
  vault: 'vault_address',
  'bonus_credit.account': 'bonus_account',
  'bonus_credit.epoch': 'bonus_epoch',
  'bonus_withdrawal.account': 'bonus_account',
  'event.name': 'event_kind',
}

/** Tables that have another name in the schema `analytics`. */
const analyticsNames: Record<string, string> = { sponsored_vault: 'vault' }

/**
 * Returns the key that a column refers to, as `<table>.<column>`. Null if the column refers to no key, or is this key
 * itself. A value has no row only if a contract of another deployment has chosen it. Example: `findReference(keys,
 * 'award', 'task_id')` is `task.id`.
 */
export function findReference(keys: Keys, table: string, column: string): string | null {
  const referenceName = targets[`${table}.${column}`] ?? targets[column] ?? ''
  const target = keys.has(referenceName) ? referenceName : (analyticsNames[referenceName] ?? '')
  const key = keys.get(target)
  if (key === undefined || (target === table && key === column)) return null
  return `${target}.${key}`
}
