import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql/index.js'
import { LRUCache } from 'lru-cache'
import { limits } from './limits.ts'
import { RequestError, refuse } from './request-error.ts'
import { rangeOf } from './schema/read-rows.ts'

/** An operation that has passed all checks and can be executed. */
export interface PreparedOperation {
  document: DocumentNode
  operationName: string | null
  /** Variables in the form in which the client sent them, without default values. */
  variables: Record<string, unknown>
}

/** Checks a request before any statement is sent to the database. @throws RequestError if a check fails */
export type PrepareOperation = (request: { query: string } & Omit<PreparedOperation, 'document'>) => PreparedOperation

/**
 * Creates the function that checks documents and variables against a schema. The function keeps validated documents in
 * a cache.
 */
export function createPrepareOperation(schema: GraphQLSchema): PrepareOperation {
  const documentByQuery = new LRUCache<string, DocumentNode>({ max: limits.keptDocuments })
  return ({ query, operationName, variables }) => {
    const document = documentByQuery.get(query) ?? checkDocument(schema, query)
    documentByQuery.set(query, document)
    const operation = findOperation(document, operationName)
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
      maxErrors: limits.reportedErrors,
    })
    if (errors !== undefined) throw new RequestError('BAD_USER_INPUT', errors)
    boundValues(schema, { document, operation, variables: coerced })
    return { document, operationName, variables }
  }
}

function checkDocument(schema: GraphQLSchema, query: string): DocumentNode {
  const document = parseDocument(query)
  // These rules run first: the time of the other rules grows with the square of the document.
  const violations = validate(schema, document, boundRules)
  if (violations.length > 0) throw new RequestError('LIMIT_EXCEEDED', violations)
  const errors = validate(schema, document, specifiedRules, { maxErrors: limits.reportedErrors })
  if (errors.length > 0) throw new RequestError('GRAPHQL_VALIDATION_FAILED', errors)
  return document
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.tokens })
  } catch (error) {
    throw error instanceof GraphQLError ? new RequestError('GRAPHQL_PARSE_FAILED', [error]) : error
  }
}

function findOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation =
    getOperationAST(document, name) ??
    refuse(
      'GRAPHQL_VALIDATION_FAILED',
      'The document must have exactly one operation, or operationName must name one of its operations.',
    )
  if (operation.operation === 'query') return operation
  return refuse('GRAPHQL_VALIDATION_FAILED', 'Only queries are served: there is nothing to mutate or subscribe to.')
}

/**
 * Rules that limit aliases and depth, from the libraries that Ponder's own GraphQL uses, and our rule against nested
 * introspection.
 */
const boundRules: readonly ValidationRule[] = [
  maxAliasesRule({ n: limits.aliases, allowList: [], ...reported('An operation may have at most 5 aliases.') }),
  maxDepthRule({
    n: limits.depth,
    flattenFragments: true,
    ignoreIntrospection: true,
    ...reported(`An operation may have at most ${limits.depth} levels of fields; { tasks { items { id } } } has 3.`),
  }),
  refuseNestedIntrospection,
]

/** Returns options that make a graphql-armor rule report our own message instead of throwing an error. */
function reported(sentence: string) {
  const report = (context: { reportError(error: GraphQLError): void } | null) =>
    context?.reportError(new GraphQLError(sentence))
  return { propagateOnRejection: false, onReject: [report] }
}

/**
 * The fields of `__Type` that are lists of further types. If a query nests one of these fields in another, the answer
 * becomes hundreds of times larger. The introspection query of graphql-js does not nest these fields.
 */
const introspectionLists = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes'])

function refuseNestedIntrospection(context: Parameters<ValidationRule>[0]): ReturnType<ValidationRule> {
  const levelsByName = new Map<string, number>()
  const levelsOf = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map((selection) => {
        if (selection.kind === Kind.INLINE_FRAGMENT) return levelsOf(selection.selectionSet)
        if (selection.kind === Kind.FIELD) {
          return levelsOf(selection.selectionSet) + (introspectionLists.has(selection.name.value) ? 1 : 0)
        }
        const name = selection.name.value
        const knownLevels = levelsByName.get(name)
        if (knownLevels !== undefined) return knownLevels
        levelsByName.set(name, 0)
        const levels = levelsOf(context.getFragment(name)?.selectionSet)
        levelsByName.set(name, levels)
        return levels
      }),
    )
  return {
    OperationDefinition: (node) => {
      if (levelsOf(node.selectionSet) <= 1) return
      const names = [...introspectionLists].join(', ')
      context.reportError(new GraphQLError(`The introspection fields ${names} may not be nested in each other.`))
    },
  }
}

interface Coerced {
  document: DocumentNode
  operation: OperationDefinitionNode
  variables: Record<string, unknown>
}

/**
 * Refuses an operation whose answer could have too many values (number of fields times number of rows). The check runs
 * before any row is read. graphql-js spends time on each value, and the process cannot do other work in this time.
 */
function boundValues(schema: GraphQLSchema, { document, operation, variables }: Coerced): void {
  const fragments = new Map(
    document.definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
  const valueCounts = new Map<string, number>()
  const countFragment = (type: GraphQLObjectType, name: string): number => {
    const set = fragments.get(name)?.selectionSet
    const count = valueCounts.get(name) ?? (set === undefined ? 0 : countValues(type, set))
    valueCounts.set(name, count)
    return count
  }
  const countValues = (type: GraphQLObjectType, { selections }: SelectionSetNode): number => {
    let count = 0
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        count += countValues(type, selection.selectionSet)
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        count += countFragment(type, selection.name.value)
      } else {
        const field = type.getFields()[selection.name.value]
        const below = field === undefined ? undefined : getNamedType(field.type)
        const isRead = field !== undefined && isObjectType(below) && selection.selectionSet !== undefined
        const inside = isRead ? countValues(below, selection.selectionSet) : 0
        const isList = field?.args.some(({ name }) => name === 'limit') ?? false
        const rows = isRead && isList ? rangeOf(getArgumentValues(field, selection, variables)).limit : 1
        count += 1 + rows * inside
      }
    }
    return count
  }
  const query = schema.getQueryType()
  const count = query ? countValues(query, operation.selectionSet) : 0
  if (count > limits.values) {
    refuse(
      'LIMIT_EXCEEDED',
      `An operation may ask for at most ${limits.values} values, which are fields by rows; this one could get ${count}: lower the argument limit (${limits.defaultRows} by default) of its lists, or ask for fewer fields.`,
    )
  }
}
