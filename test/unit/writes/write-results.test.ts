import { type Abi, type AbiEvent, type Address, getAbiItem, type Hex, type Log, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createClaim } from '../../../api/features/claims/create-claim.ts'
import { createPitch } from '../../../api/features/pitches/create-pitch.ts'
import { selectWorker } from '../../../api/features/pitches/select-worker.ts'
import { createProof } from '../../../api/features/proofs/create-proof.ts'
import { createSubmission } from '../../../api/features/submissions/create-submission.ts'
import { rejectSubmission } from '../../../api/features/submissions/reject-submission.ts'
import { acceptSubmission } from '../../../api/features/tasks/accept-submission.ts'
import { cancelTask } from '../../../api/features/tasks/cancel-task.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { forfeitTask } from '../../../api/features/tasks/forfeit-task.ts'
import { objectToDelivery } from '../../../api/features/tasks/object-to-delivery.ts'
import { rateWorker } from '../../../api/features/tasks/rate-worker.ts'
import type { MinedWrite } from '../../../api/intents/write-result.ts'
import { toClaimId, toPitchId, toRatingId, toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { toLog } from '../../support/contract-log.ts'
import { alice, requester, stranger, taskId } from '../../support/task-snapshots.ts'

/** The result of a mined write, from its logs alone. */

const market: Address = `0x${'ee'.repeat(20)}`
const txHash: Hex = `0x${'77'.repeat(32)}`
const otherTask: Hex = `0x${'22'.repeat(32)}`
const deliverable: Hex = `0x${'dd'.repeat(32)}`

function mined(...logs: Log<bigint, number, false>[]): MinedWrite {
  return { intentId: 'an-intent', txHash, target: market, logs, actor: requester, facts: {} }
}

/** A log of the event with these arguments; the others are zero. */
function aLog(name: string, args: Record<string, unknown>, address: Address = market): Log<bigint, number, false> {
  const { inputs } = getAbiItem({ abi: taskMarketAbi as Abi, name }) as AbiEvent
  const zeros = Object.fromEntries(inputs.map((input) => [input.name, zeroOf(input.type)]))
  return toLog({ abi: taskMarketAbi, address, name, args: { ...zeros, ...args } })
}

function zeroOf(type: string): unknown {
  if (type === 'string') return ''
  if (type === 'bool') return false
  return type === 'bytes32' ? zeroHash : 0
}

const terms = {
  reward: 1000n,
  createdAt: 1,
  expiryTime: 2,
  pitchDeadline: 0,
  bidDeadline: 0,
  auctionType: '0x00000000',
  clockPrice: 0n,
  stakeBps: 0,
  feeBps: 750,
  contentHash: zeroHash,
  tags: [],
  listed: true,
  nonce: 0n,
}

describe('a result', () => {
  test('given a creation, then it is the task that the market logged, not one of another address logged before it', () => {
    const fake = aLog('TaskCreated', { taskId: otherTask, requester, mode: '0x00000000', terms }, stranger)
    const real = aLog('TaskCreated', { taskId, requester, mode: '0x00000000', terms })
    expect(createTask.result(mined(fake, real))).toEqual({
      body: { success: true, taskId, intentId: 'an-intent', taskDropId: null },
      taskId,
    })
  })

  test('given a creation without its log, then there is no result', () => {
    const fake = aLog('TaskCreated', { taskId: otherTask, requester, mode: '0x00000000', terms }, stranger)
    expect(() => createTask.result(mined(fake))).toThrow('has no TaskCreated')
  })

  test('given a submission, then it is its id', () => {
    const log = aLog('TaskSubmitted', { taskId, worker: alice, deliverable })
    expect(createSubmission.result(mined(log))).toEqual({
      body: { success: true, submissionId: toSubmissionId(taskId, { worker: alice, deliverable }) },
    })
  })

  test('given a claim, then it is its id in the round of its admission', () => {
    const log = aLog('TaskWorkerSelected', { taskId, worker: alice, price: 1000n, stake: 100n })
    expect(createClaim.result({ ...mined(log), facts: { round: '3' } })).toEqual({
      body: { success: true, claimId: toClaimId(taskId, { worker: alice, round: 3 }) },
    })
  })

  test('given a pitch, then it is its id', () => {
    const pitchHash: Hex = `0x${'ab'.repeat(32)}`
    const log = aLog('PitchSubmitted', { taskId, worker: alice, pitchHash })
    expect(createPitch.result(mined(log))).toEqual({
      body: { success: true, pitchId: toPitchId(taskId, { worker: alice, pitchHash }) },
    })
  })

  test('given a proof, then it is its id, which is that of its submission', () => {
    const log = aLog('ProofSubmitted', { taskId, worker: alice, proofHash: deliverable })
    const id = toSubmissionId(taskId, { worker: alice, deliverable })
    expect(createProof.result(mined(log))).toEqual({ body: { success: true, proofId: id, submissionId: id } })
  })

  test('given a rating, then it is the id of its feedback', () => {
    const log = aLog('TaskRated', { taskId, worker: alice, rating: 90 })
    expect(rateWorker.result(mined(log))).toEqual({
      body: { success: true, feedbackId: toRatingId(taskId, alice) },
    })
  })

  test('given any other write, then it is success or the transaction', () => {
    expect(acceptSubmission.result(mined())).toEqual({ body: { success: true } })
    expect(selectWorker.result(mined())).toEqual({ body: { success: true } })
    expect(cancelTask.result(mined())).toEqual({ body: { txHash } })
    expect(rejectSubmission.result(mined())).toEqual({ body: { txHash } })
    expect(objectToDelivery.result(mined())).toEqual({ body: { txHash } })
    expect(forfeitTask.result(mined())).toEqual({ body: { success: true, txHash } })
  })
})
