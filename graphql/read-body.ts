import { z } from 'zod'
import { limits } from './limits.ts'
import { refuse } from './request-error.ts'

const LAYOUT = '{"query": "...", "variables": {...}, "operationName": "..."}'

const body = z.object({
  query: z.string().regex(/\S/, 'must be a GraphQL document'),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
})

/** The parts of a GraphQL request's body. */
export interface RequestBody {
  query: string
  variables: Record<string, unknown>
  /** Name of the operation to execute; null if the document has only one operation. */
  operationName: string | null
}

/** Parses a request body. @throws RequestError that states the required form if the body has another form */
export function readBody(text: string): RequestBody {
  const requestJson = parseJson(text)
  if (Array.isArray(requestJson)) refuse('BAD_REQUEST', 'A batch is not accepted: send one JSON object with one query.')
  const parsedBody = body.safeParse(requestJson)
  if (!parsedBody.success) {
    const problems = parsedBody.error.issues
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; ')
    refuse('BAD_REQUEST', `The body must be ${LAYOUT}: ${problems}.`)
  }
  const { query, variables, operationName } = parsedBody.data
  boundVariables(variables ?? {})
  return { query, variables: variables ?? {}, operationName: operationName ?? null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('BAD_REQUEST', `The body is not valid JSON. Send ${LAYOUT}.`)
  }
}

/**
 * Refuses variables with too many values or levels. For each object in a filter, graphql-js checks each of the filter's
 * hundreds of fields.
 */
function boundVariables(variables: object): void {
  const { variableLevels, variableValues } = limits
  let values = 0
  const count = (value: unknown, levels: number): void => {
    values += 1
    if (values > variableValues || levels > variableLevels) {
      refuse('LIMIT_EXCEEDED', `The variables may have at most ${variableValues} values and ${variableLevels} levels.`)
    }
    if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) count(entry, levels + 1)
  }
  count(variables, 0)
}
