import { z } from 'zod'

/** The facts about a paid route for catalogues of paid services. */
export interface PaidRoute {
  /** The URL path, which begins with `/`, with parameters in braces. */
  path: string
  /** The schema of the request's body; null if the route takes no body. */
  body: z.ZodType | null
  /** An example of the request's body. Default: `{}`. */
  example?: unknown
}

/** The `bazaar` extension of a payment challenge. Catalogues of paid services read it to describe the paid route. */
export type BazaarExtension = ReturnType<typeof bazaarExtension>

/**
 * The size in bytes up to which fields of the body are added to the extension. The first field that would exceed this
 * size is left out, and every later field too. All headers of an answer together must fit into 4,000 bytes. With a long
 * example, the extension can exceed this size even without fields.
 */
const OUTLINE_BYTES = 800

/**
 * Returns the `bazaar` extension of a payment challenge. Catalogues of paid services read it to describe the route's
 * request. Clients send the extension back, so it describes only as many fields as fit, required fields first.
 * `/openapi.json` describes all fields.
 */
export function bazaarExtension({ path, body, example = {} }: PaidRoute) {
  const outline = body === null ? { fields: [], required: [] } : outlineOf(body)
  const declare = (fields: readonly Field[]) => declaration({ path, example, fields, required: outline.required })
  let fields: readonly Field[] = []
  for (const field of outline.fields) {
    const longerList = [...fields, field]
    if (JSON.stringify(declare(longerList)).length > OUTLINE_BYTES) break
    fields = longerList
  }
  return declare(fields)
}

/** The name and type of a body's field. */
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

/** Returns the names and types of the body's fields, required fields first. */
function outlineOf(body: z.ZodType): { fields: Field[]; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const type = typeof field === 'object' ? field.type : undefined
    return [name, typeof type === 'string' ? { type } : {}]
  })
  const isRequired = ([name]: Field) => required.includes(name)
  return { fields: [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))], required }
}
