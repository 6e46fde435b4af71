/**
 * `node scripts/contracts/coverage.ts`: measures the share of `contracts/src` that the tests run. It fails if a share
 * is below its bound, and lists the code that no test runs. It takes minutes, because it measures unoptimized code.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runForge } from './forge.ts'
import { contractsRoot } from './paths.ts'

/** Minimum shares of lines and branches that the tests run, per cent. */
const bounds = { lines: 98, branches: 95 }

/**
 * Output folders for the code that is compiled for the measurement. They are separate from the usual folders, which
 * keep the optimized code.
 */
const ownFolders = { FOUNDRY_OUT: 'cache/coverage/out', FOUNDRY_CACHE_PATH: 'cache/coverage' }
const reportPath = join('cache', 'coverage', 'lcov.info')

/**
 * The measurement of a file's lines or branches. `found`: number of all. `hit`: number of those that the tests run.
 * `missed`: line numbers of the others.
 */
interface Coverage {
  found: number
  hit: number
  missed: number[]
}

mkdirSync(join(contractsRoot, 'cache', 'coverage'), { recursive: true })
console.log('measuring coverage, some minutes ...')
const { exitCode, output } = await runForge(
  ['coverage', '--report', 'lcov', '--report-file', reportPath, '--no-match-path', 'test/{gas,invariant}/*'],
  { env: ownFolders },
)
if (exitCode !== 0) {
  console.error(output)
  process.exit(1)
}

const files = parseReport(readFileSync(join(contractsRoot, reportPath), 'utf8'))
const totals = { lines: empty(), branches: empty() }
for (const [file, { lines, branches }] of files) {
  add(totals.lines, lines)
  add(totals.branches, branches)
  if (lines.missed.length + branches.missed.length === 0) continue
  console.log(`${file}: lines never run ${listOf(lines)}; branches never taken at ${listOf(branches)}`)
}
const [lines, branches] = [percentOf(totals.lines), percentOf(totals.branches)]
console.log(`${files.size} files of src: ${lines.toFixed(2)} % of lines, ${branches.toFixed(2)} % of branches`)
process.exit(lines >= bounds.lines && branches >= bounds.branches ? 0 : 1)

/**
 * Parses an lcov report to the measurements of each source. In the report, `DA` is a line, and `BRDA` is a branch at a
 * line. A count of `-` or 0 means that no test ran it.
 */
function parseReport(report: string): Map<string, { lines: Coverage; branches: Coverage }> {
  const sources = report.split('end_of_record').flatMap((record) => {
    const file = /^SF:(src\/.+)$/m.exec(record)?.[1]
    if (file === undefined) return []
    const lines = countHits([...record.matchAll(/^DA:(\d+),(\d+)/gm)])
    const branches = countHits([...record.matchAll(/^BRDA:(\d+),\d+,\d+,(\d+|-)/gm)])
    return [[file, { lines, branches }] as const]
  })
  return new Map(sources)
}

function countHits(matches: RegExpExecArray[]): Coverage {
  const missedLines = matches.filter(([, , hits]) => hits === '0' || hits === '-')
  return {
    found: matches.length,
    hit: matches.length - missedLines.length,
    missed: missedLines.map(([, line]) => Number(line)),
  }
}

function add(total: Coverage, { found, hit }: Coverage): void {
  total.found += found
  total.hit += hit
}

function empty(): Coverage {
  return { found: 0, hit: 0, missed: [] }
}

function percentOf({ found, hit }: Coverage): number {
  return found === 0 ? 0 : (100 * hit) / found
}

function listOf({ missed }: Coverage): string {
  return missed.length === 0 ? '-' : [...new Set(missed)].join(', ')
}
