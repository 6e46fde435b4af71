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

/**
 * Most bytes of a declaration that are filled with fields: it stands in a header, and the headers of an answer fit into
 * 4,000 bytes together. A long example alone may take more.
 */
const OUTLINE_BYTES = 800

/**
 * The extension `bazaar` of a challenge: how the route is called, for catalogues of paid services. A client sends it back
 * with its payment, so of the body's schema there are names and types alone: of the required fields, then of the others
 * as long as there is room. `/openapi.json` has all of them.
 */
export function bazaarExtension({ path, body, example = {} }: PaidRoute) {
  const outline = body === null ? { fields: [], required: [] } : outlineOf(body)
  const declare = (fields: readonly Field[]) => declaration({ path, example, fields, required: outline.required })
  let fields: readonly Field[] = []
  for (const field of outline.fields) {
    const more = [...fields, field]
    if (JSON.stringify(declare(more)).length > OUTLINE_BYTES) break
    fields = more
  }
  return declare(fields)
}

/** A field of a body and its type. */
type Field = readonly [name: string, schema: { type?: string }]

function declaration({
  path,
  example,
  fields,
  required,
}: {
  path: string
  example: unknown
  fields: readonly Field[]
  required: readonly string[]
}) {
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
            type: { const: 'http' },
            method: { const: 'POST' },
            bodyType: { const: 'json' },
            body: {
              type: 'object',
              ...(fields.length > 0 && { properties: Object.fromEntries(fields) as Record<string, { type?: string }> }),
              ...(required.length > 0 && { required }),
            },
          },
          required: ['type', 'method', 'bodyType', 'body'],
        },
      },
      required: ['input'],
    },
  } as const
}

/** Names and types of the fields, those that are required first. */
function outlineOf(body: z.ZodType): { fields: Field[]; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const type = typeof field === 'object' ? field.type : undefined
    return [name, typeof type === 'string' ? { type } : {}]
  })
  const isRequired = ([name]: Field) => required.includes(name)
  return { fields: [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))], required }
}
