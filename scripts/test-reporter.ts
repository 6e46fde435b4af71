import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'
import { listOwnProcesses } from './stack/process-cpu.ts'

/** The duration of one test file in a run of vitest. */
export interface FileTime {
  /** Path of the file, relative to the root of the project. */
  file: string
  /** Time for loading the file, its tests and its hooks, milliseconds. */
  milliseconds: number
  /**
   * Processor time between the end of the previous test file and the end of this one, seconds. It includes all
   * processes that the run has started. Null if there is no /proc. If files run side by side, only the sum of their
   * times is right.
   */
  cpuSeconds: number | null
}

/** The results of one run of vitest. */
export interface TestReport {
  /** Number of passed tests. */
  passed: number
  /**
   * One text for each failure: of a test, of a hook, of a file that did not load, or of code outside of tests. The text
   * names the place, and the first lines of the error follow.
   */
  failures: string[]
  times: FileTime[]
}

type ErrorList = readonly { name?: string; message: string; stack?: string; diff?: string }[]

/**
 * Maximum number of lines in a report for an error's message and stack, and for its difference (`DIFFERENCE_LINES`).
 * vitest itself prints all lines.
 */
const ERROR_LINES = 6
const DIFFERENCE_LINES = 20

/** A reporter for vitest that writes a `TestReport` to the file TEST_REPORT_FILE. */
export default class TestReporter implements Reporter {
  readonly #times: FileTime[] = []
  #cpuSeconds = findCpuSeconds()

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    const before = this.#cpuSeconds
    this.#cpuSeconds = findCpuSeconds()
    this.#times.push({
      file: pathOf(module),
      milliseconds: collectDuration + setupDuration + duration,
      cpuSeconds: before === null || this.#cpuSeconds === null ? null : Math.max(0, this.#cpuSeconds - before),
    })
  }

  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: ErrorList): void {
    const { TEST_REPORT_FILE } = process.env
    if (TEST_REPORT_FILE === undefined) return
    const failures = [...modules.flatMap(listFailures), ...describeFailure('outside of tests', errorsOutsideTests)]
    const passed = modules.reduce((sum, module) => sum + [...module.children.allTests('passed')].length, 0)
    writeFileSync(TEST_REPORT_FILE, JSON.stringify({ passed, failures, times: this.#times } satisfies TestReport))
  }
}

function listFailures(module: TestModule): string[] {
  const path = pathOf(module)
  const groups = [...module.children.allSuites()]
  const failedTests = [...module.children.allTests('failed')]
  return [
    ...describeFailure(path, module.errors()),
    ...groups.flatMap((group) => describeFailure(`${path} > ${group.fullName}`, group.errors())),
    ...failedTests.flatMap((test) => describeFailure(`${path} > ${test.fullName}`, test.result().errors ?? [])),
  ]
}

/** Describes the first of a list of errors; an empty list if there is no error. */
function describeFailure(place: string, [error]: ErrorList): string[] {
  if (error === undefined) return []
  const { message, stack = '', diff = '' } = error
  // A stack repeats the message.
  const lines = stack.includes(message) ? stack.split('\n') : [message, ...stack.split('\n')]
  const ownLines = lines.filter((line) => !line.includes('/node_modules/')).slice(0, ERROR_LINES)
  const text = [...ownLines, ...diff.split('\n').slice(0, DIFFERENCE_LINES)].filter((line) => line !== '').join('\n')
  return [`${place}\n${stripVTControlCharacters(text).replace(/^/gm, '    ')}`]
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId)
}

/**
 * Returns the processor time of this process and of all processes that it has started, also of ended ones, seconds.
 * Null on other systems than Linux.
 */
function findCpuSeconds(): number | null {
  if (process.platform !== 'linux') return null
  return listOwnProcesses().reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0)
}
