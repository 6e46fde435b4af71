import type { Command } from 'commander'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { Client } from '../create-client.ts'
import { MOST_TASK_HOURS } from '../store/limits.ts'
import { isOpenWrite } from '../writes/is-open.ts'
import type { Outcome, Preview } from '../writes/outcome.ts'
import type { WriteOptions } from '../writes/run-write.ts'
import { noticeLength, openHoursOf } from '../writes/task-length.ts'
import { describeCall } from './describe-call.ts'
import { type AskedFor, describeWrite, effectsOf } from './describe-write.ts'
import { CliError, exits, type Io } from './io.ts'
import { printOutcome, printRecord } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { toUnits } from './usdc.ts'

/** Adds to a command the options that every write has. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'say what it would cost and whether it would be done, and send nothing that can act')
    .option('--max-spend <usdc>', 'lower the limit per call', toUnits)
    .option('--idempotency-key <uuid>', 'make the write under this key, or continue it')
    .option('--again', 'make a second write where an equal one is open, instead of joining it')
    .option('--long', 'a task that stays open for more than a year is meant')
    .option('--wait <seconds>', 'how long the outcome is awaited', toMilliseconds)
}

/**
 * Makes a write and prints its outcome. Asks the user first when there is a terminal.
 * @throws CliError
 */
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
    run: async (writeOptions) => {
      if (writeOptions.isConfirmed !== true && !long) checkAttended(name, input)
      const outcome = await client.write(name, input, writeOptions)
      if (io.isTerminal && outcome.kind === 'completed' && (await isFirstBound(client.context, outcome.key))) {
        io.err(`${OFFER}\n`)
      }
      return outcome
    },
  })
}

const OFFER =
  'This payment named its call. `task-market wallet bound-only on` lets the contracts refuse every other payment of the ' +
  'wallet; it ends payments by stock x402 clients with it.'

/**
 * Returns true if the write with this idempotency key was the first of the wallet's writes that completed with a bound
 * payment.
 */
async function isFirstBound({ store, account }: Client['context'], key: string): Promise<boolean> {
  if (store === null || account === null) return false
  const paidEntries = await store.update(account.address, ({ entries }) =>
    Object.values(entries).filter(({ state, payment }) => state === 'completed' && payment?.salt !== undefined),
  )
  return paidEntries.length === 1 && paidEntries[0]?.key === key
}

/**
 * Requires `--yes`, `--long` or the user's confirmation for a task that stays open for more than 90 days.
 * @throws CliError
 */
function checkAttended(name: WriteName, input: object): void {
  const now = Math.floor(Date.now() / 1000)
  const { clauses, needsPerson } = noticeLength(name, input, now)
  // The client itself refuses a task of more than a year.
  if (!needsPerson || (openHoursOf(name, input, now) ?? 0) > MOST_TASK_HOURS) return
  const message = `With this write ${clauses.join('; ')}. Confirm it by --yes or --long. Nothing was sent.`
  const refusal = { kind: 'refused', key: null, isKeyUsable: true, reason: 'person_needed', message, status: null }
  throw new CliError(message, exits.payment, refusal)
}

/**
 * Asks the user to confirm a write, makes the write and prints its outcome.
 * @throws CliError
 */
export async function confirmAndRun(
  io: Io,
  options: Options,
  steps: {
    /**
     * Returns true if an earlier call may already have made this write. The user then sees no preview, because a
     * preview of a repeated write fails.
     */
    isOpen(): Promise<boolean>
    preview(): Promise<Preview | Outcome<never>>
    /** The name and the arguments of the write. The question to the user describes this write. */
    asked: AskedFor
    run(writeOptions: WriteOptions): Promise<Outcome<unknown>>
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
  let agreedPreview: Preview | null = null
  if (isAsked) {
    if (await steps.isOpen()) await askOn(io)
    else agreedPreview = await askPerson(io, await steps.preview(), steps.asked)
  }
  const isConfirmed = io.isTerminal || options.yes === true
  // A confirmed write begins at the user's answer.
  const callStart = isAsked || io.startedAt === undefined ? {} : { calledAt: io.startedAt }
  const decisions = {
    ...(agreedPreview !== null && { agreed: agreedPreview }),
    ...(isAsked && { decideAgain: askAgain(io) }),
  }
  printOutcome(io, await steps.run({ ...toWriteOptions(options), ...callStart, ...decisions, isConfirmed }), format)
}

/**
 * Returns a function that asks the user to confirm a changed contract call. The call changed after the user's first
 * confirmation.
 */
function askAgain(io: Io): (call: ContractCall) => Promise<boolean> {
  return async (call) => {
    const question = `What this write does has changed since; nothing was charged. Now it is ${describeCall(call)}. Continue? [y/N] `
    return isYes(await io.ask(question, false))
  }
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

/**
 * Asks the user to confirm a preview.
 * @returns the confirmed preview; null if the write is already completed
 * @throws CliError when the user does not agree, or when the write was refused
 */
export async function askPerson(
  io: Io,
  preview: Preview | Outcome<never>,
  askedWrite: AskedFor,
): Promise<Preview | null> {
  if (preview.kind !== 'preview') {
    printOutcome(io, preview, { json: true })
    return null
  }
  await agree(io, `${describeWrite(askedWrite, preview)} Continue? [y/N] `)
  return preview
}

async function askOn(io: Io): Promise<void> {
  await agree(io, 'An earlier call of this write has no outcome yet. Look it up, and send it again if need be? [y/N] ')
}

/**
 * Asks the user a yes-or-no question.
 * @throws CliError unless the answer is yes
 */
async function agree(io: Io, question: string): Promise<void> {
  if (!isYes(await io.ask(question, false))) throw new CliError('Not confirmed; nothing was sent.', exits.payment)
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(es)?$/i.test(answer.trim())
}

function toMilliseconds(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 0 && seconds <= 3_600)) throw new CliError('--wait takes up to 3600 seconds.', exits.usage)
  return seconds * 1_000
}
