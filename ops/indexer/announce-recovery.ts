import pg from 'pg'
import postgres from 'postgres'
import { beginRecovery, takeCheckpointBack } from './recovery.ts'

/**
 * Preloaded into Ponder: tells readers that rows will be missing right before Ponder takes them back, and not seconds
 * earlier, while Ponder still loads its code. Ponder takes rows back in one transaction, whose first statement this is.
 */
const schema = process.argv[process.argv.indexOf('--schema') + 1] ?? ''
const firstStatement = `CREATE SCHEMA IF NOT EXISTS "${schema}"`

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const send = () => Reflect.apply(query, this, parameters)
  if (textOf(parameters[0]) !== firstStatement) return send()
  return announce().then(() => {
    pg.Client.prototype.query = query
    return send()
  })
} as typeof query

function textOf(statement: unknown): unknown {
  return typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement
}

async function announce(): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? '', { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    await beginRecovery(sql, schema)
    await takeCheckpointBack(sql, schema)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
