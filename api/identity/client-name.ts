import { createHmac } from 'node:crypto'

/**
 * What a client is called in a table. An address has too few bits for a plain hash to hide it: the service's secret
 * makes it a name only for us, and another one for every purpose.
 */
export function clientNameInTables(secret: string, purpose: string, client: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${client}`).digest('base64url').slice(0, 22)
}
