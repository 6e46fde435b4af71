import postgres from 'postgres'
import { getAbiItem, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { type ChainView, openChainView } from '../../support/conformance-chain.ts'
import { aCuration } from '../../support/curator.ts'
import { aSponsoredTask, aVault, completeTask, type TestVault } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'

/** The keeper of rewards against a chain and an indexer. docs/build/vaults.md, "The keeper". */

const GROSS = 1_000_000n
/** Less than the default, so that a test reaches it. */
const DAILY_LIMIT = 5
/** INVALID. */
const FAILING_CODE = '0xfe'
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
    })
  })
}
