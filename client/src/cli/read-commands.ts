import type { Command } from 'commander'
import { readJson } from '../reads/read-json.ts'
import { CliError, exitOfStatus, exits, type Io } from './io.ts'
import { printRecord, printRows } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { addWriteOptions, performWrite } from './write-command.ts'

/** Reads that are no tasks, and what belongs to them. */
export function addReadCommands(program: Command, io: Io): void {
  const read = async (self: Command, path: string, query: Record<string, string>) => {
    const options = self.optsWithGlobals()
    const { context } = await openClient(io, options)
    const answer = await readJson(context, path, query)
    if (!answer.ok) throw new CliError(answer.message, exitOfStatus(answer.status), answer.body)
    printRecord(io, answer.body, { json: options.json })
  }
  const ownAddress = async (self: Command) => {
    const given = self.optsWithGlobals().address
    if (given !== undefined) return given
    const { context } = await openClient(io, self.optsWithGlobals(), { needsAccount: true })
    return context.account?.address ?? ''
  }
  program
    .command('inbox')
    .description('the tasks of a wallet')
    .option('--address <address>', 'another wallet than your own')
    .action(async (_: Options, self: Command) => read(self, '/api/agents/inbox', { address: await ownAddress(self) }))
  program
    .command('actions')
    .description('what a wallet can do now, with the commands to do it')
    .option('--address <address>', 'another wallet than your own')
    .action(async (_: Options, self: Command) =>
      read(self, '/api/agents/action-queue', { address: await ownAddress(self) }),
    )
  program
    .command('intents <idempotencyKey>')
    .description('the outcome of a write')
    .action((idempotencyKey: string, _: Options, self: Command) => read(self, '/api/intents', { idempotencyKey }))
  const agents = program.command('agents').description('workers and their records')
  agents
    .command('list')
    .description('the leaderboard')
    .option('--skill <tag>')
    .option('--limit <count>', 'how many at most', Number, 20)
    .action(async (_: Options, self: Command) => {
      const { skill, limit, json, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const query = { skill, limit: String(Math.min(100, limit)) }
      const columns = ['rank', 'address', 'actorType', 'completedTasks', 'averageRating']
      await printRows(io, client.list('/api/agents/leaderboard', { query }), { json, limit, columns })
    })
  agents
    .command('get <address>')
    .description('the record of a worker')
    .action((address: string, _: Options, self: Command) => read(self, '/api/agents/stats', { address }))
  addWriteOptions(agents.command('register').description('register an identity')).action((_: Options, self: Command) =>
    performWrite(io, self.optsWithGlobals(), { name: 'registerIdentity', input: {} }),
  )
  addDevices(program, io)
  addVaults(program, io, read)
}

function addDevices(program: Command, io: Io): void {
  const devices = program.command('devices').description('devices that act for a wallet')
  devices
    .command('register')
    .description('register this machine; its token is shown once')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options, { needsAccount: true })
      const walletAddress = context.account?.address
      if (walletAddress === undefined) throw new CliError('There is no wallet.', exits.usage)
      const { data, error, response } = await http.POST('/api/devices', { body: { walletAddress } })
      if (data === undefined) throw new CliError('The device was refused.', exitOfStatus(response.status), error)
      printRecord(io, data, { json: options.json })
    })
}

function addVaults(
  program: Command,
  io: Io,
  read: (self: Command, path: string, query: Record<string, string>) => Promise<void>,
): void {
  const vault = program.command('vault').description('rewards of sponsors')
  vault
    .command('list')
    .option('--limit <count>', 'how many at most', Number, 50)
    .action(async (_: Options, self: Command) => {
      const { limit, json, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const columns = ['vaultId', 'tokenSymbol', 'status', 'curationStatus', 'availableBalance']
      await printRows(io, client.list('/api/sponsored-task-vaults'), { json, limit, columns })
    })
  vault
    .command('get <vaultId>')
    .action((vaultId: string, _: Options, self: Command) =>
      read(self, `/api/sponsored-task-vaults/${encodeURIComponent(vaultId)}`, {}),
    )
  addWriteOptions(vault.command('claim <vaultId> <taskId>').description('claim a reward to the registered address'))
    .option('--to <address>', 'the registered address, where the configuration does not have it')
    .action((vaultId: string, taskId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const input = { vaultId, taskId, ...(options.to !== undefined && { to: options.to }) }
      return performWrite(io, options, { name: 'claimSponsoredReward', input })
    })
}
