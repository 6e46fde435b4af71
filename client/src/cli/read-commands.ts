import type { Command } from 'commander'
import { agentShape, inboxShape, queueShape, shownVaultShape } from '../http/command-shapes.ts'
import type { Shape } from '../http/shape.ts'
import { readJson } from '../reads/read-json.ts'
import { CliError, exitOfStatus, type Io } from './io.ts'
import { type Column, printRecord, printRows } from './report.ts'
import { openClient } from './session.ts'
import { showActions, showInbox, showWaiting } from './show-work.ts'
import { type Options, whole, wideOption } from './task-writes.ts'
import { addWriteOptions, performWrite } from './write-command.ts'

/** A read of one record from the service, with the shape that the answer must have. */
interface Read {
  path: string
  query: Record<string, string>
  shape: Shape
}

/**
 * Adds two groups of commands. The commands of the first group read records that are not tasks. The commands of the
 * second group register an identity or claim a sponsored reward.
 */
export function addReadCommands(program: Command, io: Io): void {
  const read = async (self: Command, { path, query, shape }: Read) => {
    const options = self.optsWithGlobals()
    const { context } = await openClient(io, options)
    const answer = await readJson(context, path, query, shape)
    if (!answer.ok) throw new CliError(answer.message, exitOfStatus(answer.status), answer.body)
    printRecord(io, answer.body, { json: options.json })
  }
  const ownAddress = async (self: Command) => {
    const addressOption = self.optsWithGlobals().address
    if (addressOption !== undefined) return addressOption
    const { context } = await openClient(io, self.optsWithGlobals(), { needsAccount: true })
    return context.account?.address ?? ''
  }
  const ofWallet = (
    name: string,
    about: string,
    { path, shape, show }: { path: string; shape: Shape; show: typeof showActions },
  ) =>
    program
      .command(name)
      .description(about)
      .option('--address <address>', 'another wallet than your own')
      .action(async (_: Options, self: Command) => {
        const options = self.optsWithGlobals()
        const { context } = await openClient(io, options)
        const answer = await readJson(context, path, { address: await ownAddress(self) }, shape)
        if (!answer.ok) throw new CliError(answer.message, exitOfStatus(answer.status), answer.body)
        const showAnswer = options.waiting === true ? showWaiting : show
        showAnswer(io, answer.body, { json: !io.isTerminal || options.json === true })
      })
  ofWallet('inbox', 'the tasks of a wallet', { path: '/api/agents/inbox', shape: inboxShape, show: showInbox })
  const about = 'what a wallet can do now, with the commands to do it'
  ofWallet('actions', about, { path: '/api/agents/action-queue', shape: queueShape, show: showActions }).option(
    '--waiting',
    'the tasks in which another party must act first, instead',
  )
  const agents = program.command('agents').description('workers and their records')
  agents
    .command('list')
    .description('the leaderboard')
    .option('--skill <tag>')
    .option('--limit <count>', 'how many at most', whole, 20)
    .addOption(wideOption())
    .action(async (_: Options, self: Command) => {
      const { skill, limit, json, wide, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const query = { skill, limit: String(Math.min(100, limit)) }
      const columns: Column[] = [
        'rank',
        'address',
        { field: 'actorType', as: 'type' },
        { field: 'completedTasks', as: 'completed' },
        { field: 'averageRating', as: 'rating', unit: 'average' },
      ]
      await printRows(io, client.list('/api/agents/leaderboard', { query }), { json, limit, wide, columns })
    })
  agents
    .command('get <address>')
    .description('the record of a worker')
    .action((address: string, _: Options, self: Command) =>
      read(self, { path: '/api/agents/stats', query: { address }, shape: agentShape }),
    )
  addWriteOptions(agents.command('register').description('register an identity')).action((_: Options, self: Command) =>
    performWrite(io, self.optsWithGlobals(), { name: 'registerIdentity', input: {} }),
  )
  addWriteOptions(agents.command('adopt <agentId>').description('adopt an identity that the wallet owns')).action(
    (agentId: string, _: Options, self: Command) =>
      performWrite(io, self.optsWithGlobals(), { name: 'adoptIdentity', input: { agentId } }),
  )
  addVaults(program, io, read)
}

function addVaults(program: Command, io: Io, read: (self: Command, read: Read) => Promise<void>): void {
  const vault = program.command('vault').description('rewards of sponsors')
  vault
    .command('list')
    .option('--limit <count>', 'how many at most', whole, 50)
    .addOption(wideOption())
    .action(async (_: Options, self: Command) => {
      const { limit, json, wide, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const columns: Column[] = [
        { field: 'vaultId', as: 'id' },
        { field: 'tokenSymbol', as: 'token' },
        'status',
        { field: 'curationStatus', as: 'curation' },
        { field: 'availableBalance', as: 'available', unit: 'token' },
      ]
      await printRows(io, client.list('/api/sponsored-task-vaults'), { json, limit, wide, columns })
    })
  vault.command('get <vaultId>').action((vaultId: string, _: Options, self: Command) =>
    read(self, {
      path: `/api/sponsored-task-vaults/${encodeURIComponent(vaultId)}`,
      query: {},
      shape: shownVaultShape,
    }),
  )
  addWriteOptions(vault.command('claim <vaultId> <taskId>').description('claim a reward to the registered address'))
    .option('--to <address>', 'the registered address, where the configuration does not have it')
    .action((vaultId: string, taskId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const input = { vaultId, taskId, ...(options.to !== undefined && { to: options.to }) }
      return performWrite(io, options, { name: 'claimSponsoredReward', input })
    })
}
