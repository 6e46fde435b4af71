import { createAudit } from './checker/audit.ts'
import { violationsOf } from './checker/violation.ts'
import { startEnvironment } from './environment/environment.ts'
import { raiseReplicas } from './environment/raise-replicas.ts'
import { reread } from './environment/reread.ts'
import type { FaultCase, Topology } from './fault-case.ts'
import type { Report } from './report/report.ts'
import { type AuditedEnvironment, runFaultCase } from './run-fault-case.ts'

const violation = violationsOf('an environment can be audited at its end')

export interface RunOptions {
  faultCases: readonly FaultCase[]
  seed: string
  /** Compare the indexed tables with a rebuild after every fault case, not only at an environment's end. */
  rebuildOften: boolean
  report: Report
  /**
   * 2: the fault cases of two processes in a shared environment run in parallel to those of one; then both take those that
   * end an environment, the first in the shared one, and those that need one of their own.
   */
  jobs: 1 | 2
  /** Ends the run between two fault cases. */
  signal: AbortSignal
}

interface NumberedCase {
  faultCase: FaultCase
  index: number
}

/** Runs all fault cases and reports each with its index in the list. */
export async function runFaultCases({ faultCases, jobs, ...options }: RunOptions): Promise<void> {
  const numbered = faultCases.map((faultCase, index) => ({ faultCase, index }))
  if (jobs === 1) return runInOrder(numbered, options)
  const sharing = numbered.filter(({ faultCase }) => !isLast(faultCase))
  const last = numbered.filter(({ faultCase }) => isLast(faultCase))
  /** Those of one worker, each taken when the one before has ended. */
  function* take(topology: Topology) {
    yield* sharing.filter(({ faultCase }) => faultCase.topology === topology)
    for (let next = last.shift(); next !== undefined; next = last.shift()) yield next
  }
  await Promise.all([runInOrder(take(1), options), runInOrder(take(2), options)])
}

/** No other fault case follows it in its environment. */
function isLast({ needsOwnEnvironment, endsEnvironment }: FaultCase): boolean {
  return needsOwnEnvironment === true || endsEnvironment === true
}

/**
 * Runs fault cases in order. They share one environment until a fault case needs its own, ends it or ends with a violation:
 * a violation would be found again after every following fault case.
 */
async function runInOrder(
  faultCases: Iterable<NumberedCase>,
  { seed, rebuildOften, report, signal }: Omit<RunOptions, 'faultCases' | 'jobs'>,
): Promise<void> {
  let audited: AuditedEnvironment | null = null
  const close = async () => {
    const ending = audited
    audited = null
    if (ending !== null) await endAudited(ending, report)
  }
  try {
    for (const { faultCase, index } of faultCases) {
      if (signal.aborted) break
      if (faultCase.needsOwnEnvironment) await close()
      audited ??= await openAudited(report)
      const result = await runFaultCase(audited, faultCase, { seed, rebuild: rebuildOften })
      report.faultCase(result, index)
      if (isLast(faultCase) || result.violations.length > 0) await close()
    }
  } finally {
    await close()
  }
}

async function openAudited(report: Report): Promise<AuditedEnvironment> {
  const startedAt = performance.now()
  const environment = await startEnvironment()
  report.say(`an environment is up after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return { environment, audit: createAudit(environment), writes: [] }
}

/** Before the environment stops: reads every key again, runs every check, and compares the tables with a rebuild. */
async function endAudited({ environment, audit, writes }: AuditedEnvironment, report: Report): Promise<void> {
  const startedAt = performance.now()
  try {
    await raiseReplicas(environment, { topology: 1 })
    await reread(environment, 'the end of the environment', writes)
    report.environment(await audit.findViolations())
    report.environment(await audit.rebuild())
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    report.say(`${writes.length} keys read again and the indexed tables compared with a rebuild in ${seconds} s`)
  } catch (error) {
    report.environment([
      violation('an environment', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    ])
  } finally {
    await environment.stop()
  }
}
