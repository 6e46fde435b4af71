import { randomUUID } from 'node:crypto'
import { toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

/**
 * The first round of a payment, on rows: the price, or why not. Spec, "Authentication" (payments). Here are one refusal
 * of the rules, and what is none: bodies, signatures, allowances. `test/unit/domain/actions/refusals.test.ts` has the rules.
 */

const [requester, alice, bob, carol] = [anActor(), anActor(), anActor(), anActor()]

const api = aStartedApi({ FREE_SUBMISSIONS: '1', SUBMISSION_CEILING: '3' })

type Columns = Partial<TaskColumns>
interface Place {
  id: `0x${string}`
  path: string
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID(), ...headers })

/** The amount of an offer to pay; of a refusal its status and reason, and the first field it names. */
async function answerOf(path: string, body: unknown) {
  const { status, body: answer } = await post(path, body)
  if (status === 402) return answer.accepts?.[0]?.amount ?? answer
  const field = answer.issues?.[0]?.path
  return [status, answer.service?.reason, ...(field === undefined ? [] : [field])].join(' ')
}

const refused = (status: number, field = '') => `${status} payment_preflight_rejected ${field}`.trim()

async function aTask(columns: Columns = {}): Promise<Place> {
  const { id } = await api.seed.task({ requester: requester.address, ...columns })
  return { id, path: `/api/tasks/${id}` }
}
const aPitchTask = () => aTask({ mode: 'pitch', pitchDeadline: START + 60n })
const aBenchmark = () => aTask({ mode: 'benchmark' })
const anAuction = (auctionType: string) =>
  aTask({
    mode: 'auction',
    auctionType,
    bidDeadline: START + 1000n,
    clockPrice: auctionType.endsWith('dutch') ? 1_000_000n : null,
  })

/** Alice's submission stands, bob's was rejected. */
async function aContest() {
  const task = await aTask()
  const { id } = await api.seed.submission(task.id, alice.address)
  await api.seed.submission(task.id, bob.address, { rejectedAt: START })
  return { ...task, submissionId: id }
}

async function anAwarded() {
  const contest = await aContest()
  await api.seed.award(contest.id, alice.address)
  return contest
}

/** Carol judges and bob resolves; alice was assigned and has delivered. */
async function aDelivery(status: string, columns: Columns = {}) {
  const disputeResolver = bob.address
  const task = await aTask({ mode: 'claim', worker: alice.address, disputeResolver, status, ...columns })
  await api.seed.submission(task.id, alice.address)
  const verdict = { verdict: 'reject', score: 1000, confidence: 1000, evidenceHash: aHash(), fee: 1n, verdictAt: START }
  await api.seed.evaluation(task.id, carol.address, { disputeResolver, ...(status !== 'review' && verdict) })
  return task
}

const bounty = { description: 'Count the leaves', reward: '1500000', duration: 24, tags: ['trees'] }
const pitch = { workerAddress: alice.address, pitchText: 'I have done this', signature: 'x' }
const proof = { workerAddress: alice.address, proofData: 'https://example.com/1', proofType: 'url', signature: 'x' }
const worker = alice.address
const award = { worker, amount: '5000000', rank: 1 }
const rating = { worker, rating: 90 }
const soon = START + 1n

test('given a creation, then it costs the reward; given an increase, then the fee and the difference', async () => {
  const { path } = await aContest()
  expect(await answerOf('/api/tasks', bounty)).toBe('1500000')
  expect(await answerOf(`${path}/update`, { description: 'new' })).toBe('1000')
  expect(await answerOf(`${path}/update`, { reward: '5000001' })).toBe('1001')
})

test.each<[string, () => Promise<Place>, unknown?]>([
  ['cancel', aTask],
  ['refund-expired', () => aTask({ expiryTime: START })],
  ['accept', aContest, { worker }],
  ['accept-submissions', aContest, { winners: [{ worker, share: 10_000 }] }],
  ['reject-submission', aContest, { worker }],
  ['rate', anAwarded, { ...rating, feedbackText: 'a\r\n\tb\u200fc' }],
  ['pitches', aPitchTask, { ...pitch, pitchText: '🦀'.repeat(10_000), estimatedDuration: 0.5 }],
  ['proofs', aBenchmark, { ...proof, metricValue: (2n ** 256n - 1n).toString().padStart(200, '0') }],
  ['bids', () => anAuction('english'), { price: '0005000000' }],
  ['bids/accept', () => anAuction('reverse_dutch'), {}],
  ['bids/accept', () => anAuction('reverse_dutch'), { minPrice: '1000000' }],
  ['evaluator', aTask, { evaluator: carol.address }],
  ['evaluate', () => aDelivery('review', { evaluatorDeadline: soon }), { verdict: 'approve' }],
  ['evaluator-timeout', () => aDelivery('review', { evaluatorDeadline: START }), {}],
  ['appeal', () => aDelivery('appealing', { appealDeadline: soon }), {}],
  [
    'resolve-dispute',
    () => aDelivery('disputed', { appealDeadline: START, resolutionDeadline: soon }),
    { verdict: 'partial', awards: [award] },
  ],
])('given its rows, then %s costs the fee', async (verb, arrange, body) => {
  expect(await answerOf(`${(await arrange()).path}/${verb}`, body)).toBe('1000')
})

test('given a refusal of the rules, then the answer has its status, reason, detail and field', async () => {
  const { path } = await aContest()
  const winners = [{ worker: bob.address, share: 10_000 }]
  expect((await post(`${path}/accept-submissions`, { winners })).body).toMatchObject({
    service: { reason: 'payment_preflight_rejected', detail: 'no_active_submission' },
    issues: [{ path: 'winners.0.worker' }],
  })
  expect(await answerOf(`${path}/accept-submissions`, { winners })).toBe(refused(409, 'winners.0.worker'))
  expect(await answerOf(`${path}/cancel`, undefined)).toBe(refused(409))
  // The fields of the request are named, not those of the rule.
  const naming = { evaluator: requester.address }
  expect(await answerOf(`${(await aTask()).path}/evaluator`, naming)).toBe(refused(403, 'evaluator'))
})

/** Texts that a body may not have; `test/unit/http/primitives.test.ts` has all kinds of them. */
const badTexts = [undefined, '', 'a\0b', 'x'.repeat(10_001)]
const file = { fileName: 'a.txt', mimeType: 'text/plain', file: 'YWJj' }
const submission = { workerAddress: carol.address, artifacts: [file], signature: '0x' }
const ofFile = (change: object, field: string): [object, string] => [
  { artifacts: [{ ...file, ...change }] },
  `artifacts.0.${field}`,
]
const each = (field: string, values: readonly unknown[]) =>
  values.map((value): [object, string] => [{ [field]: value }, field])

/**
 * What is wrong with a body by its shape alone, and the field that says so. `test/unit/http/primitives.test.ts` has the values,
 * `test/unit/domain/creation/admit-creation.test.ts` the terms of a creation.
 */
const malformed: Record<string, { arrange: () => Promise<Place>; body: object; changes: [object, string][] }> = {
  '': {
    arrange: async () => ({ id: aHash(), path: '/api/tasks' }),
    body: bounty,
    changes: [
      ...each('description', [undefined, 'x'.repeat(10_001)]),
      ...each('tags', [undefined, Array.from({ length: 11 }, (_, index) => `${index}`)]),
      [{ tags: [1] }, 'tags.0'],
      ...each('reward', ['-1', 1_500_000, '999']),
      ...each('duration', [undefined, 87_601]),
      ...each('mode', ['lottery']),
      ...each('stakeBps', [10_001]),
      ...each('hookData', ['0xabc']),
      [{ taskVisibility: 'private', accessPassword: '1234567' }, 'accessPassword'],
      [{ mode: 'claim', stakeRequired: true }, 'stakeBps'],
      ...each('taskDropId', ['']),
      ...[{ description: 'x' }, { name: 'x'.repeat(81) }].map((taskDropCreate): [object, string] => [
        { taskDropCreate },
        'taskDropCreate.name',
      ]),
      [{ taskDropCreate: { name: 'x', description: 'x'.repeat(501) } }, 'taskDropCreate.description'],
    ],
  },
  submissions: {
    arrange: aTask,
    body: submission,
    changes: [
      ...each('artifacts', [[], Array.from({ length: 21 }, () => file)]),
      [{ artifacts: undefined, file: 'YWJj' }, 'artifacts'],
      ofFile({ file: '' }, 'file'),
      [{ artifacts: [file, { ...file, file: 'YWJj=' }] }, 'artifacts.1.file'],
      ofFile({ fileName: '../../etc/passwd' }, 'fileName'),
      ofFile({ mimeType: 'text' }, 'mimeType'),
      ofFile({ role: 'draft' }, 'role'),
      ...each('signature', [undefined]),
      ...each('workerAddress', ['0x1']),
      ...each('taskId', [aHash()]),
    ],
  },
  pitches: {
    arrange: aPitchTask,
    body: pitch,
    changes: [
      ...each('pitchText', badTexts),
      ...each('signature', [undefined, '']),
      ...each('workerAddress', [undefined]),
      ...each('estimatedDuration', [0]),
      ...each('taskId', [aHash()]),
    ],
  },
  proofs: {
    arrange: aBenchmark,
    body: proof,
    changes: [
      ...each('proofData', badTexts),
      ...each('proofType', [undefined, 'unknown']),
      ...each('signature', ['']),
      ...each('metricValue', ['-1', '0x10', (2n ** 256n).toString(), '0'.repeat(201)]),
    ],
  },
  bids: {
    arrange: () => anAuction('english'),
    body: {},
    changes: each('price', ['00', '5000001', '-1', 1000]),
  },
  'bids/accept': {
    arrange: () => anAuction('reverse_dutch'),
    body: {},
    changes: each('minPrice', ['-1']),
  },
  rate: {
    arrange: anAwarded,
    body: rating,
    changes: [
      ...each('rating', [-1, 101, 0.5]),
      // A terminal obeys U+009B as it obeys ESC [, and the feedback file is served as it is.
      ...each('feedbackText', ['x'.repeat(501), 'good\u001b[31m', 'good\u009b31m', 'good\u007f']),
    ],
  },
  'accept-submissions': {
    arrange: aContest,
    body: {},
    changes: [
      ...each('winners', [[]]),
      ...[10_001, 0.5].map((share): [object, string] => [{ winners: [{ worker, share }] }, 'winners.0.share']),
    ],
  },
  'pitches/select': {
    arrange: aPitchTask,
    body: { pitchId: aHash(), workerAddress: alice.address },
    changes: [...each('pitchId', [undefined]), ...each('workerAddress', [undefined]), ...each('signature', ['x'])],
  },
  'resolve-dispute': {
    arrange: () => aDelivery('disputed', { appealDeadline: START, resolutionDeadline: soon }),
    body: { verdict: 'partial' },
    // More than the contract's award can hold, and more than any account has.
    changes: [[{ awards: [{ ...award, amount: String(2n ** 96n - 1n) }] }, 'awards']],
  },
}

describe.each(Object.entries(malformed))('tasks/%s', (verb, { arrange, body, changes }) => {
  test.each(changes)('given %j, then %s is named', async (change, field) => {
    const { path } = await arrange()
    expect(await answerOf(verb === '' ? path : `${path}/${verb}`, { ...body, ...change })).toBe(refused(400, field))
  })
})

describe('a signature', () => {
  test('given a submission signed by another wallet or over something else, then it is refused', async () => {
    const { id, path } = await aTask()
    const sign = (taskId: string) => carol.account.signMessage({ message: `service:submit:${taskId}` })
    const wrong = [
      { workerAddress: alice.address, signature: await sign(id) },
      { signature: await sign(aHash()) },
      { signature: '0x' },
    ]
    for (const change of wrong) {
      expect(await answerOf(`${path}/submissions`, { ...submission, ...change })).toBe(refused(403, 'signature'))
    }
  })

  test('given a selection, then it costs the fee without one or with the requester’s, and is refused with any other', async () => {
    const task = await aPitchTask()
    const [ofAlice, ofBob] = [await api.seed.pitch(task.id, worker), await api.seed.pitch(task.id, bob.address)]
    const sign = (pitchId: string, selected: string, { taskId = task.id, by = requester } = {}) =>
      by.account.signMessage({ message: `service:select-worker:${taskId}:${pitchId}:${selected}` })
    const select = (signature?: string, pitchId: string = ofBob.id) =>
      answerOf(`${task.path}/pitches/select`, { pitchId, workerAddress: bob.account.address, signature })
    const right = await sign(ofBob.id, bob.address)
    const inCapitals = (hex: string) => hex.toUpperCase().replace('0X', '0x')
    expect([await select(), await select(right), await select(right, inCapitals(ofBob.id))]).toEqual([
      '1000',
      '1000',
      '1000',
    ])
    const wrong = {
      ofBob: await sign(ofBob.id, bob.address, { by: bob }),
      otherPitch: await sign(ofAlice.id, bob.address),
      otherWorker: await sign(ofBob.id, alice.address),
      otherTask: await sign(ofBob.id, bob.address, { taskId: aHash() }),
      // Not the address with its checksum: of one wallet in 4,000 that has no capitals.
      addressInCapitals: await sign(ofBob.id, inCapitals(bob.address)),
      empty: '0x',
    }
    for (const [name, signature] of Object.entries(wrong)) {
      expect([name, await select(signature)]).toEqual([name, refused(403, 'signature')])
    }
    // A pitch of another worker, of another task, and of none.
    const elsewhere = await api.seed.pitch((await aPitchTask()).id, bob.address)
    for (const pitchId of [ofAlice.id, elsewhere.id, aHash()]) {
      expect(await select(undefined, pitchId)).toBe(refused(409, 'pitchId'))
    }
  })
})

describe('the allowance of a worker at a task', () => {
  const signed = async (taskId: string) => ({
    ...submission,
    signature: await carol.account.signMessage({ message: `service:submit:${taskId}` }),
  })

  test('given the free submissions are used, then another costs the fee; at the ceiling there is no more', async () => {
    const { id, path } = await aTask()
    await api.seed.submission(id, carol.address)
    expect(await answerOf(`${path}/submissions`, await signed(id))).toBe('1000')
    for (const _ of [2, 3]) await api.seed.submission(id, carol.address)
    const { status, body } = await post(`${path}/submissions`, await signed(id))
    const docs = expect.stringMatching(/\/docs\/errors\/submission_ceiling$/)
    expect({ status, service: body.service }).toEqual({
      status: 429,
      service: { reason: 'unclassified', detail: 'submission_ceiling', docs },
    })
  })

  test('given proofs, then they count to the ceiling, and use up none that is free', async () => {
    const { id, path } = await aBenchmark()
    for (const _ of [1, 2]) await api.seed.proof(id, worker)
    const submit = () => answerOf(`${path}/submissions`, { ...submission, workerAddress: worker })
    // Free on a signature, which is not the worker's.
    expect(await submit()).toBe(refused(403, 'signature'))
    expect(await answerOf(`${path}/proofs`, proof)).toBe('1000')
    await api.seed.submission(id, worker)
    expect([await submit(), await answerOf(`${path}/proofs`, proof)]).toEqual(['429 unclassified', '429 unclassified'])
  })

  test('given data that the worker submitted already, then it is refused; the same of another worker or task is not', async () => {
    const [{ id, path }, other] = [await aBenchmark(), await aBenchmark()]
    await api.seed.proof(id, worker, { proofData: proof.proofData })
    for (const change of [{}, { proofType: 'zk', metricValue: '9' }]) {
      expect(await answerOf(`${path}/proofs`, { ...proof, ...change })).toBe(refused(409, 'proofData'))
    }
    expect(await answerOf(`${path}/proofs`, { ...proof, workerAddress: bob.address })).toBe('1000')
    expect(await answerOf(`${other.path}/proofs`, proof)).toBe('1000')
  })
})

test('given a sealed bid with any payer named in a payment, then every price gets the same answer', async () => {
  const { id, path } = await anAuction('reverse_english')
  const task = { id, bidDeadline: START + 1000n }
  await api.seed.bid(task, alice.address, 9000n)
  await api.seed.bid(task, bob.address, 7000n)
  Object.assign(api.chain, {
    verifyTypedData: async () => false,
    usdcBalance: async () => 10n ** 12n,
    readContract: async () => false,
  })
  const { accepts } = (await post(`${path}/bids`, { price: '1000' })).body
  const answers = new Set<string>()
  for (const price of ['1000', '6999', '7000', '8999', '9000', '9001', '5000000']) {
    for (const payer of [alice, bob, anActor()]) {
      const { status, body } = await post(`${path}/bids`, { price }, aForgedPayment(payer, accepts[0]))
      answers.add(JSON.stringify([status, body.error, body.service?.reason]))
    }
  }
  expect([...answers]).toEqual([expect.stringMatching(/^\[402,.*signature.*payment_rejected/)])
})

/** A payment that names its payer, with everything but the signature. */
function aForgedPayment({ address }: Actor, accepted: unknown): Record<string, string> {
  const authorization = {
    from: address,
    to: api.deps.deployment.forwarder,
    value: '1000',
    validAfter: '0',
    validBefore: String(START + 300n),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const payload = { signature: `0x${'ab'.repeat(65)}`, authorization }
  const text = JSON.stringify({ x402Version: 2, accepted, payload })
  return { 'PAYMENT-SIGNATURE': Buffer.from(text).toString('base64') }
}

test('given a dutch auction, then the shown price is the most that a minimum may be, at any time', async () => {
  const { path } = await anAuction('dutch')
  const price = BigInt((await api.get(path)).body.currentAuctionPrice)
  expect(await answerOf(`${path}/bids/accept`, { minPrice: String(price) })).toBe('1000')
  expect(await answerOf(`${path}/bids/accept`, { minPrice: String(price + 1n) })).toBe(refused(409, 'minPrice'))
})

test.each<[string, object | undefined]>([
  ['cancel', undefined],
  ['pitches', pitch],
  ['rate', rating],
])('given an unknown task, then %s is 404', async (verb, body) => {
  expect(await answerOf(`/api/tasks/${aHash()}/${verb}`, body)).toBe(refused(404))
})
