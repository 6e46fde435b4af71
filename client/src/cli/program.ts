import { Command, CommanderError } from 'commander'
import { ReadError } from '../reads/pages.ts'
import { StoreError } from '../store/store.ts'
import { VerifyError } from '../verify/read-chain.ts'
import { completionScript } from './completion.ts'
import { addDeviceCommands } from './device-commands.ts'
import { examine, showFindings } from './doctor.ts'
import { closingSentence } from './doctor-remedies.ts'
import { explainErrorsOf } from './hook-errors.ts'
import { addIntentCommands } from './intent-commands.ts'
import { CliError, exitOfStatus, exits, type Io } from './io.ts'
import { addLegalCommands } from './legal-commands.ts'
import { addMcpCommand } from './mcp-command.ts'
import { addReadCommands } from './read-commands.ts'
import { printRecord } from './report.ts'
import { openClient } from './session.ts'
import { addTaskCommands } from './task-commands.ts'
import type { Options } from './task-writes.ts'
import { toSafeJson } from './text.ts'
import { addVerifyCommand } from './verify-command.ts'
import { addWalletCommands } from './wallet-commands.ts'
import { addWatchCommand } from './watch-command.ts'
import { addWebhookCommands } from './webhook-commands.ts'

/** Runs the command-line tool and returns its exit code. Does not read or change the global `process`. */
export async function runCli(argv: readonly string[], callerIo: Io): Promise<number> {
  const io = { ...callerIo, env: withoutEmpty(callerIo.env) }
  const program = buildProgram(io)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exits.done
  } catch (error) {
    return report(io, error)
  }
}

/** Removes the empty variables: an empty variable counts as absent. */
function withoutEmpty(env: Io['env']): Io['env'] {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}

/** Builds the tool's command tree, with options and descriptions. */
export function buildProgram(io: Io): Command {
  const program = new Command('task-market')
    .description('Client of the task market.')
    .option('--url <url>', 'the service; TASK_MARKET_URL')
    .option('--deployment <file>', 'addresses of a local stack; TASK_MARKET_DEPLOYMENT')
    .option('--real-key', 'on a local deployment, use a keystore that was not made for one')
    .option('--rpc <url>', 'a node of the chain; TASK_MARKET_RPC_URL')
    .option('--json', 'JSON, also on a terminal')
    .option('--yes', 'do not ask; the limits stay')
    .option('--abi <file>', 'an ABI of a hook: its errors are shown by name where it refuses')
    .configureHelp({ showGlobalOptions: true })
  program.hook('preAction', (_, command) => {
    const { abi } = command.optsWithGlobals<{ abi?: string }>()
    if (abi !== undefined) explainErrorsOf(io, abi)
  })
  addTaskCommands(program, io)
  addWalletCommands(program, io)
  addReadCommands(program, io)
  addWatchCommand(program, io)
  addVerifyCommand(program, io)
  addWebhookCommands(program, io)
  addDeviceCommands(program, io)
  addIntentCommands(program, io)
  addLegalCommands(program, io)
  addMcpCommand(program, io)
  program
    .command('doctor')
    .description('say what stands between this wallet and a write')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const findings = await examine(await openClient(io, options))
      if (io.isTerminal && !options.json) showFindings(io, findings)
      else printRecord(io, findings, { json: true })
      const closingLine = closingSentence(findings)
      if (closingLine !== null) throw new CliError(closingLine, exits.unknown)
    })
  program
    .command('completion')
    .description('print completion for bash')
    .action(() => io.out(completionScript(program)))
  quiet(program, io)
  return program
}

/**
 * Makes commander throw errors instead of ending the process. The tool then prints these errors as JSON. Prints
 * commander's help for an incomplete command only at a terminal.
 */
function quiet(command: Command, io: Io): void {
  const writeErr = (text: string) => {
    if (io.isTerminal) io.err(text)
  }
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr, outputError: () => {} })
  for (const child of command.commands) quiet(child, io)
}

function report(io: Io, error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.done
    if (error.code === 'commander.help') {
      return io.isTerminal ? exits.usage : print(io, { error: 'Name a command; --help lists them.' }, exits.usage)
    }
    return print(io, { error: error.message.replace(/^error: /, '') }, exits.usage)
  }
  if (error instanceof CliError) return print(io, error.body, error.exit)
  if (error instanceof ReadError) return print(io, error.body ?? { error: error.message }, exitOfStatus(error.status))
  if (error instanceof VerifyError) return print(io, { error: error.message }, exits.unknown)
  if (error instanceof StoreError) return print(io, { error: error.message }, exits.payment)
  return print(io, { error: error instanceof Error ? error.message : 'The command failed.' }, exits.unknown)
}

function print(io: Io, body: unknown, exit: number): number {
  io.err(`${toSafeJson(body, io.isTerminal ? 2 : undefined)}\n`)
  return exit
}
