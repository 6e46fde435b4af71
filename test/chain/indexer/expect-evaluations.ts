import type postgres from 'postgres'
import { zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import { verdicts } from '../../../protocol/rules/verdict.ts'
import { logsOf, lower, orZero, type Subject } from './expectation.ts'
import { type EvaluationView, readMarket } from './task-states.ts'

/** Every task against evaluationOf; and values that the contract deletes, against the logs. */
export async function expectEvaluationsEqual(subject: Subject): Promise<void> {
  const { sql, chain, logs } = subject
  const ids = logs.tasks.map(({ id }) => [id] as const)
  const views = await readMarket(chain, 'evaluationOf', ids)
  const rows = await sql`
    SELECT t.id, t.evaluator_deadline, t.appeal_deadline, t.resolution_deadline, t.evaluator AS deciding,
           t.dispute_resolver AS resolving, e.*
    FROM market.task t LEFT JOIN market.evaluation e ON e.task_id = t.id ORDER BY t.created_at_ms`
  const awards = await sql`SELECT * FROM market.verdict_award ORDER BY task_id, decided_by, award_index`
  expect(rows.map((row) => viewOfRow(row, awards))).toEqual(views.map(comparable))
  expect(rows.filter((row) => row.timed_out_at !== null && row.deciding !== null)).toEqual([])
  expect(rows.filter((row) => row.deciding !== null && row.deciding !== row.evaluator)).toEqual([])
  expect(rows.filter((row) => row.deciding !== null && row.resolving !== row.dispute_resolver)).toEqual([])
  expectHistoryEqual(subject, rows)
  expectResolutionsEqual(subject, awards)
}

/** The hooks of every task against hooksOf; and no list without a task. */
export async function expectHooksEqual({ sql, chain, logs }: Subject): Promise<void> {
  const ids = logs.tasks.map(({ id }) => [id] as const)
  const views = await readMarket(chain, 'hooksOf', ids)
  const rows = await sql`
    SELECT coalesce(h.hooks, '{}') AS hooks, coalesce(h.default_count, 0) AS default_count, t.hook_data_hash
    FROM market.task t LEFT JOIN market.hook_set h ON h.id = t.hook_set ORDER BY t.created_at_ms`
  expect(rows.map((row) => [row.hooks, BigInt(row.default_count)])).toEqual(
    views.map(([hooks, defaultCount]) => [hooks.map(lower), defaultCount]),
  )
  const attached = new Map(logsOf(logs, 'HooksAttached').map(({ args }) => [args.taskId, args.hookDataHash]))
  expect(rows.map((row) => row.hook_data_hash)).toEqual(logs.tasks.map(({ id }) => attached.get(id) ?? null))
  const lists = await sql`SELECT id FROM market.hook_set ORDER BY id`
  expect(lists.map((row) => row.id)).toEqual(
    [...new Set(logsOf(logs, 'HooksAttached').map(({ args }) => args.hookSet))].sort(),
  )
}

function comparable({ awards, ...view }: EvaluationView) {
  return {
    ...view,
    evaluator: lower(view.evaluator),
    resolver: lower(view.resolver),
    awards: awards.map((award) => ({ ...award, worker: lower(award.worker) })),
  }
}

/** The expected result of evaluationOf, computed from a row: the contract clears all values at a timeout. */
function viewOfRow(row: postgres.Row, awards: postgres.RowList<postgres.Row[]>): ReturnType<typeof comparable> {
  const isCleared = row.evaluator === null || row.timed_out_at !== null
  return {
    evaluator: isCleared ? zeroAddress : row.evaluator,
    resolver: isCleared ? zeroAddress : (row.dispute_resolver ?? zeroAddress),
    feeBps: isCleared ? 0 : row.fee_bps,
    evaluationWindow: isCleared ? 0 : Number(row.evaluation_window),
    appealWindow: isCleared ? 0 : Number(row.appeal_window),
    verdict: row.verdict === null ? 0 : verdicts.indexOf(row.verdict) + 1,
    score: row.score ?? 0,
    confidence: row.confidence ?? 0,
    evidenceHash: row.evidence_hash ?? zeroHash,
    phaseDeadline: Number(row.resolution_deadline ?? row.appeal_deadline ?? row.evaluator_deadline ?? 0),
    awards: awards.filter((award) => award.task_id === row.id && award.decided_by === 'evaluator').map(toAward),
  }
}

/** Fees, and account and time of each action. */
function expectHistoryEqual({ logs }: Subject, rows: postgres.RowList<postgres.Row[]>): void {
  const expected = logs.tasks.map(({ id }) => {
    const last = <Name extends Parameters<typeof logsOf>[1]>(name: Name) =>
      logsOf(logs, name).findLast(({ args }) => 'taskId' in args && args.taskId === id)
    const at = (log: { blockTimestamp?: bigint } | undefined) => log && String(log.blockTimestamp)
    const assigned = last('EvaluatorAssigned')
    const timedOut = last('EvaluatorTimedOut')
    // A later evaluator replaces the values of the row.
    const isOver = assigned && timedOut && logs.market.indexOf(timedOut) > logs.market.indexOf(assigned)
    const [issued, appealed, resolved] = [last('VerdictIssued'), last('VerdictAppealed'), last('DisputeResolved')]
    return {
      assigned_at: at(assigned) ?? null,
      timed_out_at: isOver ? at(timedOut) : null,
      fee: issued ? issued.args.fee : null,
      verdict_at: at(issued) ?? null,
      appellant: appealed ? lower(appealed.args.worker) : null,
      appealed_at: at(appealed) ?? null,
      resolution: resolved ? verdicts[resolved.args.verdict - 1] : null,
      resolved_at: at(resolved) ?? null,
      finalized_at: at(last('VerdictFinalized')) ?? null,
    }
  })
  expect(
    rows.map((row) => ({
      assigned_at: row.assigned_at,
      timed_out_at: row.timed_out_at,
      fee: row.fee === null ? null : orZero(row.fee),
      verdict_at: row.verdict_at,
      appellant: row.appellant,
      appealed_at: row.appealed_at,
      resolution: row.resolution,
      resolved_at: row.resolved_at,
      finalized_at: row.finalized_at,
    })),
  ).toEqual(expected)
}

/** The resolvers' awards, and no award of a decision that is not on chain. */
function expectResolutionsEqual({ logs }: Subject, rows: postgres.RowList<postgres.Row[]>): void {
  const awardsOf = (name: 'VerdictIssued' | 'DisputeResolved') =>
    logsOf(logs, name)
      .toSorted((a, b) => (a.args.taskId < b.args.taskId ? -1 : 1))
      .flatMap(({ args }) =>
        args.awards.map((award) => ({ taskId: args.taskId, ...award, worker: lower(award.worker) })),
      )
  const rowsOf = (decidedBy: string) =>
    rows.filter((row) => row.decided_by === decidedBy).map((row) => ({ taskId: row.task_id, ...toAward(row) }))
  expect(rowsOf('resolver')).toEqual(awardsOf('DisputeResolved'))
  expect(rowsOf('evaluator')).toEqual(awardsOf('VerdictIssued'))
}

function toAward(row: postgres.Row) {
  return { worker: row.worker, amount: BigInt(row.amount), rank: row.rank }
}
