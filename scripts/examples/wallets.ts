import { type Hex, keccak256, type PrivateKeyAccount, stringToBytes } from 'viem'
import { z } from 'zod'
import { localNetwork } from '../contracts/network.ts'
import { publicUrl } from './stack.ts'

/** The fields of the answer with status 402 that a wallet signs. */
const challengeSchema = z.object({
  accepts: z.tuple([
    z.looseObject({
      payTo: z.string(),
      amount: z.string(),
      maxTimeoutSeconds: z.number(),
      extra: z.looseObject({
        eip712: z.object({
          domain: z.record(z.string(), z.unknown()),
          types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
          primaryType: z.string(),
        }),
      }),
    }),
  ]),
})

/**
 * Returns the header `PAYMENT-SIGNATURE` for an answer with status 402. The payment's nonce is derived from the
 * idempotency key. The payment's times are relative to the chain's time, because the recordings move the chain's time
 * ahead of the host's clock.
 * @param now time of the chain, Unix seconds
 */
export async function signPayment(
  account: PrivateKeyAccount,
  challenge: unknown,
  { key, now }: { key: string; now: bigint },
): Promise<string> {
  const [acceptedTerms] = challengeSchema.parse(challenge).accepts
  const authorization = {
    from: account.address,
    to: acceptedTerms.payTo,
    value: acceptedTerms.amount,
    validAfter: '0',
    validBefore: String(now + BigInt(acceptedTerms.maxTimeoutSeconds)),
    nonce: keccak256(stringToBytes(key)),
  }
  const signature = await account.signTypedData({ ...acceptedTerms.extra.eip712, message: authorization })
  const payload = { x402Version: 2, accepted: acceptedTerms, payload: { authorization, signature } }
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}

/**
 * Returns the headers that prove which wallet reads (the read identity), valid for an hour. @param now time of the
 * chain, Unix seconds
 */
export async function signReadIdentity(account: PrivateKeyAccount, now: bigint): Promise<Record<string, string>> {
  const expires = now + 3600n
  const message = `service:read:${localNetwork.chainId}:${new URL(publicUrl).host}:${account.address.toLowerCase()}:${expires}`
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({ message }),
    'X-Service-Read-Expires': String(expires),
  }
}

/** Signs the text `service:<verb>:<taskId><suffix>`, which the body of a signed write requires. */
export function signVerb(account: PrivateKeyAccount, verb: string, taskId: Hex, suffix = ''): Promise<Hex> {
  return account.signMessage({ message: `service:${verb}:${taskId}${suffix}` })
}
