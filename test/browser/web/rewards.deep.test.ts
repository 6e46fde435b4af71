import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connect, type DeployClient, sendAll } from '../../../scripts/contracts/chain.ts'
import type { Actor } from '../../support/actors.ts'
import { aSponsoredTask, aVault, settleReward } from '../../support/sponsor.ts'
import { addressOf, openClicking } from './clicking.ts'

const { environment, visit, post, deliver, act, passHours } = openClicking()
const { deployment } = environment.chain
const DESTINATION = addressOf('sponsor1')

let owner: DeployClient
beforeAll(async () => {
  owner = await connect(inject('conformanceStack').rpcUrl, devAccount('owner').privateKey)
})
afterAll(() => setDefaultHooks([]))

/** The hooks of tasks that are created from now on, with no others. */
async function setDefaultHooks(hooks: Address[]): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  await sendAll(owner, [{ what: 'default hooks', to: deployment.market, data }])
}

/** A role as fixtures of the chain take it. */
function actorOf(role: 'requester' | 'alice'): Actor {
  const { account, privateKey } = devAccount(role)
  return { account, key: privateKey, address: addressOf(role) }
}

async function registerDestination(role: 'alice' | 'bob'): Promise<void> {
  const page = await visit(role, '/me')
  await page.getByRole('button', { name: 'Register a withdrawal address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Withdrawals go to/).fill(DESTINATION)
  await dialog.getByRole('button', { name: 'Sign and register' }).click()
  await dialog.getByRole('button', { name: 'I have written it down' }).click()
  await page.locator('#my-account').getByTitle(DESTINATION).waitFor()
}

/** Base units of a token. */
async function balanceOf(token: Address, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'balanceOf', args: [account] })
  return BigInt((await environment.chain.request('eth_call', [{ to: token, data }, 'latest'])) as Hex)
}

test('given a task of a vault that is settled, when its winner claims the reward, then the vault pays it to the registered address once', async () => {
  const requester = actorOf('requester')
  const vault = await aVault(environment, [requester])
  const taskId = await aSponsoredTask(environment, { vault, requester, gross: 1_000_000n })
  await expect.poll(async () => (await environment.get(`/tasks/${taskId}`)).body).not.toBeNull()
  const path = `/tasks/${(await environment.get(`/tasks/${taskId}`)).body.referenceCode}`
  await deliver('alice', path)
  await act('requester', path, {
    button: 'Accept and pay',
    fill: async () => {},
    sheet: expect.anything(),
    confirm: 'Accept and pay (fee 0.001 USDC)',
    done: 'Accepted and paid.',
    money: { requester: -1_000n, alice: 1_850_000n, feeRecipient: 150_000n },
  })
  await settleReward(environment, taskId, [[actorOf('alice'), 2_000_000n]])
  await expect
    .poll(async () => (await environment.get(`/tasks/${taskId}`)).body.sponsoredTaskRewards[0].state)
    .toBe('credited')

  await registerDestination('alice')
  const page = await visit('alice', '/me')
  const rewards = page.locator('section', { has: page.getByRole('heading', { name: 'Rewards of sponsors' }) })
  await rewards.getByText('A sponsor’s reward in USDC').waitFor()
  const before = await environment.chain.balanceOf(DESTINATION)
  await act('alice', '/me', {
    button: 'Claim',
    fill: (dialog) => dialog.getByLabel(/^Your withdrawal address/).fill(DESTINATION),
    sheet: { 'You pay': 'nothing', 'You receive': '0.925 USDC', To: DESTINATION },
    confirm: 'Claim',
    done: 'Claimed.',
  })
  expect((await environment.chain.balanceOf(DESTINATION)) - before).toBe(925_000n)
  await rewards.waitFor({ state: 'detached' })
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('heading', { name: 'Reward of a sponsor' }).waitFor()
  await page.getByText(/^claimed; /).waitFor()
})

test('given a bonus of a paid task, when its worker withdraws it, then the tokens are at the registered address and none is left', async () => {
  const { bonusHook, rewardToken } = deployment
  if (bonusHook === undefined || rewardToken === undefined) throw new Error('the chain has no programme of bonuses')
  await setDefaultHooks([bonusHook])
  await passHours(0)
  const path = await post({ title: 'Earn a bonus', reward: '13.333333' })
  const worker = await visit('bob', path)
  await worker.getByText('Bonus, estimated').waitFor()
  await deliver('bob', path)
  await act('requester', path, {
    button: 'Accept and pay',
    fill: async () => {},
    sheet: expect.anything(),
    confirm: 'Accept and pay (fee 0.001 USDC)',
    done: 'Accepted and paid.',
    money: { requester: -1_000n, bob: 12_333_334n, feeRecipient: 999_999n },
  })
  await registerDestination('bob')
  const me = await visit('bob', '/me')
  await me.getByText('Reward tokens', { exact: true }).waitFor()
  expect(await me.locator('#my-account dl').textContent()).toContain('Reward tokens7.999992')
  const before = await balanceOf(rewardToken, DESTINATION)
  await act('bob', '/me', {
    button: 'Withdraw reward tokens',
    fill: (dialog) => dialog.getByLabel(/^Your withdrawal address/).fill(DESTINATION),
    sheet: { 'You pay': 'nothing', 'You receive': '7.999992 tokens', To: DESTINATION },
    confirm: 'Withdraw all reward tokens',
    done: 'Withdrawn to your withdrawal address.',
  })
  expect((await balanceOf(rewardToken, DESTINATION)) - before).toBe(7_999_992_000_000_000_000n)
  await me.getByRole('button', { name: 'Withdraw reward tokens' }).waitFor({ state: 'detached' })
  expect(await me.locator('#my-account dl').textContent()).not.toContain('Reward tokens')
})
