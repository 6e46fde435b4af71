import type { Random } from '../faults/random.ts'
import { type SoakFault, untilWell } from './faults.ts'
import type { Stage } from './stage.ts'

/** After a fault, until requests and samples count again, milliseconds. */
const SETTLE_MS = 45_000

/** The faults of a run, as the load sees them. */
export interface Disturbances {
  begin(): void
  end(): void
  /** Tells whether a fault, or the time after it, has touched the time since then (performance.now()). */
  touch(since: number): boolean
}

export function createDisturbances(): Disturbances {
  let isActive = false
  let quietAt = Number.NEGATIVE_INFINITY
  return {
    begin: () => {
      isActive = true
    },
    end: () => {
      isActive = false
      quietAt = performance.now() + SETTLE_MS
    },
    touch: (since) => isActive || since < quietAt,
  }
}

/** Has a fault happen and be repaired. @returns how long the stack took from there until all was well, seconds */
export async function strike(
  stage: Stage,
  {
    fault,
    random,
    disturbances,
    say,
  }: { fault: SoakFault; random: Random; disturbances: Disturbances; say(line: string): void },
): Promise<number> {
  say(`fault: ${fault.name}`)
  disturbances.begin()
  try {
    const startedAt = performance.now()
    await fault.strike(stage, random)
    const repairedAt = performance.now()
    await untilWell(stage)
    const [broken, recovered] = [repairedAt - startedAt, performance.now() - repairedAt].map((ms) => ms / 1000)
    say(`well again: broken for ${broken?.toFixed(1)} s, ${recovered?.toFixed(1)} s later`)
    return recovered ?? 0
  } finally {
    disturbances.end()
  }
}
