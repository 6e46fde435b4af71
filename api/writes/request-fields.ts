import type { WriteInput } from './relayed-write.ts'

/** Path and body of a request in one object, for entries. */
export type Fields = Record<string, unknown>

/** A request in the form of the pipeline. */
export type Request = WriteInput

/** Returns path and body in one object. Example: `{ taskId: '0x9f..', price: 4_000_000n }`. */
export function fieldsOf({ params, body }: Request): Fields {
  return { ...(body as Fields), ...(params as Fields) }
}

/**
 * Normalises a request by the function of its entry. A field that the body lacked, such as one with a default, belongs
 * to the body unless the path has it. Example: `{ params: { taskId: '0x9F..' }, body: { price: '1' } }` becomes `{
 * params: { taskId: '0x9f..' }, body: { price: 1n } }`.
 */
export function normaliseRequest(normalise: (request: Fields) => Fields, { params, body }: Request): Request {
  const isOfPath = (name: string) => Object.hasOwn(params as Fields, name)
  const isOfBody = (name: string) => Object.hasOwn(body as Fields, name) || !isOfPath(name)
  const fields = Object.entries(normalise(fieldsOf({ params, body })))
  return {
    params: Object.fromEntries(fields.filter(([name]) => isOfPath(name))),
    body: Object.fromEntries(fields.filter(([name]) => isOfBody(name))),
  }
}
