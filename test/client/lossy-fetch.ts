/** A `fetch` for which the service is gone as soon as a payment is sent: before the request arrives, or after it was answered. */
export function lossyFetch({ arrives }: { arrives: boolean }): typeof fetch {
  let isGone = false
  return async (input, init) => {
    const isPaid = new Headers(init?.headers).has('payment-signature')
    if (isPaid && !isGone && arrives) await (await fetch(input, init)).arrayBuffer()
    isGone ||= isPaid
    if (isGone) throw new TypeError('the connection is lost')
    return await fetch(input, init)
  }
}
