/**
 * `npm run faults`: injects faults into the write pipeline, on a stack of its own, and checks that no write is lost, done
 * twice or charged for nothing. Needs nothing running; leaves nothing running.
 *
 *   npm run faults                                    every fault case
 *   npm run faults -- --profile short                 those that CI runs
 *   npm run faults -- --jobs 2                        in two environments side by side
 *   npm run faults -- --seed 7 --case 'kill after-send'   by name, part of a name or number, with a known seed
 *   npm run faults -- --list                          their names
 *   npm run drill                                     practises an operator's bad days instead (`--profile drill`)
 *
 * The last line is `N fault cases, M writes, 0 lost, 0 paid twice, 0 charged for nothing`; the exit code is 0 only if no
 * invariant was violated. One that this machine cannot run is named before it with what is missing, and is not counted.
 */
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import { compileContracts } from '../../scripts/contracts/compile.ts'
import { onStopRequest } from '../../scripts/stack/stop-request.ts'
import type { FaultCase } from './fault-case.ts'
import { chooseFaultCases, findFaultCases } from './find-fault-cases.ts'
import { createReport } from './report/report.ts'
import { runFaultCases } from './run.ts'

const { values } = readOptions({
  options: {
    seed: { type: 'string' },
    case: { type: 'string', multiple: true },
    profile: { type: 'string', default: 'full' },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    'rebuild-often': { type: 'boolean', default: false },
  },
})
if (!['short', 'full', 'drill'].includes(values.profile)) {
  console.error('--profile is short, full or drill')
  process.exit(2)
}
if (values.jobs !== '1' && values.jobs !== '2') {
  console.error('--jobs is 1 or 2')
  process.exit(2)
}
const jobs = values.jobs === '2' ? 2 : 1
const all = await findFaultCases(values.profile === 'drill' ? 'drills' : 'cases')
if (values.list) {
  for (const [index, { name, short }] of all.entries()) console.log(`${index + 1} ${name}${short ? ' (short)' : ''}`)
  process.exit(0)
}
const ofProfile = values.profile === 'short' ? all.filter(({ short }) => short) : all
const { case: wanted } = values
const chosen = wanted === undefined ? ofProfile : wanted.flatMap((name) => chooseFaultCases(all, name))
if (chosen.length === 0) {
  console.error(`no fault case is named ${wanted?.join(', ')}; see --list`)
  process.exit(2)
}
const faultCases: FaultCase[] = []
const left: string[] = []
for (const faultCase of chosen) {
  const obstacle = await faultCase.findObstacle?.()
  if (obstacle == null) faultCases.push(faultCase)
  else left.push(`not practised: ${faultCase.name}: ${obstacle}`)
}
const seed = values.seed ?? String(randomInt(2 ** 31))

const stopping = new AbortController()
onStopRequest(async (reason) => {
  console.error(`stopping (${reason})`)
  stopping.abort()
  await endOwnProcesses()
  // The current fault case may have started another process meanwhile.
  await endOwnProcesses()
  await endLeftovers()
  process.exit(130)
})
await endLeftovers()
await compileContracts()
// Every file of this run is below this directory, which is deleted at any exit.
const directory = mkdtempSync(join(tmpdir(), 'task-market-faults-'))
// Postgres runs as another user.
chmodSync(directory, 0o711)
process.env.TMPDIR = directory
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))

// Each process of the environments is ended when this one exits: two environments with a replica have eleven.
process.setMaxListeners(50)

// A fault case fails when its processes are ended: not reported.
const say = (line: string) => {
  if (!stopping.signal.aborted) console.log(line)
}
const report = createReport({ seed, faultCases: faultCases.length, log: say })
// An open request of a failed fault case must not end the run.
process.on('unhandledRejection', (error) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  report.environment([
    { invariant: 'a fault case leaves nothing behind', counter: null, subject: 'an unhandled rejection', message },
  ])
})
console.log(
  `seed ${seed}, ${faultCases.length} fault cases, ${wanted === undefined ? `profile ${values.profile}` : 'chosen by name'}`,
)
console.log(
  values['rebuild-often']
    ? 'the indexed tables are compared with a rebuild after every fault case'
    : 'the indexed tables are compared with a rebuild at the end of every environment (--rebuild-often: after every fault case)',
)
let isSound = false
try {
  await runFaultCases({
    faultCases,
    jobs,
    seed,
    rebuildOften: values['rebuild-often'],
    report,
    signal: stopping.signal,
  })
  for (const line of left) say(line)
  isSound = report.finish()
} catch (error) {
  console.error(error)
  report.finish()
}
await endOwnProcesses()
process.exit(isSound ? 0 : 1)
