import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  toBidId,
  toClaimId,
  toPaymentId,
  toPitchId,
  toProofId,
  toRatingId,
  toSubmissionId,
  toTaskEventId,
  toTaskWorkerId,
  toVerdictAwardId,
} from '../../../protocol/rules/row-ids.ts'

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

const taskId = `0x${'11'.repeat(32)}` as const
const worker = '0x2222222222222222222222222222222222222222'
const deliverable = `0x${'33'.repeat(32)}` as const

describe('ids derived from the log', () => {
  // keccak256 of the words laid out by hand: 32-byte slots, the address right-aligned.
  test('given a submission, then it is the hash of task, worker and deliverable', () => {
    expect(toSubmissionId(taskId, { worker, deliverable })).toBe(
      '0x855e7318dcb45d83a8c9eb05bd98a80f61440e0c79390a5ab18a5a78301e8e64',
    )
  })

  test('given a rating, then it is the hash of task and worker', () => {
    expect(toRatingId(taskId, worker)).toBe('0x45495ab3cf06bad049cda41fd0dd8468d47585a92b3ed93c3c5aaef8c191f892')
  })

  test('given a pitch and a proof, then they are hashed like the submission; a proof has the id of its submission', () => {
    const hash = '0x855e7318dcb45d83a8c9eb05bd98a80f61440e0c79390a5ab18a5a78301e8e64'
    expect(toPitchId(taskId, { worker, pitchHash: deliverable })).toBe(hash)
    expect(toProofId(taskId, { worker, proofHash: deliverable })).toBe(hash)
  })

  test('given a bid, then it is the hash of task and worker, so that a later one replaces it', () => {
    expect(toBidId(taskId, worker)).toBe('0x45495ab3cf06bad049cda41fd0dd8468d47585a92b3ed93c3c5aaef8c191f892')
  })

  test('given a claim, then it is the hash of task, worker and round, the round a whole word', () => {
    const words = `${'11'.repeat(32)}${'00'.repeat(12)}${'22'.repeat(20)}${'00'.repeat(31)}03` as const
    expect(toClaimId(taskId, { worker, round: 3 })).toBe(keccak256(`0x${words}`))
  })

  test('given keys in words, then their parts are joined with a colon, in lower case', () => {
    expect(toTaskWorkerId(taskId, '0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD')).toBe(
      `${taskId}:0xabcdefabcdefabcdefabcdefabcdefabcdefabcd`,
    )
    expect(toTaskEventId(taskId, 7)).toBe(`${taskId}:7`)
    expect(toVerdictAwardId(taskId, { decidedBy: 'resolver', worker })).toBe(`${taskId}:resolver:${worker}`)
    expect(toPaymentId(worker, deliverable)).toBe(`${worker}:${deliverable}`)
  })

  test('given different submissions, then their ids differ', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(hex(32), hex(20), hex(32)), { maxLength: 20 }), (submissions) => {
        const ids = submissions.map(([task, by, hash]) => toSubmissionId(task, { worker: by, deliverable: hash }))
        expect(new Set(ids).size).toBe(new Set(submissions.map(String)).size)
      }),
    )
  })
})
