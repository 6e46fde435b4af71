/** The document with every reference to a shared response replaced by the response. */
export function inlineResponses<Document extends { paths?: object; components?: object }>(
  document: Document,
): Document {
  const copy = structuredClone(document)
  const shared = (copy.components ?? {}) as { responses?: Record<string, object> }
  for (const item of Object.values(copy.paths ?? {})) {
    for (const operation of Object.values(item as Record<string, { responses: Record<string, { $ref?: string }> }>)) {
      for (const [status, { $ref }] of Object.entries(operation.responses)) {
        if ($ref === undefined) continue
        const found = shared.responses?.[$ref.replace('#/components/responses/', '')]
        if (found === undefined) throw new Error(`${$ref} leads nowhere`)
        operation.responses[status] = found
      }
    }
  }
  return copy
}
