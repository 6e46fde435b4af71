import { getAddress } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { taskDetailSchema } from '../../../api/features/tasks/tasks.schemas.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.agent(requester.address)
  await api.seed.agent(alice.address, { agentId: 7n, completedTasks: 1 })
})

test('serves an open bounty in full, with every field of the interface', async () => {
  const task = await api.seed.task({ requester: requester.address }, { tags: ['haiku', 'poem'] })
  const { status, body } = await api.get(`/api/tasks/${task.id}`)
  expect(status).toBe(200)
  expect(taskDetailSchema.parse(body)).toMatchObject({
    id: task.id,
    requester: getAddress(requester.address),
    description: 'Write a haiku about escrow',
    reward: '5000000',
    netReward: '4625000',
    status: 'open',
    phase: 'active',
    tags: ['haiku', 'poem'],
    mode: 'bounty',
    taskVisibility: 'public',
    submissionVisibility: 'public',
    submissionWindowOpen: true,
    expiryTime: '2030-01-02T00:00:00.000Z',
    requesterActorType: 'human',
    claimedBy: null,
    primaryAward: null,
    selfAward: null,
    awards: [],
    tokenPerUsdc: '0',
    estimatedUsdBonusValue: '0',
    claimRound: 0,
  })
  expect(body).not.toHaveProperty('workerActorType')
  expect(body).not.toHaveProperty('sponsoredTaskRewards')
})

test('shows the decision of the resolver beside the verdict, which stays the evaluator’s', async () => {
  const task = await api.seed.task({ requester: requester.address, status: 'completed', disputeResolver: bob.address })
  const verdict = { verdict: 'reject', score: 10, confidence: 20, evidenceHash: aHash(), fee: 1n, verdictAt: START }
  const resolution = { resolution: 'partial', resolvedAt: START, disputeResolver: bob.address }
  await api.seed.evaluation(task.id, alice.address, { ...verdict, ...resolution })
  expect(taskDetailSchema.parse((await api.get(`/api/tasks/${task.id}`)).body)).toMatchObject({
    verdictType: 'REJECT',
    resolution: { verdict: 'PARTIAL', resolver: getAddress(bob.address), resolvedAt: '2030-01-01T00:00:00.000Z' },
  })
})

test('finds a task by its id in any letter case and by its reference code', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const { body } = await api.get(`/api/tasks/${task.id}`)
  expect(body.referenceCode).toMatch(/^TSK-[0-9A-HJKMNP-TV-Z]{8}$/)
  for (const name of [
    task.id.toUpperCase().replace('0X', '0x'),
    body.referenceCode,
    body.referenceCode.toLowerCase(),
  ]) {
    expect((await api.get(`/api/tasks/${name}`)).body.id).toBe(task.id)
  }
})

test('serves the awards of a split by rank, the first as the primary one', async () => {
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.award(task.id, bob.address, { rank: 2, gross: 2_000_000n })
  await api.seed.award(task.id, alice.address, { rank: 1, gross: 3_000_000n, rating: 90 })
  const { body } = await api.get(`/api/tasks/${task.id}`)
  const detail = taskDetailSchema.parse(body)
  expect(detail).toMatchObject({
    status: 'completed',
    phase: 'resolved',
    awardCount: 2,
    submissionWindowOpen: false,
    selfAward: false,
    primaryAward: { workerAddress: getAddress(alice.address), rating: 90 },
    workerAgentId: '7',
    workerActorType: 'agent',
  })
  expect(detail.awards).toMatchObject([
    {
      workerAddress: getAddress(alice.address),
      rank: 1,
      isPrimary: true,
      workerAgentId: '7',
      workerActorType: 'agent',
    },
    {
      workerAddress: getAddress(bob.address),
      rank: 2,
      isPrimary: false,
      workerAgentId: null,
      workerActorType: 'human',
    },
  ])
  expect(detail.awards[0]).toMatchObject({ grossAmount: '3000000', platformFee: '225000', workerPayment: '2775000' })
  expect(detail.awards.map(({ rating }) => rating)).toEqual([90, null])
})

test('says what may be done now, by whom, at what price', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const actionsOf = async () => {
    const { pendingActions } = taskDetailSchema.parse((await api.get(`/api/tasks/${task.id}`)).body)
    return new Map(pendingActions.map((pending) => [pending.action, pending]))
  }
  const open = await actionsOf()
  expect([...open.keys()].sort()).toEqual(['cancel', 'submit', 'update'])
  expect(open.get('cancel')).toMatchObject({
    role: 'requester',
    command: `task cancel ${task.id}`,
    eligibleAddress: getAddress(requester.address),
    requiresPayment: true,
    paymentAmount: '1000',
    targetWorker: null,
  })
  expect(open.get('submit')).toMatchObject({
    role: 'worker',
    eligibleAddress: null,
    requiresPayment: false,
    paymentAmount: null,
    availableUntil: '2030-01-02T00:00:00.000Z',
  })
  await api.seed.submission(task.id, alice.address)
  expect([...(await actionsOf()).keys()].sort()).toEqual([
    'accept',
    'accept_submissions',
    'reject_submission',
    'submit',
    'update',
  ])
  await api.seed.award(task.id, alice.address)
  const completed = await actionsOf()
  expect([...completed.keys()]).toEqual(['rate'])
  expect(completed.get('rate')?.targetWorker).toBe(getAddress(alice.address))
  const listed = await api.get(`/api/tasks?requester=${requester.address}&status=completed&limit=1`)
  expect(listed.body.tasks[0].pendingActions).toHaveLength(1)
})

test.each([
  ['public', alice.address],
  ['reveal_all', '<worker>'],
] as const)(
  'given submissions shown as %s, then the command of accept names %s',
  async (submissionVisibility, named) => {
    const task = await api.seed.task({ requester: requester.address }, { submissionVisibility })
    await api.seed.submission(task.id, alice.address)
    for (const headers of [{}, await readHeadersOf(requester)]) {
      const { body } = await api.get(`/api/tasks/${task.id}`, headers)
      const { pendingActions } = taskDetailSchema.parse(body)
      const accept = pendingActions.find(({ action }) => action === 'accept')
      expect(accept?.command).toBe(`task accept ${task.id} --worker ${named}`)
      expect(JSON.stringify(pendingActions).includes(alice.address.slice(2))).toBe(submissionVisibility === 'public')
    }
  },
)

test('a task made by a direct chain call is unlisted, without texts', async () => {
  const task = await api.seed.task({ requester: requester.address }, null)
  const { body } = await api.get(`/api/tasks/${task.id}`)
  expect(taskDetailSchema.parse(body)).toMatchObject({ description: '', tags: [], taskVisibility: 'unlisted' })
})

test("another requester's texts under the same hash are not the task's", async () => {
  const copied = await api.seed.task({ requester: requester.address }, { description: 'the original' })
  const copy = await api.seed.task({ requester: bob.address, contentHash: copied.contentHash }, null)
  expect((await api.get(`/api/tasks/${copy.id}`)).body.description).toBe('')
})

test('an auction carries its prices, and only the ones of its subtype', async () => {
  const auction = { requester: requester.address, mode: 'auction', bidDeadline: START + 100n, clockPrice: 1_000_000n }
  const dutch = await api.seed.task({ ...auction, auctionType: 'dutch' })
  expect(taskDetailSchema.parse((await api.get(`/api/tasks/${dutch.id}`)).body)).toMatchObject({
    maxPrice: '5000000',
    auctionFloorPrice: '1000000',
    auctionStartPrice: null,
    auctionBidCount: 0,
    auctionPriceReachesFloorAt: '2030-01-01T00:01:40.000Z',
    auctionPriceReachesMaxAt: null,
    netReward: null,
    agreedPrice: null,
  })
})

test('a clock price moves with the chain, and comes to rest', async () => {
  const auction = { requester: requester.address, mode: 'auction', bidDeadline: START + 1000n, clockPrice: 1_000_000n }
  const tasks = {
    dutch: await api.seed.task({ ...auction, auctionType: 'dutch', createdAtMs: START * 1000n + 500_000n }),
    reverse: await api.seed.task({ ...auction, auctionType: 'reverse_dutch', createdAtMs: START * 1000n + 500_001n }),
  }
  const pricesAt = async (now: bigint) => {
    api.chain.now = now
    const answers = await Promise.all(Object.values(tasks).map(({ id }) => api.get(`/api/tasks/${id}`)))
    return answers.map(({ body }) => body.currentAuctionPrice)
  }
  try {
    expect(await pricesAt(START + 500n)).toEqual(['5000000', '1000000'])
    expect(await pricesAt(START + 501n)).toEqual(['4992000', '1008000'])
    expect(await pricesAt(START + 1000n)).toEqual(['1000000', '5000000'])
    expect(await pricesAt(START + 5000n)).toEqual(['1000000', '5000000'])
  } finally {
    api.chain.now = START
  }
})

test('an evaluated task tells its terms and verdict, and promises what the evaluator leaves', async () => {
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.evaluation(task.id, alice.address)
  const terms = { evaluator: getAddress(alice.address), evaluatorFeeBps: 1000, evaluationWindow: 7200 }
  // 5 USDC less a tenth, less 7.5 % of that.
  expect(taskDetailSchema.parse((await api.get(`/api/tasks/${task.id}`)).body)).toMatchObject({
    ...terms,
    appealWindow: 3600,
    disputeResolver: null,
    evaluatorDeadline: '2030-01-02T02:00:00.000Z',
    netReward: '4162500',
    verdictType: null,
  })

  const evaluated = await api.seed.task({
    requester: requester.address,
    status: 'appealing',
    appealDeadline: START + 60n,
  })
  const evidenceHash = aHash()
  await api.seed.evaluation(evaluated.id, alice.address, {
    verdict: 'partial',
    score: 900,
    confidence: 800,
    evidenceHash,
  })
  expect(taskDetailSchema.parse((await api.get(`/api/tasks/${evaluated.id}`)).body)).toMatchObject({
    ...terms,
    appealDeadline: '2030-01-01T00:01:00.000Z',
    evaluatorDeadline: null,
    verdictType: 'PARTIAL',
    verdictScore: 900,
    verdictConfidence: 800,
    verdictEvidenceHash: evidenceHash,
  })

  for (const status of ['cancelled', 'expired']) {
    const ended = await api.seed.task({ requester: requester.address, status })
    await api.seed.evaluation(ended.id, alice.address)
    expect((await api.get(`/api/tasks/${ended.id}`)).body).toMatchObject({ status, evaluatorDeadline: null })
  }

  const free = await api.seed.task({ requester: requester.address })
  await api.seed.evaluation(free.id, alice.address, { timedOutAt: START })
  expect((await api.get(`/api/tasks/${free.id}`)).body).toMatchObject({ evaluator: null, netReward: '4625000' })
})

test('hooks come in their order, the one that is the requester’s own by name', async () => {
  const [first, own, other] = [anActor().address, anActor().address, anActor().address]
  const withHooks = async (hooks: (typeof first)[], defaultCount: number) => {
    const hookSet = await api.seed.hookSet(hooks, defaultCount)
    const task = await api.seed.task({ requester: requester.address, hookSet })
    const { body } = await api.get(`/api/tasks/${task.id}`)
    return [body.hooks, body.hookContract]
  }
  const checksummed = [first, own, other].map((hook) => getAddress(hook))
  expect(await withHooks([first, own], 1)).toEqual([checksummed.slice(0, 2), checksummed[1]])
  expect(await withHooks([first, own, other], 1)).toEqual([checksummed, null])
  expect(await withHooks([first], 1)).toEqual([checksummed.slice(0, 1), null])
})

test.each(['TSK-123', 'TSK-IIIIIIII', `0x${'g'.repeat(64)}`, '..%2f..%2fetc'])(
  'refuses %s: neither an id nor a code',
  async (name) => {
    const { status, body } = await api.get(`/api/tasks/${name}`)
    expect([status, body.issues[0].path]).toEqual([400, 'taskId'])
  },
)

test('answers that depend on the caller are private, vary by the caller’s headers, and carry an entity tag', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const first = await api.get(`/api/tasks/${task.id}`)
  expect(first.headers.get('cache-control')).toBe('private')
  expect(first.headers.get('vary')).toBe(
    'X-Service-Caller-Address, X-Service-Caller-Signature, X-Service-Read-Expires, X-Service-Task-Access-Grant, ' +
      'X-Service-Api-Token',
  )
  const tag = first.headers.get('etag') ?? ''
  const again = await api.get(`/api/tasks/${task.id}`, { 'If-None-Match': tag })
  expect([again.status, again.body]).toEqual([304, ''])
  await api.seed.submission(task.id, alice.address)
  api.deps.rowChanges.note()
  expect((await api.get(`/api/tasks/${task.id}`, { 'If-None-Match': tag })).status).toBe(200)
})

test('a HEAD is answered as a GET is, entity tag and 304 included, without the body', async () => {
  const task = await api.seed.task({ requester: requester.address })
  for (const path of [`/api/tasks/${task.id}`, '/api/tasks', '/api/tasks/stats']) {
    const head = (headers = {}) => api.app.request(path, { method: 'HEAD', headers })
    const tag = (await api.get(path)).headers.get('etag') ?? ''
    const response = await head()
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([200, tag, ''])
    expect((await head({ 'If-None-Match': tag })).status).toBe(304)
  }
})
