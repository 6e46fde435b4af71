import postgres from 'postgres'
import { type Address, encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { connect, sendAll } from '../../scripts/contracts/chain.ts'
import { waitForBlock } from '../chain/indexer/indexed-head.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aKey } from '../support/paying-client.ts'
import { aTokenWithdrawalBody } from '../support/withdrawals.ts'

/**
 * Interface, "Token bonus". The programme is a default hook of the shared market while this file runs. Each number is
 * computed by hand from 10 tokens of 18 decimals for one USDC, 750 bps, 80 % and a platform fee of 7.5 %.
 */

const environment = openEnvironment()
const { market, bonusHook = expect.fail('the chain has no programme of bonuses') } = environment.chain.deployment
const { rpcUrl, databaseUrl } = inject('conformanceStack')

beforeAll(() => setDefaultHooks([bonusHook]))
afterAll(() => setDefaultHooks([]))

/** The hooks of tasks that are created from now on, with no others, once the service reads them. */
async function setDefaultHooks(hooks: Address[]): Promise<void> {
  const owner = await connect(rpcUrl, devAccount('owner').privateKey)
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  await sendAll(owner, [{ what: 'default hooks', to: market, data }])
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await waitForBlock(sql, BigInt(String(await environment.chain.request('eth_blockNumber'))))
  await sql.end()
}

const balanceOf = async ({ address }: Actor) =>
  (await environment.get(`/wallet/token-balance?address=${address}`)).body.claimableBaseUnits

test('given a reward of 13.333333 USDC, when it is paid, then both sides are credited, rounded down, and the worker withdraws all of it, once', async () => {
  const [requester, worker] = [await environment.aWallet(), anActor()]
  const taskId = await environment.createTask(requester, { reward: '13333333' })
  await environment.submit(worker, taskId)
  await environment.accept(requester, taskId, worker)
  const credit = (side: Actor, role: string, usd: string, tokens: string) => ({
    account: getAddress(side.address),
    role,
    rank: 1,
    usd,
    tokens,
    multiplierBps: 10_000,
  })
  // floor(999999.975); of it floor(799999.2), and the rest. Of 9.99999 tokens 7.999992 and 1.999998.
  const credits = [
    credit(worker, 'worker', '799999', '7999992000000000000'),
    credit(requester, 'requester', '200000', '1999998000000000000'),
  ]
  expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
    estimatedUsdBonusValue: '999999',
    bonus: { locked: false, credits },
  })
  expect([await balanceOf(worker), await balanceOf(requester)]).toEqual(credits.map(({ tokens }) => tokens))

  const target = anActor()
  const now = await environment.chain.headTime()
  const body = await aTokenWithdrawalBody(worker, { destination: target.address, now })
  const withdrawn = await environment.post('/wallet/withdraw-token', { body, key: aKey() })
  expect(withdrawn).toMatchObject({ status: 200 })
  expect(withdrawn.body).toEqual({
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    destination: getAddress(target.address),
    claimedBaseUnits: '7999992000000000000',
    claimedTokens: '7.999992',
    tokenPerUsdc: '10000000000000000000',
    usdEquivalent: '799999',
  })
  expect(await balanceOf(worker)).toBe('0')
  expect((await environment.post('/wallet/withdraw-token', { body, key: aKey() })).status).toBe(409)
})
