import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultCase } from './fault-case.ts'

/**
 * Every fault case of test/faults/cases, or every exercise of test/faults/drills, grouped by shared environment and number of
 * processes.
 */
export async function findFaultCases(folder: 'cases' | 'drills'): Promise<FaultCase[]> {
  const directory = join(import.meta.dirname, folder)
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.ts'))
    .sort()
  const faultCases: FaultCase[] = []
  for (const file of files)
    faultCases.push(...((await import(join(directory, file))) as { faultCases: readonly FaultCase[] }).faultCases)
  const names = new Set(faultCases.map(({ name }) => name))
  if (names.size !== faultCases.length) throw new Error('two fault cases have the same name')
  const rank = ({ needsOwnEnvironment, endsEnvironment, topology }: FaultCase) =>
    (needsOwnEnvironment === true ? 20 : 0) + (endsEnvironment === true ? 10 : 0) + topology
  return faultCases
    .map((faultCase, index) => ({ faultCase, index }))
    .sort((a, b) => rank(a.faultCase) - rank(b.faultCase) || a.index - b.index)
    .map(({ faultCase }) => faultCase)
}

/** Fault cases by number (from 1), or by a part of their names. */
export function chooseFaultCases(faultCases: readonly FaultCase[], wanted: string): FaultCase[] {
  if (/^\d+$/.test(wanted)) return faultCases.slice(Number(wanted) - 1, Number(wanted))
  const exact = faultCases.filter(({ name }) => name === wanted)
  return exact.length > 0 ? exact : faultCases.filter(({ name }) => name.includes(wanted))
}
