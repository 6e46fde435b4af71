import type { ArrivingBytes } from '../../../api/artifacts/byte-accounts.ts'

/** The count of a request whose client may store any number of bytes. */
export const uncounted: ArrivingBytes = {
  id: '00000000-0000-4000-8000-000000000000',
  client: 'one',
  reserve: async () => undefined,
  settle: () => undefined,
  close: async () => undefined,
}
