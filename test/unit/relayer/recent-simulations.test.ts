import { describe, expect, it } from 'vitest'
import { createRecentSimulations, SIMULATION_FRESH_MS } from '../../../api/relayer/transactions/recent-simulations.ts'

const call = { chainIntentId: `0x${'1'.repeat(64)}`, mode: 'paid' } as const
const ago = (milliseconds: number) => performance.now() - milliseconds

describe('the gas of a call that was simulated a moment ago', () => {
  it('given a simulation, then its gas is taken once, for its call in its relay mode', () => {
    const simulations = createRecentSimulations()
    simulations.keep(call, { gas: 123n, simulatedAt: ago(0) })
    const others = [{ mode: 'prepaid' }, { chainIntentId: `0x${'2'.repeat(64)}` }] as const
    for (const other of others) expect(simulations.take({ ...call, ...other })).toBeNull()
    expect(simulations.take(call)).toBe(123n)
    expect(simulations.take(call)).toBeNull()
  })

  it('given it began two seconds ago, then it is too old', () => {
    const simulations = createRecentSimulations()
    simulations.keep(call, { gas: 123n, simulatedAt: ago(SIMULATION_FRESH_MS) })
    expect(simulations.take(call)).toBeNull()
  })

  it('given many calls, then the oldest are dropped', () => {
    const simulations = createRecentSimulations()
    const calls = Array.from({ length: 2_000 }, (_, index) => ({ ...call, chainIntentId: `0x${index}` as const }))
    for (const each of calls) simulations.keep(each, { gas: 1n, simulatedAt: ago(0) })
    expect(calls.filter((each) => simulations.take(each) !== null)).toHaveLength(1_000)
  })
})
