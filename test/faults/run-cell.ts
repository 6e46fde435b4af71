import { setTimeout as pause } from 'node:timers/promises'
import type { Cell } from './cell.ts'
import type { Audit } from './checker/audit.ts'
import { type Violation, violationsOf } from './checker/violation.ts'
import type { PreparedWrite } from './client/operations.ts'
import { createRandom } from './random.ts'
import { keepLogs, noteLogs } from './report/keep-logs.ts'
import type { CellResult } from './report/report.ts'
import type { CellEntry } from './world/evidence-log.ts'
import { quiesce } from './world/quiesce.ts'
import { raiseReplicas } from './world/raise-replicas.ts'
import { reread } from './world/reread.ts'
import { openSession } from './world/session.ts'
import type { World } from './world/world.ts'

/** How long a cell may take unless it says otherwise, milliseconds. */
const DEADLINE_MS = 120_000

/** A world with the one who looks at it. */
export interface Stage {
  world: World
  audit: Audit
  /** Every write so far: their keys are read again at the end. */
  writes: PreparedWrite[]
}

const suite = violationsOf('the cell went as planned')
const rest = violationsOf('the world comes to rest')

/**
 * Runs one cell: raise, inject, repair, come to rest, read every key again, check. Never throws for the cell's sake.
 */
export async function runCell(
  stage: Stage,
  cell: Cell,
  options: { seed: string; rebuild: boolean },
): Promise<CellResult> {
  const { world, audit } = stage
  const startedAt = performance.now()
  const marks = noteLogs(world)
  const session = openSession(world, cell, createRandom(`${options.seed}/${cell.name}`))
  const entry = {
    name: cell.name,
    isOutage: cell.isOutage === true,
    gas: gasOf(cell),
    startedAt: Date.now(),
    endedAt: null as number | null,
  }
  world.log.cells.push(entry)
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
      await raiseReplicas(world, cell)
      await withDeadline(cell.run(session.context), cell.deadlineMs ?? DEADLINE_MS)
    },
    (message) => suite(cell.name, message),
  )
  await attempt(
    () => raiseReplicas(world, cell),
    (message) => suite(cell.name, `the service did not come up again: ${message}`),
  )
  await attempt(
    () => quiesce(world),
    (message) => rest(cell.name, message, 'lost'),
  )
  await attempt(
    () => reread(world, cell.name, session.writes),
    (message) => suite(cell.name, message),
  )
  entry.endedAt = Date.now()
  stage.writes.push(...session.writes)
  await attempt(
    async () => violations.push(...(await audit.look())),
    (message) => suite(cell.name, `the checker failed: ${message}`),
  )
  if (options.rebuild) {
    await attempt(
      async () => violations.push(...(await audit.rebuild())),
      (message) => suite(cell.name, `the rebuild failed: ${message}`),
    )
  }
  return {
    cell,
    violations,
    recoveriesMs: session.recoveriesMs,
    notes: session.notes,
    writes: session.writes.length,
    seconds: (performance.now() - startedAt) / 1000,
    logDirectory: violations.length === 0 ? null : keepLogs(world, { marks, seed: options.seed, name: cell.name }),
  }
}

/** What api/config.ts says unless the cell does. */
function gasOf({ environment }: Cell): CellEntry['gas'] {
  return {
    weiPerDay: BigInt(environment?.FOREIGN_WEI_PER_DAY ?? 10n ** 16n),
    weiPerFee: BigInt(environment?.FOREIGN_WEI_PER_FEE_USDC ?? 3n * 10n ** 13n),
  }
}

async function withDeadline(work: Promise<void>, milliseconds: number): Promise<void> {
  const over = new AbortController()
  const late = pause(milliseconds, 'late', { signal: over.signal }).catch(() => 'over')
  try {
    const first = await Promise.race([work, late])
    if (first === 'late') throw new Error(`the cell took longer than ${milliseconds} ms`)
  } finally {
    over.abort()
  }
}
