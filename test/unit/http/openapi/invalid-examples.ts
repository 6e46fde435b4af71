import { Ajv2020 } from 'ajv/dist/2020.js'
import { escapePointer, formats, type PublishedDocument } from '../../../support/conformance-contract.ts'

interface Body {
  content?: Record<string, { examples?: Record<string, { value?: unknown }>; schema?: object }>
}

const documentId = 'document.json'

/** Examples of a document that do not match their schema, each with the difference. */
export function listInvalidExamples(document: PublishedDocument): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, formats })
  ajv.addSchema(document, documentId)
  const problemsOf = (path: readonly string[], example: unknown): string[] => {
    const matches = ajv.getSchema(`${documentId}#/${[...path, 'schema'].map(escapePointer).join('/')}`)
    if (matches === undefined) throw new Error(`no schema at ${path.join(' ')}`)
    if (matches(example)) return []
    return (matches.errors ?? []).map(({ instancePath, message }) => `${path.join(' ')}: ${instancePath} ${message}`)
  }
  const problemsIn = (path: readonly string[], { content = {} }: Body) =>
    Object.entries(content).flatMap(([type, media]) =>
      Object.values(media.examples ?? {}).flatMap(({ value }) => problemsOf([...path, 'content', type], value)),
    )
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { requestBody = {}, responses } = operation as typeof operation & { requestBody?: Body }
      const at = ['paths', path, method]
      return [
        ...problemsIn([...at, 'requestBody'], requestBody),
        ...Object.entries(responses).flatMap(([status, body]) => problemsIn([...at, 'responses', status], body)),
      ]
    }),
  )
}
