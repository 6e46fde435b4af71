import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
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

/** The results of one run of vitest. */
export interface TestReport {
  /** Tests. */
  passed: number
  /**
   * One text for each test, hook, file that did not load and error outside of tests: where it was, then the first lines of its
   * error.
   */
  failures: string[]
  times: FileTime[]
}

type ErrorList = readonly { name?: string; message: string; stack?: string; diff?: string }[]

/** Lines in a report of an error's message and places, and of its difference; vitest prints all of them. */
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

/** An empty list without errors; of several, the first is described. */
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

/** Processor time of this process and all below it until now, those that have ended too, seconds. */
function findCpuSeconds(): number | null {
  if (process.platform !== 'linux') return null
  return listOwnProcesses().reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0)
}
