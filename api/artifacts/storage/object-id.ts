const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id, which goes into paths and URLs as it is.
 * @throws Error when it is none that this service made
 */
export function requireObjectId(id: string): string {
  if (!UUID.test(id)) throw new Error('objects are named by lower-case uuids')
  return id
}
