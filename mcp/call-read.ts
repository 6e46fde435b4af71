import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Wrapping, wrapAnswer, wrapRefusal } from './envelope.ts'
import { argumentRefusal } from './judge-arguments.ts'
import { readCursorPage, readNextPages } from './next-pages.ts'
import { type ReadOperation, toReadRequest } from './read-request.ts'

/** The answer of an API route: a page of data, or the body of a refusal. */
export type ReadAnswer = ({ ok: true } & Page) | { ok: false; refusal: unknown }

interface Page {
  data: unknown
  /** The response header `Link`, which has the URLs of the next pages; null if the response has none. */
  link: string | null
}

/** Functions that an MCP server passes to `callRead`. `request` sends a GET request to the API. */
export interface ReadPorts extends Wrapping {
  request: (pathAndQuery: string) => Promise<ReadAnswer>
}

/**
 * Calls a read tool: checks the arguments, requests the tool's API route and wraps the answer. If the answer had to be
 * shortened to fit, the page is requested again with a lower `limit`. The cursor of the shorter page then continues
 * after the last row that the client gets.
 */
export async function callRead(
  operation: ReadOperation,
  given: Readonly<Record<string, unknown>>,
  ports: ReadPorts,
): Promise<CallToolResult> {
  const request = toReadRequest(operation, given)
  if (!request.ok) return wrapRefusal(argumentRefusal(request), ports)
  const answer = await ports.request(request.pathAndQuery)
  if (!answer.ok) return wrapRefusal(answer.refusal, ports)
  const { properties = {} } = operation.inputSchema
  const wrap = ({ data, link }: Page, asked: Readonly<Record<string, unknown>>) => {
    const linked = readNextPages(link, { properties, inPath: request.inPath })
    const nextPages = linked.length > 0 ? linked : readCursorPage(data, { properties, given: asked })
    return wrapAnswer(data, { ...ports, nextPages })
  }
  const whole = wrap(answer, given)
  const limit = Math.min(...whole.cut.map(({ shown }) => shown))
  if (whole.cut.length === 0 || limit < 1 || !Object.hasOwn(properties, 'limit')) return whole.result
  const fewer = { ...given, limit }
  const shorter = toReadRequest(operation, fewer)
  const page = shorter.ok ? await ports.request(shorter.pathAndQuery) : null
  return page?.ok === true ? wrap(page, fewer).result : whole.result
}
