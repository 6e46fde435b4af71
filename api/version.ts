import manifest from '../package.json' with { type: 'json' }

/** The release of the service, shown in its OpenAPI document, MCP server and registry entry. Example: `1.0.0`. */
export const serviceVersion: string = manifest.version
