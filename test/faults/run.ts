import { createAudit } from './checker/audit.ts'
import { violationsOf } from './checker/violation.ts'
import { startEnvironment } from './environment/environment.ts'
import { raiseReplicas } from './environment/raise-replicas.ts'
import { reread } from './environment/reread.ts'
import type { FaultCase } from './fault-case.ts'
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
   * need an environment of their own.
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
  const sharing = numbered.filter(({ faultCase }) => faultCase.needsOwnEnvironment !== true)
  const apart = numbered.filter(({ faultCase }) => faultCase.needsOwnEnvironment === true)
  const work = async (topology: 1 | 2) => {
    const ofTopology = sharing.filter(({ faultCase }) => faultCase.topology === topology)
    await runInOrder(ofTopology, options)
    for (let next = apart.shift(); next !== undefined; next = apart.shift()) await runInOrder([next], options)
  }
  await Promise.all([work(1), work(2)])
}

/**
 * Runs fault cases in order. They share one environment until a fault case needs its own or ends with a violation: a
 * violation would be found again after every following fault case.
 */
async function runInOrder(
  faultCases: readonly NumberedCase[],
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
      if (faultCase.needsOwnEnvironment || result.violations.length > 0) await close()
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
