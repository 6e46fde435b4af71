import type { Command } from 'commander'
import type { Io } from './io.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { cleanText } from './text.ts'

/** `mcp`: the tools of this wallet for a host of models. Its parts are loaded by this command alone. */
export function addMcpCommand(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve reads, and writes with this wallet, to a host of models, on the standard streams')
    .action(async (_: Options, self: Command) => {
      const { context } = await openClient(io, self.optsWithGlobals(), { needsAccount: true })
      const { serveMcp } = await import('../mcp/serve.ts')
      const terminal = io.env.TASK_MARKET_TTY
      serveMcp(context, {
        ...(terminal !== undefined && { terminal }),
        onError: (message) => io.err(`${cleanText(message)}\n`),
      })
    })
}
