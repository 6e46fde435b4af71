import postgres from 'postgres'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { type BonusChange, changeBonus } from '../../scripts/contracts/bonus-admin.ts'
import { localBonusSetup } from '../../scripts/contracts/bonus-setup.ts'
import { connect, type DeployClient, sendAll } from '../../scripts/contracts/chain.ts'
import { waitForBlock } from '../chain/indexer/indexed-head.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { aKey } from '../support/paying-client.ts'
import { aTokenWithdrawalBody } from '../support/withdrawals.ts'

/**
 * Spec, "Token bonus rules", "Task detail", "Wallet"; Interface, "Token bonus". The programme is a default hook of the
 * shared market while this file runs. Each number is computed by hand from 10 tokens of 18 decimals for one USDC, 750 bps,
 * 80 % and a platform fee of 7.5 %.
 */

const MILLI = 10n ** 15n

const environment = openEnvironment()
const { deployment } = environment.chain
const { rpcUrl, databaseUrl } = inject('conformanceStack')

let sql: postgres.Sql
let owner: DeployClient
beforeAll(async () => {
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  owner = await connect(rpcUrl, devAccount('owner').privateKey)
  await setDefaultHooks([programme()])
})
afterAll(async () => {
  await setDefaultHooks([])
  await sql?.end()
})

/** Until the service shows all that is on chain. */
const untilRead = async () => waitForBlock(sql, BigInt(String(await environment.chain.request('eth_blockNumber'))))
const detailOf = async (taskId: Hex) => (await environment.get(`/tasks/${taskId}`)).body
const balanceOf = async ({ address }: Actor) =>
  (await environment.get(`/wallet/token-balance?address=${address}`)).body.claimableBaseUnits

function programme() {
  const { bonusHook } = deployment
  if (bonusHook === undefined) throw new Error('the chain has no programme of bonuses')
  return bonusHook
}

/** The hooks of tasks that are created from now on, with no others. */
async function setDefaultHooks(hooks: Address[]): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  await sendAll(owner, [{ what: 'default hooks', to: deployment.market, data }])
  await untilRead()
}

async function setRate(tokenPerUsdc: bigint): Promise<void> {
  const change: BonusChange = { setting: 'rate', tokenPerUsdc }
  await changeBonus(owner, programme(), change, { isConfirmed: true })
  await untilRead()
}
afterEach(() => setRate(localBonusSetup.terms.tokenPerUsdc))

/** A bounty that a new worker was paid for. */
async function aPaidBounty(reward: string, requester?: Actor) {
  const [payer, worker] = [requester ?? (await environment.aWallet()), anActor()]
  const taskId = await environment.createTask(payer, { reward })
  await environment.submit(worker, taskId)
  const money = await environment.chain.watch({ worker: worker.address })
  await environment.accept(payer, taskId, worker)
  return { taskId, worker, requester: payer, paid: (await money.changes()).worker }
}

describe('Token bonus: value, tokens and shares', () => {
  test('the terms are those of the programme', async () => {
    expect((await environment.get('/wallet/exchange-rate')).body).toEqual({
      tokenPerUsdc: '10000000000000000000',
      workerSplitBps: 8000,
      bonusBps: 750,
    })
  })

  test('a reward of 13.333333 USDC: 999999 base units, of which the worker has 80 %, rounded down', async () => {
    const requester = await environment.aWallet()
    const worker = anActor()
    const taskId = await environment.createTask(requester, { reward: '13333333' })
    const estimates = {
      tokenPerUsdc: '10000000000000000000',
      bonusBps: 750,
      // floor(999999.975); of it floor(799999.2), and the rest.
      estimatedUsdBonusValue: '999999',
      estimatedWorkerUsdBonusValue: '799999',
      estimatedRequesterUsdBonusValue: '200000',
      // 9.99999 tokens: 7.999992 and 1.999998.
      estimatedWorkerTokenBonus: '7999992000000000000',
      estimatedRequesterTokenBonus: '1999998000000000000',
    }
    expect(await detailOf(taskId)).toMatchObject({ ...estimates, bonus: { locked: false, credits: [] } })
    await environment.submit(worker, taskId)
    await environment.accept(requester, taskId, worker)
    expect(await detailOf(taskId)).toMatchObject({
      ...estimates,
      bonus: {
        locked: false,
        effectiveWorkerToken: null,
        effectiveRequesterToken: null,
        credits: [
          {
            account: getAddress(worker.address),
            role: 'worker',
            rank: 1,
            usd: '799999',
            tokens: '7999992000000000000',
            multiplierBps: 10_000,
          },
          {
            account: getAddress(requester.address),
            role: 'requester',
            rank: 1,
            usd: '200000',
            tokens: '1999998000000000000',
            multiplierBps: 10_000,
          },
        ],
      },
    })
    expect([await balanceOf(worker), await balanceOf(requester)]).toEqual([
      '7999992000000000000',
      '1999998000000000000',
    ])
  })
})

describe('Token bonus: when values are fixed', () => {
  test('a claim keeps rate and value; a contest uses those of its completion', async () => {
    const [requester, worker] = [await environment.aWallet(), anActor()]
    const claimed = await environment.createTask(requester, aClaimTask({ reward: '4000000' }))
    await environment.claim(worker, claimed)
    await setRate(6000n * MILLI)
    // 0.3 USDC: at 10 tokens 2.4 and 0.6; at 6 tokens 1.44 and 0.36.
    const { taskId } = await aPaidBounty('4000000', requester)
    expect((await detailOf(taskId)).bonus.credits[0]).toMatchObject({ usd: '240000', tokens: String(1440n * MILLI) })
    expect(await detailOf(claimed)).toMatchObject({
      tokenPerUsdc: '10000000000000000000',
      estimatedWorkerTokenBonus: String(2400n * MILLI),
      bonus: {
        locked: true,
        effectiveWorkerToken: String(2400n * MILLI),
        effectiveRequesterToken: String(600n * MILLI),
      },
    })
    await environment.submit(worker, claimed)
    await environment.accept(requester, claimed, worker)
    expect(await balanceOf(worker)).toBe(String(2400n * MILLI))
  })
})

describe('Token bonus: withdrawal', () => {
  test('pays all of it once, and the balance shows the new value with the answer', async () => {
    const { worker } = await aPaidBounty('13333333')
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
})
