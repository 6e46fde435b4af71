import postgres from 'postgres'
import { type Address, encodeFunctionData, getAbiItem, type Hex, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { openVault } from '../../../scripts/examples/open-vault.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { type ChainView, openChainView } from '../../support/conformance-chain.ts'
import { aCuration } from '../../support/curator.ts'
import { deepTest } from '../../support/deep-test.ts'
import { aSponsoredTask, aVault, completeTask, type TestVault, vaultsOf } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'

/** The keeper of rewards against a chain and an indexer. docs/vaults.md, "The keeper". */

const GROSS = 1_000_000n
/** Less than the default, so that a test reaches it. */
const DAILY_LIMIT = 5
/** More than the limit, by far. */
const JUNK_VAULTS = 50
/** JUMPDEST PUSH1 0 JUMP: takes all gas that it is given. */
const ENDLESS_CODE = '0x5b600056'
/** INVALID. */
const FAILING_CODE = '0xfe'
const DELIVERABLE = keccak256('0x03')
const POLLING = { interval: 50 }

let stack: TestStack
let sql: postgres.Sql
let chain: ChainView

async function aFundedRequester(): Promise<Actor> {
  const requester = anActor()
  await chain.fund(requester.address, 1_000_000_000n)
  return requester
}

async function anApprovedVault(requester: Actor): Promise<TestVault> {
  const vault = await aVault({ chain }, [requester])
  await approve(vault.vaultId)
  return vault
}

async function approve(vaultId: Hex): Promise<void> {
  await waitForBlock(sql, await stack.client.getBlockNumber())
  const body = await aCuration({ vaultId, status: 'approved', timestamp: await chain.headTime() })
  const response = await fetch(`${stack.baseUrl()}/api/sponsored-task-vaults/${vaultId}/curation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await response.json()).toEqual({ vaultId, curationStatus: 'approved' })
}

type VaultOfTask = Parameters<typeof aSponsoredTask>[1]['vault']

/** A task of the vault whose worker is paid. */
async function aCompletedTask(vault: VaultOfTask, requester: Actor): Promise<Hex> {
  const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
  await completeTask({ chain }, { taskId, requester, worker: anActor() })
  return taskId
}

/** The settlements on chain, by task. */
async function settlements(): Promise<Hex[]> {
  const event = getAbiItem({ abi: sponsoredVaultAbi, name: 'SettlementInstalled' })
  const logs = await stack.client.getLogs({ event, fromBlock: 0n, strict: true })
  return logs.map(({ args }) => args.taskId)
}

const settlementsOf = async (taskIds: readonly Hex[]) =>
  (await settlements()).filter((taskId) => taskIds.includes(taskId))

async function openJunkVaults(manager: Actor): Promise<VaultOfTask[]> {
  const token = junkToken()
  const { address: minter } = devAccount('owner').account
  const send = async ({ from, to, data }: { from: Hex; to: Hex; data: Hex }) => {
    await chain.sendAs(from, { to, data })
  }
  const vaults: VaultOfTask[] = []
  for (let salt = 0; salt < JUNK_VAULTS; salt += 1) {
    const setup = { sponsor: anActor().address, token, minter, amount: 10n * GROSS, managers: [manager.address] }
    const opened = await openVault(
      { client: stack.client, deployment: stack.deployment, send },
      { ...setup, salt: keccak256(numberToHex(salt)) },
    )
    vaults.push({ vaultId: opened.vaultId, address: opened.vault, hook: vaultsOf({ chain }).hook })
  }
  return vaults
}

function junkToken(): Address {
  const { rewardToken } = stack.deployment
  if (rewardToken === undefined) throw new Error('the stack has no reward token')
  return rewardToken
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testKeeper(stackOf: () => TestStack): void {
  describe('the keeper of rewards', () => {
    beforeAll(async () => {
      stack = stackOf()
      await stack.restartApi({ KEEPER_INTERVAL_MS: '100', UNAPPROVED_SETTLEMENTS_PER_DAY: String(DAILY_LIMIT) })
      sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => {} })
      chain = openChainView(stack.anvil.url, stack.deployment)
    })
    afterAll(() => sql?.end())

    describe('the keeper', () => {
      test('opens the claims of a completed task, once', async () => {
        const requester = await aFundedRequester()
        const vault = await anApprovedVault(requester)
        const taskId = await aCompletedTask(vault, requester)
        await expect.poll(() => settlementsOf([taskId]), POLLING).toHaveLength(1)
        const calls = () => sql`
      select step, is_approved, status from service.keeper_calls join service.intents i on i.id = intent_id
      where keeper_calls.task_id = ${taskId}`
        await expect.poll(calls, POLLING).toEqual([{ step: 'settle', is_approved: true, status: 'completed' }])
        const next = await aCompletedTask(vault, requester)
        await expect.poll(() => settlementsOf([next]), POLLING).toHaveLength(1)
        expect(await settlementsOf([taskId])).toHaveLength(1)
      })

      deepTest('given fifty winners, opens the claims of each by its share', async () => {
        const requester = await aFundedRequester()
        const vault = await anApprovedVault(requester)
        const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
        const { market: to } = stack.deployment
        const call = (functionName: string, args: unknown[]) =>
          encodeFunctionData({ abi: taskMarketAbi, functionName, args } as never)
        const workers = Array.from({ length: 50 }, () => anActor().address)
        for (const from of workers) await chain.sendAs(from, { to, data: call('submitWork', [taskId, DELIVERABLE]) })
        const winners = workers.map((worker, index) => ({
          worker,
          shareBps: index < 25 ? 150 : 250,
          deliverable: DELIVERABLE,
        }))
        await chain.sendAs(requester.address, { to, data: call('acceptSubmissions', [taskId, winners]) })
        await expect.poll(() => settlementsOf([taskId]), POLLING).toHaveLength(1)
        const leaves = () => sql<{ worker: string; amount: string }[]>`
      select worker, amount from market.vault_leaf where task_id = ${taskId} order by index`
        // 925,000 after the platform fee of 7.5 %.
        const earned = winners.map(({ worker, shareBps }) => ({ worker, amount: String(92.5 * shareBps) }))
        await expect.poll(leaves, POLLING).toEqual(earned)
      })

      test('given an ending that did not reach the vault, reconciles it, and opens the claims', async () => {
        const requester = await aFundedRequester()
        const vault = await anApprovedVault(requester)
        const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
        const code = await chain.request('eth_getCode', [vault.address, 'latest'])
        await chain.request('anvil_setCode', [vault.address, FAILING_CODE])
        await completeTask({ chain }, { taskId, requester, worker: anActor() })
        await chain.request('anvil_setCode', [vault.address, code])
        await expect.poll(() => settlementsOf([taskId]), POLLING).toHaveLength(1)
        const steps = await sql`select step from service.keeper_calls where task_id = ${taskId} order by id`
        expect(steps.map(({ step }) => step)).toEqual(['reconcile', 'settle'])
      })

      deepTest(
        'given many vaults that no curator approved, whose tokens burn gas, calls as often as its budget allows',
        async () => {
          const requester = await aFundedRequester()
          const taskIds: Hex[] = []
          for (const vault of await openJunkVaults(requester)) {
            taskIds.push(await aSponsoredTask({ chain }, { vault, requester, gross: GROSS }))
          }
          await chain.request('anvil_setCode', [junkToken(), ENDLESS_CODE])
          for (const taskId of taskIds) await completeTask({ chain }, { taskId, requester, worker: anActor() })
          const approved = await anApprovedVault(requester)
          const last = await aCompletedTask(approved, requester)
          await expect.poll(() => settlementsOf([last]), POLLING).toHaveLength(1)
          await expect.poll(() => settlementsOf(taskIds), POLLING).toHaveLength(DAILY_LIMIT)
          // A task of the approved vault is settled in a later cycle, and no other of the junk with it.
          const later = await aCompletedTask(approved, requester)
          await expect.poll(() => settlementsOf([later]), POLLING).toHaveLength(1)
          expect(await settlementsOf(taskIds)).toHaveLength(DAILY_LIMIT)
          const [row] = await sql`select count(*)::int as count from service.keeper_calls where not is_approved`
          expect(row?.count).toBe(DAILY_LIMIT)
        },
        120_000,
      )
    })
  })
}
