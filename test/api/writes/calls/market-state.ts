import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { Fields } from '../../../../client/src/writes/write-spec.ts'
import type { TaskTexts } from '../../../../protocol/documents/task-document.ts'
import { termsHashOf } from '../../../../protocol/terms-hash.ts'
import { alice, aSnapshot, carol, workers } from '../../../support/task-snapshots.ts'
import { anAmount, anyCase, aText, tags } from './any-arguments.ts'

const lowerHash = anyCase(32).map((text) => text.toLowerCase() as Hex)
const lowerAddress = anyCase(20).map((text) => text.toLowerCase() as Address)

interface Submission {
  id: Hex
  workerAddress: Address
  deliverableHash: Hex
}

/** State of the chain and the service that calls are made of. */
export interface MarketState {
  task: TaskSnapshot
  texts: TaskTexts
  /** In the order in which they were committed; each worker has one at least. */
  submissions: readonly Submission[]
  agentIds: ReadonlyMap<Address, bigint>
  /** What the wallet can take out. */
  payout: Payout
}

/** State of the service and its contracts that withdrawals of the wallet are made of. */
interface Payout {
  /** The registered withdrawal address. */
  destination: Address
  programme: { hook: Address; token: Address; tokenPerUsdc: bigint }
  /** The vault that owes a reward, and the leaf of it. */
  vault: { address: Address; epoch: bigint }
  entitlement: { index: number; amount: bigint; proof: readonly Hex[] }
  /** Of the next claim, and of the next switch. */
  nonce: bigint
  counter: bigint
}

const aSubmission = (worker: fc.Arbitrary<Address>) =>
  fc.record({ id: lowerHash, workerAddress: worker, deliverableHash: lowerHash })

const texts: fc.Arbitrary<TaskTexts> = fc.record({
  description: aText,
  tags,
  taskVisibility: fc.constantFrom('public' as const, 'unlisted' as const),
  submissionVisibility: fc.constantFrom('public' as const, 'never' as const),
  metricDescription: fc.option(aText),
  metricTarget: fc.option(aText),
})

const payouts: fc.Arbitrary<Payout> = fc.record({
  destination: lowerAddress,
  programme: fc.record({ hook: lowerAddress, token: lowerAddress, tokenPerUsdc: anAmount }),
  vault: fc.record({ address: lowerAddress, epoch: fc.bigInt(0n, 2n ** 32n - 1n) }),
  entitlement: fc.record({
    index: fc.integer({ min: 0, max: 255 }),
    amount: anAmount,
    proof: fc.array(lowerHash, { maxLength: 8 }),
  }),
  nonce: fc.bigInt(0n, 2n ** 64n - 1n),
  counter: fc.bigInt(0n, 2n ** 64n - 1n),
})

/** Random states around a wallet. */
export const anyState = (wallet: Address): fc.Arbitrary<MarketState> =>
  fc
    .record({
      id: lowerHash,
      reward: anAmount,
      stakeBps: fc.integer({ min: 0, max: 10_000 }),
      claimRound: fc.integer({ min: 0, max: 3 }),
      requester: fc.constantFrom(wallet, carol),
      mode: fc.constantFrom('bounty' as const, 'claim' as const),
      texts,
      payout: payouts,
      first: fc.tuple(...workers.map((worker) => aSubmission(fc.constant(worker)))),
      later: fc.array(aSubmission(fc.constantFrom(...workers)), { maxLength: 4 }),
      ids: fc.record({ [wallet]: fc.option(fc.bigInt(0n, 2n ** 64n)), [alice]: fc.option(fc.bigInt(0n, 2n ** 64n)) }),
    })
    .map(({ id, reward, stakeBps, claimRound, requester, mode, texts, first, later, ids, payout }) => {
      const submissions = [...first, ...later]
      const entries = new Map(submissions.map((row) => [row.workerAddress, anEntry(row.deliverableHash)]))
      const known = Object.entries(ids).flatMap(([address, id]) =>
        id === null ? [] : [[address as Address, id] as const],
      )
      const task = aSnapshot({ id, reward, stakeBps, claimRound, requester, mode, entries })
      return { task, texts, submissions, agentIds: new Map(known), payout }
    })

function anEntry(latestDeliverable: Hex) {
  const counts = { submissionCount: 1, activeSubmissionCount: 1 }
  return { ...counts, pitched: false, bid: null, rejected: false, latestDeliverable }
}

/** Puts the id of a submission of the worker where a winner is pinned. */
export function pinned({ winners, ...input }: Fields, { submissions }: MarketState): Fields {
  if (winners === undefined) return input
  const of = (worker: string) => submissions.find(({ workerAddress }) => workerAddress === worker.toLowerCase())
  const rows = (winners as { worker: string; share: number; isPinned?: boolean }[]).map(
    ({ isPinned = false, ...winner }) => ({ ...winner, ...(isPinned && { submissionId: of(winner.worker)?.id }) }),
  )
  return { ...input, winners: rows }
}

/** The public routes of a service in that state. */
export function routesOf(
  { task, texts, submissions, agentIds, payout }: MarketState,
  { feedbackBase }: { feedbackBase: string },
): typeof fetch {
  const { id, reward, requester, stakeBps, claimRound } = task
  return async (url) => {
    const { pathname, searchParams } = new URL(String(url))
    if (pathname.endsWith('/submissions')) return Response.json(submissions)
    if (pathname === '/api/network') return Response.json({ feedbackBase })
    if (pathname === '/api/identity/status') {
      const agentId = agentIds.get(searchParams.get('address') as Address) ?? null
      return Response.json({ agentId: agentId?.toString() ?? null })
    }
    const paidOut = answerOf(payout, pathname)
    if (paidOut !== null) return Response.json(paidOut)
    const terms = { id, reward: reward.toString(), requester, stakeBps, claimRound, termsHash: termsHashOf(task) }
    return Response.json({ ...terms, ...texts, pendingActions: [] })
  }
}

/** What the service answers about the payouts of a wallet; null: the path is about something else. */
function answerOf({ destination, vault, entitlement, nonce, counter }: Payout, pathname: string): unknown {
  const { index, amount, proof } = entitlement
  const leaf = { allocationId: '', epoch: Number(vault.epoch), index, amount: amount.toString(), proof }
  if (pathname.endsWith('/withdrawal-address')) return { withdrawalAddress: destination }
  if (pathname.endsWith('/bound-only')) return { counter: counter.toString() }
  if (pathname.endsWith('/claim-nonce')) return { nonce: nonce.toString() }
  if (pathname.endsWith('/entitlements')) return [leaf]
  return pathname.includes('/sponsored-task-vaults/') ? { vaultAddress: vault.address } : null
}
