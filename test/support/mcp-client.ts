import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Hono } from 'hono'

/** The eras of the protocol: `modern` asks for 2026-07-28 alone, `legacy` begins with the handshake of 2025. */
export const eras = { modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const

/** Connects a client of an era to `/mcp` of an app, or of a running service. `query`: such as `?structured=1`. */
export async function connectMcp(
  target: { app: Hono } | { url: string },
  { era, headers = {}, query = '' }: { era: keyof typeof eras; headers?: Record<string, string>; query?: string },
): Promise<Client> {
  const url = new URL(`${'url' in target ? target.url : 'http://127.0.0.1:3000/mcp'}${query}`)
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...('app' in target && { fetch: (input, init) => ask(target.app, new Request(input, init)) }),
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } })
  await client.connect(transport)
  return client
}

/** A request without a socket has no Host until it is named. */
async function ask(app: Hono, request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('Host', new URL(request.url).host)
  return await app.fetch(new Request(request, { headers }))
}
