import type { Counter, Violation } from '../checker/violation.ts'
import type { FaultCase } from '../fault-case.ts'

export interface FaultCaseResult {
  faultCase: FaultCase
  violations: Violation[]
  /** Requests with their own keys, preparations included. */
  writes: number
  recoveriesMs: number[]
  notes: string[]
  seconds: number
  /** Copies of its processes' logs; null without a violation. */
  logDirectory: string | null
}

/** Reports the progress of a run, and its sum. */
export interface Report {
  /** @param index of the fault case in the run */
  faultCase(result: FaultCaseResult, index: number): void
  /** Violations found at the end of an environment, of all its fault cases. */
  environment(violations: Violation[]): void
  say(line: string): void
  /** Prints the sum, whose format scripts parse. @returns whether no invariant was violated */
  finish(): boolean
}

export function createReport(options: { seed: string; faultCases: number; log: (line: string) => void }): Report {
  const { seed, faultCases, log } = options
  const results: FaultCaseResult[] = []
  const violations: Violation[] = []
  const print = (found: readonly Violation[]) => {
    violations.push(...found)
    for (const { invariant, counter, subject, message } of found) {
      log(`    VIOLATED: ${invariant}${counter === null ? '' : ` (${counter})`}`)
      log(`      ${subject}: ${message}`)
    }
  }
  return {
    say: log,
    faultCase: (result, index) => {
      results.push(result)
      const { faultCase, seconds, writes, recoveriesMs, notes } = result
      const outcome = result.violations.length === 0 ? 'ok' : 'FAILED'
      const recovery = recoveriesMs.length === 0 ? '' : `, recovered in ${Math.round(Math.max(...recoveriesMs))} ms`
      const extra = notes.length === 0 ? '' : ` (${notes.join('; ')})`
      const place = `${String(index + 1).padStart(3)}/${faultCases}`
      log(`${place} ${outcome} ${faultCase.name}: ${writes} writes${recovery}, ${seconds.toFixed(1)} s${extra}`)
      print(result.violations)
      if (result.logDirectory === null) return
      log(`      logs: ${result.logDirectory}`)
      log(`      again: npm run faults -- --seed ${seed} --case '${faultCase.name}'`)
    },
    environment: (found) => {
      if (found.length > 0) log('    at the end of an environment:')
      print(found)
    },
    finish: () => {
      const count = (counter: Counter) =>
        new Set(violations.filter((one) => one.counter === counter).map((one) => one.subject)).size
      const writes = results.reduce((total, result) => total + result.writes, 0)
      const recoveries = results.flatMap(({ recoveriesMs }) => recoveriesMs).sort((a, b) => a - b)
      if (recoveries.length > 0) {
        const [p50, p95] = [0.5, 0.95].map((share) => (percentile(recoveries, share) / 1000).toFixed(2))
        log(`recovery, from the repair to the outcome: p50 ${p50} s, p95 ${p95} s of ${recoveries.length} writes`)
      }
      const others = violations.filter(({ counter }) => counter === null).length
      if (others > 0) log(`${others} other violations`)
      const money = `${count('paid twice')} paid twice, ${count('charged for nothing')} charged for nothing`
      log(`${results.length} fault cases, ${writes} writes, ${count('lost')} lost, ${money}`)
      return violations.length === 0 && results.length > 0
    },
  }
}

/** The smallest value that at least `share` of the sorted values do not exceed. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
