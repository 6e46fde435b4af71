import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** How long one test file took. */
export interface FileTime {
  /** Relative to the project's root. */
  file: string
  /** Loading, tests and hooks. */
  milliseconds: number
}

/** A reporter for vitest: writes a list of `FileTime` to the file that TEST_TIMES_FILE names. */
export default class FileTimesReporter implements Reporter {
  readonly #times: FileTime[] = []

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    const file = relative(process.cwd(), module.moduleId)
    this.#times.push({ file, milliseconds: collectDuration + setupDuration + duration })
  }

  onTestRunEnd(): void {
    const { TEST_TIMES_FILE } = process.env
    if (TEST_TIMES_FILE !== undefined) writeFileSync(TEST_TIMES_FILE, JSON.stringify(this.#times))
  }
}
