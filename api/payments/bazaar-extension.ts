import { z } from 'zod'

/** The declared facts of a paid route. */
export interface PaidRoute {
  /** The path from the root, with braces. */
  path: string
  /** The schema of the body; null: the route takes no body. */
  body: z.ZodType | null
  /** An example of the body; `{}` by default. */
  example?: unknown
}

/** The declaration of a route for catalogues of paid services, by the extension's schema. */
export type BazaarExtension = ReturnType<typeof bazaarExtension>

/**
 * The bytes that field names may fill in a declaration: it is sent in a header, and the headers of an answer must fit
 * into 4,000 bytes. A long example alone may exceed it.
 */
const OUTLINE_BYTES = 800

/**
 * Returns the `bazaar` extension of a challenge, which describes the call of a route for catalogues of paid services. A
 * client returns it with its payment, so it lists only names and types of the body's fields: the required ones, then
 * the others while there is room. `/openapi.json` has all of them.
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

/** Returns names and types of the fields, required ones first. */
function outlineOf(body: z.ZodType): { fields: Field[]; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const type = typeof field === 'object' ? field.type : undefined
    return [name, typeof type === 'string' ? { type } : {}]
  })
  const isRequired = ([name]: Field) => required.includes(name)
  return { fields: [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))], required }
}
