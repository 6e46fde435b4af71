import { getAddress } from 'viem'
import type { operations } from '../api/openapi.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

type Challenge = operations['createLegalChallenge']['responses'][200]['content']['application/json']

/**
 * Returns the text that a wallet signs to accept a service's legal policies. The client composes this text itself, from
 * the fields of the challenge. Line breaks in the fields become spaces.
 *
 * Example: the text begins with `Service legal acceptance`.
 */
export function acceptanceText({ bundle, nonce, issuedAt, expiresAt }: Challenge, wallet: string): string {
  const line = (text: string) => text.replace(/\p{Cc}/gu, ' ')
  const title = `${SERVICE_NAME.charAt(0).toUpperCase()}${SERVICE_NAME.slice(1)}`
  return [
    `${title} legal acceptance`,
    '',
    `Wallet: ${getAddress(wallet)}`,
    `Bundle: ${line(bundle.version)}`,
    `Issued at: ${line(issuedAt)}`,
    `Expires at: ${line(expiresAt)}`,
    `Nonce: ${line(nonce)}`,
    '',
    'Documents:',
    ...bundle.documents.map((one) => line(`- ${one.title} (${one.version}): ${one.contentHash}`)),
    '',
    line(bundle.acceptanceStatement),
  ].join('\n')
}
