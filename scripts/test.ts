/**
 * `npm test`: compiles the contracts if they have changed, and then runs every test. The tests run in groups side by
 * side, for a machine with two cores. Two groups run while the tests on rows keep the cores busy, and then four,
 * because a test on a stack uses half a core.
 *
 * The command needs no running program. If an S3-compatible server, nginx, chromium or Python packages are missing, it
 * says which tests are left out. At the end it reports each failure again. The last line is `N passed, N failed`. The
 * exit code is 0 only if tests ran and none failed.
 *
 *   npm test -- --project unit test/unit/rules     only vitest, with these arguments
 *   npm test -- --faults                           the fault cases of CI too, beside the tests
 *   npm run test:deep                              the long versions of everything, for a night
 *   npm run test:deep -- push                      long histories of the log of changes, its streams and webhooks
 *   npm run test:deep -- image                     the image; its programs, and those of the units, make a market
 *   npm run test:deep -- upgrade                   a market upgraded from the release before, and taken back
 *   npm run test:deep -- networks                  every test of a chain in the place of Base Sepolia instead of Base
 *   npm run test:deep -- mutation [part ...]       code changes that no test notices (docs/internals/mutation.md)
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { localDirectory, repositoryRoot } from '../ops/process/paths.ts'
import { endLeftovers, endOwnProcesses } from '../ops/process/process-registry.ts'
import { compileContracts } from './contracts/compile.ts'
import { CHROMIUM_PACKAGE, findChromium } from './stack/find-chromium.ts'
import { findNginx, NGINX_PACKAGE } from './stack/find-nginx.ts'
import { findPromtool, PROMTOOL_PACKAGE } from './stack/find-promtool.ts'
import { findPsql, PSQL_PACKAGE } from './stack/find-psql.ts'
import { ANALYSTS_PACKAGES, findAnalystsPython, findPython, PYTHON_PACKAGES } from './stack/find-python.ts'
import { findSwift, SWIFT_PACKAGE } from './stack/find-swift.ts'
import { runNode } from './stack/run-command.ts'
import { onStopRequest } from './stack/stop-request.ts'
import type { FileTime, TestReport } from './test-reporter.ts'

/**
 * Runs some of the tests.
 * @param records directory in which the run records the processes that it starts; default: the project's own directory
 */
type TestRun = (records?: string) => Promise<TestReport>

const colors: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
const isDeep = process.argv.includes('--deep')
/**
 * True to run the tests on a local chain that imitates another network. The unit tests and the tests of the contracts
 * are then left out.
 */
const isOtherNetwork = isDeep && process.argv.includes('networks')
const hasFaults = process.argv.includes('--faults')
/**
 * Directory in which the second group records its processes. Each group has its own directory: at its start, a test run
 * ends recorded processes whose parent is gone, and some tests of other groups kill parents.
 */
const secondRecords = join(localDirectory, 'second-group')
const thirdRecords = join(localDirectory, 'third-group')
const fourthRecords = join(localDirectory, 'fourth-group')
/**
 * Folders of the chain tests that run together. `indexerFolders` and `writeFolders` are one run each; all other folders
 * are a third run.
 */
const indexerFolders = ['indexer', 'rules']
const writeFolders = ['writes', 'operations']
/** Folders of `test:deep -- push`: the log of changes, its streams and webhooks. */
const pushFolders = ['test/api/events/', 'test/api/webhooks/', 'test/unit/webhooks/']
const testReport: z.ZodType<TestReport> = z.object({
  passed: z.number(),
  failures: z.array(z.string()),
  times: z.array(z.object({ file: z.string(), milliseconds: z.number(), cpuSeconds: z.number().nullable() })),
})
/**
 * Priority of all test processes (a `nice` value). It is low, because the analysts' database sessions have the lowest
 * priority. Beside tests of normal priority, which keep all cores busy, these sessions would exceed their time limits.
 */
const PRIORITY = 18
/** Number of output lines that are printed again for a run that failed without a failed test. */
const LINES_OF_A_FAILURE = 60
/** Number of slow test files that are listed at the end. */
const SLOWEST = 15

let isStopping = false
onStopRequest(async (reason) => {
  console.error(`stopping (${reason})`)
  // A group whose run has ended would begin the next.
  isStopping = true
  await endOwnProcesses()
  await endAllLeftovers()
  process.exit(130)
})

setPriority(PRIORITY)
await endAllLeftovers()
const vitestArguments = process.argv.slice(2).filter((argument) => !['--deep', '--faults'].includes(argument))
const reports = await runChosen(vitestArguments)
const passedCount = sum(reports.map((report) => report.passed))
const failures = reports.flatMap((report) => report.failures)
printSlowest(reports.flatMap((report) => report.times))
for (const failure of failures) console.log(`\nFAILED: ${failure}`)
console.log(`\n${passedCount} passed, ${failures.length} failed`)
process.exit(failures.length > 0 || passedCount === 0 ? 1 : 0)

async function runChosen([first, ...others]: string[]): Promise<TestReport[]> {
  if (first === undefined) return await runEverything()
  if (isDeep && first === 'mutation') return [await runWhole('scripts/mutation.ts', others)]
  if (isDeep && first === 'push') return [await runVitest([...pushFolders, ...others])]
  if (isDeep && (first === 'image' || first === 'upgrade')) return [await runVitest([...projects(first), ...others])]
  if (isDeep && first === 'networks') {
    process.env.LOCAL_NETWORK = 'base-sepolia'
    return others.length === 0 ? await runEverything() : [await runVitest(others)]
  }
  return [await runVitest([first, ...others])]
}

/** Ends the processes that earlier runs left behind, for all groups. */
async function endAllLeftovers(): Promise<void> {
  for (const records of [undefined, secondRecords, thirdRecords, fourthRecords]) await endLeftovers(records)
}

/**
 * Runs all tests. Each group takes its next run from one common list, so that all groups end at about the same time.
 * Long runs come first, so that short runs fill the end.
 */
async function runEverything(): Promise<TestReport[]> {
  const hasSwift = findSwift() !== null
  const hasNginx = findNginx() !== null
  const hasPython = findPython() !== null
  const hasChromium = findChromium() !== null
  const behindServers = [...(hasSwift ? ['s3'] : []), ...(hasNginx ? ['cache'] : [])]
  const onChain =
    (folders: string[]): TestRun =>
    (records) =>
      runVitest([...projects('chain'), ...folders.map((name) => `test/chain/${name}/`)], records)
  // They share a stack; the client is last, and moves its clock.
  const onOneStack: TestRun = (records) =>
    runVitest(projects(...(hasPython ? ['python'] : []), ...(hasChromium ? ['browser'] : []), 'client'), records)
  // By the time that they take, the longest first.
  const runs: TestRun[] = [
    // Before longer ones: it waits half of the time, and begins while the tests on rows keep both cores busy.
    ...(hasFaults ? [runShortFaults] : []),
    onOneStack,
    onChain(writeFolders),
    // Its compiler takes one core for half of it.
    ...(isOtherNetwork ? [] : [runForgeTests]),
    onChain(indexerFolders),
    onChain(otherChainFolders()),
    (records) => runVitest(projects('stack'), records),
  ]
  if (behindServers.length > 0) runs.push((records) => runVitest(projects(...behindServers), records))
  // Once for all: what it makes is deployed by all tests but those on rows, which begin meanwhile.
  const compilation = compileContracts()
  const group = async (first: TestRun | undefined, records?: string): Promise<TestReport[]> => {
    const reports: TestReport[] = []
    for (let run = first; run !== undefined && !isStopping; run = runs.shift()) reports.push(await run(records))
    return reports
  }
  // Rules have no chain of their own.
  const onRows = runVitest(projects(...(isOtherNetwork ? [] : ['unit']), 'api'))
  const whenCompiled: TestRun = async (records) => {
    try {
      await compilation
    } catch (error) {
      runs.length = 0
      return { passed: 0, failures: [(error as Error).message], times: [] }
    }
    // One stack for both: the scenarios are last, and move its clock.
    return await runVitest(projects('conformance', 'scenarios'), records)
  }
  const groups = await Promise.all([
    group(() => onRows),
    group(whenCompiled, secondRecords),
    onRows.then(() => group(runs.shift(), thirdRecords)),
    onRows.then(() => group(runs.shift(), fourthRecords)),
  ])
  if (!hasSwift) {
    const needs = `the package ${SWIFT_PACKAGE} and a temporary directory with extended attributes`
    console.log(`\nLeft out: the tests against an S3-compatible server, which need ${needs}.`)
  }
  if (!hasNginx) console.log(`\nLeft out: the tests behind a shared cache, which need the package ${NGINX_PACKAGE}.`)
  if (!hasChromium) console.log(`\nLeft out: the tests in a browser, which need the package ${CHROMIUM_PACKAGE}.`)
  if (!hasPython) {
    console.log(`\nLeft out: the tests of the package in Python, which need ${PYTHON_PACKAGES.join(', ')}.`)
  }
  if (findPromtool() === null) {
    console.log(`\nLeft out: the cases of the alerts, which need the package ${PROMTOOL_PACKAGE}.`)
  }
  if (findPsql() === null) console.log(`\nLeft out: the commands of psql, which need the package ${PSQL_PACKAGE}.`)
  if (findAnalystsPython() === null) {
    console.log(
      `\nLeft out: SQLAlchemy and pandas at the analysts' login and on exports, which need ${ANALYSTS_PACKAGES.join(', ')}.`,
    )
  }
  if (isDeep && !isOtherNetwork) {
    groups.push([await runVitest(projects('image', 'upgrade'))])
    groups.push([await runWhole('scripts/faults.ts', ['--profile', 'full'])])
    groups.push([await runWhole('scripts/check.ts', ['--static', '--deep'])])
  }
  return groups.flat()
}

/** Lists the folders of chain tests that are neither in `indexerFolders` nor in `writeFolders`. */
function otherChainFolders(): string[] {
  return readdirSync(join(repositoryRoot, 'test', 'chain')).filter(
    (name) => ![...indexerFolders, ...writeFolders].includes(name),
  )
}

function projects(...names: string[]): string[] {
  return names.flatMap((name) => ['--project', name])
}

/**
 * Runs the short fault cases in a single environment. It waits half of the time for broken parts to recover, and leaves
 * the processor to other tests meanwhile. A second environment would cost more processor time for its start and its
 * checks than it would save.
 */
function runShortFaults(records?: string): Promise<TestReport> {
  return runWhole('scripts/faults.ts', ['--profile', 'short'], records)
}

/**
 * Runs a script whose success counts as one passed test.
 * @param records directory in which the run records the processes that it starts; default: the project's own directory
 */
async function runWhole(script: string, args: string[], records?: string): Promise<TestReport> {
  const start = performance.now()
  const { exitCode, output } = await runNode(script, args, {
    name: script,
    echo: true,
    environment: records === undefined ? {} : { LOCAL_DIRECTORY: records },
  })
  const times = [{ file: script, milliseconds: performance.now() - start, cpuSeconds: null }]
  return withExitCode({ passed: exitCode === 0 ? 1 : 0, failures: [], times }, { run: script, exitCode, output })
}

/** Runs the tests of the contracts. Their output contains a summary such as `93 passed, 0 failed, 0 skipped`. */
async function runForgeTests(): Promise<TestReport> {
  const start = performance.now()
  const { exitCode, output } = await runNode('scripts/contracts/test.ts', isDeep ? ['--night'] : [], {
    name: 'contract tests',
    echo: true,
  })
  const milliseconds = performance.now() - start
  const times = [{ file: 'scripts/contracts/test.ts', milliseconds, cpuSeconds: null }]
  const [, passedText] = /^(\d+) passed, \d+ failed, \d+ skipped$/m.exec(output) ?? []
  const failures = [...output.matchAll(/^\[FAIL.*/gm)].map(([line]) => `contract tests: ${line}`)
  const report = { passed: Number(passedText ?? 0), failures: [...new Set(failures)], times }
  return withExitCode(report, { run: 'contract tests', exitCode, output })
}

/**
 * Runs vitest.
 * @param records directory in which the run records the processes that it starts; default: the project's own directory
 */
async function runVitest(args: string[], records?: string): Promise<TestReport> {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-tests-'))
  const file = join(directory, 'report.json')
  try {
    const { exitCode, output } = await runNode(
      'node_modules/vitest/vitest.mjs',
      ['run', '--reporter=default', '--reporter=./scripts/test-reporter.ts', ...args],
      {
        name: 'vitest',
        echo: true,
        environment: {
          ...colors,
          ...(isDeep && !isOtherNetwork && { TEST_DEPTH: 'deep' }),
          TEST_REPORT_FILE: file,
          ...(records !== undefined && { LOCAL_DIRECTORY: records }),
        },
      },
    )
    return withExitCode(readReport(file), { run: `vitest ${args.join(' ')}`, exitCode, output })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Reads the report of a vitest run. Returns an empty report if vitest wrote none because it could not start; the exit
 * code then shows the failure.
 */
function readReport(file: string): TestReport {
  if (!existsSync(file)) return { passed: 0, failures: [], times: [] }
  return testReport.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/**
 * Adds a failure to the report of a run that failed without one, for example because of a violated invariant or a process
 * that was left behind. The failure quotes the end of the run's output.
 */
function withExitCode(
  report: TestReport,
  { run, exitCode, output }: { run: string; exitCode: number; output: string },
): TestReport {
  if (exitCode === 0 || report.failures.length > 0) return report
  const lastLines = output.trimEnd().split('\n').slice(-LINES_OF_A_FAILURE)
  return { ...report, failures: [`${run}: exit code ${exitCode}, after these lines:\n${lastLines.join('\n')}`] }
}

function printSlowest(times: FileTime[]): void {
  const column = (value: number | null) => (value === null ? '-' : `${value.toFixed(1)}s`).padStart(8)
  const cpuOf = ({ cpuSeconds }: FileTime) => cpuSeconds ?? 0
  console.log('\nThe files with the most processor time, and the slowest:\n     cpu    time')
  const dearestFiles = times.toSorted((a, b) => cpuOf(b) - cpuOf(a)).slice(0, SLOWEST)
  const slowestFiles = times.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
  for (const { file, milliseconds, cpuSeconds } of new Set([...dearestFiles, ...slowestFiles])) {
    console.log(`${column(cpuSeconds)}${column(milliseconds / 1000)}  ${file}`)
  }
  console.log(`${column(sum(times.map(cpuOf)))}          all of ${times.length} files`)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
