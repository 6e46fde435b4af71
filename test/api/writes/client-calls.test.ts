import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type Address, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countArrivingBytes } from '../../../api/artifacts/byte-accounts.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { feedbackBaseOf } from '../../../api/features/feedback-base.ts'
import { writes as routes } from '../../../api/server/routes.ts'
import { type WriteName, writeNames } from '../../../client/src/api/write-names.ts'
import { chooseValues } from '../../../client/src/writes/choose-values.ts'
import { encodeWrite } from '../../../client/src/writes/encode-write.ts'
import { readTaskFacts } from '../../../client/src/writes/task-facts.ts'
import { planRequest, signRequest } from '../../../client/src/writes/write-request.ts'
import type { Fields } from '../../../client/src/writes/write-spec.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
import type { TaskTexts } from '../../../protocol/documents/task-document.ts'
import { proofTypes } from '../../../protocol/rules/proof-type.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { aTermsBody, kindsOfTask } from '../../support/creation-bodies.ts'
import { parsedRequest } from '../../support/parsed-request.ts'
import { START } from '../../support/rows/insert-row.ts'
import { alice, aSnapshot, bob, carol } from '../../support/task-snapshots.ts'
import { aLocalFile, anUploadRequest, toKeyedFile } from '../../support/uploads.ts'

/**
 * Compares the bytes of the client's dry run with those of the service's prepared call, for random requests of every write
 * and random facts of its task.
 */

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const wallet = account.address.toLowerCase() as Address
const workers = [alice, bob, carol]
const taskId: Hex = `0x${'9f'.repeat(32)}`

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Hex in any case, as callers send it. */
const anyCase = (bytes: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: bytes, maxLength: bytes }), fc.boolean())
    .map(([value, isUpper]) => Buffer.from(value).toString('hex')[isUpper ? 'toUpperCase' : 'toLowerCase']())
    .map((digits) => `0x${digits}` as Hex)
const [anAddress, aHash] = [anyCase(20), anyCase(32)]
const aWorker = fc
  .tuple(fc.constantFrom(...workers), fc.boolean())
  .map(([worker, isUpper]) => (isUpper ? worker.toUpperCase().replace('X', 'x') : worker) as Address)
const anAmount = fc.bigInt(1_000n, 2n ** 72n - 1n)
const aText = fc.string({ maxLength: 40, unit: 'grapheme' }).map((text) => `Haiku ${text.replace(/\p{C}/gu, '')}`)
const tags = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 4 })
const aTime = fc.integer({ min: 1_900_000_000, max: 2_000_000_000 })
const hours = fc.integer({ min: 1, max: 400 }).map((quarters) => quarters / 4)
const aSignature = anyCase(65)

interface Submission {
  id: Hex
  workerAddress: Address
  deliverableHash: Hex
}

/** State of the chain and the service that calls are made of. */
interface MarketState {
  task: TaskSnapshot
  texts: TaskTexts
  /** In the order in which they were committed; each worker has one at least. */
  submissions: readonly Submission[]
  agentIds: ReadonlyMap<Address, bigint>
}

const aSubmission = (worker: fc.Arbitrary<Address>) =>
  fc.record({ id: aLower(aHash), workerAddress: worker, deliverableHash: aLower(aHash) })
function aLower<Value extends string>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return value.map((text) => text.toLowerCase() as Value)
}

const texts: fc.Arbitrary<TaskTexts> = fc.record({
  description: aText,
  tags,
  taskVisibility: fc.constantFrom('public' as const, 'unlisted' as const),
  submissionVisibility: fc.constantFrom('public' as const, 'never' as const),
  metricDescription: fc.option(aText),
  metricTarget: fc.option(aText),
})

const states: fc.Arbitrary<MarketState> = fc
  .record({
    reward: anAmount,
    stakeBps: fc.integer({ min: 0, max: 10_000 }),
    claimRound: fc.integer({ min: 0, max: 3 }),
    requester: fc.constantFrom(wallet, carol),
    mode: fc.constantFrom('bounty' as const, 'claim' as const),
    texts,
    first: fc.tuple(...workers.map((worker) => aSubmission(fc.constant(worker)))),
    later: fc.array(aSubmission(fc.constantFrom(...workers)), { maxLength: 4 }),
    ids: fc.record({ [wallet]: fc.option(fc.bigInt(0n, 2n ** 64n)), [alice]: fc.option(fc.bigInt(0n, 2n ** 64n)) }),
  })
  .map(({ reward, stakeBps, claimRound, requester, mode, texts, first, later, ids }) => {
    const submissions = [...first, ...later]
    const entries = new Map(submissions.map((row) => [row.workerAddress, anEntry(row.deliverableHash)]))
    const known = Object.entries(ids).flatMap(([address, id]) =>
      id === null ? [] : [[address as Address, id] as const],
    )
    const task = aSnapshot({ id: taskId, reward, stakeBps, claimRound, requester, mode, entries })
    return { task, texts, submissions, agentIds: new Map(known) }
  })

function anEntry(latestDeliverable: Hex) {
  const counts = { submissionCount: 1, activeSubmissionCount: 1 }
  return { ...counts, pitched: false, bid: null, rejected: false, latestDeliverable }
}

const onTask = (fields: Record<string, fc.Arbitrary<unknown>> = {}, requiredKeys?: string[]) =>
  fc.record<Fields>(
    { taskId: fc.constant(taskId), ...fields },
    requiredKeys === undefined ? {} : { requiredKeys: ['taskId', ...requiredKeys] },
  )
const amountText = anAmount.map(String)
const awards = fc.array(fc.record({ worker: aWorker, amount: amountText, rank: fc.integer({ min: 1, max: 50 }) }), {
  minLength: 1,
  maxLength: 4,
})
const aCreation = fc.constantFrom(...kindsOfTask).chain((kind) =>
  fc
    .tuple(
      aTermsBody(kind, { hooks: [alice, bob], judges: [bob, carol] }),
      fc.record(
        {
          submissionVisibility: fc.constantFrom('public', 'never'),
          metricTarget: aText,
          hookData: anyCase(40),
          documentSalt: aHash,
        },
        { requiredKeys: [] },
      ),
      aText,
    )
    .map(([terms, more, description]): Fields => ({ ...terms, ...more, description })),
)

/** Arguments of writes, as a caller of the client chooses them; of a write without a line, its example. */
const arbitraries: Partial<Record<WriteName, fc.Arbitrary<Fields>>> = {
  createTask: aCreation,
  updateTask: onTask(
    {
      reward: amountText,
      expiryTime: aTime,
      bidDeadline: aTime,
      pitchDeadline: aTime,
      auctionFloorPrice: amountText,
      auctionStartPrice: amountText,
      description: aText,
      tags,
      metricDescription: aText,
      documentSalt: aHash,
    },
    ['expiryTime'],
  ),
  createClaim: onTask({ termsHash: aHash }, []),
  createBid: onTask({ price: amountText }),
  acceptAuction: onTask({ minPrice: amountText }),
  createPitch: onTask({ pitchText: aText, estimatedDuration: hours }, ['pitchText']),
  selectWorker: onTask({ pitchId: aHash, workerAddress: anAddress, signature: aSignature }, [
    'pitchId',
    'workerAddress',
  ]),
  createSubmission: onTask({
    artifacts: fc.array(
      fc.record(
        {
          fileName: fc.stringMatching(/^[a-z]{1,9}[.]txt$/),
          mimeType: fc.constant('text/plain'),
          role: fc.constantFrom('preview', 'source', 'final', 'attachment'),
          file: fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        },
        { requiredKeys: ['fileName', 'mimeType', 'file'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  // Its files are uploaded before: below.
  createSubmissionFromKeys: onTask({ artifacts: fc.constant([]) }),
  createProof: onTask({ proofData: aText, proofType: fc.constantFrom(...proofTypes), metricValue: amountText }, [
    'proofData',
    'proofType',
  ]),
  acceptSubmission: onTask({ worker: aWorker }),
  acceptSubmissions: onTask({
    winners: fc.array(
      fc.record(
        { worker: aWorker, share: fc.integer({ min: 1, max: 10_000 }), isPinned: fc.boolean() },
        { requiredKeys: ['worker', 'share'] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  rejectSubmission: onTask({ worker: anAddress }),
  assignEvaluator: onTask(
    {
      evaluator: anAddress,
      evaluatorFeeBps: fc.integer({ min: 0, max: 9_250 }),
      evaluationWindowHours: hours,
      appealWindowHours: hours,
      disputeResolver: anAddress,
    },
    ['evaluator'],
  ),
  evaluateTask: onTask(
    {
      verdict: fc.constantFrom('approve', 'reject', 'partial'),
      score: fc.integer({ min: 0, max: 1_000 }),
      confidence: fc.integer({ min: 0, max: 1_000 }),
      evidenceHash: aHash,
      awards,
    },
    ['verdict'],
  ),
  resolveDispute: onTask({ verdict: fc.constantFrom('approve', 'partial'), awards }),
  rateWorker: onTask(
    { worker: aWorker, rating: fc.integer({ min: 0, max: 100 }), feedbackText: aText, documentSalt: aHash },
    ['worker', 'rating'],
  ),
  registerIdentity: fc.record({ agentURI: fc.constant('https://agent.example/a.json') }, { requiredKeys: [] }),
  pushCredit: fc.record({ address: anAddress }),
}

/** Puts the id of a submission of the worker where a winner is pinned. */
function pinned({ winners, ...input }: Fields, { submissions }: MarketState): Fields {
  if (winners === undefined) return input
  const of = (worker: string) => submissions.find(({ workerAddress }) => workerAddress === worker.toLowerCase())
  const rows = (winners as { worker: string; share: number; isPinned?: boolean }[]).map(
    ({ isPinned = false, ...winner }) => ({ ...winner, ...(isPinned && { submissionId: of(winner.worker)?.id }) }),
  )
  return { ...input, winners: rows }
}

/** The public routes of a service in that state. */
function routesOf({ task, texts, submissions, agentIds }: MarketState): typeof fetch {
  const { id, reward, requester, stakeBps, claimRound } = task
  return async (url) => {
    const { pathname, searchParams } = new URL(String(url))
    if (pathname.endsWith('/submissions')) return Response.json(submissions)
    if (pathname === '/api/network') return Response.json({ feedbackBase: feedbackBaseOf(api.deps.config) })
    if (pathname === '/api/identity/status') {
      const agentId = agentIds.get(searchParams.get('address') as Address) ?? null
      return Response.json({ agentId: agentId?.toString() ?? null })
    }
    const terms = { id, reward: reward.toString(), requester, stakeBps, claimRound, termsHash: termsHashOf(task) }
    return Response.json({ ...terms, ...texts, pendingActions: [] })
  }
}

/** Completes the arguments as the client does; the body of the request, and the call of the dry run. */
async function madeByClient(name: WriteName, given: Fields, state: MarketState) {
  const { operation, needsTask } = writes[name]
  const timing = { requestMs: 1_000, waitMs: 1, pauseMs: 1, maxPauseMs: 1 }
  const reads = { url: 'https://market.example', fetch: routesOf(state), identity: async () => ({}), timing }
  const now = async () => Number(START)
  const context = { ...reads, now, account, chain: null, deployment: { ...api.deps.deployment, local: true } }
  const task = needsTask ? await readTaskFacts(context, { taskId, ownReward: 0n }) : null
  const chosen = await chooseValues(context, operation, given)
  const plan = planRequest(operation, { ...given, ...chosen }, { account, task })
  const call = await encodeWrite(context, operation, { input: plan.input, task })
  return { body: (await signRequest(operation, plan)) ?? {}, call }
}

/** Prepares the call of a body as the service does, once its rules have admitted it. */
async function madeByService(name: WriteName, body: Fields, { state, actor }: { state: MarketState; actor: Address }) {
  const write = routes.find(({ operationId }) => operationId === name)
  if (write === undefined) throw new Error(`the service has no ${name}`)
  const params = write.path.includes('{taskId}') ? { taskId } : {}
  const request = { ...parsedRequest(write, { params, body: JSON.parse(JSON.stringify(body)) }) }
  const arriving = countArrivingBytes(api.deps, randomUUID())
  await arriving.reserve(1_000)
  const { winners = [] } = request.body as { winners?: { worker: Address; submissionId?: Hex }[] }
  const deliverableOf = (wanted: Hex | undefined) => {
    const row = state.submissions.find(({ id }) => id === wanted)
    return row && { deliverable: row.deliverableHash }
  }
  const subject = {
    // The facts of a write are those of its task, or of a record that has the task.
    ...state.task,
    ...state,
    feedbackBase: feedbackBaseOf(api.deps.config),
    winners: winners.map(({ worker, submissionId }) => ({ worker, pinned: deliverableOf(submissionId) })),
  }
  const { writes: services } = api.deps
  const prepared = await write.prepare({ ...api.deps, writes: services }, subject, { ...request, arriving }, actor)
  if ('failure' in prepared) throw new Error(JSON.stringify(prepared.failure))
  const charge = write.charge(subject, request)
  return { target: prepared.target, data: prepared.data, escrowAmount: charge.escrow }
}

/** The example of a write, without what the client adds, on the task of the test. */
function exampleOf(name: WriteName): Fields {
  const { actorField } = writes[name].operation
  const example = Object.entries(examples[writes[name].operation.name] ?? {})
  const given = example.filter(([field]) => field !== 'signature' && field !== actorField)
  return Object.fromEntries(given.map(([field, value]) => [field, field === 'taskId' ? taskId : value]))
}

const examples: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(catalogue).map(([operation, { example }]) => [operation, example]),
)

const cases = writeNames
  .filter((name) => name !== 'createSubmissionFromKeys')
  .flatMap((name) => (writes[name].operation.modes ?? []).map((mode) => ({ name, mode })))

test.each(cases)(
  'given any $name ($mode), then the client makes the call that the service binds',
  async ({ name, mode }) => {
    await fc.assert(
      fc.asyncProperty(arbitraries[name] ?? fc.constant(exampleOf(name)), states, async (input, state) => {
        // The rules admit a rating of the requester alone.
        if (name === 'rateWorker') state.task.requester = wallet
        const { body, call } = await madeByClient(name, pinned(input, state), state)
        const actor = mode === 'open' ? zeroAddress : wallet
        expect(await madeByService(name, body, { state, actor })).toEqual(call)
      }),
      { numRuns: name === 'createSubmission' ? 10 : 40 },
    )
  },
)

test('given uploaded files in both modes, then the client makes the call that the service binds', async () => {
  const worker = { account, address: wallet }
  const seeded = await api.seed.task({ requester: alice, id: taskId })
  for (const text of ['One', 'Two']) {
    const file = aLocalFile(text)
    const path = `/api/tasks/${seeded.id}/submissions/request-upload-url`
    const { artifactKey } = (await api.post(path, await anUploadRequest(worker as never, taskId, file))).body
    const area = { area: 'uploads' as const, id: String(artifactKey).split('/')[1] ?? '' }
    await api.deps.storage.put(area, oneChunk(file.bytes), file.bytes.length)
    const [state] = fc.sample(states, 1) as [MarketState]
    const artifacts = [toKeyedFile(artifactKey, file)]
    const { body, call } = await madeByClient('createSubmissionFromKeys', { taskId, artifacts }, state)
    expect(await madeByService('createSubmissionFromKeys', body, { state, actor: wallet })).toEqual(call)
  }
})
