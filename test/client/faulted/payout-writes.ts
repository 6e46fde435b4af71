import { type Address, encodeFunctionData } from 'viem'
import { expect, vi } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import type { Actor } from '../../support/actors.ts'
import { aSponsoredTask, aVault, completeTask, settleReward, type TestVault } from '../../support/sponsor.ts'
import { register } from '../../support/withdrawal-addresses.ts'
import { countEvents } from './count-events.ts'
import { aDelivery, type Parts, type Recipe } from './recipe.ts'

/** Of a sponsored task, and what its vault adds, base units. */
const SPONSORED_REWARD = 2_000_000n
const GROSS = 100_000n
/** Enough for the tasks of one sponsor, base units. */
const SPONSOR_FUNDS = 10_000_000_000n

/** What leaves a wallet, or comes to it, at its registered address: free, on its signature. */
export const payoutWrites = {
  withdraw: async (parts) => {
    const { environment, seed } = parts
    const [wallet, safe] = [await parts.aWallet(), await parts.aWallet()]
    const amount = 2_000n + BigInt(seed)
    await registerAddress(parts, wallet, safe.address)
    const before = await environment.chain.balanceOf(safe.address)
    const countDone = async () => Number(((await environment.chain.balanceOf(safe.address)) - before) / amount)
    const input = { amountBaseUnits: String(amount), to: safe.address }
    return { wallet, input, cost: amount, countDone }
  },
  withdrawToken: async (parts) => {
    const { environment } = parts
    const [wallet, safe] = [await aTokenHolder(parts), await parts.aWallet()]
    await registerAddress(parts, wallet, safe.address)
    const event = { address: bonusHookOf(parts), abi: bonusHookAbi, name: 'BonusWithdrawn' }
    const countDone = () => countEvents(environment, event, [wallet.address, safe.address])
    return { wallet, input: { to: safe.address }, cost: 0n, countDone }
  },
  claimSponsoredReward: async (parts) => {
    const { environment, alone } = parts
    const [wallet, safe] = [await parts.aWallet(), await parts.aWallet()]
    await registerAddress(parts, wallet, safe.address)
    // One approval of the sponsor at a time.
    const { vault, taskId } = await alone(async () => {
      const sponsor = await sponsorOf(parts)
      const taskId = await aSponsoredTask(environment, { ...sponsor, gross: GROSS })
      await completeTask(environment, { taskId, requester: sponsor.requester, worker: wallet })
      await settleReward(environment, taskId, [[wallet, SPONSORED_REWARD]])
      return { vault: sponsor.vault, taskId }
    })
    await untilEntitled(parts, { vault, wallet })
    const event = { address: vault.address, abi: sponsoredVaultAbi, name: 'Claimed' }
    const countDone = () => countEvents(environment, event, [taskId, wallet.address, safe.address])
    const input = { vaultId: vault.vaultId, taskId, to: safe.address }
    return { wallet, input, cost: 0n, countDone }
  },
} satisfies Partial<Record<WriteName, Recipe>>

async function registerAddress({ environment }: Parts, wallet: Actor, address: Address): Promise<void> {
  const post = (path: string, body: unknown) => environment.post(path.replace('/api', ''), { body })
  await register({ post }, wallet, address)
}

/** A worker with a bonus in tokens. */
async function aTokenHolder(parts: Parts): Promise<Actor> {
  const { requester, worker, taskId } = await aDelivery(parts)
  await parts.environment.accept(requester, taskId, worker)
  return worker
}

/**
 * Makes the programme of bonuses the market's, and ends that. A write that is accepted before the service has read of it may
 * fail: its gas is that of the hooks before.
 */
export async function setProgramme({ environment }: Pick<Parts, 'environment'>, isAttached: boolean): Promise<void> {
  const hooks = isAttached ? [bonusHookOf({ environment })] : []
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [hooks] })
  const { market } = environment.chain.deployment
  await environment.chain.sendAs(devAccount('owner').account.address, { to: market, data })
  const shown = async () => (await environment.get('/hooks/attachment-configuration')).body.defaultHooks.length
  await vi.waitFor(async () => expect(await shown()).toBe(hooks.length), { timeout: 60_000 })
}

function bonusHookOf({ environment }: Pick<Parts, 'environment'>): Address {
  const { bonusHook } = environment.chain.deployment
  if (bonusHook === undefined) throw new Error('the chain has no programme of bonuses')
  return bonusHook
}

let sponsor: Promise<{ vault: TestVault; requester: Actor }> | undefined

/** One vault and one manager of it for all runs. */
function sponsorOf({ environment, aWallet }: Parts): Promise<{ vault: TestVault; requester: Actor }> {
  sponsor ??= aWallet().then(async (requester) => {
    await environment.chain.fund(requester.address, SPONSOR_FUNDS)
    return { requester, vault: await aVault(environment, [requester]) }
  })
  return sponsor
}

/** Until the service shows what the vault owes. */
async function untilEntitled(
  { environment }: Parts,
  { vault, wallet }: { vault: TestVault; wallet: Actor },
): Promise<void> {
  const path = `/sponsored-task-vaults/${vault.vaultId}/entitlements?workerAddress=${wallet.address}`
  await expect.poll(async () => (await environment.get(path)).body?.length).toBe(1)
}
