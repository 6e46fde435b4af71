import type { Database, Transaction } from '../../../api/db/client.ts'
import { anIntent } from '../../support/rows/insert-row.ts'

/** Tasks of a filled market; it has five events a task and a tenth as many wallets. */
export const TASKS = 5_000

const wallet = (n: string) => `'0x' || (${n}) % ${TASKS / 10}`
const task = (n: string) => `'task' || (${n}) % ${TASKS}`

/** Values of columns in every table that has them, as SQL of the row's number `n`. */
const common: Record<string, string> = { task_id: task('n'), worker: wallet('n'), vault_id: `'vault' || n` }

/** Rows a table, where they are not as many as tasks, and other columns whose values differ from the type's simplest one. */
const tables: Record<string, { rows?: number; columns?: Record<string, string> }> = {
  task: {
    columns: {
      id: task('n'),
      requester: wallet('n'),
      worker: wallet('n + 1'),
      listed: 'true',
      created_at: 'n * 3600',
      created_at_ms: 'n * 3600000::bigint',
    },
  },
  task_event: {
    rows: 5 * TASKS,
    columns: {
      subject: wallet('n'),
      block_timestamp: 'n * 360',
      name: `(array['TaskCreated', 'PitchSubmitted', 'TaskSubmitted', 'BidSubmitted', 'RequesterReputation'])[1 + (n / ${TASKS}) % 5]`,
      args: `'{"kind": 0}'::json`,
      transaction_hash: `'tx' || n`,
    },
  },
  task_entry: { rows: 2 * TASKS, columns: { id: `${task('n')} || ':' || ${wallet('n')} || ':' || n` } },
  claim: {},
  pitch: {},
  bid: {},
  submission: { rows: 2 * TASKS, columns: { reference_code: `'SUB-' || n` } },
  proof: {},
  evaluation: {},
  verdict_award: {},
  award: {},
  rating: {},
  agent: { rows: TASKS / 10, columns: { address: wallet('n'), tasks_created: '10', completed_tasks: '10' } },
  agent_skill: { columns: { tag_hash: `'tag' || n % 50` } },
  relayed_intent: {
    columns: { intent_id: `'intent' || n`, actor: wallet('n'), transaction_hash: `'tx' || n`, amount: '1000' },
  },
  credit: { columns: { account: `'account' || n` } },
  market_event: { columns: { ordinal: 'n' } },
  market_config: { rows: 1, columns: { id: `'market'` } },
  bonus_programme: { rows: 1, columns: { id: `'bonus'`, token_decimals: '18' } },
  bonus_credit: { columns: { account: wallet('n'), role: `'worker'` } },
  bonus_skip: { columns: { account: wallet('n') } },
  bonus_account: { columns: { account: `'account' || n` } },
  sponsored_vault: { columns: { vault: `'0xv' || n`, owner: wallet('n') } },
  vault_charge: {},
  vault_claim: {},
  vault_epoch: {},
}

/** Fills the tables that the views of `analytics` read, so that PostgreSQL plans as in a market with many rows. */
export async function fillMarket(sql: Database): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await insertRows(tx)
  })
  const intentId = await anIntent(sql, 'tasks.create')
  await sql`
    insert into service.task_content (requester, content_hash, intent_id, document, description, tags, task_visibility,
      submission_visibility)
    select requester, content_hash, ${intentId}, '{}', 'A text', '{}', 'public', 'public'
    from task on conflict do nothing`
  await sql`analyze`
}

async function insertRows(sql: Transaction): Promise<void> {
  for (const [table, { rows = TASKS, columns: own = {} }] of Object.entries(tables)) {
    const columns = { ...common, ...own }
    const listed = await sql<{ schema: string; name: string; value: string }[]>`
      select table_schema as schema, column_name as name, case
        when data_type = 'ARRAY' then '''{}'''
        when data_type in ('json', 'jsonb') then '''{}'''
        when data_type = 'boolean' then 'false'
        when data_type = 'text' then '''row'' || n'
        else '0'
      end as value
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_name = ${table} and table_type = 'BASE TABLE' and table_schema in ('market', 'idx_0000000000000000')
        and (is_nullable = 'NO' or column_name = any(${Object.keys(columns)}))`
    const values = listed.map(({ name, value }) => columns[name] ?? value)
    await sql.unsafe(`
      insert into ${listed[0]?.schema}.${table} (${listed.map(({ name }) => `"${name}"`).join(', ')})
      select ${values.join(', ')} from generate_series(1, ${rows}) as n`)
  }
}
