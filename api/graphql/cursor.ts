import { z } from 'zod'
import { limits } from './limits.ts'

/** A column that rows are sorted by, with the name of its GraphQL type. */
export type SortableColumns = ReadonlyMap<string, string>

/**
 * Content of Ponder's cursor: base64 of superjson, with the values that a row was sorted by. The client sends it, so
 * only flat values of their columns' types are taken, and of the types that superjson names bigint alone.
 */
const cursorSchema = z.strictObject({
  // As parsed: z.record would leave out a member `__proto__`.
  json: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  meta: z
    .strictObject({
      values: z.record(z.string(), z.tuple([z.literal('bigint')])),
      // Columns with the same bigint: superjson notes it, and keeps the value of each.
      referentialEqualities: z.record(z.string(), z.array(z.string())).optional(),
      v: z.literal(1).optional(),
    })
    .optional(),
})

const text = z.string()
const bigint = z.string().regex(new RegExp(`^-?\\d{1,${limits.numberDigits}}$`))
const valueSchemas: Record<string, z.ZodType> = {
  Int: z.int(),
  Float: z.number(),
  Boolean: z.boolean(),
  BigInt: bigint,
}

/** The values of a row that its list is sorted by. */
export type CursorValues = Record<string, string | number | boolean | null>

/**
 * Reads the cursor of a list that is sorted by `sortedBy`; null: the text is none. The row that it names need not exist.
 * @param sortedBy the argument orderBy, if there is one, and the columns of the key
 */
export function parseCursor(
  cursor: string,
  { columns, sortedBy }: { columns: SortableColumns; sortedBy: readonly string[] },
): CursorValues | null {
  if (cursor.length > limits.cursorCharacters) return null
  const parsed = cursorSchema.safeParse(parseBase64Json(cursor))
  if (!parsed.success) return null
  const { json, meta } = parsed.data
  const bigints = new Set(Object.keys(meta?.values ?? {}))
  const names = new Set(sortedBy)
  const equal = Object.entries(meta?.referentialEqualities ?? {}).flat(2)
  if ([...Object.keys(json), ...bigints, ...equal].some((name) => !names.has(name))) return null
  const isWhole = [...names].every((name) => {
    const type = columns.get(name) ?? ''
    const value = json[name]
    if (value === null) return !bigints.has(name)
    return bigints.has(name) === (type === 'BigInt') && (valueSchemas[type] ?? text).safeParse(value).success
  })
  return isWhole ? (json as CursorValues) : null
}

function parseBase64Json(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
