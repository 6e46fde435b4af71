import type { Sql } from 'postgres'

/**
 * Makes a transaction end with its connection. When a connection is lost, the driver's `begin` rejects, but goes on
 * with the function it was given: later statements of it, and then the driver's own COMMIT or ROLLBACK, go out on
 * whatever connection has the place by then, inside another caller's transaction, or to a closed socket, which ends
 * the process. So once `begin` has rejected, the function never comes back: its statements, and its end, wait for ever
 * and are collected with it.
 */
export function guardTransactions<Client extends Sql<{ bigint: bigint }>>(sql: Client): Client {
  const begin = sql.begin.bind(sql) as (options: string, work: Work) => Promise<unknown>
  const keptApart = async (...args: [Work] | [string, Work]): Promise<unknown> => {
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    let isOver = false
    try {
      return await begin(options, async (tx) => {
        try {
          const value = await work(guard(tx, () => isOver))
          return isOver ? await never : value
        } catch (error) {
          // The connection's own end comes with it, and `begin` rejects for it.
          if (isOver || isLostConnection(error)) return await never
          throw error
        }
      })
    } finally {
      isOver = true
    }
  }
  return Object.assign(sql, { begin: keptApart as Client['begin'] })
}

// biome-ignore lint/suspicious/noExplicitAny: the driver's handle is a function with properties; both pass through.
type Handle = any
type Work = (tx: Handle) => unknown

const never = new Promise<never>(() => {})

/** The same handle, until it is over. Only a template is a statement: the other calls make parts of one. */
function guard(tx: Handle, isOver: () => boolean): Handle {
  return new Proxy(tx, {
    apply: (target, self, args) =>
      isOver() && Array.isArray(args[0]?.raw) ? never : Reflect.apply(target, self, args),
    get: (target, name) => (name === 'unsafe' && isOver() ? () => never : Reflect.get(target, name)),
  })
}

/** An error of the line, not of the server. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'PostgresError' || !('code' in error)) return false
  return /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(String(error.code))
}
