import { type Address, type Hex, zeroHash } from 'viem'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type TaskMode, toAuctionSelector, toModeSelector } from '../../../protocol/rules/selectors.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { aBounty } from '../rules/bounties.ts'
import { direct, market, zeroAddress } from './market-calls.ts'
import { encodeCall, type MarketChain } from './market-chain.ts'

const address = (role: 'requester' | 'alice' | 'bob' | 'evaluator' | 'resolver') => devAccount(role).account.address
const [requester, alice, bob] = [address('requester'), address('alice'), address('bob')]
const [evaluator, resolver] = [address('evaluator'), address('resolver')]

const hour = 3600
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const evaluation = { evaluator, resolver: zeroAddress, feeBps: 100, evaluationWindow: hour, appealWindow: hour }

/** Executes sequences that random calls seldom produce, one task each. @throws when a call fails */
export async function playCornerCases(marketChain: MarketChain): Promise<void> {
  const chain = { ...marketChain, mine: (secondsLater?: number) => mineSuccessful(marketChain, secondsLater) }
  const send = (from: Address, name: string, args: readonly unknown[]) =>
    chain.send(direct(chain, from, market(name, args)))
  const create = (mode: TaskMode, terms: Record<string, unknown> = {}) => createTask(chain, mode, terms)
  const repeatedPitch = await create('pitch')
  const tie = await create('auction', { auctionType: toAuctionSelector('reverse_english'), bidDuration: hour })
  const secondClaim = await create('claim', { stakeBps: 1000 })
  const secondEvaluator = await create('bounty', { evaluation })
  const refusedDelivery = await create('claim', { stakeBps: 1000 })
  const expiredClaim = await create('claim', { stakeBps: 1000 })

  for (const pitch of ['01', '01', '02']) await send(alice, 'submitPitch', [repeatedPitch, word(pitch)])
  await send(bob, 'submitBid', [tie, 950_000n])
  await send(alice, 'submitBid', [tie, 900_000n])
  await send(bob, 'submitBid', [tie, 900_000n])
  await send(alice, 'claimTask', [secondClaim, zeroHash])
  await send(bob, 'claimTask', [refusedDelivery, zeroHash])
  await send(alice, 'claimTask', [expiredClaim, zeroHash])
  await send(bob, 'submitWork', [refusedDelivery, word('03')])
  await send(requester, 'objectToDelivery', [refusedDelivery])
  await chain.mine()
  await chain.mine(hour)
  await send(bob, 'selectLowestBidder', [tie])
  await chain.mine()

  // Expired: the claim is forfeited, the evaluation window has ended.
  const now = await chain.mine(3 * hour).then(() => chain.client.getBlock())
  await send(requester, 'forfeitAndReopen', [secondClaim])
  await send(bob, 'refundExpired', [expiredClaim])
  await send(requester, 'evaluatorTimeout', [secondEvaluator])
  for (const taskId of [secondClaim, secondEvaluator]) {
    const kept = { reward: 0n, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n, contentHash: zeroHash }
    await send(requester, 'updateTask', [{ taskId, expiryTime: Number(now.timestamp) + 2 * hour, ...kept }])
  }
  await send(alice, 'claimTask', [secondClaim, zeroHash])
  await send(requester, 'assignEvaluator', [secondEvaluator, { ...evaluation, evaluator: resolver }])
  for (const deliverable of ['04', '05']) await send(alice, 'submitWork', [secondEvaluator, word(deliverable)])
  await send(alice, 'submitWork', [secondClaim, word('06')])
  await chain.mine()
  // A part of the reward can only be awarded after the contest's expiry.
  await chain.mine(2 * hour)
  // There are awards, but none has rank 1.
  const awards = [{ worker: alice, amount: 500_000n, rank: 2 }]
  await send(resolver, 'evaluate', [secondEvaluator, 3, 700, 800, zeroHash, awards])
  await chain.mine()
  await chain.mine(hour)
  await send(bob, 'finalizeVerdict', [secondEvaluator])
  await chain.mine(91 * 24 * hour)
  await send(alice, 'settleStale', [refusedDelivery])
  await chain.mine()
  await returnIdentity(chain)
}

/** Mines a block whose transactions all succeed. */
async function mineSuccessful(chain: MarketChain, secondsLater?: number): Promise<bigint> {
  const blockNumber = await chain.mine(secondsLater)
  const { transactions } = await chain.client.getBlock({ blockNumber })
  for (const hash of transactions) {
    const { status } = await chain.client.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`a call of block ${blockNumber} failed`)
  }
  return blockNumber
}

/** An identity registered by alice, sent to bob, adopted by bob, and sent back. */
async function returnIdentity(chain: MarketChain): Promise<void> {
  const { identityRegistry, identityRegistrar } = chain.deployment
  const registrar = { abi: identityRegistrarAbi, address: identityRegistrar } as const
  const send = (from: Address, name: string, args: readonly unknown[]) =>
    chain.send({ from, to: identityRegistrar, data: encodeCall(identityRegistrarAbi, name, args) })
  await send(alice, 'register', ['agent://'])
  await chain.mine()
  const [, agentId] = await chain.client.readContract({ ...registrar, functionName: 'agentIdOf', args: [alice] })
  const transfer = (from: Address, to: Address) =>
    chain.send({
      from,
      to: identityRegistry,
      data: encodeCall(identityRegistryAbi, 'transferFrom', [from, to, agentId]),
    })
  await transfer(alice, bob)
  await chain.mine()
  await send(bob, 'adopt', [agentId])
  await chain.mine()
  await transfer(bob, alice)
  await chain.mine()
}

/** A task of one USDC for two hours. */
export async function createTask(chain: MarketChain, mode: TaskMode, terms: Record<string, unknown>): Promise<Hex> {
  const contract = { address: chain.deployment.market, abi: taskMarketAbi } as const
  const id = await chain.client.readContract({ ...contract, functionName: 'nextTaskId', args: [requester] })
  const params = { ...aBounty({ reward: 1_000_000n, duration: 2 * hour }), mode: toModeSelector(mode), ...terms }
  await chain.send(direct(chain, requester, market('createTask', [params])))
  await chain.mine()
  return id
}
