import { type Address, type Hex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { isContest } from '../../../protocol/rules/selectors.ts'
import { lower, orZero, type Subject } from './expectation.ts'
import { actorAddresses } from './market-calls.ts'
import { readMarket } from './task-states.ts'

/** Every (task, actor) against entryOf; a row that is absent is an entry of zeros. */
export async function expectEntriesEqual({ sql, chain, logs }: Subject): Promise<void> {
  const pairs = logs.tasks.flatMap(({ id }) => actorAddresses.map((worker) => [id, worker] as const))
  const views = await readMarket(chain, 'entryOf', pairs)
  const rows = await sql`SELECT * FROM market.task_entry`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const entries = pairs.map(([taskId, worker]) => {
    const row = byId.get(`${taskId}:${lower(worker)}`)
    byId.delete(`${taskId}:${lower(worker)}`)
    return {
      submissions: row?.submission_count ?? 0,
      active: row?.active_submission_count ?? 0,
      rejected: row?.rejected ?? false,
      awarded: row?.awarded ?? false,
      rated: row?.rated ?? false,
      pitched: row?.pitched ?? false,
      bid: orZero(row?.bid),
    }
  })
  expect(entries).toEqual(views)
  expect([...byId.keys()]).toEqual([])
}

/**
 * Every submission's row against submissionIndexOf, or for an assigned worker against the task's deliverable; and
 * against its entry.
 */
export async function expectSubmissionsEqual({ sql, chain, logs }: Subject): Promise<void> {
  const keys = logs.submissions.map(({ taskId, worker, deliverable }) => [taskId, worker, deliverable] as const)
  const views = await readMarket(chain, 'submissionIndexOf', keys)
  const rows = await sql`
    SELECT s.*, e.rejected, t.mode, t.deliverable AS task_deliverable, t.worker AS task_worker
    FROM market.submission s JOIN market.task_entry e USING (task_id, worker) JOIN market.task t ON t.id = s.task_id`
  const found = new Map(rows.map((row) => [keyOf(row.task_id, row.worker, row.deliverable), row]))
  const described = keys.map((key) => {
    const row = found.get(keyOf(...key))
    const isOfContest = isContest(row?.mode)
    if (!isOfContest) {
      expect([row?.task_deliverable, row?.task_worker]).toEqual([row?.deliverable, row?.worker ?? zeroAddress])
    }
    return [isOfContest, row?.submission_index]
  })
  expect(described).toEqual(views)
  expect(rows).toHaveLength(keys.length)
  expect(rows.filter((row) => (row.rejected_at !== null) !== row.rejected)).toEqual([])
  expect(rows.filter((row) => row.submitted_at !== row.block_timestamp)).toEqual([])
}

function keyOf(taskId: Hex, worker: Address, deliverable: Hex): string {
  return `${taskId} ${lower(worker)} ${deliverable}`
}

/** What worklists are read along, against the rows that it follows from. */
export async function expectWorklistColumnsEqual({ sql }: Subject): Promise<void> {
  const entries = await sql`
    SELECT e.running, e.listed, e.task_created_at_ms, t.ended_at, t.listed AS task_listed, t.created_at_ms,
      e.pitched OR e.submission_count > 0 AS has_entered
    FROM market.task_entry e JOIN market.task t ON t.id = e.task_id`
  expect(entries.map(({ running, listed, task_created_at_ms }) => [running, listed, task_created_at_ms])).toEqual(
    entries.map((row) => [row.ended_at === null, row.task_listed && row.has_entered, row.created_at_ms]),
  )
  const tasks = await sql`
    SELECT t.unrated_awards,
      (SELECT count(*)::int FROM market.award WHERE task_id = t.id AND rating IS NULL AND worker <> t.requester) AS unrated,
      (SELECT count(*)::int FROM market.task_entry WHERE task_id = t.id) AS entries,
      (WITH RECURSIVE chain AS (
        SELECT id, previous_entry_id FROM market.task_entry WHERE id = t.last_entry_id AND task_id = t.id
        UNION ALL
        SELECT e.id, e.previous_entry_id FROM market.task_entry e JOIN chain ON e.id = chain.previous_entry_id
        WHERE e.task_id = t.id
      ) SELECT count(*)::int FROM chain) AS chained
    FROM market.task t`
  expect(tasks.map(({ unrated_awards, chained }) => [unrated_awards, chained])).toEqual(
    tasks.map(({ unrated, entries }) => [unrated, entries]),
  )
  expect(entries.map(({ running }) => running)).toContain(false)
}
