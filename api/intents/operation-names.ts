import type { Queryable } from '../db/client.ts'
import { type Operation, operations } from './operations.ts'

/**
 * Names of operations as constants of a statement: `operation in (${operationNames(sql, ['wallet.withdraw'])})`. A plan
 * that is kept for all parameters uses a partial index only when constants prove the condition of the index.
 * @throws for a text that is no operation: constants are not escaped
 */
export function operationNames(sql: Queryable, names: readonly Operation[]) {
  const unknown = names.find((name) => !operations.includes(name))
  if (unknown !== undefined) throw new Error(`${unknown} is no operation`)
  return sql.unsafe(names.map((name) => `'${name}'`).join(', '))
}
