import { limits } from './limits.ts'
import { RequestError } from './request-error.ts'

/** The parameters of a GraphQL request. */
export interface RequestBody {
  query: string
  variables: Record<string, unknown>
  /** Null: the document has one operation. */
  operationName: string | null
}

const LAYOUT = '{"query": "...", "variables": {...}, "operationName": "..."}'

/**
 * Parses the text of a request body; `variables` and `operationName` may be absent or null, other members are ignored.
 * @throws RequestError with what the body must look like
 */
export function parseRequestBody(text: string): RequestBody {
  const body = parseJson(text)
  if (Array.isArray(body)) {
    throw new RequestError('BAD_REQUEST', 'A batch is not accepted: send one JSON object with one query.')
  }
  if (!isObject(body)) throw new RequestError('BAD_REQUEST', `The body must be a JSON object: ${LAYOUT}.`)
  const { query, variables = null, operationName = null } = body
  if (typeof query !== 'string' || query.trim() === '') {
    throw new RequestError('BAD_REQUEST', `The member query must be a text with a GraphQL document: ${LAYOUT}.`)
  }
  if (variables !== null && !isObject(variables)) {
    throw new RequestError('BAD_REQUEST', 'The member variables must be a JSON object that maps names to values.')
  }
  if (operationName !== null && typeof operationName !== 'string') {
    throw new RequestError('BAD_REQUEST', 'The member operationName must be the name of an operation of the document.')
  }
  const problem = findVariablesProblem(variables)
  if (problem !== null) throw new RequestError('LIMIT_EXCEEDED', problem)
  return { query, variables: variables ?? {}, operationName }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('BAD_REQUEST', `The body is not valid JSON. Send ${LAYOUT}.`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * graphql-js reads variables by recursion, and an object of a filter costs it a step for each of the hundreds of fields
 * that a filter can have.
 */
function findVariablesProblem(variables: object | null): string | null {
  const { variableLevels, variableValues } = limits
  let values = 0
  const isWithin = (value: unknown, levels: number): boolean => {
    values += 1
    if (typeof value !== 'object' || value === null) return true
    return levels > 0 && values <= variableValues && Object.values(value).every((entry) => isWithin(entry, levels - 1))
  }
  const isNested = isWithin(variables, variableLevels)
  if (values > variableValues) return `The member variables may have at most ${variableValues} values.`
  return isNested ? null : `The member variables may have at most ${variableLevels} levels of lists and objects.`
}
