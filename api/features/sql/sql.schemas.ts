import { z } from 'zod'
import { timestampOut } from '../../http/response-schemas.ts'

/** The largest size of a query, and of each text parameter, in UTF-8 bytes. */
const MAX_QUERY_BYTES = 8_192
const MAX_PARAMETERS = 100

/**
 * Returns a schema for text that PostgreSQL can store, with a limit in bytes. A NUL character is refused, because
 * PostgreSQL would ignore the text after it.
 */
function boundedText(name: string) {
  return z
    .string()
    .refine((text) => !/[\0\p{Cs}]/u.test(text), { error: 'must be well-formed text without NUL', abort: true })
    .refine((text) => Buffer.byteLength(text) <= MAX_QUERY_BYTES, {
      error: `${name} must have at most ${MAX_QUERY_BYTES} bytes`,
    })
    .meta({ maxLength: MAX_QUERY_BYTES })
}

/**
 * The schema of a number that JSON represents exactly. Larger whole numbers must be sent as strings, because JSON
 * parsers round large numbers.
 */
const parameterNumber = z.number().refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), {
  error: 'must be a string when it is a whole number beyond 2^53',
})

/**
 * Returns the error message for a parameter that is not valid. If the type of the parameter is accepted but its value
 * is not, the message tells what is wrong with the value. Else the message names the accepted types.
 */
function ownProblemOf(problems: readonly (readonly { message: string }[])[]): string {
  const messages = problems.flat().map(({ message }) => message)
  return (
    messages.find((message) => !message.startsWith('Invalid input')) ?? 'must be a text, a number, true, false or null'
  )
}

/** The schema of a query's text. */
export const sqlText = boundedText('a query')
  .refine((text) => text.trim() !== '', { error: 'must not be empty' })
  .meta({
    description: `One SELECT over the schemas \`market\` and \`analytics\`, at most ${MAX_QUERY_BYTES} bytes; docs/build/analytics.md.`,
    examples: ['SELECT status, count(*) AS tasks FROM market.task WHERE created_at >= 0 GROUP BY status'],
  })

/** The schema of the body of `POST /sql` and `POST /sql/explain`. */
export const sqlBody = z.object({
  query: sqlText,
  params: z
    .array(
      z.union([boundedText('a parameter'), parameterNumber, z.boolean(), z.null()], {
        error: ({ code, errors }) => (code === 'invalid_union' ? ownProblemOf(errors) : undefined),
      }),
    )
    .max(MAX_PARAMETERS)
    .default([])
    .meta({
      description:
        'Values of $1, $2, ...: as many as the query names. Amounts and other large numbers as decimal strings.',
      examples: [[1_795_305_600]],
    }),
})

export const snapshotOut = {
  block: z
    .object({ number: z.int().min(0), timestamp: timestampOut })
    .nullable()
    .meta({ description: 'The newest indexed block: the rows are those of its end. Null before the first.' }),
  schemaVersion: z
    .string()
    .nullable()
    .meta({ description: 'Names the deployment of the indexer that wrote the rows; another may have other columns.' }),
}

export const sqlAnswer = z.object({
  ...snapshotOut,
  note: z.string().optional().meta({
    description: 'Present when the query compares with an address in capitals: addresses are stored in lower case.',
  }),
  columns: z.array(z.object({ name: z.string(), type: z.string().meta({ description: "PostgreSQL's name of it." }) })),
  rowCount: z.int().min(0).meta({ description: 'Rows of this page.' }),
  next: z.string().nullable().meta({
    description: 'URL of the page behind this one, kept for ten minutes; null: the answer ends here.',
  }),
  rows: z.array(z.record(z.string(), z.unknown())).meta({
    description:
      'An object a row. bigint, numeric and times are strings, json is itself, arrays are arrays; NaN and infinities are strings.',
  }),
})

export const explainAnswer = z.object({
  ...snapshotOut,
  plan: z.unknown().meta({ description: "PostgreSQL's `EXPLAIN (FORMAT JSON)`." }),
})

export type SqlBody = z.infer<typeof sqlBody>

/** Returns the parameters in the form that PostgreSQL takes: each as a text, or null. */
export function toParameters(params: SqlBody['params']): (string | null)[] {
  return params.map((value) => (value === null ? null : String(value)))
}
