import type { Address, Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aCuration } from '../support/curator.ts'
import { aKey } from '../support/paying-client.ts'
import {
  aClaimOfReward,
  aSponsoredTask,
  aVault,
  type EntitlementReply,
  settleReward,
  type TestVault,
  vaultFunds,
} from '../support/sponsor.ts'
import { aRegistration } from '../support/withdrawals.ts'

const environment = openEnvironment()
const REWARD = 2_000_000n
const GROSS = 1_000_000n
/** Without the platform fee of 7.5 %. */
const NET = 925_000n

let requester: Actor
let vault: TestVault

beforeAll(async () => {
  requester = await environment.aWallet()
  vault = await aVault(environment, [requester])
})

/** A worker with a withdrawal address, and a task of the vault that is settled in its favour. */
async function aWinner(tasks = 1): Promise<{ worker: Actor; destination: Address; taskIds: Hex[] }> {
  const [worker, { address: destination }] = [anActor(), anActor()]
  await environment.post('/wallet/set-withdrawal-address', { body: await aRegistration(worker, destination) })
  const taskIds: Hex[] = []
  for (let count = 0; count < tasks; count += 1) taskIds.push(await aCompletedTask(worker))
  for (const taskId of taskIds) await settleReward(environment, taskId, [[worker, REWARD]])
  await expect.poll(async () => (await entitlementsOf(worker)).length).toBe(tasks)
  return { worker, destination, taskIds }
}

async function aCompletedTask(worker: Actor): Promise<Hex> {
  const taskId = await aSponsoredTask(environment, { vault, requester, gross: GROSS })
  await expect.poll(async () => (await environment.get(`/tasks/${taskId}`)).body).not.toBeNull()
  await environment.submit(worker, taskId)
  await environment.accept(requester, taskId, worker)
  return taskId
}

async function entitlementsOf(worker: Actor, of = vault): Promise<EntitlementReply[]> {
  return (await environment.get(`/sponsored-task-vaults/${of.vaultId}/entitlements?workerAddress=${worker.address}`))
    .body
}

async function nonceOf(worker: Actor): Promise<bigint> {
  const path = `/sponsored-task-vaults/${vault.vaultId}/claim-nonce?workerAddress=${worker.address}`
  return BigInt((await environment.get(path)).body.nonce)
}

async function aClaim(
  winner: { worker: Actor; destination: Address },
  changes: { destination?: Address; signer?: Actor } = {},
) {
  const { worker, destination } = winner
  const [entitlement = expect.fail('no entitlement')] = await entitlementsOf(worker)
  const [nonce, deadline] = [await nonceOf(worker), (await environment.chain.headTime()) + 300n]
  return await aClaimOfReward({ vault, worker, entitlement }, { destination, nonce, deadline, ...changes })
}

function claim(body: unknown, key: string | null = aKey()) {
  return environment.post(`/sponsored-task-vaults/${vault.vaultId}/claim`, { body, key })
}

describe('Sponsored-task vaults: reads', () => {
  test('a vault, its balance and its managers are as the chain has them', async () => {
    const path = `/sponsored-task-vaults/${vault.vaultId}`
    const [fundedTotal, reservedBalance] = [String(vaultFunds), '0']
    const funds = { fundedTotal, availableBalance: fundedTotal, reservedBalance }
    await expect.poll(async () => (await environment.get(path)).body.fundedTotal).toBe(String(vaultFunds))
    const { body } = await environment.get(path)
    expect(body).toMatchObject({
      vaultId: vault.vaultId,
      chainId: localNetwork.chainId,
      status: 'active',
      epoch: 0,
      curationStatus: 'unverified',
      ...funds,
    })
    expect((await environment.get(`${path}/balance`)).body).toEqual(funds)
    expect(body.vaultAddress.toLowerCase()).toBe(vault.address)
    const [manager] = (await environment.get(`${path}/managers`)).body
    expect(manager).toMatchObject({ spendCap: vaultFunds.toString(), spent: '0', active: true })
    expect(manager.managerAddress.toLowerCase()).toBe(requester.address)
  })
})

describe('Sponsored-task vaults: claim', () => {
  test('pays the net reward to the registered withdrawal address, once', async () => {
    const winner = await aWinner()
    const [entitlement] = await entitlementsOf(winner.worker)
    const [taskId] = winner.taskIds
    expect(entitlement).toEqual({
      vaultId: vault.vaultId,
      taskId,
      allocationId: taskId,
      epoch: 0,
      index: 0,
      worker: winner.worker.account.address,
      amount: NET.toString(),
      proof: [],
    })
    const settlement = `/sponsored-task-vaults/${vault.vaultId}/settlement?epoch=0&taskId=${taskId}`
    expect((await environment.get(settlement)).body).toMatchObject({ taskId, totalAmount: NET.toString() })
    const body = await aClaim(winner)
    const answer = await claim(body)
    expect(answer).toMatchObject({ status: 200, body: { amount: NET.toString() } })
    expect(answer.body.destination.toLowerCase()).toBe(winner.destination)
    expect(await environment.chain.balanceOf(winner.destination)).toBe(NET)
    expect(await entitlementsOf(winner.worker)).toEqual([])
    expect(await nonceOf(winner.worker)).toBe(1n)
    const again = await claim(body)
    expect(again).toMatchObject({ status: 409, body: { error: expect.stringMatching(/^claim nonce already used/) } })
    expect(again.body.service.reason).toBe('payment_preflight_rejected')
  })

  test('with a wrong part is refused with what is wrong, and nothing moves', async () => {
    const winner = await aWinner()
    const genuine = await aClaim(winner)
    const stranger = anActor()
    const [entitlement = expect.fail('no entitlement')] = await entitlementsOf(winner.worker)
    const wrongAmount = { ...entitlement, amount: '925001' }
    const { nonce, deadline } = genuine
    const terms = { destination: winner.destination, nonce: BigInt(nonce), deadline: BigInt(deadline) }
    const cases: [unknown, number, RegExp][] = [
      [await aClaim(winner, { destination: stranger.address }), 409, /^destination does not match registered/],
      [
        await aClaimOfReward({ vault, worker: winner.worker, entitlement: wrongAmount }, terms),
        409,
        /^claim would revert with InvalidClaimProof\(\)\. Nothing was charged\.$/,
      ],
      [await aClaim(winner, { signer: stranger }), 403, /signature must be/],
    ]
    for (const [body, status, message] of cases) {
      const answer = await claim(body)
      expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(message)])
    }
    expect(await environment.chain.balanceOf(winner.destination)).toBe(0n)
    expect(await claim(genuine)).toMatchObject({ status: 200 })
  })
})

// Last: the keeper settles the rewards of a vault that a curator approved.
describe('Sponsored-task vaults: curation', () => {
  test('the list has it once a curator has approved it', async () => {
    const ids = async () =>
      (await environment.get('/sponsored-task-vaults?limit=100')).body.vaults.map((each: TestVault) => each.vaultId)
    expect(await ids()).not.toContain(vault.vaultId)
    const timestamp = await environment.chain.headTime()
    const body = await aCuration({ vaultId: vault.vaultId, status: 'approved', timestamp })
    expect((await environment.post(`/sponsored-task-vaults/${vault.vaultId}/curation`, { body })).body).toEqual({
      vaultId: vault.vaultId,
      curationStatus: 'approved',
    })
    expect(await ids()).toContain(vault.vaultId)
  })
})
