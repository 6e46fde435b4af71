import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  separateOperations,
  specifiedRules,
  validate,
} from 'graphql/index.js'
import { findArgumentProblem } from './argument-limits.ts'
import { findDocumentProblem } from './document-limits.ts'
import { limits } from './limits.ts'
import type { RequestBody } from './parse-request-body.ts'
import { RequestError } from './request-error.ts'

/** A query that may be executed. */
export interface PreparedOperation {
  /** The operation with the fragments that it needs. */
  document: DocumentNode
  /** As sent. */
  variables: Record<string, unknown>
}

/**
 * Parses a request's document, measures it, validates it and checks its arguments, all before the first statement.
 * @throws RequestError
 */
export function prepareOperation(schema: GraphQLSchema, body: RequestBody): PreparedOperation {
  const parsed = parseDocument(body.query)
  const operation = getOperation(parsed, body.operationName)
  const documentProblem = findDocumentProblem(parsed, operation)
  if (documentProblem !== null) throw new RequestError('LIMIT_EXCEEDED', documentProblem)
  const errors = validate(schema, parsed, specifiedRules, { maxErrors: limits.reportedErrors })
  if (errors.length > 0) throw new RequestError('GRAPHQL_VALIDATION_FAILED', errors)

  const document = separateOperations(parsed)[operation.name?.value ?? ''] ?? parsed
  const variables = coerceVariables(schema, { operation, inputs: body.variables })
  const argumentProblem = findArgumentProblem(schema, { document, variables })
  if (argumentProblem !== null) throw new RequestError(argumentProblem.code, argumentProblem.message)
  return { document, variables: body.variables }
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.tokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new RequestError('GRAPHQL_PARSE_FAILED', [error])
  }
}

function getOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (!operation) {
    const message = 'The document must have exactly one operation, or operationName must name one of its operations.'
    throw new RequestError('GRAPHQL_VALIDATION_FAILED', message)
  }
  if (operation.operation !== OperationTypeNode.QUERY) {
    throw new RequestError(
      'GRAPHQL_VALIDATION_FAILED',
      'Only queries are served: there is nothing to mutate or subscribe to.',
    )
  }
  return operation
}

function coerceVariables(
  schema: GraphQLSchema,
  { operation, inputs }: { operation: OperationDefinitionNode; inputs: Record<string, unknown> },
): Record<string, unknown> {
  const definitions = operation.variableDefinitions ?? []
  // graphql-js keeps coerced variables in an object with a prototype, which `__proto__` would replace.
  if (definitions.some(({ variable }) => variable.name.value.startsWith('__'))) {
    throw new RequestError('GRAPHQL_VALIDATION_FAILED', 'The name of a variable may not begin with two underscores.')
  }
  const { coerced, errors } = getVariableValues(schema, definitions, inputs, { maxErrors: limits.reportedErrors })
  if (errors !== undefined) throw new RequestError('BAD_USER_INPUT', errors)
  return coerced
}
