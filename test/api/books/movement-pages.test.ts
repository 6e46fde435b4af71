import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { storeFlows } from '../../../api/daily/daily-sums.queries.ts'
import { dayAt } from '../../../api/daily/day.ts'
import type { Database } from '../../../api/db/client.ts'
import type { MovementPlace } from '../../../api/features/books/movement-cursor.ts'
import {
  listMovementsOfAccount,
  listMovementsOfTask,
  type MovementRow,
} from '../../../api/features/books/movements.queries.ts'
import type { OwnedAccount } from '../../../api/features/books/page-start.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { reportPlans } from '../db/report-plans.ts'

/** Movements of most kinds. */
const BLOCKS = 6_000
const UNTIL = BigInt(BLOCKS - 10)
/** The most rows that a page of 51 movements of up to thirty kinds may read: fewer than one account here has of one kind. */
const MOST_ROWS = 1_200
const LIMIT = 51

const address = (digits: string): Hex => `0x${digits.repeat(20)}`
const manyEvents: Hex = address('ff')

let api: TestApi
let sql: Database
let plansOf: Awaited<ReturnType<typeof reportPlans>>['plansOf']
let firstVault: Hex
let fewEvents: Hex
beforeAll(async () => {
  api = await startTestApi()
  const rows = await readFile(new URL('../../support/sql/ledger-rows.sql', import.meta.url), 'utf8')
  await api.sql.unsafe(`set ledger.blocks = ${BLOCKS}; ${rows}`).simple()
  const [charge] = await api.sql<{ vault: Hex; taskId: Hex }[]>`
    select vault, task_id from vault_charge join sponsored_vault using (vault_id) where vault_charge.block_number = 2`
  if (charge === undefined) expect.fail('no charge')
  firstVault = charge.vault
  fewEvents = charge.taskId
  await api.sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`create table public.movement as select * from ledger where block_number <= ${UNTIL}`
  })
  ;({ sql, plansOf } = await reportPlans(api.deps.config.DATABASE_URL))
})
afterAll(async () => {
  await sql?.end()
  await api?.stop()
})

/** Accounts with very many movements, and some with few. */
const accounts: [string, () => OwnedAccount][] = [
  ['service_fees', () => ({ accountClass: 'service_fees', owner: address('b2') })],
  ['bonus_reserve', () => ({ accountClass: 'bonus_reserve', owner: address('b0') })],
  ['a wallet that pays', () => ({ accountClass: 'wallet', owner: address('11') })],
  ['a wallet that works', () => ({ accountClass: 'wallet', owner: address('33') })],
  ['the fee account', () => ({ accountClass: 'wallet', owner: address('22') })],
  ['the fee account before', () => ({ accountClass: 'wallet', owner: address('44') })],
  ['a wallet without movements', () => ({ accountClass: 'wallet', owner: address('99') })],
  ['a contract', () => ({ accountClass: 'wallet', owner: address('a1') })],
  ['credit', () => ({ accountClass: 'credit', owner: address('11') })],
  ['prepaid', () => ({ accountClass: 'prepaid', owner: address('11') })],
  ['bonus', () => ({ accountClass: 'bonus', owner: address('33') })],
  ['unassigned of the market', () => ({ accountClass: 'unassigned', owner: address('a1') })],
  ['unassigned of the forwarder', () => ({ accountClass: 'unassigned', owner: address('b2') })],
  ['unassigned of the programme', () => ({ accountClass: 'unassigned', owner: address('b0') })],
  ['escrow of a task with many events', () => ({ accountClass: 'escrow', owner: manyEvents })],
  ['escrow of a task with few', () => ({ accountClass: 'escrow', owner: fewEvents })],
  ['stake', () => ({ accountClass: 'stake', owner: manyEvents })],
  ['vault', () => ({ accountClass: 'vault', owner: firstVault })],
  ['vault_reserved', () => ({ accountClass: 'vault_reserved', owner: firstVault })],
  ['vault_owed', () => ({ accountClass: 'vault_owed', owner: firstVault })],
  ['vault_fees', () => ({ accountClass: 'vault_fees', owner: firstVault })],
]

type Lister = (before: MovementPlace | null, limit: number) => Promise<MovementRow[]>

const ofAccount =
  (account: OwnedAccount): Lister =>
  (before, limit) =>
    sql.begin((tx) => listMovementsOfAccount(tx, account, { until: UNTIL, before, limit }))

const ofTask =
  (taskId: Hex): Lister =>
  (before, limit) =>
    sql.byKey.begin((tx) => listMovementsOfTask(tx, taskId, { until: UNTIL, before, limit }))

async function countRows(list: Lister): Promise<number> {
  const middle = { blockNumber: UNTIL / 2n, logIndex: 4, id: 'z' }
  const plans = [await plansOf(() => list(null, LIMIT)), await plansOf(() => list(middle, LIMIT))]
  return Math.max(...plans.map((statements) => statements.reduce((sum, { rows }) => sum + rows, 0)))
}

async function idsOfPages(list: Lister, pages: number): Promise<string[]> {
  const ids: string[] = []
  let before: MovementPlace | null = null
  for (let page = 0; page < pages; page += 1) {
    const rows: MovementRow[] = await list(before, LIMIT)
    ids.push(...rows.map(({ id }) => id))
    before = rows.at(-1) ?? before
  }
  return ids
}

describe.each(accounts)('given very many rows, of %s', (_name, account) => {
  it('then a page reads few of them', async () => {
    expect(await countRows(ofAccount(account()))).toBeLessThan(MOST_ROWS)
  })

  it('then its pages are its movements, newest first', async () => {
    const { accountClass, owner } = account()
    const rows = await api.sql<{ id: string }[]>`
      select id from public.movement
      where from_class = ${accountClass} and from_owner = ${owner} or to_class = ${accountClass} and to_owner = ${owner}
      order by block_number desc, log_index desc, id desc limit ${3 * LIMIT}`
    expect(await idsOfPages(ofAccount(account()), 3)).toEqual(rows.map(({ id }) => id))
  })
})

test('given very many rows, then the movements of a day are read by indexes of blocks', async () => {
  const day = dayAt(START)
  const plans = await plansOf(() => sql.begin((tx) => storeFlows(tx, day, { after: UNTIL - 50n, until: UNTIL })))
  const large = ['task_event', 'award', 'relayed_intent', 'arrival', 'bonus_credit', 'vault_claim']
  expect(plans.flatMap(({ whole }) => whole).filter((table) => large.includes(table))).toEqual([])
  const [stored] = await sql`select max(movements) as most from service.daily_flow`
  expect(stored?.most).toBeLessThan(100n)
})

test.each([
  ['many', () => manyEvents],
  ['few', () => fewEvents],
])('given a task with %s events, then its pages are its movements, and read few rows', async (_name, task) => {
  const rows = await api.sql<{ id: string }[]>`
    select id from public.movement where task_id = ${task()}
    order by block_number desc, log_index desc, id desc limit ${3 * LIMIT}`
  expect(await idsOfPages(ofTask(task()), 3)).toEqual(rows.map(({ id }) => id))
  expect(await countRows(ofTask(task()))).toBeLessThan(MOST_ROWS)
})
