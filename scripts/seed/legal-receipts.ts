import type { PrivateKeyAccount } from 'viem'
import { z } from 'zod'

/**
 * A function that returns the header for a wallet's protected writes. Returns no header if the service does not require
 * the acceptance of its policies.
 */
export type ReceiptHeaders = (account: PrivateKeyAccount) => Promise<Record<string, string>>

const currentSchema = z.object({ enforcementEnabled: z.boolean(), version: z.string(), bundleDigest: z.string() })
const challenge = z.object({ message: z.string(), nonce: z.string() })
const acceptedSchema = z.object({ receipt: z.string() })

/**
 * Creates a function that accepts the policies once for each wallet, if the service requires this. The wallets of the
 * demo belong to no person, so the script accepts for them.
 */
export function createReceiptHeaders(baseUrl: string): ReceiptHeaders {
  const receipts = new Map<string, Promise<Record<string, string>>>()
  return (account) => {
    const receiptPromise = receipts.get(account.address) ?? acceptPolicies(`${baseUrl}/api/legal`, account)
    receipts.set(account.address, receiptPromise)
    return receiptPromise
  }
}

async function acceptPolicies(legal: string, account: PrivateKeyAccount): Promise<Record<string, string>> {
  const bundle = currentSchema.parse(await (await fetch(`${legal}/current`)).json())
  if (!bundle.enforcementEnabled) return {}
  const walletAddress = account.address
  const { message, nonce } = challenge.parse(await post(`${legal}/challenge`, { walletAddress }))
  const { receipt } = acceptedSchema.parse(
    await post(`${legal}/accept/wallet`, {
      walletAddress,
      nonce,
      bundleVersion: bundle.version,
      bundleDigest: bundle.bundleDigest,
      signature: await account.signMessage({ message }),
      agreedToTerms: true,
      agreedToAcceptableUse: true,
      acknowledgedRisk: true,
      receivedPrivacyNotice: true,
    }),
  )
  return { 'X-Service-Legal-Receipt': receipt }
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status} ${await response.text()}`)
  return await response.json()
}
