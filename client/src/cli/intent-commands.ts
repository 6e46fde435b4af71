import type { Command } from 'commander'
import { intentShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { CliError, exitOfStatus, exits, type Io } from './io.ts'
import { type Column, printOutcome, printRecord, printRows } from './report.ts'
import { openClient } from './session.ts'
import { type Options, wideOption } from './task-writes.ts'

const COLUMNS: Column[] = [
  'key',
  'operation',
  'state',
  { field: 'counted', unit: 'usdc' },
  { field: 'taskId', as: 'task' },
  { field: 'createdAt', as: 'created' },
]

/** Adds the command `intents`, which lists this wallet's writes or shows one write's outcome. */
export function addIntentCommands(program: Command, io: Io): void {
  program
    .command('intents [idempotencyKey]')
    .description('the outcome of a write; without a key: the open writes in the journal of this wallet')
    .option('--all', 'the settled ones of the last two days too')
    .addOption(wideOption())
    .option('--settle', 'wait for the outcome of a write of this wallet, and note it in the journal')
    .action(async (idempotencyKey: string | undefined, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const client = await openClient(io, options, { needsAccount: idempotencyKey === undefined || options.settle })
      if (idempotencyKey === undefined) return await listJournal(io, client, options)
      if (options.settle) return printOutcome(io, await client.lookUp(idempotencyKey), { json: options.json })
      const answer = await readJson(client.context, '/api/intents', { idempotencyKey }, intentShape)
      if (!answer.ok) throw new CliError(answer.message, exitOfStatus(answer.status), answer.body)
      printRecord(io, answer.body, { json: options.json })
    })
}

async function listJournal(
  io: Io,
  { context: { store, account } }: Awaited<ReturnType<typeof openClient>>,
  { all, json, wide }: Options,
): Promise<void> {
  if (store === null || account === null) throw new CliError('There is no wallet.', exits.usage)
  const entries = await store.update(account.address, (state) => structuredClone(Object.values(state.entries)))
  const rows = entries
    .filter(({ state }) => all === true || state === 'sent')
    .map(({ createdAt, ...entry }) => ({ ...entry, createdAt: new Date(createdAt).toISOString() }))
  const each = async function* () {
    yield* rows
  }
  await printRows(io, each(), { json, wide, limit: rows.length, columns: COLUMNS })
}
