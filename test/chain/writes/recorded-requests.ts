import type { Hex, PrivateKeyAccount } from 'viem'
import type { Account } from '../../../client/src/account/account.ts'

/** A signature that an account made, and the text or the typed data that it is over. */
export interface RecordedSignature {
  message: unknown
  signature: Hex
}

/** An account that keeps its signatures. */
export function recordSignatures(account: PrivateKeyAccount): { account: Account; signatures: RecordedSignature[] } {
  const signatures: RecordedSignature[] = []
  const keep = async (message: unknown, signing: Promise<Hex>) => {
    const signature = await signing
    signatures.push({ message, signature })
    return signature
  }
  return {
    signatures,
    account: {
      address: account.address,
      signMessage: ({ message }) => keep(message, account.signMessage({ message })),
      signTypedData: (typedData) => keep(typedData.message, account.signTypedData(typedData)),
    },
  }
}

/** A `fetch` that keeps what is sent: each POST with its parsed body. */
export function recordRequests(): { fetch: typeof fetch; requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      if (init?.method === 'POST' && typeof init.body === 'string') {
        requests.push({ headers: new Headers(init.headers), text: init.body, body: JSON.parse(init.body) })
      }
      return await fetch(input, init)
    },
  }
}

/** A POST with a body of JSON. */
export interface RecordedRequest {
  headers: Headers
  text: string
  body: Record<string, unknown>
}
