import { type Address, type Hex, keccak256, stringToHex, zeroHash } from 'viem'
import { wallets } from '../wallets.ts'
import { type Attempts, latestOf, type Occasion, someWorker, standingWorkers, withoutArgs } from './attempt.ts'

export const submit: Attempts<{ worker: Address }> = {
  sensible: ({ actor }) => [{ worker: actor }],
  any: ({ actor }) => ({ worker: actor }),
  call: ({ task, random }) => ['submitWork', [task.id, random.word()]],
}

/** Proofs with the largest and the smallest metric; sometimes one that the worker has committed already. */
export const submitProof: Attempts<{ worker: Address; isRepeated: boolean; proofHash: Hex; metricValue: bigint }> = {
  sensible: ({ actor, random }) => [{ ...aProof, worker: actor, proofHash: random.word() }],
  any: ({ task, actor, random }) => {
    const latest = task.entries.get(actor)?.latestDeliverable ?? null
    const isRepeated = latest !== null && random.chance(0.4)
    const proofHash = isRepeated ? latest : random.word()
    return { worker: actor, isRepeated, proofHash, metricValue: random.pick([0n, 2n ** 256n - 1n]) }
  },
  call: ({ task }, { proofHash, metricValue }) => [
    'submitProof',
    [task.id, proofHash, keccak256(stringToHex('manual')), metricValue],
  ],
}

const aProof = { isRepeated: false, metricValue: 7n }

export const accept: Attempts<{ worker: Address }> = {
  sensible: ({ task }) => standingWorkers(task).map((worker) => ({ worker })),
  any: (occasion) => ({ worker: someWorker(occasion) }),
  call: ({ task }, { worker }) => ['acceptSubmission', [task.id, worker, latestOf(task, worker)]],
}

export const acceptSubmissions: Attempts<{ winners: { worker: Address; shareBps: number }[] }> = {
  sensible: ({ task }) => {
    const [first, ...others] = standingWorkers(task)
    if (first === undefined) return []
    const rest = others.map((worker) => ({ worker, shareBps: 1000 }))
    return [{ winners: [{ worker: first, shareBps: 10_000 - 1000 * rest.length }, ...rest] }]
  },
  any: (occasion) => {
    const { random } = occasion
    if (random.chance(0.03)) return { winners: [] }
    if (random.chance(0.03)) return { winners: tooManyWinners(random.pick([50, 51])) }
    const workers = random.some(standingOrAll(occasion), 4)
    const shares = sharesFor(occasion, workers.length)
    const winners = workers.map((worker, index) => ({ worker, shareBps: shares[index] ?? 0 }))
    if (random.chance(0.1)) winners.push({ worker: random.pick(workers), shareBps: 0 })
    return { winners }
  },
  call: ({ task }, { winners }) => [
    'acceptSubmissions',
    [task.id, winners.map((winner) => ({ ...winner, deliverable: latestOf(task, winner.worker) }))],
  ],
}

export const rejectSubmission: Attempts<{ worker: Address }> = {
  sensible: ({ task }) => standingWorkers(task).map((worker) => ({ worker })),
  any: (occasion) => ({ worker: someWorker(occasion) }),
  call: ({ task }, { worker }) => ['rejectSubmissions', [task.id, [worker]]],
}

export const object = withoutArgs(({ id }) => ['objectToDelivery', [id]])

export const rate: Attempts<{ worker: Address }> = {
  sensible: ({ task }) => task.awards.filter(({ rated }) => !rated).map(({ worker }) => ({ worker })),
  any: (occasion) => ({ worker: someWorker(occasion) }),
  call: ({ task }, { worker }) => ['rateTask', [aRating(task.id, worker)]],
}

/** A rating without an agent. */
function aRating(taskId: Hex, worker: Address) {
  const noAgent = { raterAgentId: 0n, workerAgentId: 0n, hasAgent: false }
  return { taskId, worker, rating: 80, ...noAgent, feedbackURI: '', feedbackHash: zeroHash }
}

/** Mostly workers with active submissions, so that many splits are valid. */
function standingOrAll({ task, random }: Occasion): readonly Address[] {
  const standing = standingWorkers(task)
  return standing.length > 0 && random.chance(0.8) ? standing : wallets
}

/** Shares of which most sum to 10000, some of them tiny. */
function sharesFor({ random }: Occasion, count: number): number[] {
  const tiny = Array.from({ length: count - 1 }, () => (random.chance(0.3) ? random.below(3) : 1 + random.below(2500)))
  const rest = 10_000 - tiny.reduce((sum, share) => sum + share, 0)
  return random.chance(0.85) ? [...tiny, rest] : [...tiny, rest + random.pick([-1, 1])]
}

function tooManyWinners(count: number): { worker: Address; shareBps: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    worker: `0x${(index + 1).toString(16).padStart(40, '0')}` as const,
    shareBps: index === 0 ? 10_000 - 100 * (count - 1) : 100,
  }))
}
