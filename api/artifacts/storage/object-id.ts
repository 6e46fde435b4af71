const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the id if it has the form of this service's ids. Such an id needs no encoding in paths and URLs.
 * @throws Error if the id does not have the form of this service's ids
 */
export function requireObjectId(id: string): string {
  if (!UUID.test(id)) throw new Error('objects are named by lower-case uuids')
  return id
}
