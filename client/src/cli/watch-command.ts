import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import type { EventKind, EventsOptions, MarketEvent } from '../reads/events.ts'
import { CliError, exits, type Io } from './io.ts'
import { openClient } from './session.ts'
import { type Options, whole } from './task-writes.ts'
import { toSafeJson } from './text.ts'

/** Entries of the log of changes as they come. */
export function addWatchCommand(program: Command, io: Io): void {
  program
    .command('watch')
    .description('print what happens, one JSON a line, until it is stopped')
    .option('--kind <kinds...>', 'only these, such as task.created')
    .option('--task <taskId>', 'only of this task')
    .option('--address <address>', 'only what concerns this account; `own` is that of the wallet')
    .option('--after <id>', 'begin behind this entry')
    .option('--from-block <height>', 'begin with this block', whole)
    .option('--limit <count>', 'end after so many', whole)
    .option('--exec <program>', 'run a program for each, with the entry on its standard input')
    .argument('[arguments...]', 'of the program; no shell reads them')
    .action(async (given: string[], _: Options, self: Command) => {
      const { kind, task, address, after, fromBlock, limit, exec: path, ...options } = self.optsWithGlobals()
      if (path === undefined && given.length > 0) throw new CliError('Arguments are for --exec.', exits.usage)
      const client = await openClient(io, options, { needsAccount: address === 'own' })
      const wanted: EventsOptions = {
        ...(kind !== undefined && { kinds: kind as EventKind[] }),
        ...(task !== undefined && { taskId: task }),
        ...(address !== undefined && {
          address: address === 'own' ? (client.context.account?.address ?? '') : address,
        }),
        ...(after !== undefined && { after }),
        ...(fromBlock !== undefined && { fromBlock }),
        onRestart: (block) => io.err(`Ids were begun anew: entries from block ${block} on come again.\n`),
      }
      let count = 0
      for await (const event of client.events(wanted)) {
        io.out(`${toSafeJson(event)}\n`)
        if (path !== undefined) await run(path, given, event)
        count += 1
        if (count === limit) return
      }
    })
}

/** Runs the program of a user to its end. @throws CliError where it fails: the entry was not handled */
async function run(path: string, given: readonly string[], event: MarketEvent): Promise<void> {
  const child = spawn(path, given, { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(child, 'close').then(([code, signal]) => (code === 0 ? null : `ended with ${code ?? signal}`))
  const failed = once(child, 'error').then(([error]) => `could not be started: ${(error as Error).message}`)
  // A program need not read it.
  child.stdin.on('error', () => {})
  child.stdin.end(`${toSafeJson(event)}\n`)
  const problem = await Promise.race([ended, failed])
  if (problem === null) return
  throw new CliError(`${path} ${problem} at event ${event.id}, which is not handled.`, exits.unknown)
}
