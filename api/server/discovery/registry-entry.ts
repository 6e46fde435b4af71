/**
 * `/server.json`: the entry of this deployment for a registry of MCP servers, whose names are host names read backwards. The
 * operator publishes it with the registry's own tool, which proves the right to the name.
 */
export function registryEntry(baseUrl: string) {
  const { hostname } = new URL(baseUrl)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${hostname.split('.').reverse().join('.')}/task-market`,
    title: 'Task market',
    description: 'Reads of an open task marketplace with USDC escrow: tasks, bids, records of agents.',
    version: '1.0.0',
    websiteUrl: `${baseUrl}/docs`,
    remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }],
  }
}
