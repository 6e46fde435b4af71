import type { Hex } from 'viem'
import { anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { insertCharge, insertVault } from '../../support/vault-rows.ts'

/**
 * The tables of a task's view, each with the part that changes its fragment with the row. `event`: a handler of an
 * event of the task, which writes the task's row in the same block. `version`: the row itself, by `taskVersion` or
 * `sharedVersion`. `hidden`: the view shows none of it to all callers.
 */
export const viewTables = {
  'market.award': 'event',
  'market.evaluation': 'event',
  'market.hook_set': 'event',
  'market.pitch': 'event',
  'market.task_entry': 'event',
  'market.verdict_award': 'event',
  'market.agent': 'version',
  'market.indexed_head': 'version',
  'market.market_config': 'version',
  'market.sponsored_vault': 'version',
  'market.vault_charge': 'version',
  'idx_0000000000000000.task': 'version',
  'service.content_changes': 'version',
  'service.published_keys': 'version',
  'service.task_access': 'version',
  'service.task_content': 'version',
  'service.task_drop_members': 'version',
  'service.task_drops': 'version',
  'service.vault_curation': 'version',
  'market.bid': 'hidden',
  'market.claim': 'hidden',
  'market.relayed_intent': 'hidden',
  'market.task_event': 'hidden',
  'service.intents': 'hidden',
  'service.task_viewers': 'hidden',
} as const satisfies Record<string, 'event' | 'version' | 'hidden'>

/** The one task of a database, with rows in every table that its view reads. */
export interface SeededTask {
  id: Hex
  /** Saves the rows of these tables as they are now, for `restore`. */
  save(tables: readonly string[]): Promise<void>
  /** Makes its rows what they were at first: those of one table and of the task, or all. */
  restore(table?: string): Promise<void>
}

/**
 * A listed task that was created private, with a password, and made public by a direct call: the only way to have
 * everything at once. Its columns and rows could not all be on a chain together.
 */
export async function seedEveryTable({ sql, seed }: TestApi, tables: readonly string[]): Promise<SeededTask> {
  const [requester, worker, viewer, evaluator] = [anActor(), anActor(), anActor(), anActor()].map(
    ({ address }) => address,
  )
  if (!requester || !worker || !viewer || !evaluator) throw new Error('four wallets')
  const hookSet = await seed.hookSet([anActor().address, anActor().address], 1)
  const columns = {
    requester,
    mode: 'auction',
    auctionType: 'english',
    hookSet,
    bidDeadline: 4_000_000_000n,
    listed: true,
    // At the first moment of the tests' chain, however many rows were made in this process before.
    createdAtMs: START * 1_000n,
  }
  const created = await seed.task(columns, { taskVisibility: 'private' }, { passwordHash: 'hash', viewers: [viewer] })
  const { contentHash } = await seed.task({ requester }, { description: 'Texts for all', tags: ['open'] })
  await sql`delete from task where content_hash = ${contentHash}`
  await sql`update task set content_hash = ${contentHash} where id = ${created.id}`

  await seed.submission(created.id, worker)
  await seed.pitch(created.id, worker)
  const claim = await seed.claim(created.id, worker)
  const bid = await seed.bid(created, worker, 4_000_000n)
  await seed.relayed(worker, claim.transactionHash)
  await seed.relayed(worker, bid.transactionHash)
  await seed.evaluation(created.id, evaluator, {
    verdict: 'approve',
    score: 900,
    confidence: 900,
    resolution: 'partial',
  })
  await sql`update evaluation set resolved_at = 1, dispute_resolver = ${viewer}`
  await sql`
    insert into verdict_award (id, task_id, decided_by, worker, amount, rank, award_index, block_number,
      block_timestamp, transaction_hash, transaction_index, log_index)
    values ('1', ${created.id}, 'evaluator', ${worker}, 1, 1, 0, 1, 1, '0x', 0, 0)`
  await seed.award(created.id, worker)
  await sql`update award set rating = 90`
  await sql`delete from agent`
  for (const [place, address] of [requester, worker].entries())
    await seed.agent(address, { agentId: BigInt(place + 7) })
  await seed.dropMember(await seed.drop(requester), created)
  await seed.drop(viewer, { id: 'other' })
  await sql`insert into service.published_keys (wallet, public_key) values (${requester}, '0x02')`
  await insertVault(sql, { vaultId: `0x${'61'.repeat(32)}` })
  await insertCharge(sql, { vaultId: `0x${'61'.repeat(32)}`, taskId: created.id, gross: '5', state: 'settled' })
  await sql`
    insert into service.vault_curation (vault_id, status, curator, signed_at)
    values (${`0x${'61'.repeat(32)}`}, 'approved', ${viewer}, 1)`
  await sql`
    insert into market_config (id, market, forwarder, usdc, fee_bps, default_hooks, paused, event_count)
    values ('market', '0x01', '0x02', '0x03', 0, '{}', false, 0)`
  await sql`delete from indexed_head`
  await sql`insert into indexed_head (block_number, block_timestamp, checkpoint, version) values (1, 1, '', '1')`

  await sql`create sequence service.restores`
  const saved = new Map<string, { names: string; rows: string }>()
  const saveAll = async (names: readonly string[]) => {
    for (const table of names) saved.set(table, await save(sql, table))
  }
  await saveAll(tables)
  return {
    id: created.id,
    save: saveAll,
    restore: (table) => {
      const isMeant = (name: string) => table === undefined || name === table || name === 'idx_0000000000000000.task'
      return restore(sql, new Map([...saved].filter(([name]) => isMeant(name))))
    },
  }
}

async function save(sql: TestApi['sql'], table: string) {
  const [schema = '', name = ''] = table.split('.')
  const [columns] = await sql<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_schema = ${schema} and table_name = ${name} and is_generated = 'NEVER'`
  const [all] = await sql.unsafe<{ rows: string }[]>(
    `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} as t`,
  )
  return { names: columns?.names ?? '', rows: all?.rows ?? '[]' }
}

async function restore(sql: TestApi['sql'], saved: Map<string, { names: string; rows: string }>): Promise<void> {
  await sql.begin(async (tx) => {
    // Keys and triggers rest: so what triggers count is counted here.
    await tx`set local session_replication_role = replica`
    for (const [table, { names, rows }] of saved) {
      await tx.unsafe(`delete from ${table}`)
      await tx.unsafe(
        `insert into ${table} (${names}) overriding system value
         select ${names} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
        [rows],
      )
    }
    await tx`update service.content_changes set count = nextval('restores') + 1000000`
  })
}

/** A column of a table. */
export interface Column {
  name: string
  type: string
}

/** The columns of a table that can be changed; in `npm test` every fourth of one whose columns count alike. */
export async function listColumns(sql: TestApi['sql'], table: string, areAlike: boolean): Promise<Column[]> {
  const [schema = '', name = ''] = table.split('.')
  const columns = await sql<Column[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = ${schema} and table_name = ${name} and is_generated = 'NEVER' and identity_generation is null`
  return columns.filter((_, index) => byDepth(!areAlike || index % 4 === 1, true))
}

/** Other values, by type; the last one is for columns with few. */
const others: Record<string, string[]> = {
  text: [
    `case when $ = '0x' || repeat('e7', 20) then '0x' || repeat('e8', 20) else '0x' || repeat('e7', 20) end`,
    `'other'`,
  ],
  boolean: ['not coalesce($, false)'],
  integer: ['coalesce($, 0) + 1'],
  bigint: ['coalesce($, 0) + 1'],
  numeric: ['coalesce($, 0) + 1'],
  ARRAY: [`array['0x' || repeat('e9', 20)]`, 'array[1]'],
  'timestamp with time zone': ['now()'],
}

/** Of columns with few values. */
const othersOf: Record<string, string[]> = {
  status: [`'review'`, `'rejected'`],
  mode: [`'bounty'`],
  auction_type: [`'reverse_english'`],
  verdict: [`'partial'`],
  resolution: [`'approve'`],
  state: [`'released'`],
  task_visibility: [`'unlisted'`, `'public'`],
  submission_visibility: [`'never'`],
}

/** Changes a column of all rows of a table; false when no other value is admitted. */
export async function changeColumn(
  sql: TestApi['sql'],
  table: string,
  { column: { name, type }, isOfEvent }: { column: Column; isOfEvent: boolean },
): Promise<boolean> {
  for (const other of othersOf[name] ?? others[type] ?? []) {
    const value = other.replaceAll('$', `"${name}"`)
    if (await attempt(sql, `update ${table} set "${name}" = ${value}`, isOfEvent)) return true
  }
  return false
}

/** All rows of a table go, with those that refer to them. */
export async function removeRows(sql: TestApi['sql'], table: string, isOfEvent: boolean): Promise<boolean> {
  if (table === 'service.content_changes') return false
  return await attempt(
    sql,
    table.startsWith('service.') ? `truncate ${table} cascade` : `delete from ${table}`,
    isOfEvent,
  )
}

/** As the indexer does it: what belongs to an event of the task comes with its row. */
async function attempt(sql: TestApi['sql'], text: string, isOfEvent: boolean): Promise<boolean> {
  try {
    return await sql.begin(async (tx) => {
      if (isOfEvent) await tx`update task set event_count = event_count + 1`
      const { count, command } = await tx.unsafe(text)
      return count > 0 || command === 'TRUNCATE TABLE'
    })
  } catch {
    return false
  }
}
