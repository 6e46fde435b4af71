import { type Hex, numberToHex, zeroHash } from 'viem'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import {
  type AuctionType,
  type TaskMode,
  taskModes,
  toAuctionSelector,
  toModeSelector,
} from '../../../protocol/rules/selectors.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import { readTaskStates } from '../indexer/task-states.ts'
import { aBounty, createTasks, send } from './bounties.ts'
import { readSnapshots } from './read-snapshots.ts'
import { wallets } from './wallets.ts'

/** The history of an open task. */
export const histories = ['fresh', 'entered', 'rejected', 'cancelled'] as const
type History = (typeof histories)[number]

/** A kind of task, and its history. */
interface Plan {
  mode: TaskMode
  auctionType?: AuctionType
  /** Seconds from creation; zero: the contract's default. */
  entriesFor: number
  history: History
}

const REWARD = 1_000_000n
const DURATION = 5000
const ENTRIES = 3000
const CLOCK_PRICE = 400_000n

/**
 * Tasks of every mode and subtype, with and without an early end of entries, with every history that can be updated.
 */
export async function makeOpenTasks(chain: MarketChain): Promise<TaskSnapshot[]> {
  const plans = histories.flatMap((history) => planKinds().map((kind) => ({ ...kind, history })))
  const requester = wallets[0] ?? '0x'
  const created = await createTasks(
    chain,
    plans.map((plan) => ({ requester, terms: termsOf(plan) })),
  )
  for (const [index, { id }] of created.entries()) await enter(chain, plans[index], id)
  await chain.mine()
  for (const [index, { id }] of created.entries()) {
    const { history, mode } = plans[index] ?? {}
    if (history === 'cancelled') await send(chain, requester, 'cancelTask', [id])
    if (history === 'rejected' && isContest(mode)) {
      await send(chain, requester, 'rejectSubmissions', [id, [wallets[1] ?? '0x']])
    }
  }
  await chain.mine()
  const ids = created.map(({ id }) => id)
  return await readSnapshots(chain, { tasks: await readTaskStates(chain, ids), logs: [] })
}

function planKinds(): Omit<Plan, 'history'>[] {
  return taskModes.flatMap<Omit<Plan, 'history'>>((mode) => {
    switch (mode) {
      case 'pitch':
        return [0, ENTRIES].map((entriesFor) => ({ mode, entriesFor }))
      case 'auction':
        return [
          ...(['dutch', 'reverse_dutch'] as const).flatMap((auctionType) =>
            [0, ENTRIES].map((entriesFor) => ({ mode, auctionType, entriesFor })),
          ),
          ...(['english', 'reverse_english'] as const).map((auctionType) => ({
            mode,
            auctionType,
            entriesFor: ENTRIES,
          })),
        ]
      default:
        return [{ mode, entriesFor: 0 }]
    }
  })
}

function termsOf({ mode, auctionType, entriesFor }: Plan) {
  const isClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  return {
    ...aBounty({ reward: REWARD, duration: DURATION }),
    mode: toModeSelector(mode),
    auctionType: auctionType === undefined ? ('0x00000000' as const) : toAuctionSelector(auctionType),
    pitchDuration: mode === 'pitch' ? entriesFor : 0,
    bidDuration: mode === 'auction' ? entriesFor : 0,
    clockPrice: isClock ? CLOCK_PRICE : 0n,
  }
}

/** Histories that do not apply to the kind, such as an entry that assigns, are excluded. */
async function enter(chain: MarketChain, plan: Plan | undefined, id: Hex): Promise<void> {
  const worker = wallets[1] ?? '0x'
  if (plan === undefined || plan.history === 'fresh' || plan.history === 'cancelled') return
  if (plan.mode === 'bounty') await send(chain, worker, 'submitWork', [id, aHash(1)])
  if (plan.mode === 'benchmark') {
    await send(chain, worker, 'submitProof', [id, aHash(2), zeroHash, 7n])
  }
  if (plan.mode === 'pitch') await send(chain, worker, 'submitPitch', [id, aHash(3)])
  if (plan.auctionType?.endsWith('english')) await send(chain, worker, 'submitBid', [id, REWARD / 2n])
}

function aHash(value: number): Hex {
  return numberToHex(value, { size: 32 })
}

function isContest(mode: TaskMode | undefined): boolean {
  return mode === 'bounty' || mode === 'benchmark'
}
