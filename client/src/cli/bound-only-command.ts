import { Argument, type Command } from 'commander'
import { boundSwitchShape } from '../http/command-shapes.ts'
import { confirm } from './confirm.ts'
import { effectOfSwitch } from './describe-write.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { printRecord } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { addWriteOptions, performWrite } from './write-command.ts'

const PATH = '/api/wallet/bound-only'

/**
 * Adds the command `wallet bound-only`, which shows or changes the wallet's bound-only setting in the forwarder
 * contract. While the setting is on, the contract accepts a payment or a signed message of the wallet only if it is
 * valid for a single contract call.
 */
export function addBoundOnlyCommand(wallet: Command, io: Io): void {
  addWriteOptions(
    wallet
      .command('bound-only')
      .description('whether only payments that name their call are taken: on ends payments by stock x402 clients')
      .addArgument(new Argument('<switch>', 'show, on or off').choices(['show', 'on', 'off'])),
  ).action(async (to: string, _: Options, self: Command) => {
    const options = self.optsWithGlobals()
    if (to === 'show') return await show(io, options)
    // At a terminal, the write itself asks for confirmation.
    if (!io.isTerminal) await confirm(io, options, `${capitalized(effectOfSwitch(to === 'on'))}.`)
    return await performWrite(io, options, { name: 'setBoundOnly', input: { boundOnly: to === 'on' } })
  })
}

function capitalized(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`
}

async function show(io: Io, options: Options): Promise<void> {
  const { http, context } = await openClient(io, options, { needsAccount: true })
  if (context.account === null) throw new CliError('There is no wallet.', exits.usage)
  const { address } = context.account
  const answer = await http.GET(PATH, { params: { query: { address } } })
  const url = `${context.url}${PATH}`
  const { boundOnly } = dataOf(answer, { url, shape: boundSwitchShape, refused: 'The switch cannot be read:' })
  printRecord(io, { walletAddress: address, boundOnly }, { json: options.json })
}
