import type { Sql } from 'postgres'

/**
 * The error for a statement that the driver does not answer in time. `isDatabaseUnavailable` treats the error as a lost
 * connection.
 */
class SilentDatabase extends Error {
  readonly code = 'CONNECTION_SILENT'
  constructor(milliseconds: number) {
    super(`the database gave no answer within ${milliseconds} ms`)
    this.name = 'SilentDatabase'
  }
}

/**
 * Adds a timeout to every statement and to the start of every transaction. Reason: if many connections break at the
 * same time, the driver can lose a statement without an error. Inside a transaction only the server's timeouts apply.
 * @param milliseconds the timeout; it must be longer than the server's time limit of a statement
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever types the client was told of, they pass through.
export function withQueryTimeout<Client extends Sql<any>>(sql: Client, milliseconds: number): Client {
  const begin = sql.begin.bind(sql) as unknown as Begin
  const boundBegin = (...args: [Work] | [string, Work]): Promise<unknown> => {
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    return new Promise((resolve, reject) => {
      const lateError = new SilentDatabase(milliseconds)
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(lateError)
      }, milliseconds)
      const transaction = begin(options, (tx) => {
        clearTimeout(timer)
        // Its timeout was reported, so it must not run any more.
        if (isLate) throw lateError
        return work(tx)
      })
      transaction.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
  return new Proxy(Object.assign(sql, { begin: boundBegin as Client['begin'] }), {
    apply: (target, self, args) => {
      const statement = Reflect.apply(target as (...args: unknown[]) => unknown, self, args)
      return isStatement(args) ? boundStatement(statement as Statement, milliseconds) : statement
    },
    // The driver's own uses of `unsafe` are not wrapped: they begin transactions and make parts of statements.
    get: (target, name) => {
      if (name !== 'unsafe') return Reflect.get(target, name)
      return (...args: unknown[]) =>
        boundStatement(Reflect.apply(target.unsafe, target, args) as Statement, milliseconds)
    },
  })
}

type Work = (tx: unknown) => unknown
type Begin = (options: string, work: Work) => Promise<unknown>

/**
 * The driver's object for a template. It is either a statement, sent when it is awaited, or a part of another
 * statement.
 */
interface Statement {
  handle(): Promise<void>
  resolve(value: unknown): void
  reject(error: unknown): void
}

function isStatement([first]: unknown[]): boolean {
  return Array.isArray(first) && 'raw' in first
}

function boundStatement(statement: Statement, milliseconds: number): Statement {
  const { resolve, reject } = statement
  const handle = statement.handle.bind(statement)
  let timer: NodeJS.Timeout | undefined
  const settlement =
    <Outcome>(settle: (outcome: Outcome) => void) =>
    (outcome: Outcome) => {
      clearTimeout(timer)
      settle(outcome)
    }
  return Object.assign(statement, {
    resolve: settlement(resolve),
    reject: settlement(reject),
    handle: () => {
      timer ??= setTimeout(() => reject(new SilentDatabase(milliseconds)), milliseconds)
      return handle()
    },
  })
}
