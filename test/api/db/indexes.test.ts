import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFiles } from '../../../api/artifacts/artifacts.queries.ts'
import { deleteUnusedCharges, findByteShortage } from '../../../api/artifacts/byte-charges.queries.ts'
import {
  claimFilesOfFailedWrites,
  claimUnboundFiles,
  claimUploads,
  listFilesToDelete,
  listFilesToPurge,
} from '../../../api/artifacts/retention.queries.ts'
import { findOpenShortage } from '../../../api/artifacts/uploads.queries.ts'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { findTimeUpTo } from '../../../api/events/event-log.queries.ts'
import { listEvents, listEventsForAll } from '../../../api/events/read-events.queries.ts'
import { listToldEvents, takeDueReveals } from '../../../api/events/reveals.queries.ts'
import { listTagHashes } from '../../../api/features/agents/leaderboard.queries.ts'
import { hasUsedMarket } from '../../../api/features/devices/mint/mints.queries.ts'
import { deleteOldChallenges } from '../../../api/features/legal/challenges.queries.ts'
import { hasPitchContent } from '../../../api/features/pitches/pitches.queries.ts'
import { isProofCommitted } from '../../../api/features/proofs/proofs.queries.ts'
import { type FilterName, type TaskFilter, taskFilters } from '../../../api/features/task-filters.ts'
import { findTaskDrop } from '../../../api/features/tasks/drops/task-drops.queries.ts'
import type { PageOptions } from '../../../api/features/tasks/list/find-page.ts'
import { listPageHeads } from '../../../api/features/tasks/list/list-tasks.queries.ts'
import { listInbox } from '../../../api/features/tasks/worklists/inbox.queries.ts'
import { listWithdrawalAddressChanges } from '../../../api/features/wallet/withdrawal-address/withdrawal-addresses.queries.ts'
import { countBacklog } from '../../../api/intents/backlog.queries.ts'
import { listIntentsOfBlock, listRefundsOfBlock } from '../../../api/intents/finality.queries.ts'
import { foldWrites } from '../../../api/intents/fold-writes.queries.ts'
import { hasPaidOrEarned } from '../../../api/intents/gas-accounts.queries.ts'
import { lockHeldIntent } from '../../../api/intents/held.queries.ts'
import { deleteExpiredReservations, findIntentByPayment } from '../../../api/intents/intents.queries.ts'
import { listBroadcastIntents, lockRecordedIntent } from '../../../api/intents/outbox.queries.ts'
import { listRefunding, listUnusedPayments, lockPendingRefund } from '../../../api/intents/refunds.queries.ts'
import { hasRevertedCall } from '../../../api/intents/reverted-signatures.queries.ts'
import { hashStoredTags } from '../../../api/intents/tag-texts.queries.ts'
import { findEarlierUndone } from '../../../api/intents/undone.queries.ts'
import { findWithdrawalWait } from '../../../api/intents/withdrawals.queries.ts'
import { claimCalls } from '../../../api/keeper/keeper-calls.queries.ts'
import { countSubmissions } from '../../../api/read-model/submission-count.queries.ts'
import { loadTaskSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import { listFailedWithRelay } from '../../../api/relayer/confirmations/indexed-relays.queries.ts'
import { listAttempts } from '../../../api/relayer/transactions/attempts.queries.ts'
import { findSequenceHead } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { readRelayerRunway } from '../../../api/relayer/transactions/read-relayer-runway.ts'
import { deleteEndedRateLimits } from '../../../api/server/rate-limits.queries.ts'
import { loadRows, NOW } from '../../bench/reads/rows.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { reportPlans } from './report-plans.ts'

let database: TestDatabase
let sql: Database
let plansOf: Awaited<ReturnType<typeof reportPlans>>['plansOf']
beforeAll(async () => {
  database = await createTestDatabase()
  await loadRows(database.url, { tasks: 2_000 })
  const rows = connectDatabase({ url: database.url, max: 1, statementTimeoutMs: 60_000 })
  await rows.unsafe(await readFile(new URL('../../support/sql/service-rows.sql', import.meta.url), 'utf8')).simple()
  await rows`vacuum analyze`
  await rows.end()
  ;({ sql, plansOf } = await reportPlans(database.url))
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

// The rows of service-rows.sql, by their numbers.
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const address = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const retention = { retentionSeconds: 86_400, limit: 20 }
const file = { after: id(0), ...retention }
const wallet = { wallet: address(7), usdc: address(1) }
const bytes = { sizeBytes: 1, mostBytes: 10n, except: [] }

function listTasks(filter: TaskFilter) {
  return listPageHeads(sql, filter, { order: 'newest', limit: 20, now: BigInt(NOW) })
}

const tagged = (whole: string) => [{ whole, parts: [] }]

/** The use of each index that is not unique: the function whose statement it was made for. */
const uses: Record<string, () => PromiseLike<unknown>> = {
  artifacts_deliverable: () => findFiles(sql, [{ taskId: hash(1), worker: address(1), deliverable: hash(1) }]),
  attempts_intent: () => listAttempts(sql, [id(5)]),
  attempts_lane: () => findSequenceHead(sql, { relayer: address(1), nonce: 5n }),
  attempts_recent: () => readRelayerRunway(sql, [{ address: address(1), balanceWei: 1n }]),
  budgets_over: () => deleteEndedRateLimits(sql, 20),
  byte_charges_client: () => sql.begin((tx) => findByteShortage(tx, { of: 'client', client: 'client 5' }, bytes)),
  byte_charges_intent: () => deleteExpiredReservations(sql, 1),
  byte_charges_unused: () => deleteUnusedCharges(sql, retention),
  byte_charges_worker: () =>
    sql.begin((tx) => findByteShortage(tx, { of: 'task', worker: address(5), taskId: hash(5), client: null }, bytes)),
  // docs/build/identity.md, "End"
  devices_wallet: () => sql`update service.devices set is_active = false where wallet = ${address(5)}`,
  event_parties_sequence: () => listEventsForAll(sql, 19_990n, 10),
  event_reveals_due: () => takeDueReveals(sql, 1n),
  events_block: () => findTimeUpTo(sql, 50n),
  events_kind: () => listEvents(sql, { after: 0n, limit: 100, filters: { kinds: ['vault.exited'] }, caller: null }),
  events_task: () => listToldEvents(sql, hash(5)),
  feedback_content_intent: () => deleteExpiredReservations(sql, 1),
  intents_being_mined: () => loadTaskSnapshot(sql, hash(5)),
  intents_broadcast: () => listBroadcastIntents(sql, 20),
  intents_expiring: () => deleteExpiredReservations(sql, 1),
  intents_failed_of_task: () => loadTaskSnapshot(sql, hash(5)),
  intents_failed_signed: () =>
    hasRevertedCall(sql, { operation: 'submissions.create', actor: address(9), taskId: hash(9), suffix: ':9' }),
  intents_failed_submissions: () => claimFilesOfFailedWrites(sql, retention),
  intents_failed_watched: () => listFailedWithRelay(sql, 20),
  intents_folded_payer: () => hasPaidOrEarned(sql, wallet),
  intents_held: () => sql.begin((tx) => lockHeldIntent(tx)),
  intents_outbox: () => sql.begin((tx) => lockRecordedIntent(tx, 'foreign')),
  intents_refunding: () => listRefunding(sql, 20),
  intents_refunds_failed: () => countBacklog(sql, 1000),
  intents_refunds_pending: () => sql.begin((tx) => lockPendingRefund(tx)),
  intents_refunds_watched: () => listRefundsOfBlock(sql, { blockNumber: 50n, blockHash: hash(50) }),
  intents_undone: () => findEarlierUndone(sql, { id: id(20_000), undone: null, boundAtBlock: 500n }),
  intents_unfolded: () => foldWrites(sql, { limit: 20 }),
  intents_unused_payments: () => listUnusedPayments(sql, 20),
  intents_watched: () => listIntentsOfBlock(sql, { blockNumber: 5n, blockHash: hash(5) }),
  intents_withdrawals: () => sql.begin((tx) => findWithdrawalWait(tx, address(7), 3)),
  keeper_calls_claimed: () => claimCalls(sql, { dailyLimit: 20 }),
  legal_challenges_expiry: () => deleteOldChallenges(sql, 20),
  pitch_content_pitch: () => hasPitchContent(sql, hash(5), hash(5)),
  proof_content_proof: () => isProofCommitted(sql, hash(5)),
  proof_content_worker: () => countSubmissions(sql, hash(5), address(5)),
  stored_files_intent: () => claimFilesOfFailedWrites(sql, retention),
  stored_files_to_empty: () => listFilesToDelete(sql, 'artifacts', file),
  stored_files_to_forget: () => listFilesToPurge(sql, 'artifacts', file),
  stored_files_unbound: () => claimUnboundFiles(sql, retention),
  submission_content_intent: () => deleteExpiredReservations(sql, 1),
  tag_texts_folded: () => listTagHashes(sql, 'TAG 5'),
  tag_texts_unhashed: () => hashStoredTags(sql),
  task_access_intent: () => deleteExpiredReservations(sql, 1),
  task_content_intent: () => deleteExpiredReservations(sql, 1),
  task_content_public: () => listTasks({}),
  task_content_search: () => withoutTaskSearch(() => listTasks({ q: 'qnonox' })),
  task_content_tags: () => withoutTaskSearch(() => listTasks({ tags: tagged('rare5') })),
  task_drop_members_drop: () => findTaskDrop(sql, 'drop-5', null),
  task_search_created_at_ms: () => listTasks({ tags: tagged('tag1') }),
  task_search_tags: () => listTasks({ tags: tagged('rare5') }),
  task_search_words: () => listTasks({ q: 'qnonox' }),
  task_viewers_viewer: () => listInbox(sql, address(5), { isOwn: true, sections: ['invitedPrivateTasks'], limit: 20 }),
  uploads_client: () => sql.begin((tx) => findOpenShortage(tx, { client: 'client 5' }, 3)),
  uploads_submitted: () => deleteExpiredReservations(sql, 1),
  uploads_to_empty: () => listFilesToDelete(sql, 'uploads', file),
  uploads_to_forget: () => listFilesToPurge(sql, 'uploads', file),
  uploads_unswept: () => claimUploads(sql, retention),
  wallet_consents_intent: () => deleteExpiredReservations(sql, 1),
  withdrawal_address_changes_wallet: () => listWithdrawalAddressChanges(sql, address(5), 20),
}

/** Lists then read the texts themselves. */
async function withoutTaskSearch(work: () => PromiseLike<unknown>): Promise<void> {
  await sql`update service.task_search_state set complete = false`
  await work()
  await sql`update service.task_search_state set complete = true`
}

describe('an index of the service', () => {
  it('has its use in the table of this file', async () => {
    const rows = await sql<{ name: string }[]>`
      select indexname as name from pg_indexes
      join pg_index on indexrelid = format('%I.%I', schemaname, indexname)::regclass
      where schemaname = 'service' and not indisunique`
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(uses).toSorted())
  })

  it.each(Object.entries(uses))('given many rows, then its statement uses %s', async (name, use) => {
    const plans = await plansOf(use)
    expect(
      plans.flatMap(({ indexes }) => indexes),
      plans.map(({ text }) => text).join('\n'),
    ).toContain(name)
  })
})

describe('the unique index of payments', () => {
  it.each([
    ['of a wallet with a free entry', () => hasPaidOrEarned(sql, wallet)],
    ['of a wallet that asks for an identity', () => hasUsedMarket(sql, wallet)],
  ])('given many intents, then it finds the payments %s', async (_, use) => {
    expect((await plansOf(use)).flatMap(({ indexes }) => indexes)).toContain('intents_payment')
  })
})

it('given many intents, then a payment that is presented again is found by its index, or that of folded ones', async () => {
  const plans = await plansOf(() => findIntentByPayment(sql, { asset: address(1), payer: address(7), nonce: hash(7) }))
  const indexes = plans.flatMap((plan) => plan.indexes)
  expect(indexes.toSorted()).toEqual(['intents_payment', 'intents_payment_digest'])
})

it('given a reservation that has ended, then no table is read as a whole to delete it', async () => {
  const plans = await plansOf(() => deleteExpiredReservations(sql, 1))
  expect(plans.length).toBeGreaterThan(10)
  expect(plans.flatMap(({ whole, text }) => whole.map((table) => `${table}: ${text}`))).toEqual([])
})

/** A mode of no task: each has too many here. */
const rare: string = 'rare'

/** A value of each filter of the list, and the order that one without an order of its own is looked through in. */
const filters: { [Name in FilterName]: [NonNullable<TaskFilter[Name]>, PageOptions['order']?] } = {
  status: ['disputed'],
  phase: ['in_review'],
  mode: [rare as TaskFilter['mode'] & string],
  auctionType: ['dutch'],
  requesterActorType: ['human'],
  tags: [tagged('rare5')],
  minReward: [1n, 'reward_asc'],
  maxReward: [900_000_000n, 'reward_desc'],
  deadlineHours: [1, 'deadline_asc'],
  requester: [address(1)],
  worker: [address(1)],
  taskDropId: ['drop-5'],
  q: ['qnonox'],
}

describe('a filter of the list', () => {
  let reported: Awaited<ReturnType<typeof reportPlans>>
  // So few tasks are as soon sorted.
  beforeAll(async () => {
    await sql`alter database ${sql(new URL(database.url).pathname.slice(1))} set enable_sort = off`
    reported = await reportPlans(database.url)
  })
  afterAll(() => reported?.sql.end())

  it.each(Object.entries(filters))(
    'given many rows, then the index of its row serves %s',
    async (name, [value, order]) => {
      const page = { order: order ?? 'newest', limit: 20, now: BigInt(NOW) }
      const plans = await reported.plansOf(() => listPageHeads(reported.sql, { [name]: value }, page))
      expect(plans.flatMap(({ indexes }) => indexes)).toContain(taskFilters[name as FilterName].index)
    },
  )
})
