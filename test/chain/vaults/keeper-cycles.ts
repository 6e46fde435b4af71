import postgres from 'postgres'
import { type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { type ChainView, openChainView } from '../../support/conformance-chain.ts'
import { openHttp } from '../../support/conformance-http.ts'
import { aCuration } from '../../support/curator.ts'
import { aSponsoredTask, aVault, completeTask, type TestVault } from '../../support/sponsor.ts'
import type { TestStack } from '../../support/stack.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'

/** How many cycles of the keeper a settlement takes: it pauses for an hour, so that each start is one cycle. */
const onlyAtStart = { KEEPER_INTERVAL_MS: '3600000' }

const GROSS = 500_000n
const POLLING = { interval: 50 }
/** INVALID. */
const FAILING_CODE = '0xfe'

let stack: TestStack
let sql: postgres.Sql
let chain: ChainView
let requester: Actor
let vault: TestVault

const indexed = async () => waitForBlock(sql, await stack.client.getBlockNumber())
const aTask = () => aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
const complete = (taskId: Hex) => completeTask({ chain }, { taskId, requester, worker: anActor() })
const runCycle = async () => {
  await indexed()
  await stack.restartApi(onlyAtStart)
}

/** Names of what the vault logged of a task since its completion. */
async function stepsOf(taskId: Hex): Promise<string[]> {
  const logs = await stack.client.getLogs({ address: vault.address, fromBlock: 0n })
  const steps = parseEventLogs({ abi: sponsoredVaultAbi, logs })
  return steps
    .flatMap(({ eventName, args }) => ('taskId' in args && args.taskId === taskId ? [eventName] : []))
    .slice(1)
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testKeeperCycles(stackOf: () => TestStack): void {
  describe('cycles of the keeper', () => {
    beforeAll(async () => {
      stack = stackOf()
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
      chain = openChainView(stack.anvil.url, stack.deployment)
      requester = anActor()
      await chain.fund(requester.address, 1_000_000_000n)
      vault = await aVault({ chain }, [requester])
      await indexed()
      const body = await aCuration({ vaultId: vault.vaultId, status: 'approved', timestamp: await chain.headTime() })
      const answer = await openHttp(stack.baseUrl()).post(`/sponsored-task-vaults/${vault.vaultId}/curation`, { body })
      expect(answer.status).toBe(200)
    })
    afterAll(() => sql?.end())

    test('given a completion, then one cycle settles it, and two one that did not reach the vault', async () => {
      const [reached, missed] = [await aTask(), await aTask()]
      await complete(reached)
      const code = await chain.request('eth_getCode', [vault.address, 'latest'])
      await chain.request('anvil_setCode', [vault.address, FAILING_CODE])
      await complete(missed)
      await chain.request('anvil_setCode', [vault.address, code])
      expect(await stepsOf(reached)).toEqual(['RewardCredited'])
      expect(await stepsOf(missed)).toEqual([])
      await runCycle()
      await expect.poll(() => stepsOf(reached), POLLING).toEqual(['RewardCredited', 'SettlementInstalled'])
      await expect.poll(() => stepsOf(missed), POLLING).toEqual(['RewardCredited'])
      await runCycle()
      await expect.poll(() => stepsOf(missed), POLLING).toEqual(['RewardCredited', 'SettlementInstalled'])
    })
  })
}
