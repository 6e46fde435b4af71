import type { oas31 } from 'zod-openapi'
import { toTool } from '../../api/mcp/read-tools.ts'
import { operations } from '../../protocol/operations.ts'

type Document = oas31.OpenAPIObject
type Operation = oas31.OperationObject
type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

/** Entries of the table of operations, by operation id. An entry names the fields that the client itself fills in. */
const entries = new Map(
  Object.values(operations).map((entry): [string, { actorField?: string; choices?: readonly string[] }] => [
    entry.operationId,
    entry,
  ]),
)
/**
 * Writes whose whole request body the client builds. The value lists the arguments that the tool has. They are the
 * fields of `WriteInput` without the destination.
 */
const builtBodies: Record<string, readonly string[]> = {
  withdraw: ['amountBaseUnits'],
  withdrawToken: [],
  claimSponsoredReward: ['taskId'],
}
/**
 * Writes that are not offered as tools. `createSubmissionFromKeys` needs files that were uploaded before, and no tool
 * uploads files. `setBoundOnly` is a setting of the wallet, which no model should decide.
 */
const leftOut = ['createSubmissionFromKeys', 'setBoundOnly']

/**
 * Returns the text of a module with the tools of a client's MCP server. The module contains the reads, the writes and
 * the schemas of the document, one per line.
 */
export function toolCatalogue(document: Document): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  )
  const schemas: Record<string, unknown> = {}
  const reads = operations
    .filter(({ method, operation }) => method === 'get' && isWalletRead(operation))
    .map(({ path, operation }) => toRead(document, { path, operation, schemas }))
  const writes = operations
    .filter(({ method, operation }) => method === 'post' && entries.has(operation.operationId ?? ''))
    .filter(({ operation }) => !leftOut.includes(operation.operationId ?? ''))
    .map(({ path, operation }) => toWrite(document, { path, operation }))
  return [
    "import type { Catalogue } from './tool-types.ts'",
    '',
    '/** The reads and writes of the service, as tools. */',
    'export const catalogue: Catalogue = {',
    '  reads: [',
    ...reads.map((tool) => `    ${JSON.stringify(tool)},`),
    '  ],',
    '  writes: [',
    ...writes.map((tool) => `    ${JSON.stringify(tool)},`),
    '  ],',
    '  schemas: {',
    ...Object.entries(schemas).map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)},`),
    '  },',
    '}',
    '',
  ].join('\n')
}

/**
 * Returns true if an operation answers with JSON, and if its answer is public or needs only a wallet's read identity.
 */
function isWalletRead({ operationId = '', responses, security = [] }: Operation): boolean {
  const answer = responses?.['200']
  const isJson = answer !== undefined && !('$ref' in answer) && answer.content?.['application/json'] !== undefined
  const isReadable =
    security.length === 0 ||
    security.some((requirement) => Object.keys(requirement).every((name) => name === 'ReadIdentity'))
  return isJson && isReadable && !operationId.endsWith('Alias')
}

function toRead(
  document: Document,
  { path, operation, schemas }: { path: string; operation: Operation; schemas: Record<string, unknown> },
) {
  const { operationId = '', summary, description } = operation
  const {
    tool,
    operation: { pathArguments },
  } = toTool(document, { path, operationId, operation })
  const { properties = {}, $defs = {} } = tool.outputSchema as Schema & { $defs?: Record<string, unknown> }
  Object.assign(schemas, $defs)
  return {
    name: operationId,
    title: tool.title,
    description: [`${summary}.`, description, `The same as GET ${path}, as this wallet.`].filter(Boolean).join(' '),
    path,
    pathArguments,
    inputSchema: tool.inputSchema,
    answer: properties.data,
    definitions: Object.keys($defs),
  }
}

function toWrite(document: Document, { path, operation }: { path: string; operation: Operation }) {
  const { operationId = '', summary, description } = operation
  const { properties = {}, required = [] } = bodySchemaOf(document, operation)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const isOwn = (name: string) => inPath.includes(name) || isFilledIn(operationId, name)
  const chosenProperties = Object.entries(properties).filter(([name]) => !isOwn(name))
  const pathSchema = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' }
  return {
    name: operationId,
    title: summary,
    ...(description !== undefined && { description }),
    inputSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(inPath.map((name) => [name, pathSchema])),
        ...Object.fromEntries(chosenProperties),
      },
      required: [...inPath, ...required.filter((name) => !isOwn(name))],
      additionalProperties: false,
    },
  }
}

/**
 * Returns true if the client itself fills a field of a request body in. `taskId` is such a field, because the path
 * already contains the task's id.
 */
function isFilledIn(operationId: string, name: string): boolean {
  const builtNames = builtBodies[operationId]
  if (builtNames !== undefined) return !builtNames.includes(name)
  const { actorField, choices = [] } = entries.get(operationId) ?? {}
  return name === 'signature' || name === 'taskId' || name === actorField || choices.some((choice) => choice === name)
}

/** Returns the schema of a write's request body; an empty schema if the write has no body. */
function bodySchemaOf({ components }: Document, { requestBody }: Operation): Schema {
  if (requestBody === undefined || '$ref' in requestBody) return {}
  const { $ref: reference = '' } = (requestBody.content['application/json']?.schema ?? {}) as { $ref?: string }
  const schema = components?.schemas?.[reference.replace('#/components/schemas/', '')]
  if (schema === undefined) throw new Error(`the body ${reference} is no component`)
  return schema as Schema
}
