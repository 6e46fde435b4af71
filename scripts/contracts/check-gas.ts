import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runForge } from './forge.ts'
import { findGasTableProblems, hookCost, withBonus, writeGasTable } from './gas-table.ts'
import { linkedArtifacts } from './linked-artifacts.ts'
import { contractsRoot } from './paths.ts'

/**
 * The reports of gas. A test contract of `test/gas` measures each report. Several test contracts share the report of
 * the largest inputs. `measured` is the file that forge writes (profile `gas`), `accepted` is the committed file, and
 * `prefix` is put before the names of the report's figures.
 */
const reports = [
  { measured: 'ContestGasTest.json', accepted: 'contests.json', prefix: '' },
  { measured: 'AssignmentGasTest.json', accepted: 'assignments.json', prefix: '' },
  { measured: 'ContestGasWithBonusTest.json', accepted: 'contests-with-bonus.json', prefix: withBonus },
  { measured: 'AssignmentGasWithBonusTest.json', accepted: 'assignments-with-bonus.json', prefix: withBonus },
  { measured: 'SponsoredGasTest.json', accepted: 'sponsored.json', prefix: '' },
  { measured: 'HookCostTest.json', accepted: 'hooks.json', prefix: hookCost },
  { measured: 'Largest.json', accepted: 'largest.json', prefix: 'largest: ' },
  { measured: 'RelayFrameTest.json', accepted: 'relay-frame.json', prefix: '' },
].map(({ measured, accepted, prefix }) => ({
  prefix,
  measuredPath: join(contractsRoot, 'cache', 'gas', measured),
  acceptedPath: join(contractsRoot, 'snapshots', accepted),
}))

/** Maximum rise of a figure, as a fraction of the committed figure. A larger rise is a problem. */
const tolerance = 0.05

type GasReport = { figures: Record<string, number>; problems: string[] }

/**
 * Measures the gas of whole transactions and compares it with the committed figures.
 * @param update true to replace the committed figures by the measured ones
 */
export async function measureGas(update: boolean): Promise<GasReport> {
  const { exitCode, output } = await runForge(['test'], {
    env: { FOUNDRY_PROFILE: 'gas', LINKED_ARTIFACTS: linkedArtifacts },
  })
  if (exitCode !== 0) return { figures: {}, problems: [`gas tests failed\n${output}`] }
  const all = reports.map((report) => compareReport(report, update))
  if (update) writeGasTable(readAcceptedGas())
  return {
    figures: Object.assign({}, ...all.map(({ figures }) => figures)),
    problems: [...all.flatMap(({ problems }) => problems), ...findGasTableProblems(readAcceptedGas())],
  }
}

/** Returns the committed figures of all reports. */
function readAcceptedGas(): Record<string, number> {
  return Object.assign({}, ...reports.map(({ acceptedPath, prefix }) => readFigures(acceptedPath, prefix)))
}

function compareReport({ measuredPath, acceptedPath, prefix }: (typeof reports)[number], update: boolean): GasReport {
  if (update) {
    mkdirSync(dirname(acceptedPath), { recursive: true })
    writeFileSync(acceptedPath, `${JSON.stringify(readFigures(measuredPath, ''), null, 2)}\n`)
  }
  const figures = readFigures(measuredPath, prefix)
  return { figures, problems: compare(readFigures(acceptedPath, prefix), figures) }
}

function compare(acceptedGas: Record<string, number>, measuredGas: Record<string, number>): string[] {
  const names = [...new Set([...Object.keys(acceptedGas), ...Object.keys(measuredGas)])]
  return names.flatMap((name) => {
    const [before, now] = [acceptedGas[name], measuredGas[name]]
    if (before === undefined) return [`${name}: ${now} gas, not committed yet (--update-gas)`]
    if (now === undefined) return [`${name}: no longer measured (--update-gas)`]
    return now > before * (1 + tolerance) ? [`${name}: ${before} -> ${now} gas`] : []
  })
}

/**
 * Reads the figures of a report, sorted by name, and puts `prefix` before each name. forge writes the figures as
 * strings.
 */
function readFigures(path: string, prefix: string): Record<string, number> {
  const values: Record<string, string | number> = JSON.parse(readFileSync(path, 'utf8'))
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [`${prefix}${name}`, Number(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
