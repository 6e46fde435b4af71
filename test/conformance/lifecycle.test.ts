import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../protocol/derive.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { type Call, preparePayment, transportAdapters } from './transport-adapters.ts'

const environment = openEnvironment()
const { baseUrl } = environment

const FEE = 1_000n
const txHash = expect.stringMatching(/^0x[0-9a-f]{64}$/)

interface Parties {
  requester: Actor
  alice: Actor
  bob: Actor
}

/** A write that only the requester of a task may make, for a fee. */
interface Lifecycle {
  operation: OperationName
  /** Makes the task. @returns the input of the write */
  arrange(parties: Parties): Promise<{ taskId: Hex } & Record<string, unknown>>
  answer: unknown
  /** Status of the task after the write. */
  status: string
  /** Changes of balances besides the fee, base units. */
  moves?: Partial<Record<keyof Parties | 'market' | 'feeRecipient', bigint>>
}

/** An open bounty with a submission of each of these workers. */
async function aContest(requester: Actor, workers: readonly Actor[], reward = '2000000'): Promise<Hex> {
  const taskId = await environment.createTask(requester, { reward })
  for (const worker of workers) await environment.submit(worker, taskId)
  return taskId
}

/** A task that was split between two workers. */
async function aSplit({ requester, alice, bob }: Parties): Promise<Hex> {
  const taskId = await aContest(requester, [alice, bob])
  await environment.split(requester, taskId, [
    [alice, 6000],
    [bob, 4000],
  ])
  return taskId
}

const aCast = async (): Promise<Parties> => ({
  requester: await environment.aWallet(),
  alice: anActor(),
  bob: anActor(),
})

const writes: readonly Lifecycle[] = [
  {
    operation: 'tasks.cancel',
    arrange: async ({ requester }) => ({ taskId: await environment.createTask(requester) }),
    answer: { txHash },
    status: 'cancelled',
    moves: { requester: 2_000_000n, market: -2_000_000n },
  },
  {
    operation: 'tasks.update',
    arrange: async ({ requester }) => ({ taskId: await environment.createTask(requester), reward: '2500000' }),
    answer: expect.objectContaining({ reward: '2500000' }),
    status: 'open',
    moves: { requester: -500_000n, market: 500_000n },
  },
  {
    operation: 'tasks.accept',
    arrange: async ({ requester, alice }) => {
      const taskId = await aContest(requester, [alice], '2000001')
      return { taskId, worker: alice.address }
    },
    answer: { success: true },
    status: 'completed',
    // floor(2000001 * 750 / 10000) = 150000
    moves: { alice: 1_850_001n, market: -2_000_001n, feeRecipient: 150_000n },
  },
  {
    operation: 'tasks.acceptSubmissions',
    arrange: async ({ requester, alice, bob }) => {
      const taskId = await aContest(requester, [alice, bob], '1000001')
      return { taskId, winners: [alice, bob].map(({ address }) => ({ worker: address, share: 5000 })) }
    },
    answer: { success: true },
    status: 'completed',
    // Grosses 500001, with the remainder, and 500000; fees floor(500001 * 750 / 10000) = 37500 and 37500.
    moves: { alice: 462_501n, bob: 462_500n, market: -1_000_001n, feeRecipient: 75_000n },
  },
  {
    operation: 'submissions.reject',
    arrange: async ({ requester, alice }) => {
      return { taskId: await aContest(requester, [alice]), worker: alice.address }
    },
    answer: { txHash },
    status: 'open',
  },
  {
    operation: 'tasks.rate',
    arrange: async (parties) => ({ taskId: await aSplit(parties), worker: parties.alice.address, rating: 87 }),
    answer: { success: true, feedbackId: txHash },
    status: 'completed',
  },
  {
    operation: 'tasks.object',
    arrange: async ({ requester, alice }) => {
      const taskId = await environment.createTask(requester, aClaimTask())
      await environment.claim(alice, taskId)
      await environment.submit(alice, taskId)
      return { taskId }
    },
    answer: { txHash },
    status: 'pending_approval',
  },
  {
    operation: 'tasks.assignEvaluator',
    arrange: async ({ requester }) => {
      return { taskId: await environment.createTask(requester), evaluator: anActor().address }
    },
    answer: { txHash },
    status: 'open',
  },
]

describe.each(transportAdapters)('Lifecycle writes over $name', (adapter) => {
  const pay = async (payer: Actor, call: Call) => {
    const client = await environment.clientOf(payer)
    const paid = await preparePayment(adapter, { baseUrl, call, sign: (requirement) => client.sign(requirement) })
    return await adapter.write(baseUrl, paid)
  }

  // One over tRPC: both transports have one pipeline (`test/api/trpc`).
  test.each(adapter.name === 'REST' ? writes : writes.slice(0, 1))(
    '$operation costs 1000 base units of its requester; another wallet is refused and charged nothing',
    async ({ operation, arrange, answer, status, moves = {} }) => {
      const [parties, stranger] = [await aCast(), await environment.aWallet()]
      const input = await arrange(parties)
      const { market, forwarder } = environment.chain.deployment
      const { requester, alice, bob } = parties
      const accounts = { requester: requester.address, alice: alice.address, bob: bob.address, market, forwarder }
      const feeRecipient = await environment.chain.feeRecipient()
      const money = await environment.chain.watch({ ...accounts, stranger: stranger.address, feeRecipient })
      const refused = await pay(stranger, { operation, input })
      expect([refused.status, refused.error?.service.reason]).toEqual([403, 'payment_preflight_rejected'])
      const done = await pay(requester, { operation, input })
      expect({ status: done.status, data: done.data }).toEqual({ status: 200, data: answer })
      const none = { requester: 0n, alice: 0n, bob: 0n, stranger: 0n, market: 0n, feeRecipient: 0n, forwarder: FEE }
      expect(await money.changes()).toEqual({ ...none, ...moves, requester: (moves.requester ?? 0n) - FEE })
      expect((await environment.get(`/tasks/${input.taskId}`)).body.status).toBe(status)
    },
  )
})

describe('Lifecycle writes: which submission is paid', () => {
  /** Hashes of the deliverables that a completed task paid. */
  const paidOf = async (taskId: Hex) => {
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    const logs = await environment.chain.marketLogs(task.awards[0].settlementTxHash)
    return logs.flatMap((log) => (log.eventName === 'TaskCompleted' ? [log.args.deliverable] : []))
  }
  const hashOf = async (taskId: Hex, submissionId: Hex) => {
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    return rows.find(({ id }: { id: Hex }) => id === submissionId).deliverableHash
  }

  test('accept pays the latest of the worker', async () => {
    const { requester, alice } = await aCast()
    const taskId = await aContest(requester, [alice])
    const latest = await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    expect(await paidOf(taskId)).toEqual([await hashOf(taskId, latest)])
  })

  test('accept-submissions pays the one of submissionId, otherwise the latest', async () => {
    const { requester, alice, bob } = await aCast()
    const taskId = await aContest(requester, [bob])
    const submissionId = await environment.submit(alice, taskId)
    await environment.submit(alice, taskId)
    const latest = await environment.submit(bob, taskId)
    const winners = [
      { worker: alice.address, share: 6000, submissionId },
      { worker: bob.address, share: 4000 },
    ]
    const path = `/tasks/${taskId}/accept-submissions`
    expect((await environment.pay(requester, path, { taskId, winners })).status).toBe(200)
    expect(await paidOf(taskId)).toEqual([await hashOf(taskId, submissionId), await hashOf(taskId, latest)])
  })
})

describe('Lifecycle writes: in the next read', () => {
  test('reject-submission marks all submissions of the worker, and no others', async () => {
    const { requester, alice, bob } = await aCast()
    const taskId = await aContest(requester, [alice, bob, alice])
    await environment.reject(requester, taskId, alice)
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    expect(rows).toMatchObject([
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
      { workerAddress: bob.account.address, rejectedAt: null },
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
    ])
  })

  test('rate shows the rating in the awards, as primary award and as feedback, once for each award', async () => {
    const parties = await aCast()
    const { requester, alice, bob } = parties
    const taskId = await aSplit(parties)
    const rating = { rating: 87, feedbackText: 'Five, seven, five — très bien' }
    const id = await environment.rate(requester, taskId, { worker: alice, ...rating })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task.primaryAward).toEqual({ workerAddress: alice.account.address, rating: 87 })
    expect(task.awards).toMatchObject([{ rating: 87 }, { rating: null }])
    const { body } = await environment.get(`/tasks/${taskId}/feedbacks`)
    expect(body.feedbacks).toEqual([
      {
        id,
        taskId,
        ...rating,
        workerAgentId: null,
        requesterAgentId: null,
        workerAddress: alice.account.address,
        requesterAddress: requester.account.address,
        ratingTxHash: txHash,
        createdAt: expect.any(String),
      },
    ])
    await environment.rate(requester, taskId, { worker: bob, rating: 0 })
    const again = { taskId, worker: bob.address, rating: 1 }
    expectRefusal(await environment.post(`/tasks/${taskId}/rate`, { body: again }), 409, 'payment_preflight_rejected')
  })
})
