import pg from 'pg'
import postgres from 'postgres'
import { beginRecovery, takeCheckpointBack } from './recovery.ts'
import { textOf } from './statement-text.ts'

/**
 * A module preloaded into Ponder. Right before Ponder reverts rows, it announces to the services that rows will be
 * missing for a while (recovery.ts). Without the module, the announcement would be made seconds earlier, while Ponder
 * still loads its code. Ponder reverts rows in one transaction, and `firstStatement` is the first statement of that
 * transaction.
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

async function announce(): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? '', { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    await beginRecovery(sql, schema)
    await takeCheckpointBack(sql, schema)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
