import type { Server, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Toolset } from '../../../mcp/toolsets.ts'
import type { ClientContext } from '../context.ts'
import { readListenRequests } from './listen-requests.ts'
import { readMessageLines } from './message-lines.ts'
import { createSubscriptions, MAX_SUBSCRIPTIONS } from './subscriptions.ts'
import { openTerminal } from './terminal.ts'
import { createToolServer } from './tool-server.ts'
import { createWriteFlow } from './write-flow.ts'

/**
 * Serves the wallet's reads, resources and writes as MCP tools to the host process, until the host closes the standard
 * streams.
 * @param options `toolset`: the listed tools; `isStructured`: adds structured content to the answers; `terminal`: the
 * path of the terminal for questions that the host cannot ask, or `none`; `transport`: replaces the standard streams
 */
export function serveMcp(
  context: ClientContext,
  {
    terminal,
    transport = new StdioServerTransport(readMessageLines(process.stdin)),
    onError,
    toolset = 'default',
    isStructured = false,
  }: {
    toolset?: Toolset
    isStructured?: boolean
    terminal?: string
    transport?: Transport
    onError: (message: string) => void
  },
): void {
  const flow = createWriteFlow(context)
  let server: Server | undefined
  const subscriptions = createSubscriptions(context, {
    notify: (uri) => server?.sendResourceUpdated({ uri }).catch((error) => onError(String(error))),
    onError,
  })
  const parts = { context, flow, subscriptions, toolset, isStructured, askAtTerminal: openTerminal(terminal) }
  const serve = () => {
    server = createToolServer(parts)
    return server
  }
  serveStdio(serve, {
    onerror: (error) => onError(error.message),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    transport: readListenRequests(transport, subscriptions),
  })
}
