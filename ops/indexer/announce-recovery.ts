import pg from 'pg'
import postgres from 'postgres'
import { beginRecovery, takeCheckpointBack } from './recovery.ts'
import { textOf } from './statement-text.ts'

/**
 * A module preloaded into Ponder. Right before Ponder reverts rows, the module tells the services that rows will be
 * missing until Ponder has written them again (recovery.ts). The module recognizes this moment by `firstStatement`, the
 * first statement of the transaction that reverts rows.
 */
// An announcement before the start of Ponder would be seconds earlier, because Ponder still loads its code.
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
