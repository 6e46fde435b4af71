import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { createClockSkew } from '../inject/clock-skew.ts'
import { describe, expectAll, performAll, prepareMixed, topologies } from '../inject/steps.ts'

const tenMinutes = 600_000
/** Classes whose signatures end at a time. */
const timedClasses = ['create', 'bound', 'withdraw', 'withdraw-token'] as const

/** The clock of a host is wrong or jumps: rules use the time of the chain's head alone. */
export const faultCases: readonly FaultCase[] = [
  ...topologies.flatMap((topology): FaultCase[] =>
    [tenMinutes, -tenMinutes].map((skew) => ({
      name: `clocks: the first host is ${skew / 60_000} minutes off, ${describe(topology)}`,
      topology,
      short: topology === 2 && skew > 0,
      run: (context: FaultCaseContext) => skewed(context, skew),
    })),
  ),
  {
    name: 'clocks: the clocks of the hosts jump during writes',
    topology: 2,
    short: false,
    run: jumping,
  },
]

async function skewed(context: FaultCaseContext, skewMilliseconds: number): Promise<void> {
  const writes = await prepareMixed(context, 1, timedClasses)
  const skew = createClockSkew(skewMilliseconds)
  try {
    const [first] = context.replicas
    await first?.stop()
    await first?.start(skew.environment)
    expectAll(await performAll(context, writes), 'completed')
    await first?.stop()
  } finally {
    skew.remove()
  }
}

async function jumping(context: FaultCaseContext): Promise<void> {
  const writes = await prepareMixed(context, 4)
  const skew = createClockSkew(0)
  try {
    for (const replica of context.replicas) {
      await replica.stop()
      await replica.start(skew.environment)
    }
    const half = Math.floor(writes.length / 2)
    const early = performAll(context, writes.slice(0, half))
    await skew.jump(pidsOf(context), tenMinutes)
    const late = performAll(context, writes.slice(half))
    await skew.jump(pidsOf(context), -tenMinutes)
    expectAll([...(await early), ...(await late)], 'completed')
    for (const replica of context.replicas) await replica.stop()
  } finally {
    skew.remove()
  }
}

function pidsOf({ replicas }: FaultCaseContext): number[] {
  return replicas.map((replica) => replica.pid())
}
