import { type Command, Option } from 'commander'
import { parseToolset, toolsets } from '../../../mcp/toolsets.ts'
import type { Io } from './io.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { cleanText } from './text.ts'

/**
 * Adds the command `mcp`, which serves this wallet's tools to an MCP host (a program that runs a model). No other
 * command loads the code of the tools.
 */
export function addMcpCommand(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve reads, and writes with this wallet, to a host of models, on the standard streams')
    .addOption(
      new Option('--tools <set>', 'the tools that are listed; every tool can be called by its name')
        .choices(toolsets)
        .default('default'),
    )
    .option('--structured', 'list output schemas and answer structured content')
    .action(async (options: Options, self: Command) => {
      const { context } = await openClient(io, self.optsWithGlobals(), { needsAccount: true })
      const { serveMcp } = await import('../mcp/serve.ts')
      const terminal = io.env.TASK_MARKET_TTY
      serveMcp(context, {
        toolset: parseToolset(String(options.tools)) ?? 'default',
        isStructured: options.structured === true,
        ...(terminal !== undefined && { terminal }),
        onError: (message) => io.err(`${cleanText(message)}\n`),
      })
    })
}
