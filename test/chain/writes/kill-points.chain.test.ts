import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { failpoints } from '../../../api/failpoint.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { createPayingClient, type PayingClient, type WriteCall } from '../../support/paying-client.ts'
import type { Payment } from '../../support/payment.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { cancelAuthorization, submitAlone } from './usdc-calls.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

let stack: TestStack
let wallets: Wallets
beforeAll(async () => {
  stack = await startTestStack()
  wallets = createWallets(stack)
})
afterAll(() => stack?.stop())

const stranger = devAccount('bob').account.address

/** The bind is the caller's point of no return. */
const UNBOUND = failpoints.slice(0, failpoints.indexOf('after-bind'))
const BOUND = failpoints.slice(failpoints.indexOf('after-bind'))

/** A write whose process died at a point of the pipeline. */
interface Broken {
  client: PayingClient
  call: WriteCall
  payment: Payment
}

/** Sends a paid create to a service that kills itself at `point`; resolves when it is dead. */
async function breakAt(point: string): Promise<Broken> {
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: await wallets.funded(3n * REWARD) })
  const call = createCall()
  const payment = await client.sign(await client.challenge(call))
  const { child } = await stack.restartApi({ FAILPOINT: point })
  await expect(client.sendPaid(call, payment)).rejects.toThrow()
  expect(await child.ended).toEqual({ description: 'signal SIGKILL' })
  return { client, call, payment }
}

/** The intent's record, as its payer sees it, once it is decided. */
async function outcomeOf({ client, call, payment }: Broken) {
  const read = async () =>
    (await client.get(`/intents?idempotencyKey=${call.key}`, { 'PAYMENT-SIGNATURE': payment.header })).body
  await expect
    .poll(async () => (await read()).status, { timeout: 15_000, interval: 50 })
    .toMatch(/completed|failed|held/)
  return await read()
}

async function tasksCreatedBy({ client }: Broken): Promise<string[]> {
  const logs = await stack.client.getLogs({ address: stack.deployment.market, fromBlock: 0n })
  return parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCreated', logs })
    .filter(({ args }) => args.requester === client.account.address)
    .map(({ args }) => args.taskId)
}

describe('killed before the write was recorded', () => {
  it.each(UNBOUND)('given %s, then the same request goes through afterwards, charged once', async (point) => {
    const broken = await breakAt(point)
    const { client, call, payment } = broken
    await stack.restartApi()
    expect(await tasksCreatedBy(broken)).toEqual([])
    const reply = await client.sendPaid(call, payment)
    expect(reply.status).toBe(200)
    expect(await tasksCreatedBy(broken)).toEqual([reply.body.taskId])
    expect(await wallets.balanceOf(client.account.address)).toBe(2n * REWARD)
  })
})

describe('killed after the write was recorded', () => {
  it.each(BOUND)('given %s, then the write completes by itself after a restart, once', async (point) => {
    const broken = await breakAt(point)
    const { client, call, payment } = broken
    await stack.restartApi()
    const intent = await outcomeOf(broken)
    expect(intent).toMatchObject({ status: 'completed', operation: 'tasks.create', refund: null })
    expect(await tasksCreatedBy(broken)).toEqual([intent.taskId])
    expect(await wallets.balanceOf(client.account.address)).toBe(2n * REWARD)
    expect(await client.sendPaid(call, payment)).toMatchObject({
      status: 409,
      body: { service: { reason: 'idempotency_key_reused', intentStatus: 'completed', txHash: intent.txHash } },
    })
    expect(await wallets.balanceOf(client.account.address)).toBe(2n * REWARD)
  })
})

describe('an authorization that changes hands while the service is down', () => {
  it('given a stranger submits it alone, then the write completes with that money, charged once', async () => {
    const broken = await breakAt('after-bind')
    const { authorization, signature } = broken.payment
    await wallets.sendAs(stranger, submitAlone(stack.deployment, { ...authorization, signature }))
    await stack.restartApi()
    const intent = await outcomeOf(broken)
    expect(intent).toMatchObject({ status: 'completed' })
    expect(await tasksCreatedBy(broken)).toEqual([intent.taskId])
    expect(await wallets.balanceOf(broken.client.account.address)).toBe(2n * REWARD)
  })

  it('given its payer cancels it, then the write fails and nothing is charged', async () => {
    const broken = await breakAt('after-bind')
    const { client, payment } = broken
    await wallets.sendAs(
      stranger,
      await cancelAuthorization(stack.deployment, client.account, payment.authorization.nonce),
    )
    await stack.restartApi()
    expect(await outcomeOf(broken)).toMatchObject({ status: 'failed', txHash: null, taskId: null, refund: null })
    expect(await tasksCreatedBy(broken)).toEqual([])
    expect(await wallets.balanceOf(client.account.address)).toBe(3n * REWARD)
  })
})
