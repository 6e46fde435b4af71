import { decodePaymentResponseHeader } from '@x402/core/http'
import postgres from 'postgres'
import { type Address, encodeFunctionData, type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { anActor } from '../../support/actors.ts'
import { openChainView } from '../../support/conformance-chain.ts'
import { aKey, createPayingClient, type PayingClient, type Reply } from '../../support/paying-client.ts'
import { aSponsoredTask, aVault } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

/** The maximum of one acceptance. */
const MAX_WINNERS = 50
/** EIP-7825. */
const MOST_GAS_OF_A_TRANSACTION = 1n << 24n

/** As many as fifty submissions fill where the hooks use all their gas. */
const BLOCKS_OF_SUBMISSIONS = '0x4'
/** Returns 1 to `supportsInterface`, and uses all gas of every other call in a loop. */
const BURNING = '0x5f3560e01c6301ffc9a7146012575b600e565b60015f5260205ff3'

let stack: TestStack
let wallets: Wallets
let sql: postgres.Sql

async function setDefaultHooks(hooks: readonly Address[]): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  await sendFrom(devAccount('owner').account.address, data)
  const served = async () => {
    const answer = await fetch(`${stack.baseUrl()}/api/hooks/attachment-configuration`)
    return ((await answer.json()) as { defaultHooks: Address[] }).defaultHooks.length
  }
  await expect.poll(served).toBe(hooks.length)
}

async function putHooks(code: Hex, count: number): Promise<Address[]> {
  const hooks = Array.from(
    { length: count },
    (_, index) =>
      `0x${toHex(index + 1, { size: 1 })
        .slice(2)
        .repeat(20)}` as Hex,
  )
  for (const hook of hooks) await stack.anvil.request('anvil_setCode', [hook, code])
  return hooks
}

/** The node sends for the account, which can pay for gas. */
async function unlock(account: Address): Promise<void> {
  await stack.anvil.request('anvil_setBalance', [account, toHex(10n ** 18n)])
  await stack.anvil.request('anvil_impersonateAccount', [account])
}

async function sendFrom(from: Address, data: Hex): Promise<void> {
  await unlock(from)
  await wallets.sendAs(from, { to: stack.deployment.market, data })
}

/** Sends a submission of each worker; they share a few blocks. */
async function submitAll(taskId: Hex, workers: readonly Address[]): Promise<void> {
  await Promise.all(workers.map(unlock))
  const gas = toHex(await gasOfSubmission(taskId, workers))
  await stack.anvil.request('evm_setAutomine', [false])
  try {
    const submissions = workers.map((from) => {
      const args = [taskId, toHex(crypto.getRandomValues(new Uint8Array(32)))] as const
      const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'submitWork', args })
      return stack.anvil.request('eth_sendTransaction', [{ from, to: stack.deployment.market, data, gas }])
    })
    await Promise.all(submissions)
    await stack.anvil.request('anvil_mine', [BLOCKS_OF_SUBMISSIONS])
  } finally {
    await stack.anvil.request('evm_setAutomine', [true])
  }
}

/** A submission's limit: an estimate for each of them takes the node most of its time where hooks use all their gas. */
async function gasOfSubmission(taskId: Hex, [account]: readonly Address[]): Promise<bigint> {
  if (account === undefined) throw new Error('there are no workers')
  const request = { account, address: stack.deployment.market, abi: taskMarketAbi } as const
  const gas = await stack.client.estimateContractGas({
    ...request,
    functionName: 'submitWork',
    args: [taskId, toHex(1n, { size: 32 })],
  })
  return (gas * 5n) / 4n
}

interface Bounty {
  taskId: Hex
  workers: Address[]
}

/** Submissions of the given task by as many workers, by direct calls. */
async function deliver(client: PayingClient, taskId: Hex): Promise<Bounty> {
  const workers = Array.from({ length: MAX_WINNERS }, () => toHex(crypto.getRandomValues(new Uint8Array(20))))
  await submitAll(taskId, workers)
  const delivered = async () => (await client.get(`/tasks/${taskId}`)).body.submissionCount
  await expect.poll(delivered).toBe(MAX_WINNERS)
  return { taskId, workers }
}

function clientOf(account: PrivateKeyAccount): PayingClient {
  return createPayingClient({ baseUrl: stack.baseUrl(), account })
}

async function split(client: PayingClient, { taskId, workers }: Bounty): Promise<Reply> {
  const winners = workers.map((worker) => ({ worker, share: 10_000 / MAX_WINNERS }))
  return await client.pay({ path: `/tasks/${taskId}/accept-submissions`, body: { winners }, key: aKey() })
}

/** Limit of the transaction that a reply names. */
async function gasOf({ headers }: Reply): Promise<bigint> {
  const hash = decodePaymentResponseHeader(headers.get('payment-response') ?? '').transaction as Hex
  return (await stack.client.getTransaction({ hash })).gas
}

/** Registers these tests, on a stack that the caller starts and ends; the service is started anew. */
export function testManyWinners(stackOf: () => TestStack): void {
  describe('splits among fifty', () => {
    beforeAll(async () => {
      stack = stackOf()
      await stack.restartApi({ SHUTDOWN_DRAIN_MS: '200' })
      wallets = createWallets(stack)
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    describe('given fifty winners and a requester with a key', () => {
      it('when the market has three default hooks that use all their gas, then the split is relayed', async () => {
        await setDefaultHooks(await putHooks(BURNING, 3))
        const client = clientOf(await wallets.funded(2n * REWARD))
        const { taskId } = (await client.pay(createCall())).body
        const reply = await split(client, await deliver(client, taskId))
        expect([reply.status, reply.body]).toEqual([200, { success: true }])
        expect(await gasOf(reply)).toBeLessThanOrEqual(MOST_GAS_OF_A_TRANSACTION)
        await setDefaultHooks([])
      })
    })

    describe('given fifty winners of a task that a vault funds', () => {
      it('then the split is relayed as a plain call', async () => {
        const chain = openChainView(stack.anvil.url, stack.deployment)
        const requester = anActor()
        await chain.fund(requester.address, 5_000_000n)
        const vault = await aVault({ chain }, [requester])
        const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: 1_000_000n })
        const client = clientOf(requester.account)
        await expect.poll(async () => (await client.get(`/tasks/${taskId}`)).status).toBe(200)
        const reply = await split(client, await deliver(client, taskId))
        expect([reply.status, reply.body]).toEqual([200, { success: true }])
        // All of the charge but the fee of 7.5 %: the hook had its gas.
        const totals = await stack.client.readContract({
          address: vault.address,
          abi: sponsoredVaultAbi,
          functionName: 'totals',
        })
        expect(totals).toMatchObject({ reserved: 0n, owed: 925_000n, fees: 75_000n })
        const classes =
          await sql`select relay_class from service.intents where initiator = ${requester.address.toLowerCase()}`
        expect(classes).toEqual([{ relay_class: 'plain' }])
      })
    })
  })
}
