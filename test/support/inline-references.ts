interface References {
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  responses: Record<string, { $ref?: string }>
  parameters?: { $ref?: string }[]
}

type Kind = 'responses' | 'parameters' | 'schemas'

/** The document with the shared response, parameter or body's schema in the place of each reference to one. */
export function inlineReferences<Document extends { paths?: object; components?: object }>(
  document: Document,
): Document {
  const copy = structuredClone(document)
  const shared = (copy.components ?? {}) as Record<Kind, Record<string, object> | undefined>
  const inline = <Item extends { $ref?: string }>(item: Item, kind: Kind): Item => {
    if (item.$ref === undefined) return item
    const found = shared[kind]?.[item.$ref.replace(`#/components/${kind}/`, '')]
    if (found === undefined) throw new Error(`${item.$ref} leads nowhere`)
    return found as Item
  }
  for (const item of Object.values(copy.paths ?? {})) {
    for (const operation of Object.values(item as Record<string, References>)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        operation.responses[status] = inline(response, 'responses')
      }
      for (const media of Object.values(operation.requestBody?.content ?? {})) {
        media.schema = inline(media.schema, 'schemas')
      }
      if (operation.parameters === undefined) continue
      operation.parameters = operation.parameters.map((parameter) => inline(parameter, 'parameters'))
    }
  }
  return copy
}
