import postgres from 'postgres'
import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { attachBonus } from '../../../scripts/contracts/bonus-admin.ts'
import { connect } from '../../../scripts/contracts/chain.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { openChainView } from '../../support/conformance-chain.ts'
import { aSubmissionBody } from '../../support/conformance-fixtures.ts'
import { openHttp } from '../../support/conformance-http.ts'
import { aKey, createPayingClient } from '../../support/paying-client.ts'
import { aClaimOfReward, aSponsoredTask, aVault, settleReward } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { register } from '../../support/withdrawal-addresses.ts'
import { aTokenWithdrawalBody, type TokenWithdrawalTerms } from '../../support/withdrawals.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'
import { createCall } from './write-calls.ts'

/** Interface, "Wallet" and "Token bonus": reward tokens that the service withdraws by a worker's signature. */

const REWARD = 100_000_000n
/** 7.5 % of 100 USDC are 7.5 USDC, 80 % of it the worker's, at 10 tokens of 18 decimals for one USDC. */
const EARNED = 60n * 10n ** 18n

let stack: TestStack
let sql: postgres.Sql
let http: ReturnType<typeof openHttp>
let contracts: { hook: Address; token: Address }

const owner = () => connect(stack.anvil.url, devAccount('owner').privateKey)
const headTime = async () => (await stack.client.getBlock()).timestamp
const tokensOf = ({ address }: Pick<Actor, 'address'>) =>
  stack.client.readContract({ address: contracts.token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
const claimableOf = async ({ address }: Actor) =>
  (await http.get(`/wallet/token-balance?address=${address}`)).body.claimableBaseUnits
const withdraw = (body: unknown, key = aKey()) => http.post('/wallet/withdraw-token', { body, key })
const aBody = async (worker: Actor, terms: Omit<TokenWithdrawalTerms, 'now'>) =>
  await aTokenWithdrawalBody(worker, { ...terms, now: await headTime() })

/** A worker who has earned `EARNED`. */
async function aWorker(): Promise<Actor> {
  const [worker, requester] = [anActor(), anActor()]
  await mintLocalUsdc(stack.anvil.url, requester.address, 2n * REWARD)
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: requester.account })
  const { taskId } = (await client.pay(createCall({ body: { reward: String(REWARD) } }))).body
  const body = await aSubmissionBody(worker, taskId)
  expect(await http.post(`/tasks/${taskId}/submissions`, { body })).toMatchObject({ status: 200 })
  const accept = { path: `/tasks/${taskId}/accept`, key: aKey(), body: { taskId, worker: worker.address } }
  expect((await client.pay(accept)).status).toBe(200)
  expect(await claimableOf(worker)).toBe(EARNED.toString())
  return worker
}

/** What any account can do with a signed body that it saw. */
async function submitAsStranger(body: Awaited<ReturnType<typeof aBody>>): Promise<Hex> {
  return await sendAsStranger(contracts.hook, withdrawalOf(body))
}

/** More is offered than by the service: it is mined first. */
async function sendAsStranger(to: Address, data: Hex): Promise<Hex> {
  const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0xba43b7400', gas: '0x7a120' }
  const from = devAccount('bob').account.address
  return (await stack.anvil.request('eth_sendTransaction', [{ from, to, data, ...fees }])) as Hex
}

function withdrawalOf(body: Awaited<ReturnType<typeof aBody>>): Hex {
  return encodeFunctionData({
    abi: bonusHookAbi,
    functionName: 'withdrawFor',
    args: [body.workerAddress, body.destination ?? zeroAddress, body.nonce, BigInt(body.validBefore), body.signature],
  })
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testTokenWithdrawals(stackOf: () => TestStack): void {
  describe('withdrawals of reward tokens', () => {
    beforeAll(async () => {
      stack = stackOf()
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
      http = openHttp(stack.baseUrl())
      const { bonusHook, rewardToken, market } = stack.deployment
      if (bonusHook === undefined || rewardToken === undefined) throw new Error('the test chain has no programme')
      contracts = { hook: bonusHook, token: rewardToken }
      await attachBonus(await owner(), market, bonusHook)
      await waitForBlock(sql, await stack.client.getBlockNumber())
    })
    afterAll(async () => {
      const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [[]] })
      const { address } = devAccount('owner').account
      await openChainView(stack.anvil.url, stack.deployment).sendAs(address, { to: stack.deployment.market, data })
      await waitForBlock(sql, await stack.client.getBlockNumber())
      await sql?.end()
    })

    afterEach(() => stack.anvil.request('evm_setAutomine', [true]))

    describe('a withdrawal of reward tokens', () => {
      it('goes to the registered address unless another is given, and to none without', async () => {
        const [worker, target] = [await aWorker(), anActor()]
        const terms = { destination: target.address, isDefault: true }
        expect(await withdraw(await aBody(worker, terms))).toMatchObject({
          status: 409,
          body: { error: expect.stringContaining('withdrawal address') },
        })
        const post = (path: string, body: unknown) => http.post(path.replace('/api/', '/'), { body })
        await register({ post }, worker, target.address)
        expect(await withdraw(await aBody(worker, terms))).toMatchObject({ status: 200 })
        expect(await tokensOf(target)).toBe(EARNED)
      })
    })

    describe('the same message, submitted by a stranger', () => {
      it('completes the withdrawal with the stranger’s transaction', async () => {
        const [worker, target] = [await aWorker(), anActor()]
        const body = await aBody(worker, { destination: target.address })
        await stack.anvil.request('evm_setAutomine', [false])
        const key = aKey()
        const answer = withdraw(body, key)
        await expect
          .poll(
            async () =>
              (await sql`select from service.intents where idempotency_key = ${key} and status = 'broadcast'`).length,
          )
          .toBe(1)
        const hash = await submitAsStranger(body)
        await stack.anvil.request('evm_mine', [])
        await stack.anvil.request('evm_setAutomine', [true])
        expect(await answer).toMatchObject({ status: 200, body: { txHash: hash, claimedBaseUnits: EARNED.toString() } })
        expect([await tokensOf(target), await claimableOf(worker)]).toEqual([EARNED, '0'])
      })

      it('to another destination with the same nonce fails the withdrawal', async () => {
        const [worker, target, other] = [await aWorker(), anActor(), anActor()]
        const body = await aBody(worker, { destination: target.address })
        const twin = await aBody(worker, { destination: other.address, nonce: body.nonce })
        await stack.anvil.request('evm_setAutomine', [false])
        const answer = withdraw(body)
        await expect
          .poll(
            async () =>
              (await sql`select from service.intents where payment_nonce = ${body.nonce} and status = 'broadcast'`)
                .length,
          )
          .toBe(1)
        await submitAsStranger(twin)
        await stack.anvil.request('evm_mine', [])
        await stack.anvil.request('evm_setAutomine', [true])
        expect(await answer).toMatchObject({ status: 409, body: { service: { intentStatus: 'failed' } } })
        expect([await tokensOf(target), await tokensOf(other)]).toEqual([0n, EARNED])
      })
    })

    describe('the claim of a reward, submitted by a stranger', () => {
      it('completes the claim with the stranger’s transaction', async () => {
        const { path, body, vault, claims } = await aClaim()
        const { answer, key } = await broadcast(path, body)
        const hash = await sendAsStranger(vault, claims(body))
        expect(await settled(answer)).toMatchObject({ status: 200, body: { txHash: hash, amount: body.amount } })
        expect((await http.post(path, { body, key })).body.service).toMatchObject({ txHash: hash })
        expect(await openChainView(stack.anvil.url, stack.deployment).balanceOf(body.destination)).toBe(
          BigInt(body.amount),
        )
      })

      /** Sends a claim while blocks wait. */
      async function broadcast(path: string, body: unknown) {
        await stack.anvil.request('evm_setAutomine', [false])
        const key = aKey()
        const answer = http.post(path, { body, key })
        await expect
          .poll(
            async () =>
              (await sql`select from service.intents where idempotency_key = ${key} and status = 'broadcast'`).length,
          )
          .toBe(1)
        return { answer, key }
      }

      async function settled<Answer>(answer: Promise<Answer>): Promise<Answer> {
        await stack.anvil.request('evm_mine', [])
        await stack.anvil.request('evm_setAutomine', [true])
        return await answer
      }

      /** A signed claim of all that a task of a new vault earned its worker. */
      async function aClaim() {
        const chain = openChainView(stack.anvil.url, stack.deployment)
        const [worker, requester, target] = [anActor(), anActor(), anActor()]
        await mintLocalUsdc(stack.anvil.url, requester.address, 2n * REWARD)
        const vault = await aVault({ chain }, [requester])
        const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: 1_000_000n })
        await waitForBlock(sql, await stack.client.getBlockNumber())
        const submission = await aSubmissionBody(worker, taskId)
        expect(await http.post(`/tasks/${taskId}/submissions`, { body: submission })).toMatchObject({ status: 200 })
        const client = createPayingClient({ baseUrl: stack.baseUrl(), account: requester.account })
        const accept = { path: `/tasks/${taskId}/accept`, key: aKey(), body: { taskId, worker: worker.address } }
        expect((await client.pay(accept)).status).toBe(200)
        await settleReward({ chain }, taskId, [[worker, 2_000_000n]])
        await waitForBlock(sql, await stack.client.getBlockNumber())
        const post = (path: string, body: unknown) => http.post(path.replace('/api/', '/'), { body })
        await register({ post }, worker, target.address)
        const path = `/sponsored-task-vaults/${vault.vaultId}`
        const [entitlement] = (await http.get(`${path}/entitlements?workerAddress=${worker.address}`)).body
        const deadline = (await headTime()) + 300n
        const terms = { destination: target.address, nonce: 0n, deadline }
        const body = await aClaimOfReward({ vault, worker, entitlement }, terms)
        const claims = ({ index, workerAddress, destination, amount, nonce, signature, proof }: typeof body) => {
          const claim = {
            vaultId: vault.vaultId,
            epoch: 0n,
            allocationId: taskId,
            taskId,
            index: BigInt(index),
            worker: workerAddress,
            destination,
            amount: BigInt(amount),
            nonce: BigInt(nonce),
            deadline,
          }
          return encodeFunctionData({
            abi: sponsoredVaultAbi,
            functionName: 'claimTo',
            args: [claim, proof, signature],
          })
        }
        return { path: `${path}/claim`, body, vault: vault.address, claims }
      }
    })
  })
}
