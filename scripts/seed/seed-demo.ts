import { modeScenarios } from './mode-scenarios.ts'
import { scenarios } from './scenarios.ts'
import { createSeedClient } from './seed-client.ts'

/**
 * Makes the demo tasks through the service, as strangers would: of each mode and auction, in the states that can be
 * reached. May be repeated after an interruption: what was made is not made again.
 * @param options.name of the chain, which the writes' idempotency keys are made from
 * @returns how many tasks there are
 */
export async function seedDemo(options: { baseUrl: string; name: string }): Promise<number> {
  const client = createSeedClient(options)
  const all = [...scenarios, ...modeScenarios]
  // Each runs to its end before a failure is reported: no write goes on after this call.
  const results = await Promise.allSettled(all.map((scenario) => scenario(client)))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return all.length
}
