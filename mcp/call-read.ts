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
 * Calls a read tool: checks the arguments, requests the tool's API route and wraps the answer. If the answer is too
 * large, the function requests the same page again with a lower `limit`. The cursor of this shorter page continues
 * right after the last row that the client gets.
 */
export async function callRead(
  operation: ReadOperation,
  toolArguments: Readonly<Record<string, unknown>>,
  ports: ReadPorts,
): Promise<CallToolResult> {
  const request = toReadRequest(operation, toolArguments)
  if (!request.ok) return wrapRefusal(argumentRefusal(request), ports)
  const answer = await ports.request(request.pathAndQuery)
  if (!answer.ok) return wrapRefusal(answer.refusal, ports)
  const { properties = {} } = operation.inputSchema
  const wrap = ({ data, link }: Page, pageArguments: Readonly<Record<string, unknown>>) => {
    const linkedPages = readNextPages(link, { properties, inPath: request.inPath })
    const nextPages = linkedPages.length > 0 ? linkedPages : readCursorPage(data, { properties, given: pageArguments })
    return wrapAnswer(data, { ...ports, nextPages })
  }
  const wholeAnswer = wrap(answer, toolArguments)
  const limit = Math.min(...wholeAnswer.cut.map(({ shown }) => shown))
  if (wholeAnswer.cut.length === 0 || limit < 1 || !Object.hasOwn(properties, 'limit')) return wholeAnswer.result
  const smallerArguments = { ...toolArguments, limit }
  const smallerRequest = toReadRequest(operation, smallerArguments)
  const page = smallerRequest.ok ? await ports.request(smallerRequest.pathAndQuery) : null
  return page?.ok === true ? wrap(page, smallerArguments).result : wholeAnswer.result
}
