import type { Tool } from '@modelcontextprotocol/server'
import type { WriteName } from '../api/write-names.ts'

/** A JSON Schema of an object. */
export type ObjectSchema = Tool['inputSchema']

/** A read of the service as a tool. */
export interface ReadTool {
  name: string
  title: string
  description: string
  /** Below the service's root, braces around parameters. */
  path: string
  /** Arguments in the path; all others are query parameters. */
  pathArguments: string[]
  inputSchema: ObjectSchema
  /** Schema of the answer; it references `definitions` by name, as `#/$defs/`. */
  answer: object
  definitions: string[]
}

/** A write of the service: the arguments that a caller chooses. */
export interface WriteTool {
  name: WriteName
  title: string
  description?: string
  inputSchema: ObjectSchema
}

/** Tools generated from the service's OpenAPI document. */
export interface Catalogue {
  reads: ReadTool[]
  writes: WriteTool[]
  schemas: Record<string, object>
}
