import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as OTLP has it in JSON: ids in hex, times in nanoseconds since 1970. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A stand-in for a collector of OTLP over HTTP. */
export interface OtlpCollector {
  /** `http://127.0.0.1:<port>`. */
  url: string
  /** All spans until now, in the order of their arrival. */
  spans: readonly CollectedSpan[]
  /** Path and `Authorization` of each request. */
  requests: readonly (readonly [path: string | undefined, authorization: string | undefined])[]
  stop(): Promise<void>
}

/** Starts a collector that takes everything. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const requests: [string | undefined, string | undefined][] = []
  const server = createServer(async (request, response) => {
    requests.push([request.url, request.headers.authorization])
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }
    for (const { scopeSpans } of body.resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
