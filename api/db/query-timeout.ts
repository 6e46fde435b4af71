import type { Sql } from 'postgres'

/** The driver never said what became of a statement. Told as a lost connection is (`isDatabaseUnavailable`). */
class SilentDatabase extends Error {
  readonly code = 'CONNECTION_SILENT'
  constructor(milliseconds: number) {
    super(`the database gave no answer within ${milliseconds} ms`)
    this.name = 'SilentDatabase'
  }
}

/**
 * Ends every wait for a statement, or for the begin of a transaction. The server ends statements that take too long,
 * but when many connections break at once the driver can lose a statement without an error, and the caller that waits
 * for it would wait for ever: a request, or a loop that relays nothing any more. Within a transaction the server's own
 * timeouts are the bound.
 * @param milliseconds longer than the server lets a statement take
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever types the client was told of, they pass through.
export function withQueryTimeout<Client extends Sql<any>>(sql: Client, milliseconds: number): Client {
  const begin = sql.begin.bind(sql) as unknown as Begin
  const boundBegin = (...args: [Work] | [string, Work]): Promise<unknown> => {
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    return new Promise((resolve, reject) => {
      const late = new SilentDatabase(milliseconds)
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(late)
      }, milliseconds)
      const begun = begin(options, (tx) => {
        clearTimeout(timer)
        // Its end was told already: it must not happen after all.
        if (isLate) throw late
        return work(tx)
      })
      begun.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
  return new Proxy(Object.assign(sql, { begin: boundBegin as Client['begin'] }), {
    apply: (target, self, args) => {
      const made = Reflect.apply(target as (...args: unknown[]) => unknown, self, args)
      return isStatement(args) ? boundStatement(made as Statement, milliseconds) : made
    },
    // The driver's own uses of `unsafe` pass by: they begin transactions and make parts of statements.
    get: (target, name) => {
      if (name !== 'unsafe') return Reflect.get(target, name)
      return (...args: unknown[]) =>
        boundStatement(Reflect.apply(target.unsafe, target, args) as Statement, milliseconds)
    },
  })
}

type Work = (tx: unknown) => unknown
type Begin = (options: string, work: Work) => Promise<unknown>

/** What the driver makes of a template: a promise that runs when it is awaited, or a part of another one. */
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
  const settled =
    <Outcome>(settle: (outcome: Outcome) => void) =>
    (outcome: Outcome) => {
      clearTimeout(timer)
      settle(outcome)
    }
  return Object.assign(statement, {
    resolve: settled(resolve),
    reject: settled(reject),
    handle: () => {
      timer ??= setTimeout(() => reject(new SilentDatabase(milliseconds)), milliseconds)
      return handle()
    },
  })
}
