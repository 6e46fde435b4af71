import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { listOwnProcesses } from './stack/process-cpu.ts'

/** The duration of one test file. */
export interface FileTime {
  /** Relative to the project's root. */
  file: string
  /** Loading, tests and hooks. */
  milliseconds: number
  /**
   * Processor time of the run and all processes below it from the end of the file before to the end of this one, seconds;
   * null where there is no /proc. Of files that run side by side the sum is right, not each.
   */
  cpuSeconds: number | null
}

/** A reporter for vitest that writes a list of `FileTime` to the file TEST_TIMES_FILE. */
export default class FileTimesReporter implements Reporter {
  readonly #times: FileTime[] = []
  #cpuSeconds = findCpuSeconds()

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    const before = this.#cpuSeconds
    this.#cpuSeconds = findCpuSeconds()
    this.#times.push({
      file: relative(process.cwd(), module.moduleId),
      milliseconds: collectDuration + setupDuration + duration,
      cpuSeconds: before === null || this.#cpuSeconds === null ? null : Math.max(0, this.#cpuSeconds - before),
    })
  }

  onTestRunEnd(): void {
    const { TEST_TIMES_FILE } = process.env
    if (TEST_TIMES_FILE !== undefined) writeFileSync(TEST_TIMES_FILE, JSON.stringify(this.#times))
  }
}

/** Processor time of this process and all below it until now, those that have ended too, seconds. */
function findCpuSeconds(): number | null {
  if (process.platform !== 'linux') return null
  return listOwnProcesses().reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0)
}
