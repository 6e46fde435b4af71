import type { Database } from '../../../api/db/client.ts'

/** A database that counts its statements; fragments of a statement are not counted. */
export function countStatements(sql: Database): { sql: Database; count: () => number } {
  let statements = 0
  const counted = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      apply: (target, self, args) => {
        const made = Reflect.apply(target as (...args: unknown[]) => unknown, self, args)
        return isStatement(made) ? tell(made, () => (statements += 1)) : made
      },
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'byKey') return byKey
        if (name !== 'unsafe' || typeof value !== 'function') return value
        return (...args: unknown[]) => tell(Reflect.apply(value, target, args), () => (statements += 1))
      },
    })
  const byKey = counted(sql.byKey)
  return { sql: counted(sql), count: () => statements }
}

interface Statement {
  handle(): Promise<void>
}

function isStatement(made: unknown): made is Statement {
  return made instanceof Promise && 'handle' in made
}

/** The driver sends a statement when its result is first awaited. */
function tell(statement: Statement, onSent: () => void): Statement {
  const handle = statement.handle.bind(statement)
  let isSent = false
  return Object.assign(statement, {
    handle: () => {
      if (!isSent) onSent()
      isSent = true
      return handle()
    },
  })
}
