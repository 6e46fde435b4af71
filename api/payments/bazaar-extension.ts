import { z } from 'zod'

/** What is declared of a paid route. */
export interface PaidRoute {
  /** From the root, with braces. */
  path: string
  /** None: the route takes no body. */
  body: z.ZodType | null
  /** An example of the body; `{}` unless given. */
  example?: unknown
}

/** The declaration of a route to catalogues of paid services, by the extension's own schema. */
export type BazaarExtension = ReturnType<typeof bazaarExtension>

/** Most bytes of a declaration: clients send it back in a header. */
export const MAX_EXTENSION_BYTES = 2_048

/**
 * The extension `bazaar` of a challenge: how the route is called, for catalogues of paid services. A client sends it back
 * with its payment, so of the body's schema there are names and types alone.
 */
export function bazaarExtension({ path, body, example = {} }: PaidRoute) {
  const input = { type: 'http', method: 'POST', bodyType: 'json', body: example } as const
  return {
    info: { input, output: { type: 'json' } },
    routeTemplate: path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: ['json'] },
            body: body === null ? { type: 'object' } : toOutline(body),
          },
          required: ['type', 'method', 'bodyType', 'body'],
          additionalProperties: false,
        },
        output: { type: 'object', properties: { type: { type: 'string' } } },
      },
      required: ['input'],
    },
  } as const
}

/** Names and types of the fields. */
function toOutline(body: z.ZodType) {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    typeof field === 'object' && field.type !== undefined ? { type: field.type } : {},
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, { type?: string }>,
    ...(schema.required !== undefined && schema.required.length > 0 && { required: schema.required }),
  }
}
