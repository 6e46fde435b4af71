import {
  decodeFunctionData,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  stringToBytes,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { acceptAuction } from '../../../api/features/bids/accept-auction.ts'
import { createClaim } from '../../../api/features/claims/create-claim.ts'
import { createPitch } from '../../../api/features/pitches/create-pitch.ts'
import { selectWorker } from '../../../api/features/pitches/select-worker.ts'
import { createProof } from '../../../api/features/proofs/create-proof.ts'
import { rejectSubmission } from '../../../api/features/submissions/reject-submission.ts'
import { acceptSubmission } from '../../../api/features/tasks/accept-submission.ts'
import { acceptSubmissions } from '../../../api/features/tasks/accept-submissions.ts'
import { cancelTask } from '../../../api/features/tasks/cancel-task.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { forfeitTask } from '../../../api/features/tasks/forfeit-task.ts'
import { objectToDelivery } from '../../../api/features/tasks/object-to-delivery.ts'
import { rateWorker } from '../../../api/features/tasks/rate-worker.ts'
import { refundExpiredTask } from '../../../api/features/tasks/refund-expired-task.ts'
import { updateTask } from '../../../api/features/tasks/update-task.ts'
import { loadTaskSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import type { AnyWrite, PreparedCall } from '../../../api/writes/relayed-write.ts'
import { toPitchId, toRatingId, toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { parsedRequest } from '../../support/parsed-request.ts'
import { START } from '../../support/rows/insert-row.ts'

/** The call each write makes of a request, and the content it stores with it. */

const [requester, alice, bob] = [anActor().address, anActor().address, anActor().address]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Takes a request as far as the pipeline does before it simulates and binds. */
async function prepare(
  write: AnyWrite,
  request: { params?: unknown; body?: unknown },
): Promise<PreparedCall & { functionName: string; args: unknown }> {
  const input = parsedRequest(write, request)
  const subject = await write.load(api.deps, input, null)
  if (subject === null) throw new Error('no such task')
  const prepared = await write.prepare(api.deps, subject, input, requester)
  if ('failure' in prepared) throw new Error(prepared.message)
  const { functionName, args } = decodeFunctionData({ abi: taskMarketAbi, data: prepared.data })
  expect(prepared.target).toBe(api.deps.deployment.market)
  return { ...prepared, functionName, args }
}

const auction = { mode: 'auction', maxPrice: '1000', bidDeadline: 0.25 }
const hashOf = (text: string) => keccak256(stringToBytes(text))
const committed = [{ type: 'bytes32' }, { type: 'address' }, { type: 'string' }] as const

test('a creation commits to the hash of the stored document and names its tags by hash', async () => {
  const body = {
    description: 'Count the leaves',
    reward: '1500000',
    duration: 0.5,
    tags: ['trees', 'äpfel'],
    submissionVisibility: 'winner_only',
    metricTarget: '100',
  }
  const { functionName, args, content } = await prepare(createTask, { body })
  expect(functionName).toBe('createTask')
  expect(args).toEqual([
    {
      mode: hashOf('TMP.mode.bounty').slice(0, 10),
      auctionType: '0x00000000',
      reward: 1_500_000n,
      duration: 1800,
      pitchDuration: 0,
      bidDuration: 0,
      clockPrice: 0n,
      stakeBps: 0,
      contentHash: hashOf(content.task?.document ?? ''),
      tags: [hashOf('trees'), hashOf('äpfel')],
      listed: true,
      evaluation: { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 },
      hooks: [],
      hookData: '0x',
    },
  ])
  expect(content.task).toEqual({
    requester,
    contentHash: hashOf(content.task?.document ?? ''),
    document: expect.any(String),
    description: 'Count the leaves',
    tags: ['trees', 'äpfel'],
    taskVisibility: 'public',
    submissionVisibility: 'winner_only',
    metricDescription: null,
    metricTarget: '100',
  })
})

test.each<[string, object, object]>([
  [
    'pitch',
    { mode: 'pitch', pitchDeadline: 60, bidDeadline: 1, auctionFloorPrice: '5' },
    { pitchDuration: 60, bidDuration: 0, clockPrice: 0n },
  ],
  ['pitch without a deadline', { mode: 'pitch' }, { pitchDuration: 0 }],
  ['benchmark', { mode: 'benchmark', pitchDeadline: 60 }, { pitchDuration: 0 }],
  [
    'english auction',
    { ...auction, auctionType: 'english', auctionFloorPrice: '5' },
    { auctionType: hashOf('TMP.auction.english').slice(0, 10), bidDuration: 900, clockPrice: 0n },
  ],
  [
    'dutch auction',
    { ...auction, auctionType: 'dutch', auctionFloorPrice: '5', auctionStartPrice: '7' },
    { auctionType: hashOf('TMP.auction.dutch').slice(0, 10), bidDuration: 900, clockPrice: 5n },
  ],
  [
    'reverse dutch auction until it expires',
    {
      ...auction,
      bidDeadline: undefined,
      auctionType: 'reverse_dutch',
      auctionFloorPrice: '5',
      auctionStartPrice: '7',
    },
    { auctionType: hashOf('TMP.auction.reverse-dutch').slice(0, 10), bidDuration: 0, clockPrice: 7n },
  ],
  [
    'task with an evaluator',
    { evaluator: requester, evaluatorFeeBps: 100, appealWindowHours: 0.5 },
    {
      evaluation: {
        evaluator: getAddress(requester),
        resolver: zeroAddress,
        feeBps: 100,
        evaluationWindow: 86_400,
        appealWindow: 1800,
      },
    },
  ],
  [
    'task with a hook',
    { hookContract: requester, hookData: '0x01' },
    { hooks: [getAddress(requester)], hookData: '0x01' },
  ],
  ['task with hooks', { hookContracts: [requester] }, { hooks: [getAddress(requester)] }],
])('the creation of a %s has the terms of its mode and no other', async (_name, terms, expected) => {
  const body = { description: 'x', reward: '1000', duration: 1, tags: [], ...terms }
  expect((await prepare(createTask, { body })).args).toMatchObject([expected])
})

test('the same creation with another salt commits to another hash; an unlisted task is not listed', async () => {
  const body = { description: 'x', reward: '1000', duration: 1, tags: [], taskVisibility: 'unlisted' }
  const first = await prepare(createTask, { body })
  const second = await prepare(createTask, { body: { ...body, documentSalt: `0x${'5b'.repeat(32)}` } })
  expect(first.content.task?.contentHash).not.toBe(second.content.task?.contentHash)
  expect(first.args).toMatchObject([{ listed: false }])
})

test('an update of the texts carries over the others; of the terms it leaves the content alone', async () => {
  const texts = { description: 'old', tags: ['a'], submissionVisibility: 'never', metricTarget: '7' } as const
  const task = await api.seed.task({ requester }, { ...texts, tags: ['a'] })
  const params = { taskId: task.id }

  const ofTexts = await prepare(updateTask, { params, body: { description: 'new' } })
  const { document = '' } = ofTexts.content.task ?? {}
  expect(ofTexts.args).toEqual([anUpdate(task.id, { contentHash: hashOf(document) })])
  expect(ofTexts.content.task).toEqual({
    requester,
    contentHash: hashOf(document),
    document,
    description: 'new',
    tags: ['a'],
    taskVisibility: 'public',
    submissionVisibility: 'never',
    metricDescription: null,
    metricTarget: '7',
  })

  const expiryTime = Number(task.expiryTime) + 60
  const ofTerms = await prepare(updateTask, { params, body: { reward: '6000000', expiryTime, description: 'old' } })
  expect(ofTerms.args).toEqual([anUpdate(task.id, { reward: 6_000_000n, expiryTime })])
  expect(ofTerms.content).toEqual({})
})

test('exits name the task', async () => {
  const { id } = await api.seed.task({ requester })
  expect(await prepare(cancelTask, { params: { taskId: id } })).toMatchObject({
    functionName: 'cancelTask',
    args: [id],
  })
  expect(await prepare(refundExpiredTask, { params: { taskId: id } })).toMatchObject({
    functionName: 'refundExpired',
    args: [id],
  })
})

test('a creation to be claimed asks for the stake that is required, and for none that is not', async () => {
  const body = { description: 'x', reward: '1000', duration: 1, tags: [], mode: 'claim', stakeBps: 700 }
  const mode = hashOf('TMP.mode.claim').slice(0, 10)
  expect((await prepare(createTask, { body })).args).toMatchObject([{ mode, stakeBps: 0 }])
  expect((await prepare(createTask, { body: { ...body, stakeRequired: true } })).args).toMatchObject([
    { mode, stakeBps: 700 },
  ])
})

test('a claim names the terms it was admitted on, and keeps its round', async () => {
  const terms = { mode: 'claim', stakeBps: 700, claimRound: 2 }
  const task = await api.seed.task({ requester, ...terms })
  const body = { workerAddress: alice, signature: '0x11' }
  const snapshot = (await loadTaskSnapshot(api.sql, task.id)) ?? expect.fail('no snapshot')
  expect(await prepare(createClaim, { params: { taskId: task.id }, body })).toMatchObject({
    functionName: 'claimTask',
    args: [task.id, termsHashOf(snapshot)],
    facts: { round: '2' },
    content: {},
  })
})

test('a forfeit and an objection name the task', async () => {
  const { id } = await api.seed.task({ requester, mode: 'claim' })
  const body = { requesterAddress: requester, signature: '0x11' }
  expect(await prepare(forfeitTask, { params: { taskId: id }, body })).toMatchObject({
    functionName: 'forfeitAndReopen',
    args: [id],
  })
  expect(await prepare(objectToDelivery, { params: { taskId: id } })).toMatchObject({
    functionName: 'objectToDelivery',
    args: [id],
  })
})

test('a pitch commits to task, payer and text, and stores what stands behind it', async () => {
  const { id: taskId } = await api.seed.task({ requester, mode: 'pitch' })
  const body = { workerAddress: requester, pitchText: 'Ünique 🦀', estimatedDuration: 1.5, signature: 'x' }
  const { functionName, args, content } = await prepare(createPitch, { params: { taskId }, body })
  const pitchHash = keccak256(encodeAbiParameters(committed, [taskId, requester, body.pitchText]))
  expect([functionName, args]).toEqual(['submitPitch', [taskId, pitchHash]])
  const pitchId = toPitchId(taskId, { worker: requester, pitchHash })
  const { pitchText } = body
  expect(content).toEqual({ pitch: { pitchId, taskId, worker: requester, pitchText, estimatedDuration: 5400n } })
})

test('taking an auction names the least price of the request, else that of the clock', async () => {
  const clock = { auctionType: 'dutch', clockPrice: 1_000_000n, createdAt: START - 100n, bidDeadline: START }
  const { id: taskId } = await api.seed.task({ requester, mode: 'auction', ...clock })
  const params = { taskId }
  expect(await prepare(acceptAuction, { params, body: { minPrice: '3000000' } })).toMatchObject({
    functionName: 'acceptAuction',
    args: [taskId, 3_000_000n],
    content: {},
  })
  // The clock has reached its floor.
  expect((await prepare(acceptAuction, { params })).args).toEqual([taskId, 1_000_000n])
})

test('a selection names the worker', async () => {
  const { id: taskId } = await api.seed.task({ requester, mode: 'pitch' })
  const pitch = await api.seed.pitch(taskId, alice)
  const body = { pitchId: pitch.id, workerAddress: alice }
  expect(await prepare(selectWorker, { params: { taskId }, body })).toMatchObject({
    functionName: 'selectWorker',
    args: [taskId, getAddress(alice)],
    content: {},
  })
})

test('a proof commits to task, worker and data, and logs type and metric; the metric is 0 unless given', async () => {
  const { id: taskId } = await api.seed.task({ requester, mode: 'benchmark' })
  const body = { workerAddress: requester, proofData: '{"ms":12}', proofType: 'api_data', signature: 'x' }
  const largest = 2n ** 256n - 1n
  for (const [metricValue, logged] of [
    [undefined, 0n],
    ['12', 12n],
    [String(largest), largest],
  ] as const) {
    const request = { params: { taskId }, body: { ...body, metricValue } }
    const { functionName, args, content } = await prepare(createProof, request)
    const proofHash = keccak256(encodeAbiParameters(committed, [taskId, requester, body.proofData]))
    expect([functionName, args]).toEqual(['submitProof', [taskId, proofHash, hashOf('api_data'), logged]])
    const proofId = toSubmissionId(taskId, { worker: requester, deliverable: proofHash })
    expect(content).toEqual({ proof: { proofId, taskId, worker: requester, proofData: body.proofData } })
  }
})

test('decisions pay for the latest deliverable, or the pinned one', async () => {
  const task = await api.seed.task({ requester })
  const earlier = await api.seed.submission(task.id, alice)
  const latest = await api.seed.submission(task.id, alice)
  const other = await api.seed.submission(task.id, bob)
  const params = { taskId: task.id.toUpperCase().replace('0X', '0x') }

  expect((await prepare(acceptSubmission, { params, body: { worker: alice } })).args).toEqual([
    task.id,
    getAddress(alice),
    latest.deliverable,
  ])
  const winners = [
    { worker: alice, share: 7000, submissionId: earlier.id },
    { worker: bob, share: 3000 },
  ]
  expect((await prepare(acceptSubmissions, { params, body: { winners } })).args).toEqual([
    task.id,
    [
      { worker: getAddress(alice), shareBps: 7000, deliverable: earlier.deliverable },
      { worker: getAddress(bob), shareBps: 3000, deliverable: other.deliverable },
    ],
  ])
  expect(await prepare(rejectSubmission, { params, body: { worker: bob } })).toMatchObject({
    functionName: 'rejectSubmissions',
    args: [task.id, [getAddress(bob)]],
  })
})

test('a rating commits to the stored file and names both agents', async () => {
  const task = await api.seed.task({ requester })
  await api.seed.submission(task.id, alice)
  await api.seed.award(task.id, alice)
  await api.seed.agent(alice, { agentId: 0n })
  await api.seed.agent(requester, { agentId: 12n })
  const body = { worker: alice, rating: 90, feedbackText: 'Thänks' }
  const { args, content } = await prepare(rateWorker, { params: { taskId: task.id }, body })
  const file = content.feedback?.body ?? ''
  expect(args).toEqual([
    {
      taskId: task.id,
      worker: getAddress(alice),
      rating: 90,
      raterAgentId: 12n,
      workerAgentId: 0n,
      hasAgent: true,
      feedbackURI: `${api.deps.config.PUBLIC_BASE_URL}/api/feedback/${toRatingId(task.id, alice)}`,
      feedbackHash: hashOf(file),
    },
  ])
  expect(content.feedback).toMatchObject({
    taskId: task.id,
    worker: alice,
    feedbackHash: hashOf(file),
    feedbackText: 'Thänks',
  })
  expect(JSON.parse(file)).toMatchObject({
    agentId: 0,
    agentRegistry: `eip155:8453:${getAddress(api.deps.deployment.identityRegistry)}`,
    clientAddress: `eip155:8453:${getAddress(requester)}`,
    createdAt: new Date(Number(START) * 1000).toISOString(),
    feedbackText: 'Thänks',
    value: 90,
  })
})

test('a rating of a human names no agent', async () => {
  const task = await api.seed.task({ requester: bob })
  await api.seed.submission(task.id, bob)
  await api.seed.award(task.id, bob)
  const { args, content } = await prepare(rateWorker, { params: { taskId: task.id }, body: { worker: bob, rating: 0 } })
  expect(args).toMatchObject([{ hasAgent: false, workerAgentId: 0n, raterAgentId: 0n, rating: 0 }])
  expect(content.feedback?.feedbackText).toBe('')
})

function anUpdate(taskId: Hex, terms: object) {
  const unchanged = {
    reward: 0n,
    expiryTime: 0,
    pitchDeadline: 0,
    bidDeadline: 0,
    clockPrice: 0n,
    contentHash: zeroHash,
  }
  return { taskId, ...unchanged, ...terms }
}
