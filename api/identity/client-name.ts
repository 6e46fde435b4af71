import { createHmac } from 'node:crypto'

/**
 * Returns a pseudonym of a client for use in a table. The pseudonym depends on the service's secret and the purpose. A
 * plain hash would not hide an address, because all addresses can be tried.
 */
export function clientNameInTables(secret: string, purpose: string, client: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${client}`).digest('base64url').slice(0, 22)
}

/** Returns the pseudonym of a client in the tables of uploads and stored bytes. Both tables use the same pseudonym. */
export function uploaderInTables({ URL_SIGNING_SECRET }: { URL_SIGNING_SECRET: string }, client: string): string {
  return clientNameInTables(URL_SIGNING_SECRET, 'uploads', client)
}
