import type { oas31 } from 'zod-openapi'

/** A JSON schema with its definitions. The schema refers to a definition as `#/$defs/<name>`. */
export interface SchemaParts {
  schema: Record<string, unknown>
  definitions: Record<string, object>
}

/** Returns a schema of the OpenAPI document with all components that the schema refers to, as `definitions`. */
export function takeSchema(
  { components }: oas31.OpenAPIObject,
  schema: oas31.SchemaObject | oas31.ReferenceObject,
): SchemaParts {
  const definitions: Record<string, object> = {}
  const openNames = namesIn(schema)
  for (let name = openNames.pop(); name !== undefined; name = openNames.pop()) {
    if (Object.hasOwn(definitions, name)) continue
    const component = components?.schemas?.[name]
    if (component === undefined) throw new Error(`the document has no schema ${name}`)
    definitions[name] = withLocalReferences(component)
    openNames.push(...namesIn(component))
  }
  return { schema: withLocalReferences(schema), definitions }
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

function namesIn(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(REFERENCE)].map(([, name]) => name ?? '')
}

function withLocalReferences(schema: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema).replaceAll(REFERENCE, '"#/$$defs/$1"')) as Record<string, unknown>
}
