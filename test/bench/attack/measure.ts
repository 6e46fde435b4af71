import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { estimateMedian, quantileOf } from '../figures/statistics.ts'
import { atOnce, type Bench, sendWrite, timed } from '../writes/measure.ts'
import type { PrebuiltWrite } from '../writes/prebuilt.ts'
import type { AttackStack } from './attack-stack.ts'
import type { Attack } from './attacks.ts'

export interface AttackSamples {
  /** Pairs of a quiet block of writes and one under attack. */
  blocks: number
  /** Plain writes of a block, and how many of them at the same time. */
  writes: number
  inFlight: number
  /** Contract wallets of an attack. */
  attackers: number
}

/**
 * Measures alternating blocks of the same plain writes, quiet and under attack, in random order: the milliseconds from a request to
 * its answer.
 */
export async function measureAttack(
  bench: Bench & { stack: AttackStack },
  attack: Attack,
  samples: AttackSamples,
): Promise<Figure[]> {
  const [quiet, attacked, ratios]: [number[], number[], number[]] = [[], [], []]
  const underAttack = async () => {
    const writes = await bench.prebuilder.writes(samples.writes)
    const running = await attack.begin(bench.stack, samples.attackers)
    const times = await measureBlock(writes, samples.inFlight)
    await running.end()
    return times
  }
  const undisturbed = async () => await measureBlock(await bench.prebuilder.writes(samples.writes), samples.inFlight)
  // What a process does for the first time is slower.
  await undisturbed()
  for (let block = 0; block < samples.blocks; block += 1) {
    const isFirst = bench.random() < 0.5
    const early = isFirst ? await underAttack() : null
    const calm = await undisturbed()
    const stormy = early ?? (await underAttack())
    quiet.push(...calm)
    attacked.push(...stormy)
    ratios.push(quantileOf(stormy, 0.95) / quantileOf(calm, 0.95))
  }
  const { name, most } = attack
  return [
    estimated(`plain writes beside ${name}, p95 by quiet`, estimateMedian(ratios, bench.random), { most }),
    counted(`their p99 beside ${name}, ms`, quantileOf(attacked, 0.99)),
    counted(`their quiet p99 before ${name}, ms`, quantileOf(quiet, 0.99)),
  ]
}

/** Milliseconds of each write. @throws unless each is done */
async function measureBlock(writes: readonly PrebuiltWrite[], inFlight: number): Promise<number[]> {
  const times: number[] = []
  await atOnce(inFlight, writes, async (write) => times.push(await timed(() => sendWrite(write))))
  return times
}
