import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runNode } from '../stack/run-command.ts'
import { type MutantResult, toLine } from './mutant-result.ts'
import type { ChunkRun } from './parts.ts'

const position = z.object({ line: z.number(), column: z.number() })
const mutant = z.object({
  status: z.string(),
  replacement: z.string(),
  location: z.object({ start: position, end: position }),
})
const report = z.object({ files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })) })

const detectedStatuses = ['Killed', 'Timeout']
const undetectedStatuses = ['Survived', 'NoCoverage']

/**
 * Runs the mutants of one chunk of TypeScript code with Stryker, in a copy of the repository. A mutant that the last
 * run detected is not run again if its code and its tests are unchanged.
 */
export async function runStryker({ part, chunk, folder }: ChunkRun): Promise<MutantResult[]> {
  const base = join(folder, `${part.name}-${chunk}-of-${part.chunks}`)
  const settings = {
    mutate: part.sources,
    testRunner: 'vitest',
    // Worker threads would share the process that started Postgres, which tests of the process registry end.
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', pool: 'forks' },
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation/chunk-checker.ts'],
    checkers: ['chunk'],
    concurrency: 1,
    // What a module computes while it is loaded needs all tests again for each mutant.
    ignoreStatic: true,
    // No type is checked, and the tests read sources as they are.
    disableTypeChecks: false,
    incremental: true,
    incrementalFile: `${base}.incremental.json`,
    reporters: ['json'],
    jsonReporter: { fileName: `${base}.report.json` },
    tempDirName: join(folder, 'copy'),
    ignorePatterns: ['.local', 'contracts/{lib,out,cache}', '.ponder', 'client/dist'],
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 20,
  }
  writeFileSync(`${base}.settings.json`, JSON.stringify(settings, null, 2))
  rmSync(`${base}.report.json`, { force: true })
  dropUndetected(settings.incrementalFile)
  const { exitCode, output } = await runNode(
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    ['run', `${base}.settings.json`],
    {
      name: 'stryker',
      environment: {
        MUTATION_TESTS: JSON.stringify(part.tests),
        MUTATION_CHUNK: JSON.stringify({ chunk, chunks: part.chunks }),
      },
    },
  )
  if (exitCode !== 0) throw new Error(`stryker failed\n${output}`)
  return readReport(`${base}.report.json`)
}

/**
 * Removes the mutants that no test detected from Stryker's stored results, so that they are run again. Stryker notices
 * changed tests, but not changed helpers of tests.
 */
function dropUndetected(path: string): void {
  if (!existsSync(path)) return
  const last: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(path, 'utf8'))
  for (const file of Object.values(last.files)) {
    file.mutants = file.mutants.filter(({ status }) => !undetectedStatuses.includes(status))
  }
  writeFileSync(path, JSON.stringify(last))
}

function readReport(path: string): MutantResult[] {
  const { files } = report.parse(JSON.parse(readFileSync(path, 'utf8')))
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => [...detectedStatuses, ...undetectedStatuses].includes(status))
      .map(({ status, replacement, location }) => ({
        file,
        line: location.start.line,
        change: `${toLine(cut(source, location))} → ${toLine(replacement)}`,
        isDetected: detectedStatuses.includes(status),
      })),
  )
}

function cut(source: string, { start, end }: z.infer<typeof mutant>['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1)
  return (
    (lines[0] ?? '').slice(start.column - 1) +
    lines
      .slice(1)
      .map((line) => `\n${line}`)
      .join('')
  )
}
