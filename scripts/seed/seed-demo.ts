import { scenarios } from './scenarios.ts'
import { createSeedClient } from './seed-client.ts'

/**
 * Makes the demo tasks through the service, as strangers would: bounties in each state that can be reached, and a claim.
 * May be repeated after an interruption: what was made is not made again.
 * @param options.name of the chain, which the writes' idempotency keys are made from
 * @returns how many tasks there are
 */
export async function seedDemo(options: { baseUrl: string; name: string }): Promise<number> {
  const client = createSeedClient(options)
  await Promise.all(scenarios.map((scenario) => scenario(client)))
  return scenarios.length
}
