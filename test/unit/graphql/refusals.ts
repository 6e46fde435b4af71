import { expect } from 'vitest'
import { buildMarketGraphql } from '../../../api/graphql/market-graphql.ts'
import { prepareOperation } from '../../../api/graphql/prepare-operation.ts'
import { RequestError } from '../../../api/graphql/request-error.ts'

const { schema } = await buildMarketGraphql()

/** The refusal of a request of the read model, `CODE: message`; null when it is accepted. */
export function refusalOf(
  query: string,
  variables: Record<string, unknown> = {},
  operationName: string | null = null,
): string | null {
  try {
    prepareOperation(schema, { query, variables, operationName })
    return null
  } catch (error) {
    if (error instanceof RequestError) return `${error.code}: ${error.message}`
    throw error
  }
}

/** Matches a refusal with a code and a part of its message. */
export const refused = (code: string, words: string) => expect.stringMatching(new RegExp(`^${code}: .*${words}`))

/** Matches the refusal of a limit. */
export const limit = (words: string) => refused('LIMIT_EXCEEDED', words)

/** Matches the refusal of a value that cannot be used. */
export const unusable = (words: string) => refused('BAD_USER_INPUT', words)
