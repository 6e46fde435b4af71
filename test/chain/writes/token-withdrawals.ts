import postgres from 'postgres'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
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
import type { TestStack } from '../../support/stack.ts'
import { register } from '../../support/withdrawal-addresses.ts'
import { aTokenWithdrawalBody } from '../../support/withdrawals.ts'
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
const tokensOf = ({ address }: Pick<Actor, 'address'>) =>
  stack.client.readContract({ address: contracts.token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
const claimableOf = async ({ address }: Actor) =>
  (await http.get(`/wallet/token-balance?address=${address}`)).body.claimableBaseUnits
const withdraw = (body: unknown, key = aKey()) => http.post('/wallet/withdraw-token', { body, key })

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

/** What any account can do with a signed body that it saw; more is offered than by the service, so it is mined first. */
async function submitAsStranger(
  body: Awaited<ReturnType<typeof aTokenWithdrawalBody>>,
  destination: Address,
): Promise<Hex> {
  const data = encodeFunctionData({
    abi: bonusHookAbi,
    functionName: 'withdrawFor',
    args: [body.workerAddress, destination, body.nonce, BigInt(body.validBefore), body.signature],
  })
  const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0xba43b7400', gas: '0x7a120' }
  const from = devAccount('bob').account.address
  return (await stack.anvil.request('eth_sendTransaction', [{ from, to: contracts.hook, data, ...fees }])) as Hex
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

    it('goes to the registered address alone; submitted by a stranger, it is completed with that transaction', async () => {
      const [worker, target] = [await aWorker(), anActor()]
      const terms = { destination: target.address, now: (await stack.client.getBlock()).timestamp, isDefault: true }
      expect(await withdraw(await aTokenWithdrawalBody(worker, terms))).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('withdrawal address') },
      })
      const post = (path: string, body: unknown) => http.post(path.replace('/api/', '/'), { body })
      await register({ post }, worker, target.address)
      const body = await aTokenWithdrawalBody(worker, terms)
      await stack.anvil.request('evm_setAutomine', [false])
      const key = aKey()
      const answer = withdraw(body, key)
      const broadcast = () => sql`
        select from service.intents where idempotency_key = ${key} and status = 'broadcast'`
      await expect.poll(async () => (await broadcast()).length).toBe(1)
      const hash = await submitAsStranger(body, target.address)
      await stack.anvil.request('evm_mine', [])
      await stack.anvil.request('evm_setAutomine', [true])
      expect(await answer).toMatchObject({ status: 200, body: { txHash: hash, claimedBaseUnits: EARNED.toString() } })
      expect([await tokensOf(target), await claimableOf(worker)]).toEqual([EARNED, '0'])
    })
  })
}
