import { endLeftovers, endOwnProcesses } from '../../../ops/process/process-registry.ts'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { onStopRequest } from '../../../scripts/stack/stop-request.ts'
import { toLines } from './figures.ts'
import { keepFigures } from './record.ts'

/** Ends what an earlier run has left. A request to stop ends all processes of this one, after `onStop`. */
export async function beginBenchmark(onStop = () => {}): Promise<void> {
  onStopRequest(async () => {
    onStop()
    await endOwnProcesses()
    process.exit(130)
  })
  await endLeftovers()
}

/** Prints the figures of a benchmark, and keeps them with all that they depend on, unless the run was a quick one. */
export function tellFigures(
  benchmark: string,
  figures: readonly Figure[],
  { isQuick, ...settings }: { isQuick: boolean; [setting: string]: unknown },
): void {
  console.log(`\n${toLines(figures).join('\n')}\n`)
  if (!isQuick) console.log(keepFigures(benchmark, { settings, figures }))
}
