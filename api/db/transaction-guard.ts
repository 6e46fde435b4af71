import type { Sql } from 'postgres'

/**
 * Makes a transaction end together with its connection. When the connection is lost, `begin` rejects. The function that
 * runs in the transaction continues, but its next statement never settles. Without the guard, the driver would run this
 * statement on another connection, or end the process.
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
          // The connection's end arrives as well, and `begin` rejects for it.
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

/** Returns a handle that behaves like `tx` until the transaction is over. After that, its statements never settle. */
function guard(tx: Handle, isOver: () => boolean): Handle {
  return new Proxy(tx, {
    apply: (target, self, args) =>
      isOver() && Array.isArray(args[0]?.raw) ? never : Reflect.apply(target, self, args),
    get: (target, name) => (name === 'unsafe' && isOver() ? () => never : Reflect.get(target, name)),
  })
}

/** Returns true if an error was caused by the lost connection and was not reported by the server. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'PostgresError' || !('code' in error)) return false
  return /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(String(error.code))
}
