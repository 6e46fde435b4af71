import type { Command } from 'commander'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { isOpenWrite } from '../writes/is-open.ts'
import type { Outcome, Preview } from '../writes/outcome.ts'
import type { WriteOptions } from '../writes/run-write.ts'
import { describeWrite } from './describe-write.ts'
import { CliError, exits, type Io } from './io.ts'
import { printOutcome } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { toUnits } from './usdc.ts'

/** The options that every write has. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'say what it would cost and whether it would be done, and send nothing that can act')
    .option('--max-spend <usdc>', 'lower the limit per call', toUnits)
    .option('--yes', 'do not ask; the limits stay')
    .option('--idempotency-key <uuid>', 'make the write under this key, or continue it')
    .option('--again', 'make a second write where an equal one is open, instead of joining it')
    .option('--wait <seconds>', 'how long the outcome is awaited', toMilliseconds)
}

/** Makes a write and prints its outcome. @throws CliError */
export async function performWrite<Name extends WriteName>(
  io: Io,
  options: Options,
  { name, input }: { name: Name; input: WriteInput<Name> },
): Promise<void> {
  const client = await openClient(io, options, { needsAccount: true })
  const { limits, key, again } = toWriteOptions(options)
  await confirmAndRun(io, options, {
    isOpen: () => isOpenWrite(client.context, name, { input, key, again }),
    describe: (preview) => describeWrite({ name, input }, preview),
    preview: () => client.preview(name, input, { ...(limits !== undefined && { limits }) }),
    run: (given) => client.write(name, input, given),
  })
}

/** The same for a write that is made in another way. @throws CliError */
export async function confirmAndRun(
  io: Io,
  options: Options,
  steps: {
    /** An earlier call of the write may have been carried out: a preview would only say that it cannot be made again. */
    isOpen(): Promise<boolean>
    preview(): Promise<Preview | Outcome<never>>
    /** One sentence for the person. */
    describe(preview: Preview): string
    run(given: WriteOptions): Promise<Outcome<unknown>>
  },
): Promise<void> {
  const format = { json: options.json === true }
  if (options.dryRun) {
    printOutcome(io, await steps.preview(), format)
    return
  }
  if (io.isTerminal && !options.yes) {
    if (await steps.isOpen()) await askOn(io)
    else await askPerson(io, await steps.preview(), steps.describe)
  }
  const isConfirmed = io.isTerminal || options.yes === true
  printOutcome(io, await steps.run({ ...toWriteOptions(options), isConfirmed }), format)
}

export function toWriteOptions({ idempotencyKey, again, wait, maxSpend }: Options): WriteOptions {
  return {
    ...(idempotencyKey !== undefined && { key: idempotencyKey }),
    ...(again === true && { again }),
    ...(wait !== undefined && { waitMs: wait }),
    ...(maxSpend !== undefined && { limits: { perCall: BigInt(maxSpend) } }),
  }
}

/** @throws CliError unless the person agrees */
export async function askPerson(
  io: Io,
  preview: Preview | Outcome<never>,
  describe: (preview: Preview) => string,
): Promise<void> {
  if (preview.kind !== 'preview') {
    printOutcome(io, preview, { json: true })
    return
  }
  await agree(io, `${describe(preview)} Continue? [y/N] `)
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
