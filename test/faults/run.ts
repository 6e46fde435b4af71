import type { Cell } from './cell.ts'
import { createAudit } from './checker/audit.ts'
import { violationsOf } from './checker/violation.ts'
import type { Report } from './report/report.ts'
import { runCell, type Stage } from './run-cell.ts'
import { raiseReplicas } from './world/raise-replicas.ts'
import { reread } from './world/reread.ts'
import { startWorld } from './world/world.ts'

const violation = violationsOf('a world can be looked at in the end')

export interface RunOptions {
  cells: readonly Cell[]
  seed: string
  /** Compare the indexed tables with a rebuild after every cell, and not only at a world's end. */
  rebuildOften: boolean
  report: Report
  /** 2: the cells that need a world of their own run beside the others. */
  jobs: 1 | 2
  /** Ends the run between two cells. */
  signal: AbortSignal
}

interface NumberedCell {
  cell: Cell
  index: number
}

/** Runs all cells and reports each by its place in the list. */
export async function runCells({ cells, jobs, ...options }: RunOptions): Promise<void> {
  const numbered = cells.map((cell, index) => ({ cell, index }))
  if (jobs === 1) return runInOrder(numbered, options)
  const parts = [false, true].map((own) => numbered.filter(({ cell }) => (cell.needsOwnWorld === true) === own))
  await Promise.all(parts.map((part) => runInOrder(part, options)))
}

/**
 * Runs cells in order. One world serves them until a cell needs its own or leaves a violation behind: what is broken
 * once would be found again after every cell that follows.
 */
async function runInOrder(
  cells: readonly NumberedCell[],
  { seed, rebuildOften, report, signal }: Omit<RunOptions, 'cells' | 'jobs'>,
): Promise<void> {
  let stage: Stage | null = null
  const close = async () => {
    const ending = stage
    stage = null
    if (ending !== null) await endStage(ending, report)
  }
  try {
    for (const { cell, index } of cells) {
      if (signal.aborted) break
      if (cell.needsOwnWorld) await close()
      stage ??= await openStage(report)
      const result = await runCell(stage, cell, { seed, rebuild: rebuildOften })
      report.cell(result, index)
      if (cell.needsOwnWorld || result.violations.length > 0) await close()
    }
  } finally {
    await close()
  }
}

async function openStage(report: Report): Promise<Stage> {
  const startedAt = performance.now()
  const world = await startWorld()
  report.say(`a world is up after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return { world, audit: createAudit(world), writes: [] }
}

/** Before it goes: every key is read once more, everything is checked, and the tables are compared with a rebuild. */
async function endStage({ world, audit, writes }: Stage, report: Report): Promise<void> {
  const startedAt = performance.now()
  try {
    await raiseReplicas(world, { topology: 1 })
    await reread(world, 'the end of the world', writes)
    report.world(await audit.look())
    report.world(await audit.rebuild())
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    report.say(`${writes.length} keys read again and the indexed tables compared with a rebuild in ${seconds} s`)
  } catch (error) {
    report.world([violation('a world', error instanceof Error ? (error.stack ?? error.message) : String(error))])
  } finally {
    await world.stop()
  }
}
