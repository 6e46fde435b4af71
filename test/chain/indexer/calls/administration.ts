import type { Address } from 'viem'
import { identityRegistrarAbi } from '../../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../../abis/task-market.ts'
import { usdcAbi } from '../../../../abis/usdc.ts'
import { devAccount } from '../../../../scripts/chain/dev-accounts.ts'
import { actorAddresses, actors, direct, type Environment, type Maker, market } from '../market-calls.ts'
import { type Call, encodeCall, type MarketChain } from '../market-chain.ts'
import { announceThenVeto, relayOpen } from '../relayed-call.ts'
import { hookAddresses, scriptHook } from '../scripted-hooks.ts'

const owner = devAccount('owner').account.address

/** The owner's calls, which random choice rarely selects, with the preparation of `sweepExcess` and of the veto. */
export async function listOwnerCalls({ chain, random }: Pick<Environment, 'chain' | 'random'>): Promise<Call[]> {
  const { identityRegistry, reputationRegistry } = chain.deployment
  const calls: [string, unknown[]][] = [
    ['pause', []],
    ['unpause', []],
    ['setRegistries', [identityRegistry, reputationRegistry]],
    ['setDefaultHooks', [[hookAddresses.agreeing]]],
    ['setDefaultHooks', [[]]],
    ['transferOwnership', [owner]],
    ['sweepExcess', [owner]],
  ]
  return [
    donate(chain, actorAddresses[0] ?? owner),
    ...calls.map(([name, args]) => direct(chain, owner, market(name, args))),
    ...(await announceThenVeto(
      { chain, actor: random.pick(actors) },
      { amount: 1000n, escrow: 0n, nonce: random.word() },
    )),
  ]
}

export const administrate: Maker = ({ chain, random }) => {
  const { forwarder } = chain.deployment
  const { agreeing, failing } = hookAddresses
  return [
    random.pick([
      direct(chain, owner, market('setFeeBps', [random.below(2001)])),
      direct(chain, owner, market('setFeeRecipient', [devAccount('feeRecipient').account.address])),
      direct(chain, owner, market('setDefaultHooks', [random.pick([[], [agreeing], [agreeing, failing]])])),
      direct(chain, owner, market('sweepExcess', [owner])),
      { from: owner, to: forwarder, data: encodeCall(paymentForwarderAbi, 'sweepFees', [owner]) },
      { from: owner, to: forwarder, data: encodeCall(paymentForwarderAbi, 'setPrepaidPerDay', [10n ** 10n]) },
      donate(chain, random.pick(actorAddresses)),
    ]),
  ]
}

/** A wallet takes bound calls alone, for a moment: most calls that are chosen are plain. */
export const switchBoundOnly: Maker = ({ chain, random }) => {
  const { forwarder } = chain.deployment
  const from = random.pick(actorAddresses)
  return [true, false].map((on) => ({
    from,
    to: forwarder,
    data: encodeCall(paymentForwarderAbi, 'setBoundOnly', [on]),
  }))
}

/** Entries are paused for a short time. */
export const togglePause: Maker = async ({ chain, random }) => {
  const contract = { address: chain.deployment.market, abi: taskMarketAbi } as const
  const isPaused = await chain.client.readContract({ ...contract, functionName: 'paused' })
  if (!isPaused && random.chance(0.8)) return []
  return [direct(chain, owner, market(isPaused ? 'unpause' : 'pause', []))]
}

export const changeHook: Maker = ({ random }) => [scriptHook(random)]

/**
 * Registrations in the registry and through the registrar, by an account itself and by the forwarder for it, transfers,
 * and adoptions by owners and others.
 */
export const moveIdentity: Maker = ({ chain, random, logs }) => {
  const { identityRegistry, identityRegistrar } = chain.deployment
  const from = random.pick(actorAddresses)
  const agentId = random.pick([...logs.agentIds, null])
  if (random.chance(0.1)) {
    const data = encodeCall(identityRegistrarAbi, 'registerFor', [from])
    return [relayOpen({ chain, intentId: random.word(), data, target: identityRegistrar })]
  }
  if (agentId === null || random.chance(0.3)) {
    const to = random.pick([identityRegistry, identityRegistrar])
    const abi = to === identityRegistry ? identityRegistryAbi : identityRegistrarAbi
    return [{ from, to, data: encodeCall(abi, 'register', ['agent://']) }]
  }
  // Calls of other accounts than the owner revert.
  if (random.chance(0.4)) {
    const data = encodeCall(identityRegistrarAbi, 'adopt', [agentId])
    return actorAddresses.map((sender) => ({ from: sender, to: identityRegistrar, data }))
  }
  const to = random.pick(actorAddresses)
  return actorAddresses.map((sender) => ({
    from: sender,
    to: identityRegistry,
    data: encodeCall(identityRegistryAbi, 'transferFrom', [sender, to, agentId]),
  }))
}

/** USDC above the market's liabilities, which sweepExcess may transfer. */
function donate(chain: MarketChain, from: Address): Call {
  const { market: to, usdc } = chain.deployment
  return { from, to: usdc, data: encodeCall(usdcAbi, 'transfer', [to, 1n]) }
}
