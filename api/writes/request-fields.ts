import type { WriteInput } from './relayed-write.ts'

/** The fields of a request's path and body in one object, as the table of operations (`protocol/`) names them. */
export type Fields = Record<string, unknown>

/** A request with separate path and body. The pipeline uses this form. */
export type Request = WriteInput

/** Merges the fields of path and body into one object. Example: `{ taskId: '0x9f..', price: 4_000_000n }`. */
export function fieldsOf({ params, body }: Request): Fields {
  return { ...(body as Fields), ...(params as Fields) }
}

/**
 * Normalises a request with the `normalise` function of its entry. A field that the entry adds becomes a field of the
 * body. Example: `{ params: { taskId: '0x9F..' }, body: { price: '1' } }` becomes `{ params: { taskId: '0x9f..' },
 * body: { price: 1n } }`.
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
