import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aCuration } from '../support/curator.ts'
import { aSponsoredTask, aVault, completeTask, settleReward, type TestVault, vaultFunds } from '../support/sponsor.ts'

const environment = openEnvironment()
const GROSS = 1_000_000n
/** Without the platform fee of 7.5 %. */
const NET = 925_000n
const FEE = GROSS - NET
const REWARD = 2_000_000n

let requester: Actor
let vault: TestVault
let path: string

beforeAll(async () => {
  requester = await environment.aWallet()
  vault = await aVault(environment, [requester])
  path = `/sponsored-task-vaults/${vault.vaultId}`
}, 60_000)

const balance = async () => (await environment.get(`${path}/balance`)).body
const rewardOf = async (taskId: Hex) => (await environment.get(`/tasks/${taskId}`)).body?.sponsoredTaskRewards?.[0]
const balanceWith = (available: bigint, reserved: bigint) => ({
  fundedTotal: vaultFunds.toString(),
  availableBalance: available.toString(),
  reservedBalance: reserved.toString(),
})

describe('Sponsored-task vaults: reads', () => {
  test('a vault, its balance and its managers are as the chain has them', async () => {
    await expect.poll(async () => (await environment.get(path)).body.fundedTotal).toBe(String(vaultFunds))
    const { body } = await environment.get(path)
    expect(body).toMatchObject({
      vaultId: vault.vaultId,
      chainId: 8453,
      status: 'active',
      epoch: 0,
      curationStatus: 'unverified',
      ...balanceWith(vaultFunds, 0n),
    })
    expect(body.vaultAddress.toLowerCase()).toBe(vault.address)
    const [manager] = (await environment.get(`${path}/managers`)).body
    expect(manager).toMatchObject({ spendCap: vaultFunds.toString(), spent: '0', active: true })
    expect(manager.managerAddress.toLowerCase()).toBe(requester.address)
  })

  test('the list has it once a curator has approved it', async () => {
    const ids = async () =>
      (await environment.get('/sponsored-task-vaults?limit=100')).body.vaults.map((each: TestVault) => each.vaultId)
    expect(await ids()).not.toContain(vault.vaultId)
    const timestamp = await environment.chain.headTime()
    const body = await aCuration({ vaultId: vault.vaultId, status: 'approved', timestamp })
    expect((await environment.post(`${path}/curation`, { body })).body).toEqual({
      vaultId: vault.vaultId,
      curationStatus: 'approved',
    })
    expect(await ids()).toContain(vault.vaultId)
  })

  test('the reward of a task is reserved, credited once it is settled, and released when the task is cancelled', async () => {
    const worker = anActor()
    const taskId = await aSponsoredTask(environment, { vault, requester, gross: GROSS })
    const reward = { grossAmount: GROSS.toString(), netAmount: NET.toString(), tokenDecimals: 6 }
    await expect.poll(() => rewardOf(taskId)).toMatchObject({ ...reward, state: 'reserved' })
    expect(await balance()).toEqual(balanceWith(vaultFunds - GROSS, GROSS))
    await completeTask(environment, { taskId, requester, worker })
    await settleReward(environment, taskId, [[worker, REWARD]])
    await expect.poll(() => rewardOf(taskId)).toMatchObject({ ...reward, state: 'credited' })
    expect(await balance()).toEqual(balanceWith(vaultFunds - GROSS, NET + FEE))
    const settlement = await environment.get(`${path}/settlement?epoch=0&taskId=${taskId}`)
    expect(settlement.body).toMatchObject({ taskId, totalAmount: NET.toString(), releasedAmount: '0' })

    const other = await aSponsoredTask(environment, { vault, requester, gross: GROSS })
    await expect.poll(() => rewardOf(other)).toMatchObject({ state: 'reserved' })
    await environment.cancel(requester, other)
    expect(await rewardOf(other)).toMatchObject({ state: 'released' })
    expect(await balance()).toEqual(balanceWith(vaultFunds - GROSS, GROSS))
  })
})
