import type { Address } from 'viem'
import type { AwardArgs } from '../../../api/domain/actions/verdict-awards.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import type { Random } from '../indexer/random.ts'
import { wallets } from './wallets.ts'

/** Awards around the available amount: most are valid, some differ by a base unit, a rank or a worker. */
export function someAwards(task: TaskSnapshot, random: Random, { available }: { available: bigint }): AwardArgs[] {
  if (random.chance(0.2)) return []
  if (random.chance(0.03))
    return Array.from({ length: 51 }, (_, at) => ({ worker: anyWallet(random), amount: 1n, rank: at + 1 }))
  const workers = someRecipients(task, random)
  const amounts = amountsOf(workers.length, random, available)
  const awards = workers.map((worker, at) => ({ worker, amount: amounts[at] ?? 0n, rank: aRank(at, random) }))
  if (random.chance(0.05)) awards.push({ worker: random.pick(workers), amount: 1n, rank: 77 })
  return awards
}

function someRecipients(task: TaskSnapshot, random: Random): Address[] {
  if (random.chance(0.1)) return random.some(wallets, 3)
  if (!isContest(task.mode)) return [task.worker ?? anyWallet(random)]
  const standing = [...task.entries].filter(([, entry]) => entry.activeSubmissionCount > 0).map(([worker]) => worker)
  return standing.length === 0 ? [anyWallet(random)] : random.some(standing, 4)
}

/** The available amount less some base units, or one more, in parts of which one may be zero. */
function amountsOf(count: number, random: Random, available: bigint): bigint[] {
  const others = Array.from({ length: count - 1 }, () => BigInt(random.below(random.chance(0.3) ? 2 : 300)))
  const rest = available - others.reduce((sum, amount) => sum + amount, 0n) + random.pick([0n, 0n, 0n, 1n, -1n, -500n])
  return [rest > 0n ? rest : 1n, ...others]
}

function aRank(at: number, random: Random): number {
  return random.chance(0.4) ? random.pick([0, 1, 1, 1, 2, 255, 256]) : at + 1
}

function anyWallet(random: Random): Address {
  return random.pick(wallets)
}
