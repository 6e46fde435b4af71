import type { Database } from '../../../api/db/client.ts'

/** The error of a connection that ended before it had an answer. */
export const lost = () => Object.assign(new Error('the connection ended'), { code: 'CONNECTION_CLOSED' })

/** A database that runs a transaction, or another one in its place, and does not answer its COMMIT. */
export function withoutAnswer(
  sql: Database,
  run: (transaction: () => Promise<unknown>) => Promise<unknown> = (transaction) => transaction(),
): Database {
  const begin = async (transaction: Parameters<Database['begin']>[1]) => {
    await run(() => sql.byKey.begin(transaction as never))
    throw lost()
  }
  const byKey = new Proxy(sql.byKey, { get: (all, name) => (name === 'begin' ? begin : Reflect.get(all, name)) })
  return new Proxy(sql, { get: (all, name) => (name === 'byKey' ? byKey : Reflect.get(all, name)) })
}
