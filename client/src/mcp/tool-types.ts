import type { Tool } from '@modelcontextprotocol/server'
import type { WriteName } from '../api/write-names.ts'

/** The JSON Schema of an object. */
export type ObjectSchema = Tool['inputSchema']

/** A tool that reads from the service. */
export interface ReadTool {
  name: string
  title: string
  description: string
  /** The path relative to the service's root URL, with parameters in braces. */
  path: string
  /** The names of the arguments that belong in the path. All other arguments are query parameters. */
  pathArguments: string[]
  inputSchema: ObjectSchema
  /** The JSON Schema of the answer, with references `#/$defs/<name>` to the schemas named in `definitions`. */
  answer: object
  definitions: string[]
}

/** A tool that writes through the service, with the arguments that a caller chooses. */
export interface WriteTool {
  name: WriteName
  title: string
  description?: string
  inputSchema: ObjectSchema
}

/** The tools that are generated from the service's OpenAPI document. */
export interface Catalogue {
  reads: ReadTool[]
  writes: WriteTool[]
  schemas: Record<string, object>
}
