import type { oas31 } from 'zod-openapi'

/** A parameter becomes a shared component if at least this number of operations have it. */
const SHARED_FROM = 5

/**
 * Moves parameters that many operations share into the document's components, in place. A generated client then has one
 * type for each parameter. If parameters have the same name but different definitions, only the most frequent
 * definition is shared.
 */
export function shareParameters(document: oas31.OpenAPIObject): void {
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as oas31.OperationObject[],
  )
  const counts = new Map<string, { parameter: oas31.ParameterObject; count: number }>()
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if ('$ref' in parameter) continue
    dropRepeatedDescription(parameter)
    const text = JSON.stringify(parameter)
    counts.set(text, { parameter, count: (counts.get(text)?.count ?? 0) + 1 })
  }
  const sharedParameters = new Map<string, oas31.ParameterObject>()
  const nameOf = new Map<string, string>()
  for (const [text, { parameter, count }] of [...counts].sort(([, a], [, b]) => b.count - a.count)) {
    const name = toComponentName(parameter.name)
    if (count < SHARED_FROM || sharedParameters.has(name)) continue
    sharedParameters.set(name, parameter)
    nameOf.set(text, name)
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = nameOf.get(JSON.stringify(parameter))
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
    })
  }
  const sharedByName = [...sharedParameters].sort(([a], [b]) => (a < b ? -1 : 1))
  document.components = { ...document.components, parameters: Object.fromEntries(sharedByName) }
}

/** Removes the schema's description if it equals the parameter's description. */
function dropRepeatedDescription(parameter: oas31.ParameterObject): void {
  const { description, schema } = parameter
  if (schema === undefined || '$ref' in schema || schema.description !== description) return
  const { description: _, ...rest } = schema
  parameter.schema = rest
}

/**
 * Returns the component's name for a parameter. Example: `toComponentName('PAYMENT-SIGNATURE')` returns
 * `'PaymentSignature'`.
 */
function toComponentName(name: string): string {
  const words = name.split('-').map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}
