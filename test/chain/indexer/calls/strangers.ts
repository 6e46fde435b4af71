import { type Address, type Hex, maxUint256, multicall3Abi } from 'viem'
import { bonusHookAbi } from '../../../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../../../abis/payment-forwarder.ts'
import { usdcAbi } from '../../../../abis/usdc.ts'
import { devAccount } from '../../../../scripts/chain/dev-accounts.ts'
import { actorAddresses, actors, direct, type Environment, type Maker, market } from '../market-calls.ts'
import { type Call, encodeCall, type MarketChain } from '../market-chain.ts'
import { announceThenVeto, cancelThenRefund, payThenAct } from '../relayed-call.ts'
import { readCreatedVaults } from '../vault-chain.ts'
import { bonusOf } from './bonus.ts'
import { aTask } from './create-task.ts'

const owner = devAccount('owner').account.address
const feeRecipient = devAccount('feeRecipient').account.address

/** Money of the batch contract, and what it lets market and programme collect. */
export function startStrangers(chain: MarketChain): Call[] {
  const { usdc, market: to, multicall3 } = chain.deployment
  const { bonusHook, rewardToken } = bonusOf(chain)
  return [
    transfer(usdc, { from: owner, to: multicall3, amount: 10n ** 11n }),
    transfer(rewardToken, { from: owner, to: multicall3, amount: 10n ** 20n }),
    batch(chain, [
      { target: usdc, callData: encodeCall(usdcAbi, 'approve', [to, maxUint256]) },
      { target: rewardToken, callData: encodeCall(usdcAbi, 'approve', [bonusHook, maxUint256]) },
    ]),
  ]
}

/**
 * Money that reaches our contracts past their functions, or leaves them for another contract of ours; about one such
 * sequence a block.
 */
export async function chooseStrangerCalls(environment: Environment): Promise<Call[]> {
  const { chain, random } = environment
  const { usdc, forwarder, market: marketAddress } = chain.deployment
  const { bonusHook, rewardToken } = bonusOf(chain)
  const vaults = (await readCreatedVaults(chain)).map(({ vault }) => vault)
  const ours = [marketAddress, forwarder, bonusHook, random.pick(vaults)]
  const amount = BigInt(1 + random.below(1000))
  const from = random.pick(actorAddresses)
  const choices: Maker[] = [
    () => [transfer(usdc, { from, to: random.pick(ours), amount })],
    () => [transfer(rewardToken, { from: owner, to: random.pick(ours), amount })],
    () => [{ from, to: usdc, data: encodeCall(usdcAbi, 'transferFrom', [owner, random.pick(ours), 0n]) }],
    () => [direct(chain, owner, market('setFeeRecipient', [random.pick([feeRecipient, from, bonusHook, ...vaults])]))],
    () => [direct(chain, owner, market('sweepExcess', [random.pick([owner, ...ours.slice(1)])]))],
    () => [{ from: owner, to: forwarder, data: sweepFees(random.pick([owner, marketAddress, bonusHook])) }],
    ({ logs }) => [direct(chain, random.pick([...logs.credited, from]), market('withdrawCredit', [random.pick(ours)]))],
    prepayments,
    () => [batch(chain, inOneTransaction(environment, amount))],
  ]
  return random.chance(0.8) ? random.pick(choices)(environment) : []
}

/** Payments that another account submits and no call uses, and one that its payer cancels before it is given back. */
async function prepayments({ chain, random }: Environment): Promise<Call[]> {
  const actor = random.pick(actors)
  const reward = BigInt(1000 + random.below(5_000_000))
  const relay = {
    chain,
    intentId: random.word(),
    actor,
    data: market('createTask', [aTask(random, actor.account.address, reward)]),
  }
  const payment = { amount: reward + 1000n, escrow: reward, nonce: random.word() }
  if (random.chance(0.3)) return cancelThenRefund(relay, payment)
  if (random.chance(0.3)) return announceThenVeto(relay, payment)
  const calls = await payThenAct(relay, { ...payment, isRefunded: random.chance(0.3) })
  return random.chance(0.3) ? calls.slice(0, 1) : calls
}

interface BatchedCall {
  target: Address
  callData: Hex
}

/** Gifts of the amounts that calls in the same transaction take, before and after them. */
function inOneTransaction({ chain, random }: Environment, amount: bigint): BatchedCall[] {
  const { usdc, market: target, multicall3 } = chain.deployment
  const { bonusHook, rewardToken } = bonusOf(chain)
  const gift = (token: Address, to: Address) => ({
    target: token,
    callData: encodeCall(usdcAbi, 'transfer', [to, amount]),
  })
  const reward = random.pick([amount, amount + 1000n])
  const create = { target, callData: market('createTask', [aTask(random, multicall3, reward)]) }
  const fund = { target: bonusHook, callData: encodeCall(bonusHookAbi, 'fundReserve', [amount]) }
  return random.some([gift(usdc, target), create, gift(usdc, target), create, gift(rewardToken, bonusHook), fund], 6)
}

function batch({ deployment }: MarketChain, calls: BatchedCall[]): Call {
  const data = encodeCall(multicall3Abi, 'aggregate3', [calls.map((call) => ({ ...call, allowFailure: true }))])
  return { from: actorAddresses[0] ?? owner, to: deployment.multicall3, data }
}

function transfer(token: Address, { from, to, amount }: { from: Address; to: Address; amount: bigint }): Call {
  return { from, to: token, data: encodeCall(usdcAbi, 'transfer', [to, amount]) }
}

function sweepFees(to: Address): Hex {
  return encodeCall(paymentForwarderAbi, 'sweepFees', [to])
}
