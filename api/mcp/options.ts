import type { Context } from 'hono'
import { parseToolset, type Toolset, toolsets } from '../../mcp/toolsets.ts'
import { findNearest } from '../../protocol/text/find-nearest.ts'
import { invalidRequest } from '../http/parse.ts'

/** The options that a client gives in the query of the endpoint's URL. */
export interface McpOptions {
  /** The set of tools that the server lists. */
  toolset: Toolset
  /** True if tools have output schemas and answers have structured content. */
  isStructured: boolean
}

const PARAMETERS = ['tools', 'structured']

/**
 * Parses the query parameters `tools` and `structured`. Example: `/mcp?tools=analyst&structured=1`.
 * @throws ServiceError 400 for an unknown, repeated or invalid parameter
 */
export function readOptions(c: Context): McpOptions {
  const refuse = (path: string, message: string) => invalidRequest([{ path, message }])
  const unknownName = Object.keys(c.req.query()).find((name) => !PARAMETERS.includes(name))
  if (unknownName !== undefined) {
    const nearest = findNearest(unknownName, PARAMETERS)
    const advice = nearest === null ? 'tools and structured are known' : `did you mean ${nearest}?`
    throw refuse(unknownName.slice(0, 100), `is no parameter; ${advice}`)
  }
  const repeatedName = PARAMETERS.find((name) => (c.req.queries(name)?.length ?? 0) > 1)
  if (repeatedName !== undefined) throw refuse(repeatedName, 'must be given once')
  const { tools = 'default', structured = '0' } = c.req.query()
  const toolset = parseToolset(tools)
  if (toolset === null) throw refuse('tools', `must be one of ${toolsets.join(', ')}`)
  if (structured !== '0' && structured !== '1') throw refuse('structured', 'must be 0 or 1')
  return { toolset, isStructured: structured === '1' }
}
