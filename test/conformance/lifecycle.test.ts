import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()
const { market, forwarder } = environment.chain.deployment

const FEE = 1_000n
const txHash = expect.stringMatching(/^0x[0-9a-f]{64}$/)

/** A write that only the requester of a task may make, for a fee, and that no scenario of `test/scenarios` makes. */
interface Lifecycle {
  write: string
  verb: string
  /** Makes the task. */
  arrange?(requester: Actor): Promise<Hex>
  body?: Record<string, unknown>
  answer: unknown
  /** Status of the task after the write. */
  status: string
  /** What comes out of escrow besides the fee, base units. */
  refund?: bigint
}

async function aDelivery(requester: Actor): Promise<Hex> {
  const [taskId, alice] = [await environment.createTask(requester, aClaimTask()), anActor()]
  await environment.claim(alice, taskId)
  await environment.submit(alice, taskId)
  return taskId
}

const writes: readonly Lifecycle[] = [
  { write: 'a cancellation', verb: 'cancel', answer: { txHash }, status: 'cancelled', refund: 2_000_000n },
  {
    write: 'a higher reward',
    verb: 'update',
    body: { reward: '2500000', description: 'Write two haiku', tags: ['twice'] },
    answer: expect.objectContaining({ reward: '2500000', description: 'Write two haiku', tags: ['twice'] }),
    status: 'open',
    refund: -500_000n,
  },
  {
    write: 'a lower reward',
    verb: 'update',
    body: { reward: '1200000' },
    answer: expect.objectContaining({ reward: '1200000' }),
    status: 'open',
    refund: 800_000n,
  },
  {
    write: 'an objection',
    verb: 'object',
    arrange: aDelivery,
    body: {},
    answer: { txHash },
    status: 'pending_approval',
  },
  {
    write: 'the choice of an evaluator',
    verb: 'evaluator',
    body: { evaluator: anActor().address },
    answer: { txHash },
    status: 'open',
  },
]

test.each(writes)(
  'given $write, then it costs 1000 base units of the requester; another wallet is refused and charged nothing',
  async ({ verb, arrange = environment.createTask, body, answer, status, refund = 0n }) => {
    const [requester, stranger] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await arrange(requester)
    const path = `/tasks/${taskId}/${verb}`
    const accounts = { requester: requester.address, stranger: stranger.address, market, forwarder }
    const money = await environment.chain.watch(accounts)
    expectRefusal(await environment.pay(stranger, path, body), 403, 'payment_preflight_rejected')
    const done = await environment.pay(requester, path, body)
    expect({ status: done.status, body: done.body }).toEqual({ status: 200, body: answer })
    expect(await money.changes()).toEqual({ requester: refund - FEE, stranger: 0n, market: -refund, forwarder: FEE })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task.status).toBe(status)
    if (verb === 'update') expect(done.body).toEqual(task)
  },
)
