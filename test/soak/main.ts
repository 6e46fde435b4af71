/**
 * `npm run soak` (scripts/soak.ts says how it is called): runs a stack under a steady load of every kind, breaks a part of it
 * every few minutes, takes a sample a minute, and judges each measure by the rules of rules.ts.
 */
import { randomInt } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { localDirectory } from '../../ops/process/paths.ts'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import { compileContracts } from '../../scripts/contracts/compile.ts'
import { onStopRequest } from '../../scripts/stack/stop-request.ts'
import { createRandom } from '../faults/random.ts'
import { keepResult, toSentence, toTable, writeResult } from './report.ts'
import { runSoak } from './run.ts'
import { judgeFile } from './samples.ts'
import { openStage, type Stage } from './stage.ts'

const { values } = readOptions({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'string' },
    judge: { type: 'string' },
  },
})
if (values.keep !== undefined) {
  const { keep } = values
  console.log(readOrEnd(() => keepResult(keep)))
  process.exit(0)
}
if (values.judge !== undefined) {
  const { judge } = values
  const { verdicts, minutes } = readOrEnd(() => judgeFile(judge))
  console.log(toTable(verdicts))
  const seed = basename(values.judge, '.jsonl')
  const path = writeResult(`${values.judge}.result.json`, { seed, minutes, result: { verdicts, notes: [], facts: {} } })
  console.log(`npm run soak -- --keep ${path} puts the figures into docs/internals/benchmarks`)
  process.exit(verdicts.every(({ isPassed }) => isPassed) ? 0 : 1)
}
const minutes = values.minutes === undefined ? Number(values.hours ?? 2) * 60 : Number(values.minutes)
if (!(minutes >= 3)) {
  console.error('--hours or --minutes is how long it runs, three minutes at least: npm run soak -- --hours 8')
  process.exit(2)
}
const seed = values.seed ?? String(randomInt(2 ** 31))
const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

let isStopping = false
let stage: Stage | null = null
onStopRequest(async (reason) => {
  isStopping = true
  console.error(`stopping (${reason}); nothing is judged`)
  await endOwnProcesses()
  // The directory of its database is not below that of the run.
  await stage?.stop().catch(() => {})
  await endOwnProcesses()
  await endLeftovers()
  process.exit(130)
})
// A request of a fault whose answer is not waited for any more must not end the run.
process.on('unhandledRejection', (error) => {
  if (!isStopping) say(`an unhandled rejection: ${error instanceof Error ? error.stack : error}`)
})
process.setMaxListeners(50)
await endLeftovers()
await compileContracts()
// Every file of this run is below this directory, which is deleted at any exit.
const directory = mkdtempSync(join(tmpdir(), 'task-market-soak-'))
// Postgres runs as another user.
chmodSync(directory, 0o711)
process.env.TMPDIR = directory
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))

const output = join(localDirectory, 'soak')
mkdirSync(output, { recursive: true })
say(`seed ${seed}, ${minutes} minutes; samples and result: ${output}`)
stage = await openStage(say)
say('the stack is up')
const result = await runSoak(stage, {
  minutes,
  random: createRandom(seed),
  say,
  samplesFile: join(output, `${seed}.jsonl`),
})
const failed = result.verdicts.filter(({ isPassed }) => !isPassed)
const logs = join(output, `${seed}-logs`)
if (failed.length > 0) cpSync(join(stage.environment.directory, 'logs'), logs, { recursive: true })
await stage.stop()
await endOwnProcesses()
console.log(`\n${toTable(result.verdicts)}\n`)
for (const line of result.notes) console.log(line)
const path = writeResult(join(output, `${seed}.json`), { seed, minutes, result })
for (const verdict of failed) console.log(`FAILED ${toSentence(verdict)}`)
console.log(failed.length === 0 ? 'nothing grew' : `${failed.length} measures failed; logs: ${logs}`)
console.log(`npm run soak -- --keep ${path} puts the figures into docs/internals/benchmarks`)
process.exit(failed.length === 0 ? 0 : 1)

/** Ends with 2 and a sentence where a file of an earlier run is not there, or none. */
function readOrEnd<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(2)
  }
}
