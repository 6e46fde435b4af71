import { createHmac } from 'node:crypto'

/**
 * What a client is called in a table. An address has too few bits for a plain hash to hide it: the service's secret
 * makes it a name only for us, and another one for every purpose.
 */
export function clientNameInTables(secret: string, purpose: string, client: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${client}`).digest('base64url').slice(0, 22)
}

/** The name of a client in the tables of uploads and stored bytes, which are of one account. */
export function uploaderInTables({ URL_SIGNING_SECRET }: { URL_SIGNING_SECRET: string }, client: string): string {
  return clientNameInTables(URL_SIGNING_SECRET, 'uploads', client)
}
