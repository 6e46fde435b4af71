import fc from 'fast-check'
import type { Address } from 'viem'
import type { TaskRow } from '../../api/features/tasks/task-row.ts'
import { auctionTypes, taskModes } from '../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { verdicts } from '../../protocol/rules/verdict.ts'
import { submissionVisibilities } from '../../protocol/visibilities.ts'
import { alice, aSnapshot, bob, pitchId, requester } from './task-snapshots.ts'

/** Unix seconds that the times of these rows are near to. */
export const BASE = 2_000_000_000n

/** A row of a task list: an open bounty with texts unless told otherwise. */
export function aTaskRow(columns: Partial<TaskRow> = {}): TaskRow {
  const { entries: _, ...snapshot } = aSnapshot()
  return {
    ...snapshot,
    mode: 'bounty',
    auctionType: null,
    referenceCode: 'TSK-00000000',
    createdAtMs: BASE * 1000n,
    workerAssignedAt: null,
    bidderCount: 0,
    awardCount: 0,
    primaryWorker: null,
    selfAward: null,
    transactionHash: `0x${'22'.repeat(32)}`,
    description: 'Water the plants',
    tags: ['plants'],
    submissionVisibility: 'public',
    hasAccessPassword: false,
    metricDescription: null,
    metricTarget: null,
    requesterAgentId: null,
    workerAgentId: null,
    primaryRating: null,
    verdictScore: null,
    verdictConfidence: null,
    verdictEvidenceHash: null,
    resolution: null,
    resolvedBy: null,
    resolvedAt: null,
    requesterPublicKey: null,
    hooks: null,
    defaultHookCount: null,
    dropId: null,
    dropName: null,
    rewards: null,
    version: '(1)',
    ...columns,
  }
}

const seconds = (min: number, max: number) => fc.integer({ min, max }).map((by) => BASE + BigInt(by))
const deadline = fc.option(fc.oneof(seconds(1, 60), seconds(-9_000_000, 9_000_000)))
const count = fc.constantFrom(0, 0, 1, 2)
const worker = fc.constantFrom<Address | null>(null, alice, bob)

/** Rows of every mode and status, with deadlines close to each other, in any order; most could not be on a chain. */
export const anyTaskRow: fc.Arbitrary<TaskRow> = fc
  .record({
    mode: fc.constantFrom(...taskModes),
    status: fc.constantFrom(...taskStatuses),
    auctionType: fc.constantFrom(...auctionTypes),
    createdAt: seconds(-100, 0),
    expiryTime: fc.oneof(seconds(1, 60), seconds(-9_000_000, 9_000_000)),
    pitchDeadline: deadline,
    // A clock needs a time to run.
    bidDeadline: fc.option(seconds(1, 80)),
    clockPrice: fc.option(fc.bigInt({ min: 1n, max: 5_000_000n })),
    evaluationWindow: fc.option(fc.bigInt({ min: 0n, max: 90n })),
    evaluatorDeadline: deadline,
    appealDeadline: deadline,
    resolutionDeadline: deadline,
    evaluator: worker,
    disputeResolver: worker,
    worker,
    soleActiveWorker: worker,
    lowestBid: fc.option(fc.bigInt({ min: 1n, max: 5_000_000n })),
    pitchCount: count,
    bidCount: count,
    submissionCount: count,
    activeSubmissionCount: count,
    objected: fc.boolean(),
    verdict: fc.constantFrom(null, ...verdicts),
    submissionVisibility: fc.constantFrom(...submissionVisibilities, null),
    entriesPaused: fc.boolean(),
    awards: fc.constantFrom([], [{ worker: alice, rated: false }], [{ worker: requester, rated: false }]),
    verdictAwarded: fc.constantFrom([], [alice], [alice, bob]),
    solePitch: fc.constantFrom(null, { worker: alice, id: pitchId }),
  })
  .map((columns) =>
    aTaskRow({ ...columns, auctionType: columns.mode === 'auction' ? columns.auctionType : null } as Partial<TaskRow>),
  )
