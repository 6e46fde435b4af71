import { setTimeout as pause } from 'node:timers/promises'
import { budgets } from '../../api/constants.ts'
import type { Audit } from './checker/audit.ts'
import { type Violation, violationsOf } from './checker/violation.ts'
import type { PreparedWrite } from './client/operations.ts'
import type { Environment } from './environment/environment.ts'
import type { FaultCaseEntry } from './environment/evidence-log.ts'
import { quiesce } from './environment/quiesce.ts'
import { raiseReplicas } from './environment/raise-replicas.ts'
import { reread } from './environment/reread.ts'
import { openSession } from './environment/session.ts'
import type { FaultCase } from './fault-case.ts'
import { createRandom } from './random.ts'
import { keepLogs, noteLogs } from './report/keep-logs.ts'
import type { FaultCaseResult } from './report/report.ts'

/** Default deadline of a fault case, milliseconds. */
const DEADLINE_MS = 120_000

/** An environment with its audit. */
export interface AuditedEnvironment {
  environment: Environment
  audit: Audit
  /** Every write so far: their keys are read again at the end. */
  writes: PreparedWrite[]
}

const suite = violationsOf('the fault case ran to its end')
const quiescence = violationsOf('no write stays unfinished')

/**
 * Runs one fault case: start the processes, inject, repair, wait for every write, read every key again, check. An error of
 * the fault case is a violation in the result.
 */
export async function runFaultCase(
  audited: AuditedEnvironment,
  faultCase: FaultCase,
  options: { seed: string; rebuild: boolean },
): Promise<FaultCaseResult> {
  const { environment, audit } = audited
  const startedAt = performance.now()
  const marks = noteLogs(environment)
  const session = openSession(environment, faultCase, createRandom(`${options.seed}/${faultCase.name}`))
  const { name, isOutage = false } = faultCase
  environment.log.faultCases.push({ name, isOutage, gas: gasOf(faultCase) })
  const violations: Violation[] = []
  const attempt = async (step: () => Promise<unknown>, toViolation: (message: string) => Violation) => {
    try {
      await step()
    } catch (error) {
      violations.push(toViolation(error instanceof Error ? (error.stack ?? error.message) : String(error)))
    }
  }
  await attempt(
    async () => {
      await raiseReplicas(environment, faultCase)
      await withDeadline(faultCase.run(session.context), faultCase.deadlineMs ?? DEADLINE_MS)
    },
    (message) => suite(faultCase.name, message),
  )
  await attempt(
    () => raiseReplicas(environment, faultCase),
    (message) => suite(faultCase.name, `the service did not come up again: ${message}`),
  )
  await attempt(
    () => quiesce(environment),
    (message) => quiescence(faultCase.name, message, 'lost'),
  )
  await attempt(
    () => reread(environment, faultCase.name, session.writes),
    (message) => suite(faultCase.name, message),
  )
  audited.writes.push(...session.writes)
  await attempt(
    async () => violations.push(...(await audit.findViolations())),
    (message) => suite(faultCase.name, `the checker failed: ${message}`),
  )
  if (options.rebuild) {
    await attempt(
      async () => violations.push(...(await audit.rebuild())),
      (message) => suite(faultCase.name, `the rebuild failed: ${message}`),
    )
  }
  return {
    faultCase,
    violations,
    recoveriesMs: session.recoveriesMs,
    notes: session.notes,
    writes: session.writes.length,
    seconds: (performance.now() - startedAt) / 1000,
    logDirectory:
      violations.length === 0 ? null : keepLogs(environment, { marks, seed: options.seed, name: faultCase.name }),
  }
}

/** Settings of the fault case, or the constants of the service. */
function gasOf({ settings }: FaultCase): FaultCaseEntry['gas'] {
  return {
    weiPerDay: BigInt(settings?.FOREIGN_WEI_PER_DAY ?? budgets.FOREIGN_WEI_PER_DAY),
    weiPerFee: BigInt(settings?.FOREIGN_WEI_PER_FEE_USDC ?? budgets.FOREIGN_WEI_PER_FEE_USDC),
  }
}

async function withDeadline(work: Promise<void>, milliseconds: number): Promise<void> {
  const over = new AbortController()
  const late = pause(milliseconds, 'late', { signal: over.signal }).catch(() => 'over')
  try {
    const first = await Promise.race([work, late])
    if (first === 'late') throw new Error(`the fault case took longer than ${milliseconds} ms`)
  } finally {
    over.abort()
  }
}
