import postgres from 'postgres'
import { type Address, encodeFunctionData, type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { anActor } from '../../support/actors.ts'
import { openChainView } from '../../support/conformance-chain.ts'
import { aKey, createPayingClient, type PayingClient, type Reply } from '../../support/paying-client.ts'
import { putScriptedWallet } from '../../support/scripted-contracts.ts'
import { aSponsoredTask, aVault } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

/** The maximum of one acceptance. */
const MAX_WINNERS = 50
/** EIP-7825. */
const MOST_GAS_OF_A_TRANSACTION = 1n << 24n
/** A split among winners that the programme and USDC never saw before: both write a record for each. */
const MAX_GAS_WITH_BONUS = 10_000_000n

/** As many as fifty submissions fill where the hooks use all their gas. */
const BLOCKS_OF_SUBMISSIONS = '0x4'
/** A hook that answers 1 to every question, and takes almost no gas. */
const AGREEING = '0x60015f5260205ff3'
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

/** A bounty with submissions of the given number of workers by direct calls. */
async function aDeliveredBounty(client: PayingClient, terms: object = {}): Promise<Bounty> {
  const created = await client.pay(createCall({ body: { ...terms } }))
  expect(created.status).toBe(200)
  return await deliver(client, created.body.taskId)
}

async function deliver(client: PayingClient, taskId: Hex): Promise<Bounty> {
  const workers = Array.from({ length: MAX_WINNERS }, () => toHex(crypto.getRandomValues(new Uint8Array(20))))
  await submitAll(taskId, workers)
  const delivered = async () => (await client.get(`/tasks/${taskId}`)).body.submissionCount
  await expect.poll(delivered).toBe(MAX_WINNERS)
  return { taskId, workers }
}

async function aRequester(): Promise<PrivateKeyAccount> {
  return await wallets.funded(2n * REWARD)
}

function clientOf(account: PrivateKeyAccount): PayingClient {
  return createPayingClient({ baseUrl: stack.baseUrl(), account })
}

async function split(client: PayingClient, { taskId, workers }: Bounty): Promise<Reply> {
  const winners = workers.map((worker) => ({ worker, share: 10_000 / MAX_WINNERS }))
  return await client.pay({ path: `/tasks/${taskId}/accept-submissions`, body: { winners }, key: aKey() })
}

async function transactionOf(reply: Reply): Promise<{ gas: bigint; gasUsed: bigint }> {
  const header = reply.headers.get('payment-response') ?? ''
  const { transaction: hash } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  const [{ gas }, { gasUsed }] = await Promise.all([
    stack.client.getTransaction({ hash }),
    stack.client.getTransactionReceipt({ hash }),
  ])
  return { gas, gasUsed }
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testManyWinners(stackOf: () => TestStack): void {
  describe('splits among fifty', () => {
    beforeAll(() => {
      stack = stackOf()
      wallets = createWallets(stack)
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    afterEach(() => setDefaultHooks([]))

    describe('given fifty winners and a requester with a key', () => {
      it('when the market has three default hooks that use all their gas, then the split is relayed', async () => {
        await setDefaultHooks(await putHooks(BURNING, 3))
        const client = clientOf(await aRequester())
        const reply = await split(client, await aDeliveredBounty(client))
        expect([reply.status, reply.body]).toEqual([200, { success: true }])
        expect((await transactionOf(reply)).gas).toBeLessThanOrEqual(MOST_GAS_OF_A_TRANSACTION)
      })

      it('when the market has a programme of token bonuses, then all are credited in the relayed split', async () => {
        const { bonusHook } = stack.deployment
        await setDefaultHooks(bonusHook === undefined ? [] : [bonusHook])
        const client = clientOf(await aRequester())
        const bounty = await aDeliveredBounty(client)
        const reply = await split(client, bounty)
        expect([reply.status, reply.body]).toEqual([200, { success: true }])
        const { gas, gasUsed } = await transactionOf(reply)
        expect(gas).toBeLessThanOrEqual(MOST_GAS_OF_A_TRANSACTION)
        expect(gasUsed).toBeLessThan(MAX_GAS_WITH_BONUS)
        const { bonus, estimatedWorkerTokenBonus } = (await client.get(`/tasks/${bounty.taskId}`)).body
        expect(bonus.credits).toHaveLength(2 * MAX_WINNERS)
        const ofEach = BigInt(estimatedWorkerTokenBonus) / BigInt(MAX_WINNERS)
        for (const worker of bounty.workers) {
          const { body } = await client.get(`/wallet/token-balance?address=${worker}`)
          expect(body).toEqual({ claimableBaseUnits: ofEach.toString() })
        }
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

    describe('given fifty winners and a requester that is a contract without fees', () => {
      it('when the market has a default hook, then the refusal explains the direct call, and is free', async () => {
        await setDefaultHooks(await putHooks(AGREEING, 1))
        const account = await aRequester()
        const client = clientOf(account)
        const bounty = await aDeliveredBounty(client)
        await putScriptedWallet(stack.anvil, account.address)
        const before = await wallets.balanceOf(account.address)
        const reply = await split(client, bounty)
        expect([reply.status, reply.body.service.reason]).toEqual([409, 'payment_preflight_rejected'])
        expect(reply.body.error).toMatch(
          /^The call is not relayed: .*Nothing was charged\. Send it directly to 0x[0-9a-f]{40}/,
        )
        expect(await wallets.balanceOf(account.address)).toBe(before)
      })
    })

    describe('given fifty winners, bonuses and no requester', () => {
      /** A write that is open to any account, without a payment: how much gas it took. */
      async function perform(path: string): Promise<bigint> {
        const response = await fetch(`${stack.baseUrl()}/api${path}`, {
          method: 'POST',
          headers: { 'X-Service-Idempotency-Key': aKey() },
        })
        const body = (await response.json()) as object
        expect(response.status, JSON.stringify(body)).toBe(200)
        const { number } = await stack.client.getBlock()
        const { transactions } = await stack.client.getBlock({ blockNumber: number })
        const [hash] = transactions
        if (hash === undefined) throw new Error('the newest block is empty')
        const [{ gas }, { gasUsed }] = await Promise.all([
          stack.client.getTransaction({ hash }),
          stack.client.getTransactionReceipt({ hash }),
        ])
        expect(gas).toBeLessThanOrEqual(MOST_GAS_OF_A_TRANSACTION)
        return gasUsed
      }

      async function passTime(seconds: number): Promise<void> {
        await stack.anvil.request('evm_increaseTime', [seconds])
        await stack.anvil.request('evm_mine', [])
      }

      async function expectCredits(client: PayingClient, { taskId, workers }: Bounty): Promise<void> {
        const { status, bonus, awards } = (await client.get(`/tasks/${taskId}`)).body
        expect([status, awards.length]).toEqual(['completed', MAX_WINNERS])
        expect(bonus.credits).toHaveLength(2 * MAX_WINNERS)
        const credited = bonus.credits.filter(({ role }: { role: string }) => role === 'worker')
        expect(new Set(credited.map(({ account }: { account: Address }) => account.toLowerCase()))).toEqual(
          new Set(workers),
        )
      }

      // The clock of the chain runs ahead of payments from here on: these are last, and paid for before it moves.
      it('when a verdict is finalized, then all are credited; and silence over a contest is settled', async () => {
        const { bonusHook } = stack.deployment
        await setDefaultHooks(bonusHook === undefined ? [] : [bonusHook])
        const [judge, requester] = [await aRequester(), await aRequester()]
        const client = clientOf(requester)
        const judged = await aDeliveredBounty(client, {
          evaluator: judge.address,
          evaluatorFeeBps: 500,
          evaluationWindowHours: 1,
          appealWindowHours: 1,
        })
        const silent = await aDeliveredBounty(clientOf(await aRequester()))
        // 1 USDC without the fee of the evaluator.
        const awards = judged.workers.map((worker, index) => ({ worker, amount: '19000', rank: index + 1 }))
        const verdict = { path: `/tasks/${judged.taskId}/evaluate`, body: { verdict: 'approve', awards }, key: aKey() }
        expect(await clientOf(judge).pay(verdict)).toMatchObject({ status: 200 })
        await passTime(3_601)
        expect(await perform(`/tasks/${judged.taskId}/finalize-verdict`)).toBeLessThan(MAX_GAS_WITH_BONUS)
        await expectCredits(client, judged)
        await passTime(100 * 86_400)
        expect(await perform(`/tasks/${silent.taskId}/settle-stale`)).toBeLessThan(MAX_GAS_WITH_BONUS)
        // Without a decision no worker is awarded, and so nothing is credited.
        expect((await client.get(`/tasks/${silent.taskId}`)).body).toMatchObject({ status: 'expired', awards: [] })
      })
    })
  })
}
