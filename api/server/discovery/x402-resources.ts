import { paymentInfo } from '../openapi/payment-info.ts'
import { writes } from '../routes.ts'

/**
 * Returns `/.well-known/x402`: the paid writes with their prices. `resources`: the URLs that answer an empty POST with
 * 402, for crawlers.
 */
export function x402Resources(baseUrl: string) {
  const paidWrites = writes.flatMap((write) => {
    const info = paymentInfo(write)
    return info === null ? [] : [{ url: `${baseUrl}/api${write.path}`, write, info }]
  })
  return {
    version: 1,
    resources: paidWrites.filter(({ write }) => write.answersProbes === true).map(({ url }) => url),
    operations: paidWrites.map(({ url, write, info }) => ({
      operationId: write.operationId,
      method: 'POST',
      urlTemplate: url,
      price: info.price,
    })),
    instructions:
      `Every write needs the header of an idempotency key and a valid body; then it answers 402. ${baseUrl}/skill.md has ` +
      `the steps of each kind of task, ${baseUrl}/openapi.json all operations.`,
  }
}
