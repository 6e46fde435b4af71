const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the id, which goes into paths and URLs unchanged.
 * @throws Error for an id that this service did not create
 */
export function requireObjectId(id: string): string {
  if (!UUID.test(id)) throw new Error('objects are named by lower-case uuids')
  return id
}
