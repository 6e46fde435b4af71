import type { Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ClientContext } from '../context.ts'
import { openTerminal } from './terminal.ts'
import { createToolServer } from './tool-server.ts'
import { createWriteFlow } from './write-flow.ts'

/**
 * Serves reads and writes of the wallet to the host that started this process, on its standard streams, until the host
 * closes them.
 * @param options `terminal`: where a person is asked when the host cannot; `none` for nowhere. `transport`: instead of the
 *   standard streams
 */
export function serveMcp(
  context: ClientContext,
  { terminal, transport, onError }: { terminal?: string; transport?: Transport; onError: (message: string) => void },
): void {
  const parts = { context, flow: createWriteFlow(context), askAtTerminal: openTerminal(terminal) }
  serveStdio(() => createToolServer(parts), {
    onerror: (error) => onError(error.message),
    maxSubscriptions: 0,
    ...(transport !== undefined && { transport }),
  })
}
