import { test } from 'vitest'
import { isDeep } from './depth.ts'

/**
 * Registers a test of `npm run test:deep` alone; test/README.md names what proves the same in `npm test`. Example:
 * `deepTest('given no bid, when it expires, then the reward is refunded', async () => { ... })`.
 */
export function deepTest(name: string, run: () => Promise<void>, milliseconds?: number): void {
  if (isDeep) test(name, run, milliseconds)
}
