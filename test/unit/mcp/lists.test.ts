import { describe, expect, test } from 'vitest'
import { readTools } from '../../../api/mcp/read-tools.ts'
import { servedDocument } from '../../../api/server/openapi/describe-routes.ts'
import { routes } from '../../../api/server/routes.ts'
import { catalogue } from '../../../client/src/mcp/catalogue.ts'
import { listReadTools } from '../../../client/src/mcp/read-tools.ts'
import { listTools } from '../../../client/src/mcp/tool-server.ts'
import { isListed, toolsets } from '../../../mcp/toolsets.ts'

const reads = listReadTools().map(({ name }) => name)

describe('The list of tools', () => {
  test('is by default below 25 kB with at most 24 tools, of the endpoint and of the tool alike', () => {
    const served = readTools(routes, servedDocument('service', 8453))
      .filter(({ tool }) => isListed('default', tool.name))
      .map(({ tool: { outputSchema: _, ...tool } }) => tool)
    const local = listTools({ toolset: 'default', isStructured: false })
    for (const tools of [served, local]) {
      expect(tools.length).toBeLessThanOrEqual(24)
      expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(25_000)
    }
    expect(local.map(({ name }) => name)).toEqual(expect.arrayContaining(['preview_write', 'listTasks', 'getTask']))
  })

  test('the default set is that of workers and that of requesters, and every set names tools that exist', () => {
    for (const read of reads) {
      expect(isListed('default', read)).toBe(isListed('worker', read) || isListed('requester', read))
      expect(isListed('all', read)).toBe(true)
    }
    for (const set of toolsets) expect(reads.filter((read) => isListed(set, read)).length).toBeGreaterThan(9)
  })

  test('has output schemas only when answers are structured', () => {
    expect(listTools({ toolset: 'all', isStructured: true })).toHaveLength(catalogue.reads.length + 5)
    for (const tool of listTools({ toolset: 'all', isStructured: true })) expect(tool).toHaveProperty('outputSchema')
    for (const tool of listTools({ toolset: 'all', isStructured: false }))
      expect(tool).not.toHaveProperty('outputSchema')
  })
})
