import { createHmac } from 'node:crypto'

/**
 * Returns the name of a client in a table. An address has too few bits to hide behind a plain hash. With the service's
 * secret the name is meaningless to others, and differs for every purpose.
 */
export function clientNameInTables(secret: string, purpose: string, client: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${client}`).digest('base64url').slice(0, 22)
}

/** Returns the name of a client in the tables of uploads and stored bytes, which share an account. */
export function uploaderInTables({ URL_SIGNING_SECRET }: { URL_SIGNING_SECRET: string }, client: string): string {
  return clientNameInTables(URL_SIGNING_SECRET, 'uploads', client)
}
