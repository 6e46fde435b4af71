import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { inlineReferences } from './inline-references.ts'

/** The parts of a published operation that this suite reads. */
export interface PublishedOperation {
  operationId?: string
  summary?: string
  tags?: string[]
  responses: Record<string, PublishedResponse>
  parameters?: { name: string; in: string }[]
}

interface PublishedResponse {
  content?: Record<string, { schema?: object }>
  headers?: Record<string, { required?: boolean }>
}

/** The parts of `/openapi.json` that this suite reads. */
export interface PublishedDocument {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, PublishedOperation>>
  components: { schemas: Record<string, object> }
}

/** One answer, as the contract checks it. */
export interface ServedAnswer {
  method: string
  /** Path of the URL, without the query. */
  path: string
  status: number
  headers: Headers
  text: string
}

/** The schemas of a document, to check answers against. */
export interface PublishedContract {
  /**
   * Checks an answer against its published operation: status, content type, required headers, schema. An answer
   * of a path without an operation is not checked.
   * @throws Error naming the operation and the failed check
   */
  check(answer: ServedAnswer): void
}

/** The text formats of the document; stricter than the standard where the interface is. */
export const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
} as const

const documentId = 'published.json'

/** Compiles the schemas of a document. */
export function publishedContract(published: PublishedDocument): PublishedContract {
  const document = inlineReferences(published)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, formats })
  ajv.addSchema(document, documentId)
  const operations = listOperations(document)
  return {
    check: (answer) => {
      const found = operations.find(({ method, pattern }) => method === answer.method && pattern.test(answer.path))
      if (found === undefined || answer.status === 304) return
      const name = `${found.operation.operationId} (${answer.method} ${answer.path})`
      const response = found.operation.responses[String(answer.status)]
      if (response === undefined)
        throw new Error(`${name} does not publish the status ${answer.status}: ${answer.text}`)
      checkHeaders(name, response, answer)
      checkBody(name, response, answer, (type) =>
        ajv.getSchema(
          [`${documentId}#/paths`, found.path, found.method.toLowerCase(), 'responses', answer.status, 'content', type]
            .map((part, index) => (index === 0 ? part : escapePointer(String(part))))
            .concat('schema')
            .join('/'),
        ),
      )
    },
  }
}

interface Operation {
  method: string
  path: string
  pattern: RegExp
  operation: PublishedOperation
}

/** A fixed path before one with parameters, as the service matches them. */
function listOperations({ paths }: PublishedDocument): Operation[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
        operation,
      })),
    )
    .sort((a, b) => countParameters(a.path) - countParameters(b.path))
}

function countParameters(path: string): number {
  return path.split('{').length - 1
}

function checkHeaders(name: string, { headers = {} }: PublishedResponse, answer: ServedAnswer): void {
  for (const [header, { required }] of Object.entries(headers)) {
    if (required === true && !answer.headers.has(header)) {
      throw new Error(`${name} promises the header ${header} with ${answer.status}`)
    }
  }
}

function checkBody(
  name: string,
  { content = {} }: PublishedResponse,
  answer: ServedAnswer,
  schemaOf: (type: string) => ValidateFunction | undefined,
): void {
  const served = essenceOf(answer.headers.get('content-type') ?? '')
  const published = Object.keys(content).find((type) => covers(essenceOf(type), served))
  if (published === undefined) {
    throw new Error(`${name} does not publish ${served} with ${answer.status}, but ${Object.keys(content).join(', ')}`)
  }
  if (content[published]?.schema === undefined) throw new Error(`${name} publishes no schema with ${answer.status}`)
  const isRaw = Object.keys(content[published].schema).length === 0
  if (isRaw) return
  const matches = schemaOf(published)
  if (matches === undefined) throw new Error(`the schema of ${name}, ${answer.status}, cannot be compiled`)
  if (matches(JSON.parse(answer.text))) return
  const problems = matches.errors?.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  throw new Error(`${name} answered ${answer.status} against its schema: ${problems?.join('; ')}\n${answer.text}`)
}

/** Whether a published type or range, such as `image/*`, includes a type. */
function covers(published: string, served: string): boolean {
  return published === served || published === '*/*' || published === `${served.split('/', 1)[0]}/*`
}

/** A media type without its parameters. */
function essenceOf(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
