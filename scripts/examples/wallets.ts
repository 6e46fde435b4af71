import { type Hex, keccak256, type PrivateKeyAccount, stringToBytes } from 'viem'
import { z } from 'zod'
import { localNetwork } from '../contracts/network.ts'
import { publicUrl } from './stack.ts'

/** The signed parts of a 402's challenge. */
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
 * Returns the `PAYMENT-SIGNATURE` for a challenge. The nonce is derived from the idempotency key. The time is that of the chain,
 * which the recordings move ahead of the host's clock.
 * @param now Unix seconds
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

/** Returns the read-identity headers of a wallet, valid for an hour. @param now Unix seconds */
export async function signReadIdentity(account: PrivateKeyAccount, now: bigint): Promise<Record<string, string>> {
  const expires = now + 3600n
  const message = `service:read:${localNetwork.chainId}:${new URL(publicUrl).host}:${account.address.toLowerCase()}:${expires}`
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({ message }),
    'X-Service-Read-Expires': String(expires),
  }
}

/** Signs `service:<verb>:<taskId><suffix>` for a body. */
export function signVerb(account: PrivateKeyAccount, verb: string, taskId: Hex, suffix = ''): Promise<Hex> {
  return account.signMessage({ message: `service:${verb}:${taskId}${suffix}` })
}
