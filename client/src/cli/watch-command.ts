import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import type { Client } from '../create-client.ts'
import { readActions } from '../reads/actions.ts'
import type { EventKind, EventsOptions } from '../reads/events.ts'
import { CliError, exits, type Io } from './io.ts'
import { openClient } from './session.ts'
import { type Options, whole } from './task-writes.ts'
import { toSafeJson } from './text.ts'

/** Adds the command `watch`, which prints the entries of the service's log of changes as they arrive. */
export function addWatchCommand(program: Command, io: Io): void {
  program
    .command('watch')
    .description('print what happens, one JSON a line, until it is stopped')
    .option('--kind <kinds...>', 'only these, such as task.created')
    .option('--task <taskId>', 'only of this task')
    .option('--address <address>', 'only what concerns this account; `own` is that of the wallet')
    .option('--actions <address>', 'what this account can do instead, and what is over; `own` is that of the wallet')
    .option('--after <id>', 'begin behind this entry')
    .option('--from-block <height>', 'begin with this block', whole)
    .option('--limit <count>', 'end after so many', whole)
    .option('--exec <program>', 'run a program for each, with the entry on its standard input')
    .argument('[arguments...]', 'of the program; no shell reads them')
    .action(async (execArguments: string[], _: Options, self: Command) => {
      const { kind, task, address, actions, after, fromBlock, limit, exec: path, ...options } = self.optsWithGlobals()
      if (path === undefined && execArguments.length > 0) throw new CliError('Arguments are for --exec.', exits.usage)
      if (actions !== undefined && [kind, task, address, after, fromBlock].some((filter) => filter !== undefined)) {
        throw new CliError('--actions takes no filter of entries.', exits.usage)
      }
      const client = await openClient(io, options, { needsAccount: address === 'own' || actions === 'own' })
      const accountOf = (accountOption: string) =>
        accountOption === 'own' ? (client.context.account?.address ?? '') : accountOption
      const onProblem = (problem: string) => io.err(`No stream for now: ${problem}\n`)
      const eventsOptions: EventsOptions = {
        ...(kind !== undefined && { kinds: kind as EventKind[] }),
        ...(task !== undefined && { taskId: task }),
        ...(address !== undefined && { address: accountOf(address) }),
        ...(after !== undefined && { after }),
        ...(fromBlock !== undefined && { fromBlock }),
        onRestart: (block) => io.err(`Ids were begun anew: entries from block ${block} on come again.\n`),
        onProblem,
      }
      if (limit === 0) return
      let count = 0
      const lines =
        actions === undefined ? client.events(eventsOptions) : listActions(client, accountOf(actions), onProblem)
      for await (const line of lines) {
        io.out(`${toSafeJson(line)}\n`)
        if (path !== undefined) await run(path, execArguments, line)
        count += 1
        if (count === limit) return
      }
    })
}

/**
 * Yields the changes of the wallet's action queue, one line for each changed item. The field `kind` of a line has the
 * event name that the service's stream uses: `action.available` or `action.closed`.
 */
async function* listActions(client: Client, address: string, onProblem: (problem: string) => void) {
  for await (const { available, closed } of readActions(client.context, address, { onProblem })) {
    for (const id of closed) yield { kind: 'action.closed', id }
    for (const item of available) yield { kind: 'action.available', ...item }
  }
}

/**
 * Runs the user's program until it exits.
 * @throws CliError when the program fails; the entry then counts as not handled
 */
async function run(path: string, execArguments: readonly string[], line: { kind: string; id: string }): Promise<void> {
  const child = spawn(path, execArguments, { stdio: ['pipe', 'inherit', 'inherit'] })
  const exitProblem = once(child, 'close').then(([code, signal]) =>
    code === 0 ? null : `ended with ${code ?? signal}`,
  )
  const startProblem = once(child, 'error').then(([error]) => `could not be started: ${(error as Error).message}`)
  // The program may exit without reading its input.
  child.stdin.on('error', () => {})
  child.stdin.end(`${toSafeJson(line)}\n`)
  const problem = await Promise.race([exitProblem, startProblem])
  if (problem === null) return
  throw new CliError(`${path} ${problem} at event ${line.id}, which is not handled.`, exits.unknown)
}
