import manifest from '../package.json' with { type: 'json' }

/** The release of the service, which its OpenAPI document, MCP server and registry entry contain. Example: `1.0.0`. */
export const serviceVersion: string = manifest.version
