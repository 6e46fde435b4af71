import type { Command } from 'commander'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { isOpenWrite } from '../writes/is-open.ts'
import type { Outcome, Preview } from '../writes/outcome.ts'
import type { WriteOptions } from '../writes/run-write.ts'
import { MOST_HOURS, noticeLength, openHoursOf } from '../writes/task-length.ts'
import { type AskedFor, describeWrite, effectsOf } from './describe-write.ts'
import { CliError, exits, type Io } from './io.ts'
import { printOutcome, printRecord } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { toUnits } from './usdc.ts'

/** The options that every write has. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'say what it would cost and whether it would be done, and send nothing that can act')
    .option('--max-spend <usdc>', 'lower the limit per call', toUnits)
    .option('--idempotency-key <uuid>', 'make the write under this key, or continue it')
    .option('--again', 'make a second write where an equal one is open, instead of joining it')
    .option('--long', 'a task that stays open for more than a year is meant')
    .option('--wait <seconds>', 'how long the outcome is awaited', toMilliseconds)
}

/** Makes a write and prints its outcome. @throws CliError */
export async function performWrite<Name extends WriteName>(
  io: Io,
  options: Options,
  { name, input }: { name: Name; input: WriteInput<Name> },
): Promise<void> {
  const client = await openClient(io, options, { needsAccount: true })
  const { limits, key, again, long = false } = toWriteOptions(options)
  await confirmAndRun(io, options, {
    isOpen: () => isOpenWrite(client.context, name, { input, key, again }),
    asked: { name, input },
    preview: () => client.preview(name, input, { ...(limits !== undefined && { limits }), long }),
    run: (given) => {
      if (given.isConfirmed !== true && !long) checkAttended(name, input)
      return client.write(name, input, given)
    },
  })
}

/** A task of more than 90 days needs a person, or an option that says that it is meant. @throws CliError */
function checkAttended(name: WriteName, input: object): void {
  const now = Math.floor(Date.now() / 1000)
  const { clauses, needsPerson } = noticeLength(name, input, now)
  // The client itself refuses what is longer than a year.
  if (!needsPerson || (openHoursOf(name, input, now) ?? 0) > MOST_HOURS) return
  const message = `With this write ${clauses.join('; ')}. Confirm it by --yes or --long. Nothing was sent.`
  const refusal = { kind: 'refused', key: null, isKeyUsable: true, reason: 'person_needed', message, status: null }
  throw new CliError(message, exits.payment, refusal)
}

/** The same for a write that is made in another way. @throws CliError */
export async function confirmAndRun(
  io: Io,
  options: Options,
  steps: {
    /** An earlier call of the write may have been carried out: a preview would only say that it cannot be made again. */
    isOpen(): Promise<boolean>
    preview(): Promise<Preview | Outcome<never>>
    /** The write as a person or program is told of it. */
    asked: AskedFor
    run(given: WriteOptions): Promise<Outcome<unknown>>
  },
): Promise<void> {
  const format = { json: options.json === true }
  if (options.dryRun) {
    const preview = await steps.preview()
    if (preview.kind !== 'preview') return printOutcome(io, preview, format)
    printRecord(io, { ...preview, effects: effectsOf(steps.asked, preview) }, format)
    return
  }
  const isAsked = io.isTerminal && !options.yes
  if (isAsked) {
    if (await steps.isOpen()) await askOn(io)
    else await askPerson(io, await steps.preview(), steps.asked)
  }
  const isConfirmed = io.isTerminal || options.yes === true
  // A person who was asked decides at the answer.
  const begun = isAsked || io.startedAt === undefined ? {} : { calledAt: io.startedAt }
  printOutcome(io, await steps.run({ ...toWriteOptions(options), ...begun, isConfirmed }), format)
}

export function toWriteOptions({ idempotencyKey, again, long, wait, maxSpend }: Options): WriteOptions {
  return {
    ...(idempotencyKey !== undefined && { key: idempotencyKey }),
    ...(again === true && { again }),
    ...(long === true && { long }),
    ...(wait !== undefined && { waitMs: wait }),
    ...(maxSpend !== undefined && { limits: { perCall: BigInt(maxSpend) } }),
  }
}

/** @throws CliError unless the person agrees */
export async function askPerson(io: Io, preview: Preview | Outcome<never>, asked: AskedFor): Promise<void> {
  if (preview.kind !== 'preview') {
    printOutcome(io, preview, { json: true })
    return
  }
  await agree(io, `${describeWrite(asked, preview)} Continue? [y/N] `)
}

async function askOn(io: Io): Promise<void> {
  await agree(io, 'An earlier call of this write has no outcome yet. Look it up, and send it again if need be? [y/N] ')
}

/** @throws CliError */
async function agree(io: Io, question: string): Promise<void> {
  const answer = await io.ask(question, false)
  if (answer === null || !/^y(es)?$/i.test(answer.trim()))
    throw new CliError('Not confirmed; nothing was sent.', exits.payment)
}

function toMilliseconds(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 0 && seconds <= 3_600)) throw new CliError('--wait takes up to 3600 seconds.', exits.usage)
  return seconds * 1_000
}
