import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runForge } from './forge.ts'
import { findGasTableProblems, hookCost, withBonus, writeGasTable } from './gas-table.ts'
import { linkedArtifacts } from './linked-artifacts.ts'
import { contractsRoot } from './paths.ts'

/**
 * The reports of gas. One test contract of `test/gas` measures each, several the one of the largest inputs: the file that forge
 * writes (profile `gas`), the accepted file, and the prefix of its figures' names.
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

/** A rise of more than this fails. */
const tolerance = 0.05

type GasReport = { figures: Record<string, number>; problems: string[] }

/** Measures whole transactions and compares them with the committed figures. @param update true to accept the measured figures */
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

/** The committed figures of all reports. */
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

/** forge writes figures as strings; names in order, each after `prefix`. */
function readFigures(path: string, prefix: string): Record<string, number> {
  const values: Record<string, string | number> = JSON.parse(readFileSync(path, 'utf8'))
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [`${prefix}${name}`, Number(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
