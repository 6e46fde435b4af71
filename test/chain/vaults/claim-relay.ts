import postgres from 'postgres'
import { type Address, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../api/intents/operations.ts'
import { kindOf } from '../../../api/intents/operations.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { openVault } from '../../../scripts/examples/open-vault.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { type ChainView, openChainView } from '../../support/conformance-chain.ts'
import { type Http, openHttp } from '../../support/conformance-http.ts'
import { aCuration } from '../../support/curator.ts'
import { aKey } from '../../support/paying-client.ts'
import {
  aClaimOfReward,
  aSponsoredTask,
  aVault,
  completeTask,
  settleReward,
  type TestVault,
  vaultsOf,
} from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { aRegistration } from '../../support/withdrawals.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'

/** The claim as an endpoint that spends the operator's gas: docs/build/vaults.md, "Claiming"; docs/build/limits.md, "Gas". */

const GROSS = 1_000_000n
/** Without the platform fee of 7.5 %. */
const NET = 925_000n
/** Answers 1 to every call up to the block in its first slot; from then on it takes all gas. */
const TOGGLING_TOKEN = '0x5f544311600f5760015f5260205ff35b600f56'
/** Of the claim of a vault that no curator has approved. */
const CEILING = 350_000n

type VaultOfTask = Pick<TestVault, 'vaultId' | 'address' | 'hook'>

let stack: TestStack
let sql: postgres.Sql
let chain: ChainView
let http: Http
let requester: Actor
let approved: TestVault

const head = () => stack.client.getBlockNumber({ cacheTime: 0 })
const indexed = async () => waitForBlock(sql, await head())

interface Winner {
  worker: Actor
  destination: Address
  vault: VaultOfTask
}

/** A worker with a withdrawal address, and a settled reward. */
async function aWinner(vault: VaultOfTask): Promise<Winner> {
  const [worker, { address: destination }] = [anActor(), anActor()]
  const body = await aRegistration(worker, destination)
  expect(await http.post('/wallet/set-withdrawal-address', { body })).toMatchObject({ status: 200 })
  const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
  await completeTask({ chain }, { taskId, requester, worker })
  await settleReward({ chain }, taskId, [[worker, 2_000_000n]])
  await indexed()
  return { worker, destination, vault }
}

/** A claim by the worker's key. */
async function aClaim({ worker, destination, vault }: Winner, { validity = 300n }: { validity?: bigint } = {}) {
  const path = `/sponsored-task-vaults/${vault.vaultId}`
  const query = `workerAddress=${worker.address}`
  const [entitlement = expect.fail('nothing to claim')] = (await http.get(`${path}/entitlements?${query}`)).body
  const nonce = BigInt((await http.get(`${path}/claim-nonce?${query}`)).body.nonce)
  const deadline = (await chain.headTime()) + validity
  return await aClaimOfReward({ vault, worker, entitlement }, { destination, nonce, deadline })
}

async function claim(...[winner, terms]: Parameters<typeof aClaim>) {
  const [body, key] = [await aClaim(winner, terms), aKey()]
  return { key, ...(await http.post(`/sponsored-task-vaults/${body.vaultId}/claim`, { body, key })) }
}

async function intentOf(key: string) {
  const [row] = await sql<{ status: string; class: string; gas: string | null; hash: Hex | null }[]>`
    select status, relay_class as class, gas_limit as gas, tx_hash as hash from service.intents
    where idempotency_key = ${key}`
  return row ?? expect.fail('there is no such intent')
}

async function usedWei(): Promise<bigint> {
  const [row] = await sql<{ used: string | null }[]>`select sum(used_wei) as used from service.gas_accounts`
  return BigInt(row?.used ?? 0)
}

/** What the transaction took, and its limit. */
async function gasOf(hash: Hex | null) {
  if (hash === null) throw new Error('nothing was mined')
  const [receipt, { gas }] = await Promise.all([
    stack.client.getTransactionReceipt({ hash }),
    stack.client.getTransaction({ hash }),
  ])
  return { status: receipt.status, limit: gas, wei: receipt.gasUsed * receipt.effectiveGasPrice }
}

async function anUnapprovedVault(): Promise<{ vault: VaultOfTask; token: Address }> {
  const token = stack.deployment.rewardToken ?? expect.fail('the stack has no reward token')
  const { client, deployment } = stack
  const send = async ({ from, to, data }: { from: Hex; to: Hex; data: Hex }) => {
    await chain.sendAs(from, { to, data })
  }
  const minter = devAccount('owner').account.address
  const setup = { sponsor: anActor().address, token, minter, amount: 100n * GROSS, managers: [requester.address] }
  const { vaultId, vault } = await openVault({ client, deployment, send }, { ...setup, salt: pad('0x1') })
  return { vault: { vaultId, address: vault, hook: vaultsOf({ chain }).hook }, token }
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testClaimRelay(stackOf: () => TestStack): void {
  describe('the relay of claims', () => {
    beforeAll(async () => {
      stack = stackOf()
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
      chain = openChainView(stack.anvil.url, stack.deployment)
      http = openHttp(stack.baseUrl())
      requester = anActor()
      await chain.fund(requester.address, 1_000_000_000n)
      approved = await aVault({ chain }, [requester])
      await indexed()
      const curation = { vaultId: approved.vaultId, status: 'approved', timestamp: await chain.headTime() }
      const body = await aCuration(curation)
      expect(await http.post(`/sponsored-task-vaults/${approved.vaultId}/curation`, { body })).toMatchObject({
        status: 200,
      })
    })
    afterAll(() => sql?.end())

    describe('a claim of a vault that no curator approved', () => {
      test('given a token that takes all gas in the block, then its ceiling bounds the loss, and the claim stays', async () => {
        const { vault, token } = await anUnapprovedVault()
        const winner = await aWinner(vault)
        const before = await usedWei()
        const code = await chain.request('eth_getCode', [token, 'latest'])
        const slot = await chain.request('eth_getStorageAt', [token, pad('0x0'), 'latest'])
        await chain.request('anvil_setStorageAt', [token, pad('0x0'), pad(numberToHex(await head()))])
        await chain.request('anvil_setCode', [token, TOGGLING_TOKEN])
        const refused = await claim(winner)
        expect(refused).toMatchObject({ status: 409, body: { service: { intentStatus: 'failed' } } })
        const intent = await intentOf(refused.key)
        const { status, limit, wei } = await gasOf(intent.hash)
        expect([intent.class, status, limit, (await usedWei()) - before]).toEqual(['foreign', 'reverted', CEILING, wei])
        await chain.request('anvil_setStorageAt', [token, pad('0x0'), slot])
        await chain.request('anvil_setCode', [token, code])
        const again = await claim(winner, { validity: 400n })
        expect(again).toMatchObject({ status: 200, body: { amount: NET.toString() } })
      })
    })

    describe('withdrawals of a day', () => {
      test('given twenty of the wallet, then its claim is refused with 429, and nothing is sent', async () => {
        const winner = await aWinner(approved)
        const operations = ['wallet.withdraw', 'wallet.withdrawToken', 'sponsoredTaskVaults.claim'] as const
        for (let count = 0; count < 20; count += 1)
          await insertDone(winner.worker.address, operations[count % 3] ?? 'wallet.withdraw')
        const age = (operation: string, hours: number) => sql`
      update service.intents set created_at = created_at - make_interval(hours => ${hours})
      where initiator = ${winner.worker.address} and operation = ${operation}`
        await age('wallet.withdraw', 23)
        const refused = await claim(winner)
        expect(refused).toMatchObject({ status: 429 })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
        expect(await chain.balanceOf(winner.destination)).toBe(0n)
        await age('wallet.withdraw', 1)
        // It is a plain call, and draws on no budget of gas.
        const before = await usedWei()
        const { key, status } = await claim(winner)
        expect([status, await chain.balanceOf(winner.destination)]).toEqual([200, NET])
        expect(await intentOf(key)).toMatchObject({ status: 'completed', class: 'plain' })
        expect(await usedWei()).toBe(before)
      })

      /** A write of the wallet that is done. */
      async function insertDone(wallet: Address, operation: Operation): Promise<void> {
        await sql`
      insert into service.intents
        (id, idempotency_key, operation, fingerprint, status, kind, calldata, initiator, watched, payment_watched)
      values (gen_random_uuid(), gen_random_uuid(), ${operation}, '', 'completed', ${kindOf(operation)}, '0x', ${wallet}, false,
        false)`
      }
    })
  })
}
