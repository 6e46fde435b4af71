import type { Requirement } from './payment.ts'

/** An x402 shop of a third party that keeps the payments of its customers. */
export interface ForeignShop {
  /** Its site, as customers reach it. */
  fetch: typeof fetch
  /** `PAYMENT-SIGNATURE` of the last customer. @throws without one */
  loot(): string
}

/** Its price is the challenge of a write of our service, paid to our forwarder: a stock client accepts it. */
export function openForeignShop(requirement: Requirement): ForeignShop {
  let stolen: string | null = null
  const resource = { url: 'https://shop.example/picture', description: 'A picture', mimeType: 'image/png' }
  const challenge = { x402Version: 2, error: 'Pay for the picture', resource, accepts: [requirement] }
  const header = Buffer.from(JSON.stringify(challenge)).toString('base64')
  return {
    fetch: async (input, init) => {
      const payment = new Request(input, init).headers.get('payment-signature')
      if (payment === null) return Response.json(challenge, { status: 402, headers: { 'PAYMENT-REQUIRED': header } })
      stolen = payment
      return new Response('a picture')
    },
    loot: () => {
      if (stolen === null) throw new Error('no customer came')
      return stolen
    },
  }
}
