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
import { expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { actionRequestOf } from '../../../api/domain/action-request.ts'
import { acceptAuction } from '../../../api/features/bids/accept-auction.ts'
import { createClaim } from '../../../api/features/claims/create-claim.ts'
import { assignEvaluator } from '../../../api/features/evaluation/assign-evaluator.ts'
import { evaluateTask } from '../../../api/features/evaluation/evaluate-task.ts'
import { createPitch } from '../../../api/features/pitches/create-pitch.ts'
import { createProof } from '../../../api/features/proofs/create-proof.ts'
import { acceptSubmission } from '../../../api/features/tasks/accept-submission.ts'
import { acceptSubmissions } from '../../../api/features/tasks/accept-submissions.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { rateWorker } from '../../../api/features/tasks/rate-worker.ts'
import { updateTask } from '../../../api/features/tasks/update-task.ts'
import { loadTaskSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import { writes } from '../../../api/server/routes.ts'
import type { AnyWrite, PreparedCall } from '../../../api/writes/relayed-write.ts'
import { actionNames } from '../../../protocol/actions.ts'
import { toPitchId, toRatingId, toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { anActor } from '../../support/actors.ts'
import { parsedRequest } from '../../support/parsed-request.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/**
 * The calls and contents that need more than the fields of a request: rows, the clock, defaults. The other calls are pinned in
 * `test/unit/protocol/operations.test.ts`, and `test/api/writes/client-calls.test.ts` compares them with those of the client. No
 * rule has to admit a request here.
 */

const [requester, alice, bob] = [anActor().address, anActor().address, anActor().address]
const signature = '0x11'

const api = aStartedApi()

/** Takes a request as far as the pipeline does before it simulates and binds. */
async function prepare(
  write: AnyWrite,
  request: { params?: object; body?: object },
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
const claim = { mode: 'claim', stakeBps: 700 }
const hashOf = (text: string) => keccak256(stringToBytes(text))
const claimMode = hashOf('TMP.mode.claim').slice(0, 10)
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
  ['task to be claimed for a stake', { ...claim, stakeRequired: true }, { mode: claimMode, stakeBps: 700 }],
  ['task to be claimed without one', claim, { mode: claimMode, stakeBps: 0 }],
  ['task that is not listed', { taskVisibility: 'unlisted' }, { listed: false }],
])('the creation of a %s has the terms of its mode and no other', async (_name, terms, expected) => {
  const body = { description: 'x', reward: '1000', duration: 1, tags: [], ...terms }
  expect((await prepare(createTask, { body })).args).toMatchObject([expected])
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

/** A request about a task, the call it makes after the task's id, and what is stored with it: nothing unless given. */
interface Case {
  body?: object
  call: [functionName: string, ...args: unknown[]]
  content?: object
  facts?: object
}
type Row = [given: string, AnyWrite, Case | ((taskId: Hex) => Promise<Case>), columns?: object]

const awards = [{ worker: alice, amount: '7', rank: 3 }]
const calledAwards = [{ worker: getAddress(alice), amount: 7n, rank: 3 }]
const evidenceHash = `0x${'AB'.repeat(32)}`
/** A clock that has reached its floor. */
const clock = {
  mode: 'auction',
  auctionType: 'dutch',
  clockPrice: 1_000_000n,
  createdAt: START - 9n,
  bidDeadline: START,
}

const rows: Row[] = [
  [
    'a rejection, with full marks and no evidence unless given',
    evaluateTask,
    { body: { verdict: 'reject' }, call: ['evaluate', 2, 1000, 1000, zeroHash, []] },
  ],
  [
    'an approval, with no marks',
    evaluateTask,
    {
      body: { verdict: 'approve', score: 0, confidence: 7, evidenceHash, awards },
      call: ['evaluate', 1, 0, 7, evidenceHash.toLowerCase(), calledAwards],
    },
  ],
  [
    'an evaluator, with windows of a day and no resolver unless given',
    assignEvaluator,
    {
      body: { evaluator: alice },
      call: [
        'assignEvaluator',
        {
          evaluator: getAddress(alice),
          resolver: zeroAddress,
          feeBps: 0,
          evaluationWindow: 86_400,
          appealWindow: 86_400,
        },
      ],
    },
  ],
  [
    'a claim, with the terms it was admitted on, and its round',
    createClaim,
    async (taskId) => {
      const snapshot = (await loadTaskSnapshot(api.sql, taskId)) ?? expect.fail('no snapshot')
      const body = { workerAddress: alice, signature }
      return { body, call: ['claimTask', termsHashOf(snapshot)], facts: { round: '2' } }
    },
    { mode: 'claim', stakeBps: 700, claimRound: 2 },
  ],
  [
    'a pitch, by the hash of task, payer and text',
    createPitch,
    async (taskId) => {
      const pitchText = 'Ünique 🦀'
      const pitchHash = keccak256(encodeAbiParameters(committed, [taskId, requester, pitchText]))
      const pitchId = toPitchId(taskId, { worker: requester, pitchHash })
      return {
        body: { workerAddress: requester, pitchText, estimatedDuration: 1.5, signature },
        call: ['submitPitch', pitchHash],
        content: { pitch: { pitchId, taskId, worker: requester, pitchText, estimatedDuration: 5400n } },
      }
    },
    { mode: 'pitch' },
  ],
  [
    'taking an auction at the least price of the request',
    acceptAuction,
    { body: { minPrice: '3000000' }, call: ['acceptAuction', 3_000_000n] },
    clock,
  ],
  ['taking an auction at the price of the clock', acceptAuction, { call: ['acceptAuction', 1_000_000n] }, clock],
  ...[undefined, '12', String(2n ** 256n - 1n)].map(
    (metricValue): Row => [
      `a proof, by the hash of task, worker and data, with the metric ${metricValue}`,
      createProof,
      async (taskId) => {
        const proofData = '{"ms":12}'
        const proofHash = keccak256(encodeAbiParameters(committed, [taskId, requester, proofData]))
        const proofId = toSubmissionId(taskId, { worker: requester, deliverable: proofHash })
        return {
          body: { workerAddress: requester, proofData, proofType: 'api_data', signature, metricValue },
          call: ['submitProof', proofHash, hashOf('api_data'), BigInt(metricValue ?? 0)],
          content: { proof: { proofId, taskId, worker: requester, proofData } },
        }
      },
      { mode: 'benchmark' },
    ],
  ),
  [
    'an acceptance of the latest deliverable',
    acceptSubmission,
    async (taskId) => {
      await api.seed.submission(taskId, alice)
      const { deliverable } = await api.seed.submission(taskId, alice)
      return { body: { worker: alice }, call: ['acceptSubmission', getAddress(alice), deliverable] }
    },
  ],
  [
    'a split between a pinned deliverable and the latest one',
    acceptSubmissions,
    async (taskId) => {
      const pinned = await api.seed.submission(taskId, alice)
      await api.seed.submission(taskId, alice)
      const latest = await api.seed.submission(taskId, bob)
      const winners = [
        { worker: alice, share: 7000, submissionId: pinned.id },
        { worker: bob, share: 3000 },
      ]
      const called = [
        { worker: getAddress(alice), shareBps: 7000, deliverable: pinned.deliverable },
        { worker: getAddress(bob), shareBps: 3000, deliverable: latest.deliverable },
      ]
      return { body: { winners }, call: ['acceptSubmissions', called] }
    },
  ],
]

test.each(rows)('the call of %s', async (_given, write, make, columns = {}) => {
  const task = await api.seed.task({ requester, ...columns })
  const { body = {}, call, content = {}, facts } = typeof make === 'function' ? await make(task.id) : make
  const [expectedFunction, ...expectedArgs] = call
  const params = { taskId: task.id.toUpperCase().replace('0X', '0x') }
  const prepared = await prepare(write, { params, body })
  expect([prepared.functionName, prepared.args]).toEqual([expectedFunction, [task.id, ...expectedArgs]])
  expect([prepared.content, prepared.facts]).toEqual([content, facts])
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
    agentRegistry: `eip155:${localNetwork.chainId}:${getAddress(api.deps.deployment.identityRegistry)}`,
    clientAddress: `eip155:${localNetwork.chainId}:${getAddress(requester)}`,
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

/** Interface, "Corrections after the first build": `pendingActions[].request`. */
test.each(actionNames)('%s names the write that takes it, and its signature where it needs one', async (action) => {
  const task = { id: aHash(), claimRound: 2, serviceName: 'service' }
  const { method, path, operationId, sign } = actionRequestOf(action, task)
  const write = writes.find((candidate) => candidate.operationId === operationId) ?? expect.fail(operationId)
  expect({ method, path }).toEqual({ method: 'POST', path: `/api${write.path.replace('{taskId}', task.id)}` })
  // The one signature that may be left out is the requester's over a selection.
  const needsSignature = write.signed !== undefined && action !== 'select_worker'
  expect(sign !== null).toBe(needsSignature)
  if (!needsSignature) return
  const input = {
    params: { taskId: task.id },
    body: { workerAddress: alice, requesterAddress: requester, signature },
  }
  const signed = write.signed?.(input, task, api.deps) ?? expect.fail('a body without a signature')
  if (!('text' in signed)) expect.fail('no text')
  const texts = (signed.suffixes ?? ['']).map((suffix) => `service:${signed.text}${suffix}`)
  expect(texts).toContain(sign)
})
