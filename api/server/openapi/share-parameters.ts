import type { oas31 } from 'zod-openapi'

/** A parameter that so many operations have alike is a component. */
const SHARED_FROM = 5

/**
 * Puts the parameters that many operations have alike into the document's components, in place, and says each
 * description once: a client generated from the document has one type for each of them, and the document is a seventh
 * smaller. Of several parameters of one name the most frequent one is shared.
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
  const shared = new Map<string, oas31.ParameterObject>()
  const nameOf = new Map<string, string>()
  for (const [text, { parameter, count }] of [...counts].sort(([, a], [, b]) => b.count - a.count)) {
    const name = toComponentName(parameter.name)
    if (count < SHARED_FROM || shared.has(name)) continue
    shared.set(name, parameter)
    nameOf.set(text, name)
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = nameOf.get(JSON.stringify(parameter))
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
    })
  }
  const named = [...shared].sort(([a], [b]) => (a < b ? -1 : 1))
  document.components = { ...document.components, parameters: Object.fromEntries(named) }
}

/** A parameter's schema repeats what the parameter says. */
function dropRepeatedDescription(parameter: oas31.ParameterObject): void {
  const { description, schema } = parameter
  if (schema === undefined || '$ref' in schema || schema.description !== description) return
  const { description: _, ...rest } = schema
  parameter.schema = rest
}

/** `PAYMENT-SIGNATURE` is `PaymentSignature`, `taskId` is `TaskId`. */
function toComponentName(name: string): string {
  const words = name.split('-').map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}
